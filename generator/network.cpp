#include "network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli.hpp"
#include "compiler/front/front.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/program/play.hpp"
#include "compiler/program/program.hpp"
#include "emit/file_io.hpp"

namespace macrame {

namespace {

namespace fs = std::filesystem;
using graph::Bytes;

/// A network and what the family makes of it.
struct Network {
    graph::Graph graph;
    compiler::Compiled compiled;
    std::string name;  ///< of the file, without its ending
};

bool report_all(const std::vector<std::string>& errors) {
    Diags diags;
    for (const std::string& text : errors)
        diags.push_back({text});
    return report(diags);
}

std::optional<Network> compile(const Request& request, const Design& design) {
    if (design.family.networks == nullptr) {
        report({{fmt::format("the family {} has no compiler yet: want another one", design.family.name)}});
        return std::nullopt;
    }
    front::ReadResult read = front::read(request.network);
    if (report_all(read.errors)) return std::nullopt;
    Network network;
    network.name = fs::path(request.network).stem().string();
    network.graph = std::move(read.graph);
    network.compiled = design.family.networks->compile(design, network.graph);
    if (report_all(network.compiled.errors)) return std::nullopt;
    return network;
}

// ---------------------------------------------------------------- running

/// Runs inputs on one machine.
class Runner {
public:
    Runner(const Design& design, const Network& network)
        : network_(network),
          file_(program::write(network.compiled.program)),
          device_(design.family.networks->make_model(design, memory_)) {}

    /// Outputs of the network for its inputs; nothing after an error, which is printed.
    std::optional<std::vector<Bytes>> run(const std::vector<Bytes>& inputs) {
        program::PlayOptions options;
        options.block = kBlock;
        const program::PlayResult played = program::play(file_, inputs, *device_, memory_, options);
        if (!played.passed()) {
            report_all({fmt::format("{}: {}", network_.name, played.error)});
            report_all(played.violations);
            return std::nullopt;
        }
        return behind(played.outputs);
    }

    const verif::Memory& memory() const { return memory_; }
    static constexpr std::uint64_t kBlock = 0x80000000u;

private:
    /// What the host does behind the program.
    std::vector<Bytes> behind(const std::vector<Bytes>& outputs) const {
        std::map<graph::TensorId, Bytes> values;
        for (std::size_t i = 0; i < outputs.size(); ++i)
            values[network_.compiled.outputs[i]] = outputs[i];
        for (const int index : network_.compiled.host_nodes) {
            const graph::Node& node = network_.graph.nodes[static_cast<std::size_t>(index)];
            std::vector<const Bytes*> in;
            for (const graph::TensorId id : node.inputs)
                in.push_back(id == graph::kNone ? nullptr : &values[id]);
            std::vector<Bytes> out = graph::run_node(network_.graph, node, in);
            for (std::size_t i = 0; i < out.size(); ++i)
                values[node.outputs[i]] = std::move(out[i]);
        }
        std::vector<Bytes> result;
        for (const graph::TensorId id : network_.graph.outputs)
            result.push_back(values[id]);
        return result;
    }

    const Network& network_;
    Bytes file_;
    verif::Memory memory_;
    std::unique_ptr<verif::Device> device_;
};

/// Inputs back to back: of each run all input tensors.
std::optional<std::vector<std::vector<Bytes>>> read_inputs(const Request& request,
                                                           const Network& network) {
    const emit::FileText file = emit::read_file(request.input, std::size_t{1} << 30);
    std::size_t one = 0;
    for (const graph::TensorId id : network.graph.inputs)
        one += network.graph.tensor(id).bytes();
    Diags diags;
    if (!file.error.empty()) {
        diags.push_back({fmt::format("{}: {}", request.input, file.error)});
    } else if (file.bytes.empty() || file.bytes.size() % one != 0) {
        diags.push_back({fmt::format("{}: {} bytes: want a multiple of {}, the bytes of an input",
                                     request.input, file.bytes.size(), one)});
    } else if (request.count &&
               file.bytes.size() / one < static_cast<std::size_t>(*request.count)) {
        diags.push_back({fmt::format("--count = {}: want at most {}, the inputs in {}",
                                     *request.count, file.bytes.size() / one, request.input)});
    }
    if (report(diags)) return std::nullopt;
    const std::size_t count =
        request.count ? static_cast<std::size_t>(*request.count) : file.bytes.size() / one;
    std::vector<std::vector<Bytes>> runs(count);
    auto at = file.bytes.begin();
    for (std::vector<Bytes>& run : runs) {
        for (const graph::TensorId id : network.graph.inputs) {
            const auto end = at + static_cast<std::ptrdiff_t>(network.graph.tensor(id).bytes());
            run.emplace_back(at, end);
            at = end;
        }
    }
    return runs;
}

bool write(const fs::path& path, std::string_view bytes) {
    std::error_code code;
    fs::remove(path, code);
    const std::string error = emit::write_file(path, bytes);
    return error.empty() || !report({{fmt::format("{}: {}", path.string(), error)}});
}

std::string_view view(const Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// ---------------------------------------------------------------- tables

void print_layers(const Network& network, const Design& design) {
    const compiler::Compiled& made = network.compiled;
    fmt::print("{} on {}: estimated cycles\n", network.name, design.name);
    fmt::print("{:<34} {:>5} {:>11} {:>10} {:>10} {:>10} {:>10} {:>10}\n", "operator", "runs",
               "MAC", "cycles", "MAC array", "SDP, PDP", "memory", "exact");
    for (std::size_t i = 0; i < network.graph.nodes.size(); ++i) {
        const int index = static_cast<int>(i);
        compiler::LayerReport sum;
        int runs = 0;
        for (const compiler::LayerReport& layer : made.layers) {
            if (layer.node != index) continue;
            ++runs;
            sum.macs += layer.macs;
            sum.cycles += layer.cycles;
            sum.mac_cycles += layer.mac_cycles;
            sum.post_cycles += layer.post_cycles;
            sum.memory_cycles += layer.memory_cycles;
        }
        if (runs == 0) continue;
        int channels = 0, proved = 0;
        for (const compiler::Exactness& exact : made.exactness) {
            if (exact.node != index) continue;
            channels += exact.channels;
            proved += exact.proved;
        }
        fmt::print("{:<34.34} {:>5} {:>11} {:>10} {:>10} {:>10} {:>10} {:>10}\n",
                   network.graph.nodes[i].where, runs, sum.macs, sum.cycles, sum.mac_cycles,
                   sum.post_cycles, sum.memory_cycles, fmt::format("{}/{}", proved, channels));
    }
    fmt::print("{:<34} {:>5} {:>11} {:>10}\n", "all", made.layers.size(), "", made.cycles());
}

}  // namespace

int run_compile(const Request& request, const Design& design) {
    const std::optional<Network> network = compile(request, design);
    if (!network) return kUserError;
    const fs::path out(request.out);
    std::error_code code;
    fs::create_directories(out, code);
    if (code) {
        report({{fmt::format("{}: {}: want a folder", request.out, code.message())}});
        return kUserError;
    }
    // A trace has an input: zero points, and what the golden model makes of them.
    std::vector<Bytes> zeros;
    for (const graph::TensorId id : network->graph.inputs) {
        const graph::Tensor& tensor = network->graph.tensor(id);
        const std::vector<std::int32_t>& zero = tensor.quantisation.zero_point;
        zeros.emplace_back(tensor.bytes(), static_cast<std::uint8_t>(zero.empty() ? 0 : zero[0]));
    }
    if (!request.input.empty()) {
        const auto inputs = read_inputs(request, *network);
        if (!inputs) return kUserError;
        zeros = inputs->front();
    }
    Runner runner(design, *network);
    if (!runner.run(zeros)) return kFailed;
    const program::Program& program = network->compiled.program;
    std::map<std::string, std::string> files = design.family.networks->traces(
        program, network->name, zeros, runner.memory(), Runner::kBlock);
    files[network->name + ".program"] = std::string(view(program::write(program)));
    files[network->name + ".txt"] = program::listing(program);
    for (const auto& [name, text] : files)
        if (!write(out / name, text)) return kUserError;
    fmt::print("{}: {} files, {} layers, {} KiB of memory\n", request.out, files.size(),
               network->compiled.layers.size(), program.memory_bytes / 1024);
    return kPassed;
}

int run_network(const Request& request, const Design& design) {
    const std::optional<Network> network = compile(request, design);
    if (!network) return kUserError;
    const auto inputs = read_inputs(request, *network);
    if (!inputs) return kUserError;
    Runner runner(design, *network);
    std::string outputs;
    for (const std::vector<Bytes>& input : *inputs) {
        const auto output = runner.run(input);
        if (!output) return kFailed;
        for (const Bytes& tensor : *output)
            outputs += view(tensor);
    }
    if (!request.output.empty() && !write(request.output, outputs)) return kUserError;
    fmt::print("{} on {}, golden model: {} inputs\n", network->name, design.name, inputs->size());
    return kPassed;
}

int run_estimate(const Request& request, const Design& design) {
    const std::optional<Network> network = compile(request, design);
    if (!network) return kUserError;
    print_layers(*network, design);
    if (request.json.empty()) return kPassed;
    nlohmann::ordered_json layers = nlohmann::ordered_json::array();
    for (const compiler::LayerReport& layer : network->compiled.layers) {
        layers.push_back({{"name", layer.name},
                          {"unit", layer.unit},
                          {"operator", layer.node},
                          {"cycles", layer.cycles},
                          {"macs", layer.macs},
                          {"mac_cycles", layer.mac_cycles},
                          {"post_cycles", layer.post_cycles},
                          {"memory_cycles", layer.memory_cycles},
                          {"read_bytes", layer.read_bytes},
                          {"write_bytes", layer.write_bytes}});
    }
    const nlohmann::ordered_json json = {{"network", network->name},
                                         {"configuration", design.name},
                                         {"total_cycles", network->compiled.cycles()},
                                         {"layers", std::move(layers)}};
    return write(request.json, json.dump(2) + "\n") ? kPassed : kUserError;
}

}  // namespace macrame
