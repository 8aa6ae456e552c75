/// What SDP does on the fly behind other operators.

#include <algorithm>
#include <stdexcept>

#include "compiler/dla/buffer.hpp"
#include "compiler/dla/lower.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

namespace {

/// May it be a function of one tensor?
bool is_function(const graph::Operator& op) {
    return std::holds_alternative<graph::Unary>(op) ||
           std::holds_alternative<graph::Requantise>(op) ||
           std::holds_alternative<graph::Prelu>(op) || std::holds_alternative<graph::Binary>(op);
}

/// Operators whose layers end in a requantisation.
bool requantises(const graph::Operator& op) {
    const graph::Pool* pool = std::get_if<graph::Pool>(&op);
    return std::holds_alternative<graph::Conv>(op) ||
           std::holds_alternative<graph::FullyConnected>(op) ||
           std::holds_alternative<graph::Mean>(op) ||
           (pool != nullptr && pool->function == graph::Pooling::average);
}

bool clamps(const Table& table) {
    for (int x = -128; x < 128; ++x)
        if (look_up(table, x) != std::clamp<int>(x, table.front(), table.back())) return false;
    return true;
}

/// About how many cycles a table on the fly takes less than CDP behind a convolution.
double gain(const model::DeviceSizes& sizes, const graph::Graph& graph, const graph::Node& node) {
    // SDP has to be at rest for its table; CDP has its own time of start and end.
    constexpr double kLoad = 450, kApart = 150;
    if (!sizes.cdp) return 1;
    const auto elements = static_cast<double>(graph.tensor(node.outputs[0]).elements());
    double mac = 0;
    if (const graph::Conv* conv = std::get_if<graph::Conv>(&node.op)) {
        const int channels = graph.tensor(node.inputs[1]).shape[3];
        mac = elements * conv->window.kernel_h * conv->window.kernel_w *
              div_up(channels, sizes.atomic_c) / sizes.atomic_k;
    }
    const double x = std::max(sizes.sdp_bs_throughput, sizes.sdp_bn_throughput);
    const double ew = std::max(1, sizes.sdp_ew_throughput);
    return std::max(mac, elements / x) + elements / sizes.cdp_throughput + kApart -
           std::max(mac, elements / ew) - kLoad;
}

}  // namespace

graph::TensorId Lowering::result_of(int index) const {
    const auto fused = fused_.find(index);
    return node(fused == fused_.end() ? index : fused->second.node).outputs[0];
}

/// Finds the function that alone reads the output of a node.
void Lowering::fuse(int index) {
    if (!requantises(node(index).op) || apart_.count(index) != 0) return;
    const graph::TensorId between = node(index).outputs[0];
    for (std::size_t i = at(index) + 1; i < graph_.nodes.size(); ++i) {
        const graph::Node& next = graph_.nodes[i];
        if (std::count(next.inputs.begin(), next.inputs.end(), between) == 0) continue;
        if (!used_only_by(between, static_cast<int>(i))) return;
        if (std::holds_alternative<graph::Pool>(next.op))
            return fuse_pool(index, static_cast<int>(i));
        if (!is_function(next.op)) return;
        std::vector<Table> tables;
        const auto operand = std::find(next.inputs.begin(), next.inputs.end(), between);
        try {
            tables = tables_of(graph_, next, at(static_cast<int>(operand - next.inputs.begin())));
        } catch (const std::invalid_argument&) {
            return;  // is told when it is its turn
        }
        if (tables.size() != 1) return;
        Fused fused;
        fused.node = static_cast<int>(i);
        const int low = tables[0].front(), high = tables[0].back();
        const bool relu = low == -128 || low == zero_point(tensor(between));
        const bool average = std::holds_alternative<graph::Pool>(node(index).op);
        if (clamps(tables[0]) && relu && !average && (high == 127 || sizes_.sdp_ew)) {
            fused.low = low;
            fused.high = high;
        } else if (sizes_.sdp_ew && sizes_.sdp_lut && gain(sizes_, graph_, node(index)) > 0) {
            fused.table = tables[0];
        } else {
            return;
        }
        fused_[index] = fused;
        return;
    }
}

std::pair<int, int> Lowering::late_bounds(int index) const {
    const graph::Node& n = node(index);
    graph::Activation activation = graph::Activation::none;
    if (const graph::Conv* conv = std::get_if<graph::Conv>(&n.op)) activation = conv->activation;
    if (const auto* full = std::get_if<graph::FullyConnected>(&n.op)) activation = full->activation;
    if (const auto* conv = std::get_if<graph::TransposeConv>(&n.op)) activation = conv->activation;
    if (activation == graph::Activation::none || fused_.count(index) != 0) return {-128, 127};
    const graph::Tensor& out = tensor(n.outputs[0]);
    const auto [low, high] = graph::bounds(activation, out);
    return {low == zero_point(out) ? -128 : low, high};
}

void Lowering::lower_fused(int index) {
    for (const auto& [front, fused] : fused_)
        if (fused.node == index) return;
    fuse(index);
    lower_alone(index);
    const auto [low, high] = late_bounds(index);
    if (clamp_later_.count(index) != 0) {
        clamp_later_.erase(index);
        const Location before = locations_.at(node(index).outputs[0]);
        const Cube& cube = before.cube;
        Location& made = add_output(index, cube.width, cube.height, cube.channels);
        made.writers = {add_clamp(index, cube, made.cube, low, high, before.writers)};
    } else if ((low > -128 || high < 127) && sizes_.sdp_bs && sizes_.sdp_bn) {
        const auto far = [&](const macrame::compiler::Exactness& e) {
            return e.node == index && (e.most > 1 || (exact_at(index) && e.values > 0));
        };
        if (std::any_of(exactness.begin(), exactness.end(), far)) throw ClampLater{};
    }
    const auto fused = fused_.find(index);
    if (fused == fused_.end() || fused->second.pool) return;
    const bool table = fused->second.table.has_value();
    exactness.push_back({fused->second.node, table ? "SDP table" : "clamp", 1, 1, 0, 256, 0});
}

}  // namespace macrame::dla::compiler
