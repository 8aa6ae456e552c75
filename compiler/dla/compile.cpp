#include "compiler/dla/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/choose_exact.hpp"
#include "compiler/dla/columns.hpp"
#include "compiler/dla/compression.hpp"
#include "compiler/dla/dependencies.hpp"
#include "compiler/dla/dump.hpp"
#include "compiler/dla/lower/lowering.hpp"
#include "compiler/dla/overlap.hpp"
#include "compiler/dla/passes.hpp"
#include "compiler/dla/report.hpp"
#include "compiler/dla/schedule.hpp"
#include "dla_regs.hpp"
#include "verif/dla/model/layer_checker.hpp"
#include "verif/dla/model/register_pages.hpp"

namespace macrame::dla::compiler {

namespace {

using macrame::compiler::Pass;

/// What the layer checker says of the register writes.
std::vector<model::Finding> check(const model::Architecture& sizes,
                                  const std::vector<program::Command>& commands) {
    model::LayerFollower follower(sizes);
    std::vector<model::Finding> findings;
    const auto add = [&](std::vector<model::Finding> more) {
        for (model::Finding& finding : more)
            findings.push_back(std::move(finding));
    };
    for (const program::Command& command : commands) {
        using program::Code;
        const std::uint64_t offset = std::uint64_t{command.aux} << 32 | command.value;
        if (command.code == Code::write) add(follower.write(command.address, command.value));
        if (command.code == Code::write_low)
            add(follower.write(command.address, static_cast<std::uint32_t>(offset)));
        if (command.code == Code::write_high)
            add(follower.write(command.address, static_cast<std::uint32_t>(offset >> 32)));
    }
    add(follower.finish());
    return findings;
}

/// Tensors that are not the hardware's alone.
std::vector<bool> seen_outside(const graph::Graph& graph, const Lowering& lowering) {
    std::vector<bool> seen(graph.tensors.size());
    const auto mark = [&](const std::vector<graph::TensorId>& ids) {
        for (const graph::TensorId id : ids)
            if (id != graph::kNone) seen[at(id)] = true;
    };
    const auto mark_node = [&](int index) {
        mark(graph.nodes[at(index)].inputs);
        mark(graph.nodes[at(index)].outputs);
    };
    for (const auto* ids :
         {&graph.inputs, &graph.outputs, &lowering.program_inputs, &lowering.outputs})
        mark(*ids);
    for (const auto* nodes : {&lowering.host_first, &lowering.host_nodes})
        std::for_each(nodes->begin(), nodes->end(), mark_node);
    for (const macrame::compiler::HostOperator& op : lowering.host)
        mark_node(op.node);
    return seen;
}

std::uint64_t finished(const State& state, const Lowering& lowering) {
    return finished_cycles(state.sizes, without_contents(lowering.build.buffers),
                           lowering.build.layers);
}

/// Reports of operators with columns as channels are those of the operators of the network.
void tell_own(const graph::Graph& graph, const ColumnsPerPixel& columns, Lowering& lowering) {
    for (Layer& layer : lowering.build.layers) {
        const graph::Node& node = graph.nodes[at(layer.node)];
        const Share share = own_products(graph, node, columns);
        layer.macs =
            layer.macs / share.of * share.own + layer.macs % share.of * share.own / share.of;
        const int copies = columns[at(node.outputs[0])];
        if (copies > 1 && layer.choice.empty())
            layer.choice = fmt::format("{} columns as one", copies);
    }
    for (macrame::compiler::Exactness& exact : lowering.build.exactness) {
        const graph::Node& node = graph.nodes[at(exact.node)];
        const int copies = columns[at(node.outputs[0])];
        if (!std::holds_alternative<graph::Conv>(node.op)) continue;
        exact.channels /= copies;
        exact.proved /= copies;
        exact.values /= copies;
        exact.reachable /= copies;
    }
}

/// Columns as channels, where that takes fewer cycles.
void choose_columns(State& state) {
    const graph::Graph& graph = *state.graph;
    const Lowering& plain = *state.lowering;
    if (!plain.errors.empty()) return;
    const ColumnsPerPixel columns = best_columns(graph, state.sizes, seen_outside(graph, plain));
    if (columns.empty()) return;
    const auto changed = std::make_shared<const graph::Graph>(with_columns(graph, columns));
    std::shared_ptr<Lowering> lowering = lowered(*changed, state.sizes, state.options);
    const bool same = lowering->errors.empty() && lowering->host_nodes == plain.host_nodes &&
                      lowering->host_first == plain.host_first &&
                      lowering->refused.size() == plain.refused.size();
    if (!same || finished(state, *lowering) >= finished(state, plain)) return;
    tell_own(graph, columns, *lowering);
    state.lowering = std::move(lowering);
    state.columns = changed;
    state.graph = changed.get();
}

/// What is exact, fused, written in place. Which operators are exact is chosen by the cycles of
/// their layers: those of the plan that is taken are there then.
void plan(State& state) {
    const graph::Graph& graph = *state.graph;
    if (!state.sizes.int8) {
        state.result.errors = {graph.name +
                               ": networks want INT8 among the types of the configuration"};
        return;
    }
    if (state.options.memo == nullptr) state.options.memo = &state.memo;
    state.lowering = lowered(graph, state.sizes, state.options);
    choose_columns(state);
}

/// Layers of the operators, and what the host does.
void lower(State& state) {
    Compiled& result = state.result;
    Lowering& lowering = *state.lowering;
    result.errors = lowering.errors;
    result.refused = std::move(lowering.refused);
    state.layers = std::move(lowering.build.layers);
    state.buffers = std::move(lowering.build.buffers);
}

void compress_weights(State& state) { compress_weights(state.sizes, state.layers, state.buffers); }

void overlap(State& state) {
    const std::vector<Buffer> empty = without_contents(state.buffers);
    state.layers = overlap(state.sizes, state.layers, [&](const std::vector<Layer>& layers) {
        return finished_cycles(state.sizes, empty, layers);
    });
    limit_dependencies(state);  // of the parts
}

void add_memory(State& state) {
    program::Program& program = state.result.program;
    macrame::compiler::Shared& kept = state.result.kept;
    const bool shares = state.options.own_begin.has_value();
    for (Buffer& buffer : state.buffers) {
        state.result.buffers.push_back(report(buffer));
        if (buffer.there) continue;
        if (buffer.state && shares)
            kept.states.push_back({buffer.name, buffer.offset, buffer.bytes});
        if (buffer.is_constant() && shares)
            kept.contents.push_back({buffer.offset, buffer.contents});
        if (!buffer.contents.empty())
            program.segments.push_back({buffer.offset, std::move(buffer.contents)});
    }
    std::sort(program.segments.begin(), program.segments.end(),
              [](const auto& a, const auto& b) { return a.offset < b.offset; });
}

void add_tensors(State& state) {
    program::Program& program = state.result.program;
    Lowering& lowering = *state.lowering;
    const auto tensor = [&](graph::TensorId id) {
        return tensor_of(state.graph->tensor(id), lowering.location_of(id), state.buffers,
                         state.sizes.atom_bytes);
    };
    for (const graph::TensorId id : lowering.program_inputs)
        program.inputs.push_back(tensor(id));
    for (const graph::TensorId id : lowering.outputs)
        program.outputs.push_back(tensor(id));
    for (macrame::compiler::HostOperator& op : lowering.host) {
        for (auto* values : {&op.reads, &op.writes})
            for (macrame::compiler::HostOperator::Value& value : *values)
                value.place = tensor(value.id);
    }
}

/// All that the program has beside commands, and the reports.
void make_program(State& state) {
    Compiled& result = state.result;
    program::Program& program = result.program;
    program.family = "dla";
    program.network = state.graph->name;
    program.alignment = 256;
    program.interrupt_status = dla_regs::glb::S_INTR_STATUS::kAddress;
    add_memory(state);
    add_tensors(state);
    for (const Layer& layer : state.layers) {
        program.layers.push_back({layer.name, layer.cycles, layer.macs});
        result.layers.push_back(report(state.sizes, layer));
    }
    add_units(result.layers);
    Lowering& lowering = *state.lowering;
    result.host = std::move(lowering.host);
    result.exactness = std::move(lowering.build.exactness);
    result.exact_otherwise = true;
    result.host_first = std::move(lowering.host_first);
    result.host_nodes = std::move(lowering.host_nodes);
    result.inputs = std::move(lowering.program_inputs);
    result.outputs = std::move(lowering.outputs);
    const model::Architecture& sizes = state.sizes;
    result.macs_per_cycle = sizes.atomic_c * sizes.atomic_k;
    result.bytes_per_cycle = std::min(sizes.bus_bytes, sizes.wt_atoms * sizes.atom_bytes);
}

void check(State& state) {
    if (state.options.reports_alone) return;
    for (const model::Finding& finding : check(state.sizes, state.result.program.commands)) {
        if (finding.level == model::Level::error)
            state.result.errors.push_back(
                fmt::format("{}: broken rule: {}", state.graph->name, finding.text()));
    }
}

/// The commands once more, for hardware with the defects of the original.
void schedule_for_original(State& state) {
    if (state.options.reports_alone) return;
    Compiled& result = state.result;
    choose_banks_for_original(state.sizes, state.layers);
    result.trace = result.commands_for_original = schedule(state.sizes, state.layers);
    for (const model::Finding& finding : check(state.sizes, result.trace))
        result.original_warnings.push_back(finding.text());
}

/// In front of the commands: which units they use.
void name_units(State& state) {
    for (std::vector<program::Command>* commands :
         {&state.result.program.commands, &state.result.commands_for_original}) {
        const std::vector<program::Command> units = unit_commands(*commands);
        commands->insert(commands->begin(), units.begin(), units.end());
    }
}

/// The addresses of the first design in place of those that all of the compiler uses, if it is one.
void choose_addresses(State& state) {
    if (!state.sizes.v1_map) return;
    program::Program& program = state.result.program;
    const auto move = [](std::uint32_t& address) {
        address = model::register_address(address, "", model::register_variant(true));
    };
    move(program.interrupt_status);
    for (std::vector<program::Command>* commands :
         {&program.commands, &state.result.commands_for_original}) {
        for (program::Command& command : *commands) {
            using program::Code;
            if (command.code == Code::write || command.code == Code::write_low ||
                command.code == Code::write_high || command.code == Code::poll ||
                command.code == Code::unit)
                move(command.address);
            if (command.code == Code::unit) move(command.aux);
        }
    }
}

constexpr std::array<Pass<State>, 14> kPasses = {{
    {"plan", plan, plan_text},
    {"lowering", lower, layers_text},
    {"dependencies", limit_dependencies, layers_text},
    {"compression", compress_weights, layers_text},
    {"overlap", overlap, layers_text},
    {"banks", share_banks, banks_text},
    {"memory", place_buffers, memory_text},
    {"schedule", schedule, commands_text},
    {"timing", estimate, times_text},
    {"program", make_program, tensors_text},
    {"check", check, check_text},
    {"original", schedule_for_original, original_text},
    {"units", name_units, commands_text},
    {"addresses", choose_addresses, moved_text},
}};

}  // namespace

std::vector<std::string> pass_names() { return macrame::compiler::names(kPasses); }

Compiled compile(const graph::Graph& graph, const model::Architecture& sizes,
                 const macrame::compiler::Options& options) {
    State state{sizes, options, &graph};
    macrame::compiler::run(kPasses, state, options.dump);
    return std::move(state.result);
}

}  // namespace macrame::dla::compiler
