#include "compiler/tcu/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "compiler/tcu/emit.hpp"
#include "compiler/tcu/hazards.hpp"
#include "compiler/tcu/lower.hpp"
#include "compiler/tcu/overlap.hpp"

namespace macrame::tcu::compiler {

namespace {

std::size_t at(int value) { return static_cast<std::size_t>(value); }

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

/// Instructions for the target.
Emitted instructions(const Lowering& lowering, const Placement& placement,
                     const Architecture& architecture, const Target& target) {
    const int beats = target.machine.beats;
    if (target.original) {
        // The last accumulator keeps accumulations apart.
        Architecture own = architecture;
        --own.accumulator_depth;
        Emitted out = emit(lowering.layers, own, placement, target.strategy, beats);
        if (!out.ok()) return out;
        return spaced(out, own.accumulator_depth);
    }
    Emitted out = emit(lowering.layers, architecture, placement, target.strategy, beats);
    if (!out.ok()) return out;
    return overlap(target.machine, architecture, out);
}

/// Cycles and bounds of each layer.
std::vector<macrame::compiler::LayerReport> reports(const Lowering& lowering,
                                                    const Emitted& emitted,
                                                    const Architecture& architecture,
                                                    const Machine& machine) {
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
    std::vector<std::uint64_t> read0(out.size()), read1(out.size()), written(out.size());
    const auto vectors = static_cast<std::uint64_t>(machine.vectors);
    Timing timing(machine, architecture);
    for (std::size_t n = 0; n < emitted.instructions.size(); ++n) {
        const Instruction& i = emitted.instructions[n];
        const std::size_t layer = at(emitted.layers[n]);
        ends[layer] = std::max(ends[layer], timing.run(i));
        if (i.is(kMatMul)) out[layer].mac_cycles += (i.size + vectors - 1) / vectors;
        if (i.is(kSimd)) ++out[layer].post_cycles;
        if (!i.is(kDataMove)) continue;
        if (move_space(i.flags) == Space::accumulators) out[layer].post_cycles += i.size;
        if (i.flags == kDram0ToLocal) read0[layer] += i.size;
        if (i.flags == kDram1ToLocal) read1[layer] += i.size;
        if (i.flags == kLocalToDram0) written[layer] += i.size;
    }
    const auto beats = static_cast<std::uint64_t>(machine.beats);
    const auto bytes = static_cast<std::uint64_t>(architecture.vector_bytes());
    Time before = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        macrame::compiler::LayerReport& report = out[i];
        report.memory_cycles = std::max({read0[i], read1[i], written[i]}) * beats;
        report.read_bytes = (read0[i] + read1[i]) * bytes;
        report.write_bytes = written[i] * bytes;
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

}  // namespace

CompiledTcu compile(const graph::Graph& graph, const Architecture& architecture,
                    const Target& target) {
    CompiledTcu out;
    macrame::compiler::Compiled& result = out.compiled;
    Lowering lowering(graph, architecture, target.machine);
    lowering.run(target.keep_tensors);
    const auto refuse = [&](const std::vector<macrame::compiler::Refusal>& found) {
        for (const macrame::compiler::Refusal& one : found)
            result.refuse(graph, one.node, one.reason);
        return !found.empty();
    };
    out.no_strategy_helps = refuse(lowering.refused);
    if (!result.ok()) return out;
    const Placement placement = place(lowering.layers, architecture, target.strategy);
    Emitted emitted = instructions(lowering, placement, architecture, target);
    result.errors = emitted.errors;
    refuse(emitted.refused);
    if (!result.ok()) return out;
    result.layers = reports(lowering, emitted, architecture, target.machine);
    out.program.architecture = architecture;
    out.program.constants_in_local = target.strategy.local_constants;
    out.program.instructions = std::move(emitted.instructions);
    out.program.layers = std::move(emitted.layers);
    if (out.program.instructions.empty()) {  // a view
        out.program.instructions.push_back({});
        out.program.layers.push_back(0);
    }
    out.program.inputs = ports(graph, lowering, placement, lowering.inputs, lowering.layers.inputs);
    out.program.outputs =
        ports(graph, lowering, placement, lowering.outputs, lowering.layers.outputs);
    for (Port& port : ports(graph, lowering, placement, lowering.kept, lowering.layers.kept)) {
        port.pack = lowering.view(port.tensor).pack;
        out.program.outputs.push_back(std::move(port));
    }
    out.program.constants = std::move(lowering.layers.constants);
    result.errors = broken_rules(out.program, target.original);
    if (lowering.pool.saturated() > 0)
        result.original_warnings.push_back(fmt::format(
            "{} constants saturate, the largest is {:.3g}: the format holds up to {:.3g}",
            lowering.pool.saturated(), lowering.pool.largest(),
            Format(architecture.data_type).range()));
    result.host_first = std::move(lowering.host_first);
    result.host_nodes = std::move(lowering.host_nodes);
    result.inputs = std::move(lowering.inputs);
    result.outputs = std::move(lowering.outputs);
    result.outputs.insert(result.outputs.end(), lowering.kept.begin(), lowering.kept.end());
    result.macs_per_cycle =
        architecture.array_size * architecture.array_size * target.machine.vectors;
    result.bytes_per_cycle = architecture.vector_bytes() / std::max(1, target.machine.beats);
    return out;
}

}  // namespace macrame::tcu::compiler
