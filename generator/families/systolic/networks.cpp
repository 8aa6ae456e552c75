/// Networks on the systolic family.

#include <fmt/format.h>

#include <any>

#include "compiler/systolic/compile.hpp"
#include "compiler/systolic/model_cycles.hpp"
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
        compiler::compile(graph, architecture_of(config), options.keep_tensors, options.dump);
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
    out.own = std::move(made.program);
    return out;
}

const SystolicProgram& program_of(const Compiled& compiled) {
    return std::any_cast<const SystolicProgram&>(compiled.own);
}

std::map<std::string, std::string> files(const Compiled& compiled, const std::string& name) {
    return compiler::files(program_of(compiled), name);
}

std::vector<std::vector<std::uint8_t>> run_model(
    const Design&, const graph::Graph&, const Compiled& compiled,
    const std::vector<std::vector<std::uint8_t>>& inputs, std::vector<std::uint64_t>&,
    std::string& error) {
    return compiler::run(program_of(compiled), inputs, error);
}

std::vector<std::uint8_t> encode_inputs(const graph::Graph&, const Compiled&,
                                        const std::vector<std::vector<std::uint8_t>>& inputs) {
    return compiler::encode_inputs(inputs);
}

std::vector<std::vector<std::uint8_t>> decode_outputs(const graph::Graph&, const Compiled& compiled,
                                                      const std::vector<std::uint8_t>& outputs) {
    return compiler::decode_outputs(program_of(compiled), outputs);
}

std::size_t output_bytes(const Compiled& compiled) {
    return compiler::output_bytes(program_of(compiled));
}

std::vector<std::uint64_t> model_ends(const Design&, const Compiled& compiled, std::string& error) {
    compiler::ModelCycles cycles =
        compiler::model_cycles(program_of(compiled), compiled.layers.size());
    error = std::move(cycles.problem);
    cycles.ends.push_back(cycles.cycles);
    return cycles.ends;
}

}  // namespace

const Networks& networks() {
    static const Networks kNetworks = [] {
        Networks out{};
        out.compile = compile;
        out.files = files;
        out.run_model = run_model;
        out.program_ending = ".json";
        out.encode_inputs = encode_inputs;
        out.decode_outputs = decode_outputs;
        out.output_bytes = output_bytes;
        out.model_ends = model_ends;
        out.passes = compiler::pass_names();
        return out;
    }();
    return kNetworks;
}

}  // namespace macrame::systolic
