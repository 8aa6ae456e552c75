/// Windows over three axes, as windows over two.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

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
        if (name == "output_shape" && all.size() == 5) {
            attribute.clear_ints();
            for (const int axis : axes)
                attribute.add_ints(all[at(axis + 2)]);
            continue;
        }
        const char* const known[] = {"pads",      "kernel_shape",   "strides",
                                     "dilations", "output_padding", "output_shape"};
        if (std::find(std::begin(known), std::end(known), name) == std::end(known)) continue;
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

/// For each plane of the result, those of the input that reach it, in the channels.
void OnnxImporters::transpose_conv_volume(OnnxReader& r, const OnnxOperator& op) {
    const Steps steps(r, op);
    Weighted w{r.in_float(op, r.value(op, 0)), r.in_float(op, r.value(op, 1)), {}, {}, false};
    w.ending.name = op.node->output(0);
    if (r.has(op, 2)) w.bias = r.in_float(op, r.value(op, 2));
    const OnnxValue x = steps.plain(w.input), weights = steps.plain(w.weights);
    if (!r.tensor(weights.id).constant)
        throw Refusal{
            fmt::format("weights {} are computed: want constants", r.tensor(weights.id).name)};
    if (weights.shape.size() != 5 || x.shape.size() != 5 || weights.shape[0] != x.shape[1])
        throw Refusal{fmt::format(
            "input of shape {}, weights of shape {}: want five axes of both, for as many channels",
            graph::text_of(x.shape), graph::text_of(weights.shape))};
    const int deep = weights.shape[2];
    const int stride = size_of(value_at(op, "strides", 0, 1), "a stride"),
              dilation = size_of(value_at(op, "dilations", 0, 1), "a dilation");
    const std::int64_t first = value_at(op, "pads", 0, 0), last = value_at(op, "pads", 3, 0),
                       extra = value_at(op, "output_padding", 0, 0);
    for (const std::int64_t value : {first, last, extra})
        if (value < 0 || value > 1 << 20)
            throw Refusal{fmt::format("pads of {}: want 0 to {}", value, 1 << 20)};
    auto before = static_cast<int>(first), behind = static_cast<int>(last);
    const Ints wanted = op.integers("output_shape");
    std::optional<std::int64_t> out;
    if (wanted.size() == 3 || wanted.size() == 5) out = wanted[wanted.size() - 3];
    const int count = transposed_size({x.shape[2], deep, stride, dilation, static_cast<int>(extra)},
                                      op.text("auto_pad", "NOTSET"), out, before, behind);
    constexpr int kMostLayers = 1 << 12;
    if (count > kMostLayers || deep > kMostLayers)
        throw Refusal{
            fmt::format("{} planes, a kernel over {}: want at most {}", count, deep, kMostLayers)};
    const onnx_schema::Node flat = over(*op.node, {1, 2});
    OnnxOperator inner = op;
    inner.node = &flat;
    std::vector<OnnxValue> planes;
    for (int d = 0; d < count; ++d) {
        Ints from, taps;
        for (int tap = 0; tap < deep; ++tap) {
            const std::int64_t place = std::int64_t{d} + before - std::int64_t{tap} * dilation;
            if (place < 0 || place % stride != 0 || place / stride >= x.shape[2]) continue;
            from.push_back(place / stride);
            taps.push_back(tap);
        }
        const bool none = from.empty();  // what no plane reaches has the bias alone
        if (none) from = taps = {0};
        Weighted own = w;
        own.input = repeated(r, op, x, {{}, {}, from});
        own.input = steps.shaped(
            own.input, {x.shape[0], x.shape[1] * own.input.shape[2], x.shape[3], x.shape[4]});
        OnnxValue kernel = repeated(r, op, weights, {{}, {}, taps});
        if (none) kernel = steps.times(kernel, 0);
        kernel = steps.permuted(kernel, {0, 2, 1, 3, 4});
        own.weights = steps.shaped(kernel, {kernel.shape[0] * kernel.shape[1], kernel.shape[2],
                                            kernel.shape[3], kernel.shape[4]});
        const OnnxValue y = steps.plain(transpose_convolve(r, inner, std::move(own)));
        planes.push_back(steps.shaped(y, {y.shape[0], y.shape[1], 1, y.shape[2], y.shape[3]}));
    }
    op.asked.insert(op.asked.end(), inner.asked.begin(), inner.asked.end());
    r.give(op, 0, steps.joined(planes, 2));
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
