/// Windows over three axes, as windows over two.
#include <fmt/format.h>

#include <algorithm>

#include "compiler/front/onnx_steps.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {
namespace {

using Ints = std::vector<std::int64_t>;

/// The same operator over some of its axes.
onnx_schema::Node over(const onnx_schema::Node& from, const std::vector<int>& axes) {
    onnx_schema::Node node = from;
    for (onnx_schema::Attribute& attribute : *node.mutable_attribute()) {
        const std::string& name = attribute.name();
        const Ints all(attribute.ints().begin(), attribute.ints().end());
        const bool pads = name == "pads";
        if (!pads && name != "kernel_shape" && name != "strides" && name != "dilations") continue;
        if (all.size() != (pads ? 6U : 3U))
            throw Refusal{fmt::format("{} values of {}: want one for each axis", all.size(), name)};
        attribute.clear_ints();
        for (const int behind : {0, 3}) {
            if (behind != 0 && !pads) continue;
            for (const int axis : axes)
                attribute.add_ints(axis < 0 ? (pads ? 0 : 1) : all[at(axis + behind)]);
        }
    }
    return node;
}

std::int64_t value_at(const OnnxOperator& op, const char* name, int i, std::int64_t usual) {
    const Ints all = op.integers(name);
    return at(i) < all.size() ? all[at(i)] : usual;
}

}  // namespace

/// The planes that a window is over lie in the channels, for each place along the first axis.
void OnnxImporters::conv_volume(OnnxReader& r, const OnnxOperator& op) {
    const Steps steps(r, op);
    Weighted w{r.value(op, 0), r.value(op, 1), {}, r.ending(op, true), false};
    if (r.has(op, 2)) w.bias = r.value(op, 2);
    settle(r, op, w);
    const std::vector<int> kernel = r.tensor(w.weights.id).shape;
    OnnxValue x = steps.plain(w.input);
    if (kernel.size() != 5 || x.shape.size() != 5)
        throw Refusal{fmt::format("input of shape {}, weights of shape {}: want five axes of both",
                                  graph::text_of(x.shape), graph::text_of(kernel))};
    const int deep = kernel[2];
    const int stride = size_of(value_at(op, "strides", 0, 1), "a stride"),
              dilation = size_of(value_at(op, "dilations", 0, 1), "a dilation");
    std::int64_t before = value_at(op, "pads", 0, 0), behind = value_at(op, "pads", 3, 0);
    const std::int64_t extent = std::int64_t{deep - 1} * dilation + 1;
    const std::string kind = op.text("auto_pad", "NOTSET");
    if (kind == "SAME_UPPER" || kind == "SAME_LOWER") {
        const std::int64_t count = (std::int64_t{x.shape[2]} + stride - 1) / stride;
        const std::int64_t total =
            std::max<std::int64_t>((count - 1) * stride + extent - x.shape[2], 0);
        before = kind == "SAME_UPPER" ? total / 2 : total - total / 2;
        behind = total - before;
    }
    if (before < 0 || behind < 0 || before > 1 << 20 || behind > 1 << 20)
        throw Refusal{fmt::format("pads {} and {}: want 0 to {}", before, behind, 1 << 20)};
    if (before + behind > 0) {
        graph::Pad pad;
        pad.amounts.resize(5);
        pad.amounts[2] = {static_cast<int>(before), static_cast<int>(behind)};
        x.shape[2] += static_cast<int>(before + behind);
        x.id = r.add_move(op, pad, x.id, x.shape);
    }
    if (x.shape[2] < extent)
        throw Refusal{
            fmt::format("a kernel over {} of {} planes: want it inside", extent, x.shape[2])};
    const int count = static_cast<int>((x.shape[2] - extent) / stride) + 1;
    const graph::Quantisation& q = r.tensor(w.weights.id).quantisation;
    w.weights.id = r.add_move(op, graph::Reshape{}, w.weights.id,
                              {kernel[0], kernel[1] * deep, kernel[3], kernel[4]}, q.axis);
    w.weights.shape = r.tensor(w.weights.id).shape;
    const onnx_schema::Node flat = over(*op.node, {1, 2});
    OnnxOperator inner = op;
    inner.node = &flat;
    std::vector<OnnxValue> planes;
    for (int d = 0; d < count; ++d) {
        graph::Slice slice{std::vector<int>(5, 0), std::vector<int>(5, 1)};
        slice.begin[2] = d * stride;
        slice.stride[2] = dilation;
        std::vector<int> shape = x.shape;
        shape[2] = deep;
        OnnxValue part = x;
        part.id = r.add_move(op, slice, x.id, shape);
        part.shape = shape;
        Weighted own = w;
        own.input = steps.shaped(part, {shape[0], shape[1] * deep, shape[3], shape[4]});
        OnnxValue y = steps.plain(convolve(r, inner, std::move(own)));
        planes.push_back(steps.shaped(y, {y.shape[0], y.shape[1], 1, y.shape[2], y.shape[3]}));
    }
    op.asked.insert(op.asked.end(), inner.asked.begin(), inner.asked.end());
    r.give(op, w.ending, join(r, op, planes, 2, &w.ending));
}

/// First over height and width of all planes, then along the first axis.
void OnnxImporters::pool_volume(OnnxReader& r, const OnnxOperator& op) {
    const OnnxValue x = r.value(op, 0);
    if (x.shape.size() != 5)
        throw Refusal{
            fmt::format("input of shape {}: want three to five axes", graph::text_of(x.shape))};
    const int batch = x.shape[0], channels = x.shape[1];
    const std::string name = op.node->output(0);
    if (op.outputs() > 1 && !op.node->output(1).empty())
        throw Refusal{"a second result, the indices: want the first only"};
    const auto pooled = [&](const std::vector<int>& axes, const OnnxValue& from, int step) {
        onnx_schema::Node node = over(*op.node, axes);
        node.set_input(0, fmt::format("{}/{} in", name, step));
        node.set_output(0, fmt::format("{}/{} out", name, step));
        r.define(node.input(0), from);
        OnnxOperator inner = op;
        inner.node = &node;
        if (op.type().rfind("Global", 0) == 0)
            global_pool(r, inner);
        else
            pool(r, inner);
        op.asked.insert(op.asked.end(), inner.asked.begin(), inner.asked.end());
        return r.value_of(node.output(0));
    };
    const Steps steps(r, op);
    if (op.type().rfind("Global", 0) == 0) {
        const OnnxValue y = pooled(
            {1, 2}, steps.shaped(x, {batch, channels, x.shape[2] * x.shape[3], x.shape[4]}), 0);
        r.give(op, 0, steps.shaped(y, {batch, channels, 1, 1, 1}));
        return;
    }
    const OnnxValue first =
        pooled({1, 2}, steps.shaped(x, {batch, channels * x.shape[2], x.shape[3], x.shape[4]}), 0);
    const int height = first.shape[2], width = first.shape[3];
    const OnnxValue all =
        pooled({0, -1}, steps.shaped(first, {batch, channels, x.shape[2], height * width}), 1);
    r.give(op, 0, steps.shaped(all, {batch, channels, all.shape[2], height, width}));
}

}  // namespace macrame::front
