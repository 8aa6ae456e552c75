#include "compiler/tcu/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "compiler/dump.hpp"
#include "compiler/graph/at.hpp"
#include "compiler/tcu/assemble.hpp"
#include "compiler/tcu/dump.hpp"
#include "compiler/tcu/hazards.hpp"
#include "compiler/tcu/lower.hpp"
#include "compiler/tcu/overlap.hpp"

namespace macrame::tcu::compiler {

namespace {

using macrame::compiler::Pass;

std::vector<Port> ports(const graph::Graph& graph, const Lowering& lowering,
                        const Placement& placement, const std::vector<graph::TensorId>& tensors,
                        const std::vector<std::vector<VectorId>>& vectors) {
    std::vector<Port> out;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const Shape& shape = lowering.view(tensors[i]).shape;
        Port port{
            graph.tensor(tensors[i]).name,    tensors[i], shape.height, shape.width, shape.channels,
            lowering.factors[at(tensors[i])], {}};
        for (const VectorId id : vectors[i])
            port.vectors.push_back(
                id == kZeros ? Port::kNowhere : placement.dram0[at(lowering.layers.at(id).index)]);
        out.push_back(std::move(port));
    }
    return out;
}

/// Cycles and bounds of each layer.
std::vector<macrame::compiler::LayerReport> reports(const Lowering& lowering,
                                                    const Assembled& assembled,
                                                    const Architecture& architecture,
                                                    const TimingSizes& machine) {
    std::vector<macrame::compiler::LayerReport> out;
    for (const Layer& layer : lowering.layers.layers) {
        macrame::compiler::LayerReport report;
        report.name = layer.name;
        report.unit = layer.combine == Combine::sum ? "array" : "SIMD";
        report.node = layer.node;
        report.macs = layer.macs;
        out.push_back(std::move(report));
    }
    std::vector<Time> ends(out.size(), 0);
    std::vector<std::uint64_t> read0(out.size()), read1(out.size());
    std::vector<std::uint64_t> written0(out.size()), written1(out.size());
    const auto vectors = static_cast<std::uint64_t>(machine.vectors);
    Timing timing(machine, architecture);
    for (std::size_t n = 0; n < assembled.instructions.size(); ++n) {
        const Instruction& i = assembled.instructions[n];
        const std::size_t layer = at(assembled.layers[n]);
        ends[layer] = std::max(ends[layer], timing.run(i));
        if (i.is(kMatMul)) out[layer].mac_cycles += (i.size + vectors - 1) / vectors;
        if (i.is(kSimd)) ++out[layer].post_cycles;
        if (!i.is(kDataMove)) continue;
        if (move_space(i.flags) == Space::accumulators) out[layer].post_cycles += i.size;
        if (i.flags == kDram0ToLocal) read0[layer] += i.size;
        if (i.flags == kDram1ToLocal) read1[layer] += i.size;
        if (i.flags == kLocalToDram0) written0[layer] += i.size;
        if (i.flags == kLocalToDram1) written1[layer] += i.size;
    }
    const auto beats = static_cast<std::uint64_t>(machine.beats);
    const auto bytes = static_cast<std::uint64_t>(architecture.vector_bytes());
    Time before = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        macrame::compiler::LayerReport& report = out[i];
        report.memory_cycles = std::max({read0[i], read1[i], written0[i], written1[i]}) * beats;
        report.read_bytes = (read0[i] + read1[i]) * bytes;
        report.write_bytes = (written0[i] + written1[i]) * bytes;
        report.cycles = static_cast<std::uint64_t>(std::max<Time>(0, ends[i] - before));
        before = std::max(before, ends[i]);
        // Results of the array and SIMD take turns at the accumulators.
        const std::uint64_t accumulators = report.mac_cycles + report.post_cycles;
        report.limiter = report.memory_cycles > accumulators       ? "memory"
                         : report.mac_cycles >= report.post_cycles ? "MAC array"
                                                                   : "SIMD";
        report.units = {{report.unit, 0}};
    }
    return out;
}

/// Rules of the hardware that a program breaks: a mistake of ours.
std::vector<std::string> broken_rules(const TcuProgram& program, bool original) {
    std::vector<std::string> out;
    const auto add = [&](const std::vector<Hazard>& found) {
        if (!found.empty())
            out.push_back(fmt::format("broken rule: instruction {}: {}", found.front().instruction,
                                      found.front().text));
    };
    if (original) add(hazards(program.architecture, program.instructions));
    add(probe_conflicts(program.architecture, program.instructions));
    return out;
}

/// A network while it becomes a program.
struct State {
    const graph::Graph& graph;
    const Architecture& architecture;
    const TcuOptions& target;
    const Strategy& strategy;
    Lowering& lowering;  ///< all strategies share its layers
    bool lowered;        ///< for one before this
    Placement placement;
    Assembled assembled;
    TcuProgram program;
    macrame::compiler::Compiled result;
    std::uint64_t cycles = 0;

    void refuse(const std::vector<macrame::compiler::Refusal>& found) {
        for (const macrame::compiler::Refusal& one : found)
            result.refuse(graph, one.node, one.reason);
    }
};

void lower(State& state) {
    if (!state.lowered) state.lowering.run(state.target.keep_tensors);
    state.refuse(state.lowering.refused);
    if (const auto& one = state.lowering.no_room)
        state.result.errors.push_back(
            fmt::format("{}: {}", state.graph.nodes[at(one->node)].where, one->reason));
}

void place_vectors(State& state) {
    state.placement = place(state.lowering.layers, state.architecture, state.strategy,
                            state.target.own_begin.has_value());
}

void write_instructions(State& state) {
    Architecture own = state.architecture;
    // The last accumulator keeps accumulations apart.
    if (state.target.original) --own.accumulator_depth;
    state.assembled = assemble(state.lowering.layers, own, state.placement, state.strategy,
                               state.target.timing.beats);
    state.result.errors = state.assembled.errors;
    state.refuse(state.assembled.refused);
}

/// An order in which units work at once, or one that the original hardware runs.
void reorder(State& state) {
    if (state.target.original)
        state.assembled =
            spaced(state.architecture, state.assembled, state.architecture.accumulator_depth - 1);
    else
        state.assembled =
            overlap(state.target.timing, state.architecture, std::move(state.assembled));
}

void estimate(State& state) {
    TimingSizes machine = state.target.timing;
    const Architecture& architecture = state.architecture;
    state.result.layers = reports(state.lowering, state.assembled, architecture, machine);
    state.cycles = state.result.cycles();
    if (state.target.memory_latency) {
        machine.latency = *state.target.memory_latency;
        state.result.layers = reports(state.lowering, state.assembled, architecture, machine);
    }
    state.result.macs_per_cycle =
        architecture.array_size * architecture.array_size * machine.vectors;
    state.result.bytes_per_cycle = architecture.vector_bytes() / std::max(1, machine.beats);
}

/// Constants that others share DRAM1 with.
void place_constants(State& state) {
    if (!state.target.own_begin) return;
    TcuProgram& program = state.program;
    program.constants_begin = *state.target.own_begin;
    for (std::size_t n = 0; n < program.instructions.size(); ++n) {
        Instruction i = program.instructions[n];
        if (!i.is(kDataMove) || i.flags != kDram1ToLocal) continue;
        i.address1 += program.constants_begin;
        program.instructions.set(n, i);
    }
    const std::uint64_t end = program.constants_begin +
                              static_cast<std::uint64_t>(state.lowering.layers.constant_count());
    state.result.own_end = end;
    if (end > static_cast<std::uint64_t>(state.architecture.dram1_depth))
        state.result.errors.push_back(fmt::format(
            "{}: {} vectors of constants with those of the networks in front of it: "
            "want at most {} (dram1_depth); a larger dram1-depth, or fewer networks in a "
            "program would do",
            state.graph.name, end, state.architecture.dram1_depth));
}

/// All that the program has beside instructions and constants.
void make_program(State& state) {
    const Lowering& lowering = state.lowering;
    TcuProgram& program = state.program;
    program.architecture = state.architecture;
    program.constants_in_local = state.strategy.local_constants;
    program.instructions = std::move(state.assembled.instructions);
    program.layers = std::move(state.assembled.layers);
    if (program.instructions.empty()) {  // a view
        program.instructions = Instructions(state.architecture);
        program.instructions.push_back({});
        program.layers.push_back(0);
    }
    const auto ports_of = [&](const auto& tensors, const auto& vectors) {
        return ports(state.graph, lowering, state.placement, tensors, vectors);
    };
    program.inputs = ports_of(lowering.inputs, lowering.layers.inputs);
    program.outputs = ports_of(lowering.outputs, lowering.layers.outputs);
    for (Port& port : ports_of(lowering.kept, lowering.layers.kept)) {
        port.pack = lowering.view(port.tensor).pack;
        program.outputs.push_back(std::move(port));
    }
    place_constants(state);
    macrame::compiler::Compiled& result = state.result;
    if (lowering.pool.saturated() > 0)
        result.original_warnings.push_back(fmt::format(
            "{} constants saturate, the largest is {:.3g}: the format holds up to {:.3g}",
            lowering.pool.saturated(), lowering.pool.largest(),
            Format(state.architecture.data_type).range()));
    result.host_first = lowering.host_first;
    result.host_nodes = lowering.host_nodes;
    result.inputs = lowering.inputs;
    result.outputs = lowering.outputs;
    result.outputs.insert(result.outputs.end(), lowering.kept.begin(), lowering.kept.end());
}

void check(State& state) {
    for (std::string& text : broken_rules(state.program, state.target.original))
        state.result.errors.push_back(std::move(text));
}

std::string layers_text(const State& state) { return text_of(state.lowering.layers); }

std::string memory_text(const State& state) {
    return text_of(state.lowering.layers, state.placement, state.architecture);
}

std::string instructions_text(const State& state) {
    return text_of(state.lowering.layers, state.assembled, state.architecture);
}

std::string times_text(const State& state) {
    return macrame::compiler::times_table(state.result.layers, "SIMD");
}

std::string ports_text(const State& state) {
    return text_of(state.program, state.lowering.layers.constants.size());
}

std::string check_text(const State& state) {
    return fmt::format("{} instructions break no rule of the hardware\n",
                       state.program.instructions.size());
}

constexpr std::array<Pass<State>, 7> kPasses = {{
    {"lowering", lower, layers_text},
    {"memory", place_vectors, memory_text},
    {"schedule", write_instructions, instructions_text},
    {"overlap", reorder, instructions_text},
    {"timing", estimate, times_text},
    {"program", make_program, ports_text},
    {"check", check, check_text},
}};

/// Does a program take no longer than its accumulators do, wherever constants and variables lie?
/// Then no other strategy is worth the time and memory of the compiler.
bool is_at_bound(const CompiledTcu& made) {
    constexpr double kNear = 1.002;
    double accumulators = 0;
    for (const macrame::compiler::LayerReport& layer : made.compiled.layers)
        accumulators += static_cast<double>(layer.mac_cycles + layer.post_cycles);
    return made.compiled.ok() && static_cast<double>(made.cycles) <= kNear * accumulators;
}

}  // namespace

std::vector<std::string> pass_names() { return macrame::compiler::names(kPasses); }

CompiledTcu compile(const graph::Graph& graph, const Architecture& architecture,
                    const TcuOptions& target, const std::vector<Strategy>& strategies) {
    Lowering lowering(graph, architecture, target.timing, target.own_begin.has_value());
    CompiledTcu best;
    for (std::size_t i = 0; i < strategies.size() && lowering.refused.empty(); ++i) {
        if (lowering.no_room || (i > 0 && is_at_bound(best))) break;
        State state{graph, architecture, target, strategies[i], lowering, i > 0, {}, {}, {}, {}, 0};
        macrame::compiler::run(kPasses, state, target.dump);
        const bool better =
            state.result.ok() && (!best.compiled.ok() || state.cycles < best.cycles);
        if (i == 0 || better)
            best = {std::move(state.result), std::move(state.program), state.cycles};
    }
    best.program.constants = std::move(lowering.layers.constants);
    return best;
}

CompiledTcu compile(const graph::Graph& graph, const Architecture& architecture,
                    const TcuOptions& target) {
    return compile(graph, architecture, target, {target.strategy});
}

}  // namespace macrame::tcu::compiler
