/// Functions of one tensor.

#include <algorithm>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/lower/operators.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

using graph::TensorId;

namespace {

/// The same real values in the integers of another tensor.
LayerTarget rescaling(Rounding rounding, const graph::Tensor& in, const graph::Tensor& out) {
    const double factor = double{in.quantisation.scale[0]} / double{out.quantisation.scale[0]};
    LayerTarget target{rounding, zero_point(out), -128, 127, {}};
    target.channels.push_back({factor, -std::int64_t{zero_point(in)}, -128, 127});
    return target;
}

/// The clamp that TFLite's fixed point makes of a scale, if that is all that an operator does.
std::optional<LayerTarget> rescaling(const graph::Graph& graph, const graph::Node& node) {
    const graph::Tensor& in = graph.tensor(node.inputs[0]);
    const graph::Tensor& out = graph.tensor(node.outputs[0]);
    graph::Activation activation = graph::Activation::none;
    const float ratio = in.quantisation.scale[0] / out.quantisation.scale[0];
    double factor = double{ratio};
    if (const graph::Unary* unary = std::get_if<graph::Unary>(&node.op)) {
        using graph::Function;
        if (unary->function == Function::relu) {
            activation = graph::Activation::relu;
        } else if (unary->function == Function::relu6) {
            activation = graph::Activation::relu6;
        } else if (unary->function == Function::relu_n1_to_1) {
            activation = graph::Activation::relu_n1_to_1;
        } else {
            return std::nullopt;
        }
    } else if (std::holds_alternative<graph::Requantise>(node.op)) {
        factor = double{in.quantisation.scale[0]} / double{out.quantisation.scale[0]};
    } else {
        return std::nullopt;
    }
    const auto [low, high] = graph::bounds(activation, out);
    LayerTarget target{rounding_of(graph), zero_point(out), low, high, {}};
    target.channels.push_back({factor, -std::int64_t{zero_point(in)}, -128, 127});
    return target;
}

Lookup lookup_of(const Table& table) {
    Lookup out;
    out.values = table;
    return out;
}

}  // namespace

std::vector<int> add_tables(Lowering& lowering, int index, const std::vector<Table>& tables,
                            const Location& in, const Cube& out) {
    return add_tables(lowering, index, tables,
                      zero_point(lowering.tensor(lowering.node(index).inputs[0])),
                      rescaling(lowering.context.graph, lowering.node(index)), in, out);
}

Table rescaled(Lowering& lowering, TensorId from, TensorId to) {
    graph::Graph alone;
    alone.rounding = lowering.context.graph.rounding;
    alone.tensors = {lowering.tensor(from), lowering.tensor(to)};
    alone.tensors[0].constant = false;
    return tables_of(alone, {graph::Requantise{}, {0}, {1}, ""}, 0).at(0);
}

std::vector<int> add_rescaled(Lowering& lowering, int index, TensorId from, TensorId to,
                              const Location& in, const Cube& out) {
    return add_tables(
        lowering, index, {rescaled(lowering, from, to)}, zero_point(lowering.tensor(from)),
        rescaling(rounding_of(lowering.context.graph), lowering.tensor(from), lowering.tensor(to)),
        in, out);
}

std::vector<int> add_tables(Lowering& lowering, int index, const std::vector<Table>& tables,
                            int zero, const std::optional<LayerTarget>& rescaled,
                            const Location& in, const Cube& out) {
    const int channels = static_cast<int>(tables.size());
    std::optional<Pointwise> made;
    const bool stages = lowering.context.sizes.sdp_bs && lowering.context.sizes.sdp_bn;
    if (stages) made = lowering.context.searches.pointwise(tables, zero);
    if (stages && channels == 1 && made->wrong > 0 && rescaled) {
        Pointwise other =
            pointwise_of(lowering.context.searches.requantise(*rescaled, {true, true, false}));
        compare(tables, other);
        if (other.wrong < made->wrong) made = std::move(other);
    }
    const bool exact = made && made->wrong == 0;
    const bool single = channels == 1;
    // CDP's table is loaded while other layers run, SDP has to be at rest for its own.
    const bool in_sdp = lowering.context.sizes.sdp_ew && lowering.context.sizes.sdp_lut &&
                        (!lowering.context.sizes.cdp || lowering.context.sizes.sdp_ew_throughput >
                                                            lowering.context.sizes.cdp_throughput);
    if (!exact && single && in_sdp) {
        lowering.build.exactness.push_back({index, "SDP table", 1, 1, 0, 256, 0});
        PostProcess post;
        post.output = out;
        post.ew.bypass = false;
        post.ew.lookup = lookup_of(tables[0]);
        return {lowering.build.add_sdp(in.cube, std::move(post), in.writers)};
    }
    if (!exact && single && lowering.context.sizes.cdp) {
        lowering.build.exactness.push_back({index, "CDP table", 1, 1, 0, 256, 0});
        return lowering.build.add_cdp(in.cube, lookup_of(tables[0]), out, in.writers);
    }
    // Far from it is no choice, even where it is faster.
    if (!exact && stages && (lowering.exact_at(index) || !made || made->most > 8)) {
        const auto writers = add_two_lines(lowering, index, tables, in, out);
        if (writers) return *writers;
    }
    // A straight line is near the function if that is one; nothing else is.
    if (single && (!made || made->most > 2))
        throw Unsupported{"function of one value: want a table (sdp-lut-enable, cdp-enable)"};
    if (!made || made->most > 8)
        throw Unsupported{
            "function of each channel: want one that has a slope above the zero "
            "point for all channels and others below"};
    lowering.build.exactness.push_back({index, made->mapping, channels, made->proved, made->wrong,
                                        256 * std::int64_t{channels}, made->most});
    return {lowering.build.add_sdp(in.cube, lowering.build.post_process(*made, out), in.writers)};
}

void lower_tables(Lowering& lowering, int index, std::size_t operand) {
    const graph::Node& n = lowering.node(index);
    const std::vector<Table> tables = tables_of(lowering.context.graph, n, operand);
    if (tables.empty())
        throw Unsupported{"want int8, and constants of one value or one per channel"};
    const Location in = lowering.location_of(n.inputs[operand]);
    if (tables.size() > 1 && tables.size() != at(in.cube.channels))
        throw Unsupported{"constant per element of what was flattened: want one per channel"};
    Location& made = lowering.add_output(index, in.cube.width, in.cube.height, in.cube.channels);
    made.writers = add_tables(lowering, index, tables, in, made.cube);
}

void lower_chain(Lowering& lowering, const graph::Chain& chain) {
    const Location in = lowering.location_of(chain.root);
    const int first = chain.nodes.front();
    Location& made = lowering.add_output(first, in.cube.width, in.cube.height, in.cube.channels);
    made.writers = add_tables(lowering, first, {chain.table},
                              zero_point(lowering.tensor(chain.root)), std::nullopt, in, made.cube);
    for (const int index : chain.nodes)
        if (index != first)
            lowering.build.exactness.push_back({index, "one table", 1, 1, 0, 256, 0});
}

void lower_unary(Lowering& lowering, int index) { lower_tables(lowering, index, 0); }
void lower_prelu(Lowering& lowering, int index) { lower_tables(lowering, index, 0); }
void lower_requantise(Lowering& lowering, int index) { lower_tables(lowering, index, 0); }

}  // namespace macrame::dla::compiler
