/// Networks on the tcu family.

#include "families/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <any>
#include <array>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/tcu/compile.hpp"
#include "core/design.hpp"
#include "families/tcu/derived.hpp"
#include "families/tcu/family.hpp"
#include "verif/tcu/run/golden_model.hpp"

namespace macrame::tcu {

namespace {

using compiler::TcuProgram;

constexpr std::string_view kFastest = "fastest";
/// By their names on the command line.
constexpr std::array<std::pair<std::string_view, compiler::Strategy>, 4> kStrategies = {
    {{"local-isolated", {false, false}},
     {"local-vars", {true, false}},
     {"local-consts", {false, true}},
     {"local-vars-and-consts", {true, true}}}};

using macrame::compiler::Compiled;
using macrame::compiler::Options;

compiler::TcuOptions target_of(const Config& config, const Options& options) {
    compiler::TcuOptions target;
    const Derived sizes = derive(config);
    target.timing.beats = sizes.vector_beats;
    target.timing.local_block = 1 << sizes.local_block_w;
    target.timing.dram_block = 1 << sizes.dram_block_w;
    target.timing.queue = config.queue_depth;
    target.timing.transfers = sizes.load_ahead;
    target.timing.array_latency = sizes.array_latency;
    target.timing.results = sizes.result_depth;
    target.timing.swap = config.weight_buffers == 2 ? config.array_size : 1;
    target.timing.vectors = config.array_vectors;
    target.memory_latency = options.memory_latency;
    target.original = options.for_original;
    target.keep_tensors = options.keep_tensors;
    target.own_begin = options.own_begin;
    target.dump = options.dump;
    return target;
}

/// With a strategy, or with that of the fewest cycles of all that fit.
compiler::CompiledTcu compile_as(std::string_view strategy, const Config& config,
                                 const graph::Graph& graph, const compiler::TcuOptions& target) {
    std::vector<compiler::Strategy> tried;
    for (const auto& [name, kept] : kStrategies) {
        if (strategy != kFastest && strategy != name) continue;
        // They are copied once, and the next network would overwrite them.
        if (target.own_begin && kept.local_constants) {
            if (strategy == kFastest) continue;
            compiler::CompiledTcu refused;
            refused.compiled.errors = {fmt::format(
                "--strategy {}: constants of several networks stay in DRAM1: want {} or {}", name,
                kStrategies[0].first, kStrategies[1].first)};
            return refused;
        }
        tried.push_back(kept);
    }
    return compiler::compile(graph, architecture_of(config), target, tried);
}

Compiled compile(const Design& design, const graph::Graph& graph, const Options& options) {
    const Config& config = std::any_cast<const Config&>(design.config);
    // What takes more time on the original hardware, nobody knows here.
    const std::string_view usual = options.for_original ? kStrategies.front().first : kFastest;
    compiler::CompiledTcu made =
        compile_as(options.strategy.empty() ? usual : std::string_view(options.strategy), config,
                   graph, target_of(config, options));
    made.compiled.program.family = "tcu";
    made.compiled.program.configuration = design.name;
    made.compiled.program.network = graph.name;
    made.compiled.own = std::make_shared<TcuProgram>(std::move(made.program));
    return std::move(made.compiled);
}

class TcuTarget : public InstructionTarget {
public:
    Compiled compile(const Design& design, const graph::Graph& graph,
                     const Options& options) const override {
        return tcu::compile(design, graph, options);
    }
    std::vector<std::string> passes() const override { return compiler::pass_names(); }
    std::string_view original() const override { return "tensil"; }
    bool takes_latency() const override { return true; }
    bool takes_uint8() const override { return true; }
    std::vector<std::string_view> strategies() const override {
        std::vector<std::string_view> out = {kFastest};
        for (const auto& [name, kept] : kStrategies)
            out.push_back(name);
        return out;
    }
    Files files(const Compiled& compiled, const std::string& name) const override {
        return compiler::files(compiled.own_as<TcuProgram>(), name);
    }
    bool write_files(const Compiled& compiled, const std::string& name,
                     const Write& write) const override {
        return compiler::write_files(compiled.own_as<TcuProgram>(), name, write);
    }
    Files files(const std::vector<SharedProgram>& programs,
                const std::string& name) const override {
        std::vector<std::pair<std::string, const TcuProgram*>> own;
        for (const SharedProgram& program : programs)
            own.emplace_back(program.name, &program.compiled->own_as<TcuProgram>());
        return compiler::files(own, name);
    }
    std::string_view program_ending() const override { return ".tmodel"; }
    Bytes encode_inputs(const graph::Graph& graph, const Compiled& compiled,
                        const std::vector<Bytes>& inputs) const override {
        return compiler::encode_inputs(graph, compiled.own_as<TcuProgram>(), inputs);
    }
    std::vector<Bytes> decode_outputs(const graph::Graph& graph, const Compiled& compiled,
                                      const Bytes& outputs) const override {
        return compiler::decode_outputs(graph, compiled.own_as<TcuProgram>(), outputs);
    }
    std::size_t output_bytes(const Compiled& compiled) const override {
        const TcuProgram& program = compiled.own_as<TcuProgram>();
        std::size_t vectors = 0;
        for (const compiler::Port& port : program.outputs)
            vectors += port.stored();
        return vectors * static_cast<std::size_t>(program.architecture.vector_bytes());
    }
    std::vector<std::uint64_t> layer_ends(const Design& design, const Compiled& compiled,
                                          const std::vector<std::uint64_t>& moved) const override {
        const Derived sizes = derive(std::any_cast<const Config&>(design.config));
        return compiler::layer_ends(compiled.own_as<TcuProgram>(), 1 << sizes.local_block_w, moved);
    }
    std::vector<Bytes> run_model(const graph::Graph& graph, const Compiled& compiled,
                                 const std::vector<Bytes>& inputs,
                                 std::vector<std::uint64_t>& saturated,
                                 std::string& error) const override {
        verif::Memory dram0("dram0"), dram1("dram1");
        const run::Banks banks{dram0, dram1};
        const TcuProgram& program = compiled.own_as<TcuProgram>();
        run::GoldenModel model(program.architecture, banks);
        const compiler::AfterLayer count = [&, before = std::uint64_t{0}](int layer) mutable {
            const model::Saturations& all = model.machine().saturations();
            const std::uint64_t now = all.array + all.accumulators + all.simd;
            saturated.resize(std::max(saturated.size(), static_cast<std::size_t>(layer) + 1));
            saturated[static_cast<std::size_t>(layer)] += now - before;
            before = now;
        };
        return compiler::run(graph, program, model, banks, inputs, error, count);
    }
};

}  // namespace

const Target& target() {
    static const TcuTarget kTarget;
    return kTarget;
}

}  // namespace macrame::tcu
