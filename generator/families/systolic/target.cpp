/// Networks on the systolic family.

#include "families/target.hpp"

#include <fmt/format.h>

#include <any>
#include <memory>
#include <utility>

#include "compiler/systolic/compile.hpp"
#include "compiler/systolic/cost/model_cycles.hpp"
#include "core/design.hpp"
#include "families/systolic/derived.hpp"
#include "families/systolic/family.hpp"

namespace macrame::systolic {

namespace {

using compiler::SystolicProgram;
using macrame::compiler::Compiled;
using macrame::compiler::Options;

Compiled compile(const Design& design, const graph::Graph& graph, const Options& options) {
    const Config& config = std::any_cast<const Config&>(design.config);
    Compiled out;
    if (config.requantise == kNoScales || config.in_width != 8 || config.weight_width != 8) {
        out.errors.push_back(
            "networks of int8: want in-width 8, weight-width 8 and requantise exact or true");
        return out;
    }
    compiler::CompiledSystolic made =
        compiler::compile(graph, architecture_of(config), options.keep_tensors, options.dump,
                          options.own_begin, options.memo);
    out = std::move(made.compiled);
    const std::uint64_t bytes = compiler::image_bytes(made.program);
    if (out.ok() && bytes > std::uint64_t{1} << config.address_width) {
        out.errors.push_back(fmt::format(
            "{}: {} bytes of memory with all programs: want at most {}, the addresses of {} bits",
            graph.name, bytes, std::uint64_t{1} << config.address_width, config.address_width));
    }
    out.program.family = "systolic";
    out.program.configuration = design.name;
    out.program.network = graph.name;
    out.program.memory_bytes = bytes;
    made.program.identity = design.identity();
    made.program.parameters = design.program_parameters();
    out.own = std::make_shared<SystolicProgram>(std::move(made.program));
    return out;
}

class SystolicTarget : public InstructionTarget {
public:
    Compiled compile(const Design& design, const graph::Graph& graph,
                     const Options& options) const override {
        return systolic::compile(design, graph, options);
    }
    std::vector<std::string> passes() const override { return compiler::pass_names(); }
    Files files(const Compiled& compiled, const std::string& name) const override {
        return compiler::files(compiled.own_as<SystolicProgram>(), name);
    }
    bool write_files(const Compiled& compiled, const std::string& name,
                     const Write& write) const override {
        return compiler::write_files(compiled.own_as<SystolicProgram>(), name, write);
    }
    Files files(const std::vector<SharedProgram>& programs,
                const std::string& name) const override {
        std::vector<std::pair<std::string, const SystolicProgram*>> own;
        for (const SharedProgram& program : programs)
            own.emplace_back(program.name, &program.compiled->own_as<SystolicProgram>());
        return compiler::files(own, name);
    }
    std::string_view program_ending() const override { return ".json"; }
    Bytes encode_inputs(const graph::Graph&, const Compiled&,
                        const std::vector<Bytes>& inputs) const override {
        return compiler::encode_inputs(inputs);
    }
    std::vector<Bytes> decode_outputs(const graph::Graph&, const Compiled& compiled,
                                      const Bytes& outputs) const override {
        return compiler::decode_outputs(compiled.own_as<SystolicProgram>(), outputs);
    }
    std::size_t output_bytes(const Compiled& compiled) const override {
        return compiler::output_bytes(compiled.own_as<SystolicProgram>());
    }
    bool has_cycle_model() const override { return true; }
    bool takes_latency() const override { return true; }
    graph::Sums sums(const Design& design) const override {
        return std::any_cast<const Config&>(design.config).out_width == 32 ? graph::Sums::bytes
                                                                           : graph::Sums::whole;
    }
    std::vector<std::uint64_t> model_ends(const Compiled& compiled, const MemorySpeed& memory,
                                          std::string& error) const override {
        compiler::ModelCycles cycles = compiler::model_cycles(
            compiled.own_as<SystolicProgram>(), compiled.layers.size(),
            memory.latency.value_or(compiler::kModelLatency), memory.bytes_per_cycle);
        error = std::move(cycles.problem);
        cycles.ends.push_back(cycles.cycles);
        return cycles.ends;
    }
    std::vector<Bytes> run_model(const graph::Graph&, const Compiled& compiled,
                                 const std::vector<Bytes>& inputs, std::vector<std::uint64_t>&,
                                 std::string& error) const override {
        return compiler::run(compiled.own_as<SystolicProgram>(), inputs, error);
    }
};

}  // namespace

const Target& target() {
    static const SystolicTarget kTarget;
    return kTarget;
}

}  // namespace macrame::systolic
