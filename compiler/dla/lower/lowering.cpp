#include "compiler/dla/lower/lowering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/cost.hpp"
#include "compiler/dla/limits.hpp"
#include "compiler/dla/lower/operators.hpp"
#include "compiler/dla/tiling.hpp"
#include "compiler/dla/values.hpp"
#include "compiler/graph/work.hpp"

namespace macrame::dla::compiler {

using graph::TensorId;

namespace {

/// Of a network: the work on an operator grows with their number.
constexpr std::size_t kMostOperators = 16384;
/// Of an activation, with channels that fill whole atoms.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

template <class Op>
bool is(const graph::Operator& op) {
    return std::holds_alternative<Op>(op);
}

/// The function that makes layers of an operator.
struct Row {
    bool (*is)(const graph::Operator& op);
    void (*lower)(Lowering& lowering, int index);
};
constexpr Row kOperators[] = {
    {is<graph::Conv>, lower_conv},
    {is<graph::FullyConnected>, lower_fully_connected},
    {is<graph::TransposeConv>, lower_transpose_conv},
    {is<graph::Pool>, lower_pool},
    {is<graph::Mean>, lower_mean},
    {is<graph::Binary>, lower_binary},
    {is<graph::Unary>, lower_unary},
    {is<graph::Prelu>, lower_prelu},
    {is<graph::Requantise>, lower_requantise},
    {is<graph::Concat>, lower_concat},
    {is<graph::Slice>, lower_slice},
    {is<graph::Split>, lower_split},
    {is<graph::Pad>, lower_pad},
    {is<graph::Reshape>, lower_reshape},
    {is<graph::Transpose>, lower_transpose},
    {is<graph::Resize>, lower_resize},
    {is<graph::Softmax>, lower_softmax},
    {is<graph::Norm>, lower_norm},
    {is<graph::MatMul>, lower_matmul},
};

}  // namespace

Lowering::Lowering(const graph::Graph& graph, const model::Architecture& sizes,
                   const macrame::compiler::Options& options, Searches& searches,
                   std::set<int> precise)
    : context(graph, sizes, options, searches, std::move(precise)), build(sizes) {}

// ---------------------------------------------------------------- memory

const Location& Lowering::location_of(TensorId id) const {
    const auto found = locations_.find(id);
    if (found != locations_.end()) return found->second;
    const graph::Tensor& t = tensor(id);
    if (t.type != graph::Type::int8)
        throw Unsupported{fmt::format("input {}: {}: want {}", t.name, graph::name_of(t.type),
                                      graph::wanted_for_int8(t.type))};
    throw Unsupported{"input: want int8 values of the hardware"};
}

Location& Lowering::output_of(TensorId id) {
    const auto found = locations_.find(id);
    if (found == locations_.end())
        throw std::logic_error(fmt::format("lowering of {}: {} has no place yet",
                                           context.graph.name, tensor(id).name));
    return found->second;
}

Location& Lowering::add_output(int index, int width, int height, int channels) {
    const TensorId id = result_of(index);
    Location& location = locations_[id];
    if (const Fusion* fusion = plan.fusion(index); fusion != nullptr && fusion->pool) {
        width = fusion->pool->output.width;
        height = fusion->pool->output.height;
    }
    if (const auto found = plan.placements.find(id);
        found != plan.placements.end() && plan.clamp_layers.count(index) == 0) {
        const Placement& place = found->second;
        location.cube = block(part_of(gathered(place.concat), place.y, place.x, height, width),
                              place.channel, channels);
    } else {
        location.cube = build.new_cube(tensor(id).name, width, height, channels);
        if (lies_as_pixels(*this, id)) put_pixels_together(*this, location.cube);
    }
    return location;
}

// ---------------------------------------------------------------- layers

Lowering::Snapshot Lowering::snapshot() const { return {build.snapshot(), locations_, gathered_}; }

void Lowering::restore(const Snapshot& snapshot) {
    build.restore(snapshot.build);
    locations_ = snapshot.locations;
    gathered_ = snapshot.gathered;
}

std::string Lowering::try_lower(int index) {
    const Snapshot before = snapshot();
    std::string problem;
    wanted_buffer_ = 0;
    try {
        lower_planned(index);
        return problem;
    } catch (const Unsupported& found) {
        problem = found.text;
        wanted_buffer_ = found.buffer_bytes;
    } catch (const std::invalid_argument& found) {
        problem = found.what();
    }
    // What it has done goes, and what would have been behind it has its own layers.
    restore(before);
    plan.fusions.erase(index);
    return plan.chains.erase(index) == 0 ? problem : try_lower(index);
}

void Lowering::lower_planned(int index) {
    if (plan.is_fused(index) || plan.is_chained(index)) return;
    const bool clamps = plan.clamp_layers.count(index) != 0;
    lower_alone(index);
    if (clamps) {
        const Location before = output_of(node(index).outputs[0]);
        const Cube& cube = before.cube;
        plan.clamp_layers.erase(index);  // the output has its own place now
        const auto [low, high] = late_bounds(context, index);
        Location& made = add_output(index, cube.width, cube.height, cube.channels);
        made.writers = {build.add_clamp(cube, made.cube, low, high, before.writers)};
        plan.clamp_layers.insert(index);
    }
    const Fusion* fusion = plan.fusion(index);
    if (fusion == nullptr || fusion->pool) return;
    for (const int behind : fusion->nodes)
        build.exactness.push_back({behind, fusion->table ? "SDP table" : "clamp", 1, 1, 0, 256, 0});
}

bool Lowering::takes_any_order(const graph::Operator& op) {
    return std::holds_alternative<graph::FullyConnected>(op) ||
           std::holds_alternative<graph::Reshape>(op) ||
           std::holds_alternative<graph::Transpose>(op);
}

bool Lowering::is_flattened(TensorId id) const {
    const auto found = locations_.find(id);
    if (found == locations_.end() || found->second.form) return false;
    const Cube& cube = found->second.cube;
    return !(Shape{cube.height, cube.width, cube.channels} == shape_of(tensor(id)));
}

void Lowering::lower_alone(int index) {
    const graph::Operator& op = node(index).op;
    for (const TensorId id : node(index).inputs)
        if (id != graph::kNone && !takes_any_order(op) && is_flattened(id))
            throw Unsupported{"input that was flattened: want the shape that it had"};
    build.begin(index, tensor(node(index).outputs[0]).name);
    if (const auto chain = plan.chains.find(index); chain != plan.chains.end())
        return lower_chain(*this, chain->second);
    for (const Row& row : kOperators)
        if (row.is(op)) return row.lower(*this, index);
    throw Unsupported{fmt::format("{}: no unit computes it: want it at the end of the network",
                                  graph::name_of(op))};
}

std::string Lowering::size_problem() const {
    if (context.graph.nodes.size() > kMostOperators)
        return fmt::format("{} operators: want at most {}", context.graph.nodes.size(),
                           kMostOperators);
    for (const graph::Tensor& t : context.graph.tensors) {
        if (t.constant) continue;
        const Shape s = shape_of(t);
        const std::uint64_t bytes = static_cast<std::uint64_t>(s.height) *
                                    static_cast<unsigned>(s.width) *
                                    round_up(at(s.channels), at(context.sizes.atom_bytes));
        if (bytes > kMostBytes)
            return fmt::format("{} takes {} bytes in memory: want at most {}", t.name, bytes,
                               kMostBytes);
    }
    return {};
}

void Lowering::run() {
    const auto message = [&](const std::string& where, const std::string& text) {
        errors.push_back(fmt::format("{}: {}: {}", context.graph.name, where, text));
    };
    if (const std::string problem = size_problem(); !problem.empty())
        return message("network", problem);
    plan = make_plan(context);
    host_first = plan.host_first;
    program_inputs = plan.inputs;
    std::size_t end = plan.first;
    place_inputs();
    for (; end < context.graph.nodes.size(); ++end) {
        const int index = static_cast<int>(end);
        std::string problem = try_lower(index);
        if (!problem.empty() && unflatten(index)) problem = try_lower(index);
        if (problem.empty()) continue;
        if (end >= plan.rest) break;
        refused.push_back({index, problem, wanted_buffer_});
        if (give_to_host(index)) continue;
        message(node(index).where, problem);
        return;
    }
    // All that is refused, in one go.
    if (!context.options.host_commands)
        for (const macrame::compiler::Refusal& one : refused)
            message(node(one.node).where, one.reason);
    if (!errors.empty()) return;
    for (std::size_t i = end; i < context.graph.nodes.size(); ++i)
        host_nodes.push_back(static_cast<int>(i));
    // Tensors that leave the hardware: outputs, and what the host reads.
    const auto leaves = [&](TensorId id) {
        if (locations_.count(id) == 0 || std::count(outputs.begin(), outputs.end(), id) != 0)
            return;
        outputs.push_back(id);
        build.buffers[at(locations_[id].cube.place.buffer)].keep = true;
    };
    for (const int index : host_nodes)
        for (const TensorId id : node(index).inputs)
            leaves(id);
    for (const TensorId id : context.graph.outputs)
        leaves(id);
    if (!context.options.keep_tensors) return;
    for (TensorId id = 0; id < static_cast<TensorId>(context.graph.tensors.size()); ++id)
        if (std::count(program_inputs.begin(), program_inputs.end(), id) == 0) leaves(id);
}

}  // namespace macrame::dla::compiler
