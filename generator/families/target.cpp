#include "families/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/play/play.hpp"

namespace macrame {

namespace {

using compiler::Compiled;

/// Where programs lie in the memory of the golden model.
constexpr std::uint64_t kBlock = 0x80000000u;

class RegisterRun : public ModelRun {
public:
    RegisterRun(const RegisterTarget& target, const Design& design, const Compiled& compiled)
        : target_(target),
          compiled_(compiled),
          file_(program::write(compiled.program)),
          device_(target.make_model(design, memory_)) {}

    Outputs run(const Inputs& inputs, const Host& host, std::vector<std::string>& errors) override {
        program::PlayOptions options;
        options.block = kBlock;
        if (!compiled_.host.empty()) options.host = host;
        program::PlayResult played = program::play(file_, inputs, *device_, memory_, options);
        if (!played.error.empty()) errors.push_back(played.error);
        errors.insert(errors.end(), played.violations.begin(), played.violations.end());
        return std::move(played.outputs);
    }

    std::map<std::string, std::string> traces(const std::string& name,
                                              const Inputs& inputs) const override {
        program::Program program = compiled_.program;
        program.commands = compiled_.trace;
        return target_.traces(program, name, inputs, memory_, kBlock);
    }

private:
    const RegisterTarget& target_;
    const Compiled& compiled_;
    graph::Bytes file_;
    verif::Memory memory_;
    std::unique_ptr<verif::Device> device_;
};

class InstructionRun : public ModelRun {
public:
    InstructionRun(const InstructionTarget& target, const graph::Graph& graph,
                   const Compiled& compiled)
        : target_(target), graph_(graph), compiled_(compiled) {}

    Outputs run(const Inputs& inputs, const Host&, std::vector<std::string>& errors) override {
        std::string error;
        Outputs outputs = target_.run_model(graph_, compiled_, inputs, saturated_, error);
        if (!error.empty()) errors.push_back(error);
        return outputs;
    }

    std::vector<std::uint64_t> saturated() const override { return saturated_; }

private:
    const InstructionTarget& target_;
    const graph::Graph& graph_;
    const Compiled& compiled_;
    std::vector<std::uint64_t> saturated_;
};

/// Elements alone, as files have them.
std::size_t packed_bytes(const program::Tensor& tensor) {
    return static_cast<std::size_t>(tensor.height) * tensor.width * tensor.channels *
           static_cast<std::size_t>(program::element_bytes(tensor.element));
}

}  // namespace

Target::Files RegisterTarget::files(const Compiled& compiled, const std::string& name) const {
    const Bytes bytes = program::write(compiled.program);
    return {{name + ".program", {bytes.begin(), bytes.end()}},
            {name + ".txt", program::listing(compiled.program)}};
}

Target::Files RegisterTarget::files(const std::vector<SharedProgram>& programs,
                                    const std::string& name) const {
    std::vector<program::Program> all;
    std::string text;
    for (const SharedProgram& one : programs) {
        all.push_back(one.compiled->program);
        all.back().name = one.name;
        text += fmt::format("{}network {}\n\n{}", text.empty() ? "" : "\n", one.name,
                            program::listing(all.back()));
    }
    std::uint64_t bytes = 0;
    for (const program::Program& one : all)
        bytes = std::max(bytes, one.memory_bytes);
    for (program::Program& one : all)
        one.memory_bytes = bytes;
    const Bytes file = program::write(all);
    return {{name + ".program", {file.begin(), file.end()}}, {name + ".txt", std::move(text)}};
}

std::unique_ptr<ModelRun> RegisterTarget::load(const Design& design, const graph::Graph&,
                                               const Compiled& compiled) const {
    return std::make_unique<RegisterRun>(*this, design, compiled);
}

Target::Bytes RegisterTarget::encode_inputs(const graph::Graph&, const Compiled&,
                                            const std::vector<Bytes>& inputs) const {
    Bytes out;
    for (const Bytes& tensor : inputs)
        out.insert(out.end(), tensor.begin(), tensor.end());
    return out;
}

std::vector<Target::Bytes> RegisterTarget::decode_outputs(const graph::Graph&,
                                                          const Compiled& compiled,
                                                          const Bytes& outputs) const {
    std::vector<Bytes> out;
    auto at = outputs.begin();
    for (const program::Tensor& tensor : compiled.program.outputs) {
        const auto end = at + static_cast<std::ptrdiff_t>(packed_bytes(tensor));
        out.emplace_back(at, end);
        at = end;
    }
    return out;
}

std::size_t RegisterTarget::output_bytes(const Compiled& compiled) const {
    std::size_t sum = 0;
    for (const program::Tensor& tensor : compiled.program.outputs)
        sum += packed_bytes(tensor);
    return sum;
}

std::unique_ptr<ModelRun> InstructionTarget::load(const Design&, const graph::Graph& graph,
                                                  const Compiled& compiled) const {
    return std::make_unique<InstructionRun>(*this, graph, compiled);
}

}  // namespace macrame
