/// Networks on the tcu family.

#include <any>

#include "compiler/tcu/compile.hpp"
#include "core/design.hpp"
#include "families/tcu/derived.hpp"
#include "families/tcu/family.hpp"
#include "verif/tcu/run/golden_model.hpp"

namespace macrame::tcu {

namespace {

using compiler::TcuProgram;

macrame::compiler::Compiled compile(const Design& design, const graph::Graph& graph,
                                    const macrame::compiler::Options& options) {
    const Config& config = std::any_cast<const Config&>(design.config);
    compiler::Target target;
    const Derived sizes = derive(config);
    target.machine.beats = sizes.vector_beats;
    target.machine.local_block = 1 << sizes.local_block_w;
    target.machine.dram_block = 1 << sizes.dram_block_w;
    target.machine.queue = config.queue_depth;
    target.machine.transfers = sizes.load_ahead;
    target.machine.array_latency = sizes.array_latency;
    target.machine.results = sizes.result_depth;
    target.machine.swap = config.array_size;
    target.machine.vectors = config.array_vectors;
    target.original = options.for_original;
    const bool both = options.strategy == "local-vars-and-consts";
    target.strategy.local_variables = both || options.strategy == "local-vars";
    target.strategy.local_constants = both || options.strategy == "local-consts";
    compiler::CompiledTcu made = compiler::compile(graph, architecture_of(config), target);
    made.compiled.program.family = "tcu";
    made.compiled.program.configuration = design.name;
    made.compiled.program.network = graph.name;
    made.compiled.own = std::move(made.program);
    return std::move(made.compiled);
}

const TcuProgram& program_of(const macrame::compiler::Compiled& compiled) {
    return std::any_cast<const TcuProgram&>(compiled.own);
}

std::map<std::string, std::string> files(const macrame::compiler::Compiled& compiled,
                                         const std::string& name) {
    return compiler::files(program_of(compiled), name);
}

std::vector<std::vector<std::uint8_t>> run_model(
    const Design&, const graph::Graph& graph, const macrame::compiler::Compiled& compiled,
    const std::vector<std::vector<std::uint8_t>>& inputs, std::string& error) {
    verif::Memory dram0("dram0"), dram1("dram1");
    const run::Banks banks{dram0, dram1};
    const TcuProgram& program = program_of(compiled);
    run::GoldenModel model(program.architecture, banks);
    return compiler::run(graph, program, model, banks, inputs, error);
}

std::vector<std::uint8_t> encode_inputs(const graph::Graph& graph,
                                        const macrame::compiler::Compiled& compiled,
                                        const std::vector<std::vector<std::uint8_t>>& inputs) {
    return compiler::encode_inputs(graph, program_of(compiled), inputs);
}

std::vector<std::vector<std::uint8_t>> decode_outputs(const graph::Graph& graph,
                                                      const macrame::compiler::Compiled& compiled,
                                                      const std::vector<std::uint8_t>& outputs) {
    return compiler::decode_outputs(graph, program_of(compiled), outputs);
}

std::size_t output_bytes(const macrame::compiler::Compiled& compiled) {
    const TcuProgram& program = program_of(compiled);
    std::size_t vectors = 0;
    for (const compiler::Port& port : program.outputs)
        vectors += port.vectors.size();
    return vectors * static_cast<std::size_t>(program.architecture.vector_bytes());
}

}  // namespace

const Networks& networks() {
    static const Networks kNetworks = [] {
        Networks out{};
        out.compile = compile;
        out.files = files;
        out.run_model = run_model;
        out.program_ending = ".tmodel";
        out.encode_inputs = encode_inputs;
        out.decode_outputs = decode_outputs;
        out.output_bytes = output_bytes;
        out.original = "tensil";
        out.strategies = {"local-isolated", "local-vars", "local-consts", "local-vars-and-consts"};
        return out;
    }();
    return kNetworks;
}

}  // namespace macrame::tcu
