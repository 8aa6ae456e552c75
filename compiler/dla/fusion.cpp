/// What SDP and PDP may do on the fly behind other operators.

#include "compiler/dla/fusion.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/limits.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

namespace {

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
double gain(const model::Architecture& sizes, const graph::Graph& graph, const graph::Node& node) {
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

/// Largest of windows behind a convolution, by PDP.
std::optional<Fusion> pool_behind(const Context& context, int index, int next) {
    const model::Architecture& sizes = context.sizes;
    const graph::Pool& op = std::get<graph::Pool>(context.node(next).op);
    const graph::Window& w = op.window;
    if (!std::holds_alternative<graph::Conv>(context.node(index).op) || !sizes.pdp ||
        op.function != graph::Pooling::maximum || op.activation != graph::Activation::none ||
        w.dilation_h != 1 || w.dilation_w != 1 ||
        std::max(w.kernel_h, w.kernel_w) > kMostPoolKernel ||
        std::max(w.stride_h, w.stride_w) > kMostPoolStride)
        return std::nullopt;
    const Shape in = shape_of(context.tensor(context.node(index).outputs[0]));
    const Shape out = shape_of(context.tensor(context.node(next).outputs[0]));
    PdpLayer pdp;
    pdp.kernel_h = w.kernel_h;
    pdp.kernel_w = w.kernel_w;
    pdp.stride_h = out.height == 1 ? 1 : w.stride_h;
    pdp.stride_w = out.width == 1 ? 1 : w.stride_w;
    pdp.top = w.top;
    pdp.left = w.left;
    pdp.bottom = (out.height - 1) * pdp.stride_h + w.kernel_h - w.top - in.height;
    pdp.right = (out.width - 1) * pdp.stride_w + w.kernel_w - w.left - in.width;
    // All of the input goes through PDP, in one piece.
    if (pdp.bottom < 0 || pdp.right < 0 || pdp.bottom >= w.kernel_h || pdp.right >= w.kernel_w ||
        out.width > most_pool_columns(pdp.kernel_h, pdp.stride_h))
        return std::nullopt;
    pdp.output.height = out.height;
    pdp.output.width = out.width;
    Fusion fusion;
    fusion.nodes = {next};
    fusion.pool = pdp;
    return fusion;
}

/// What SDP does of a function behind a node, if it does anything of it.
std::optional<Fusion> by_sdp(const Context& context, int index, const Table& table) {
    const model::Architecture& sizes = context.sizes;
    const graph::Node& node = context.node(index);
    Fusion fusion;
    const int low = table.front(), high = table.back();
    const bool relu = low == -128 || low == zero_point(context.tensor(node.outputs[0]));
    const bool average = std::holds_alternative<graph::Pool>(node.op);
    if (clamps(table) && relu && !average && (high == 127 || sizes.sdp_ew)) {
        fusion.low = low;
        fusion.high = high;
        return fusion;
    }
    if (!sizes.sdp_ew || !sizes.sdp_lut || gain(sizes, context.graph, node) <= 0)
        return std::nullopt;
    fusion.table = table;
    return fusion;
}

/// A function of one tensor, by SDP.
std::optional<Fusion> function_behind(const Context& context, int index, int next) {
    const graph::TensorId between = context.node(index).outputs[0];
    const graph::Node& user = context.node(next);
    if (!graph::is_element_wise(user.op)) return std::nullopt;
    std::vector<Table> tables;
    const auto operand = std::find(user.inputs.begin(), user.inputs.end(), between);
    try {
        tables =
            tables_of(context.graph, user, at(static_cast<int>(operand - user.inputs.begin())));
    } catch (const std::invalid_argument&) {
        return std::nullopt;  // is told when it is its turn
    }
    if (tables.size() != 1) return std::nullopt;
    std::optional<Fusion> fusion = by_sdp(context, index, tables[0]);
    if (fusion) fusion->nodes = {next};
    return fusion;
}

/// All that is done with the output of a node, element by element, by SDP.
std::optional<Fusion> chain_behind(const Context& context, int index) {
    const graph::TensorId between = context.node(index).outputs[0];
    const std::optional<graph::Chain> chain = context.chain_from(between);
    if (!chain || !context.used_only_by(between, chain->nodes)) return std::nullopt;
    std::optional<Fusion> fusion = by_sdp(context, index, chain->table);
    if (fusion) fusion->nodes = chain->nodes;
    return fusion;
}

/// The operator that alone reads the output of a node.
std::optional<Fusion> operator_behind(const Context& context, int index) {
    const graph::TensorId between = context.node(index).outputs[0];
    if (context.readers(between).empty()) return std::nullopt;
    const int next = context.readers(between).front();
    if (!context.used_only_by(between, {next})) return std::nullopt;
    if (!std::holds_alternative<graph::Pool>(context.node(next).op))
        return function_behind(context, index, next);
    // What stages clamp they do not keep for PDP.
    if (late_bounds(context, index) != std::pair{-128, 127} && !context.sizes.sdp_ew)
        return std::nullopt;
    return pool_behind(context, index, next);
}

}  // namespace

std::vector<Fusion> fusions_behind(const Context& context, int index) {
    std::vector<Fusion> out;
    if (!requantises(context.node(index).op)) return out;
    for (std::optional<Fusion>& one :
         std::array{chain_behind(context, index), operator_behind(context, index)})
        if (one) out.push_back(std::move(*one));
    return out;
}

}  // namespace macrame::dla::compiler
