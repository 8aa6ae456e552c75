/// What each operator wants of its tensors.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compiler/graph/check.hpp"

namespace macrame::graph {
namespace {

using Text = std::string;
using Shape = std::vector<int>;

/// Tensors of the node under test.
struct View {
    const Graph& graph;
    const Node& node;

    bool has(std::size_t i) const { return i < node.inputs.size() && node.inputs[i] != kNone; }
    const Tensor& in(std::size_t i) const { return graph.tensor(node.inputs[i]); }
    const Tensor& out(std::size_t i = 0) const { return graph.tensor(node.outputs[i]); }
    bool tflite() const { return graph.rounding == Rounding::tflite; }
};

std::size_t index(int i) { return static_cast<std::size_t>(i); }

bool small_integer(const Tensor& t) {
    return (t.type == Type::int8 || t.type == Type::uint8) && t.quantisation.scale.size() == 1;
}

bool equal_scales(const Tensor& a, const Tensor& b) {
    if (a.quantisation.scale.empty() || b.quantisation.scale.empty()) return true;
    return a.quantisation.scale == b.quantisation.scale &&
           a.quantisation.zero_point == b.quantisation.zero_point;
}

Text count_problem(const View& v, std::size_t least, std::size_t most, bool one_output = true) {
    if (v.node.inputs.size() < least || v.node.inputs.size() > most)
        return fmt::format("{} inputs: want {} to {}", v.node.inputs.size(), least, most);
    for (std::size_t i = 0; i < least; ++i) {
        if (!v.has(i)) return fmt::format("input {} is left out: want it", i);
    }
    if (v.node.outputs.empty() || (one_output && v.node.outputs.size() != 1))
        return fmt::format("{} outputs: want 1", v.node.outputs.size());
    return {};
}

Text shape_problem(const Tensor& t, const Shape& want) {
    if (t.shape == want) return {};
    return fmt::format("{} has shape {}: want {}", t.name, text_of(t.shape), text_of(want));
}

/// For arithmetic: int8 or uint8 with one scale, or float32; the same for input and output.
Text arithmetic_type_problem(const Tensor& in, const Tensor& out) {
    for (const Tensor* t : {&in, &out}) {
        if (t->type == Type::float32 || small_integer(*t)) continue;
        if (t->quantisation.scale.size() != 1 && (t->type == Type::int8 || t->type == Type::uint8))
            return fmt::format("{} of type {} has {} scales: want one", t->name, name_of(t->type),
                               t->quantisation.scale.size());
        return fmt::format("{} has type {}: want int8, uint8 or float32", t->name,
                           name_of(t->type));
    }
    if (in.type == out.type) return {};
    return fmt::format("{} has type {}, {} has {}: want the same", in.name, name_of(in.type),
                       out.name, name_of(out.type));
}

/// For what only moves elements.
Text same_problem(const Tensor& in, const Tensor& out) {
    if (in.type != out.type)
        return fmt::format("{} has type {}, {} has {}: want the same", in.name, name_of(in.type),
                           out.name, name_of(out.type));
    if (!equal_scales(in, out))
        return fmt::format("{} and {} have different scales or zero points: want the same", in.name,
                           out.name);
    return {};
}

Text window_problem(const Window& w) {
    for (const int value :
         {w.kernel_h, w.kernel_w, w.stride_h, w.stride_w, w.dilation_h, w.dilation_w}) {
        if (value < 1 || value > 1 << 20)
            return fmt::format("kernel {}x{}, stride {}x{}, dilation {}x{}: want each 1 to {}",
                               w.kernel_h, w.kernel_w, w.stride_h, w.stride_w, w.dilation_h,
                               w.dilation_w, 1 << 20);
    }
    for (const int value : {w.top, w.left, w.bottom, w.right}) {
        if (value < 0 || value > 1 << 20)
            return fmt::format("padding {}, {}, {}, {}: want each 0 to {}", w.top, w.left, w.bottom,
                               w.right, 1 << 20);
    }
    return {};
}

/// Outputs of a window over an axis; less than 1: none.
std::int64_t positions(int input, int kernel, int stride, int dilation, int before, int behind) {
    const std::int64_t extent = std::int64_t{kernel - 1} * dilation + 1;
    const std::int64_t room = std::int64_t{input} + before + behind - extent;
    return room < 0 ? 0 : room / stride + 1;
}

/// `large` and `small`: what the window moves over and what that gives, both N x H x W x C.
Text window_shape_problem(const Window& w, const Tensor& large, const Tensor& small) {
    for (const Tensor* t : {&large, &small}) {
        if (t->shape.size() != 4 || t->shape[0] != 1)
            return fmt::format("{} has shape {}: want 1 x height x width x channels", t->name,
                               text_of(t->shape));
    }
    const Text problem = window_problem(w);
    if (!problem.empty()) return problem;
    const auto high =
        positions(large.shape[1], w.kernel_h, w.stride_h, w.dilation_h, w.top, w.bottom);
    const auto wide =
        positions(large.shape[2], w.kernel_w, w.stride_w, w.dilation_w, w.left, w.right);
    if (high != small.shape[1] || wide != small.shape[2])
        return fmt::format("{} has shape {}: want {}x{} positions of the window over {}",
                           small.name, text_of(small.shape), high, wide, text_of(large.shape));
    return {};
}

/// Weights, bias and scales; the input has `channels` for each of `kernels`.
Text weights_problem(const View& v, int kernels) {
    const Tensor &input = v.in(0), &weights = v.in(1), &output = v.out();
    Text problem = arithmetic_type_problem(input, output);
    if (!problem.empty()) return problem;
    const bool real = input.type == Type::float32;
    if (!weights.constant)
        return fmt::format("weights {} are computed: want constants", weights.name);
    if (real ? weights.type != Type::float32
             : weights.type != Type::int8 && weights.type != Type::uint8)
        return fmt::format("weights {} have type {}: want {}", weights.name, name_of(weights.type),
                           real ? "float32" : "int8 or uint8");
    if (!real && (weights.quantisation.scale.empty() ||
                  (weights.quantisation.per_channel() && weights.quantisation.axis != 0)))
        return fmt::format("weights {} have {} scales along axis {}: want one, or one per kernel",
                           weights.name, weights.quantisation.scale.size(),
                           weights.quantisation.axis);
    if (!v.has(2)) return {};
    const Tensor& bias = v.in(2);
    if (!bias.constant) return fmt::format("bias {} is computed: want a constant", bias.name);
    const Type want = real ? Type::float32 : Type::int32;
    if (bias.type != want)
        return fmt::format("bias {} has type {}: want {}", bias.name, name_of(bias.type),
                           name_of(want));
    if (bias.elements() != index(kernels))
        return fmt::format("bias {} has shape {}: want {}", bias.name, text_of(bias.shape),
                           kernels);
    return {};
}

Text problem(const View& v, const Conv& op) {
    if (Text t = count_problem(v, 2, 3); !t.empty()) return t;
    const Tensor &input = v.in(0), &weights = v.in(1);
    if (Text t = window_shape_problem(op.window, input, v.out()); !t.empty()) return t;
    const int channels = input.shape[3], kernels = v.out().shape[3];
    if (op.groups < 1 || channels % op.groups != 0 || kernels % op.groups != 0)
        return fmt::format("{} groups of {} channels and {} kernels: want a divisor of both",
                           op.groups, channels, kernels);
    const Shape want = {kernels, op.window.kernel_h, op.window.kernel_w, channels / op.groups};
    if (Text t = shape_problem(weights, want); !t.empty()) return t;
    return weights_problem(v, kernels);
}

Text problem(const View& v, const TransposeConv& op) {
    if (Text t = count_problem(v, 2, 3); !t.empty()) return t;
    const Tensor &input = v.in(0), &weights = v.in(1);
    if (Text t = window_shape_problem(op.window, v.out(), input); !t.empty()) return t;
    const int channels = input.shape[3], kernels = v.out().shape[3];
    const Shape want = {kernels, op.window.kernel_h, op.window.kernel_w, channels};
    if (Text t = shape_problem(weights, want); !t.empty()) return t;
    return weights_problem(v, kernels);
}

Text problem(const View& v, const FullyConnected&) {
    if (Text t = count_problem(v, 2, 3); !t.empty()) return t;
    const Tensor &input = v.in(0), &weights = v.in(1), &output = v.out();
    if (weights.shape.size() != 2)
        return fmt::format("weights {} have shape {}: want kernels x channels", weights.name,
                           text_of(weights.shape));
    const auto kernels = index(weights.shape[0]), channels = index(weights.shape[1]);
    if (input.elements() % channels != 0)
        return fmt::format("{} has shape {}: want a multiple of {} elements", input.name,
                           text_of(input.shape), channels);
    if (output.elements() != input.elements() / channels * kernels)
        return fmt::format("{} has shape {}: want {} elements", output.name, text_of(output.shape),
                           input.elements() / channels * kernels);
    return weights_problem(v, weights.shape[0]);
}

/// Shape of two that are broadcast; empty and `ok` false if they do not fit.
Shape broadcast(const Shape& a, const Shape& b, bool& ok) {
    Shape result(std::max(a.size(), b.size()), 1);
    ok = true;
    for (std::size_t i = 0; i < result.size(); ++i) {
        const int x = i < a.size() ? a[a.size() - 1 - i] : 1;
        const int y = i < b.size() ? b[b.size() - 1 - i] : 1;
        ok = ok && (x == y || x == 1 || y == 1);
        result[result.size() - 1 - i] = std::max(x, y);
    }
    return result;
}

Text problem(const View& v, const Binary& op) {
    if (Text t = count_problem(v, 2, 2); !t.empty()) return t;
    const Tensor &a = v.in(0), &b = v.in(1), &output = v.out();
    for (const Tensor* t : {&a, &b}) {
        if (Text text = arithmetic_type_problem(*t, output); !text.empty()) return text;
    }
    bool fits = false;
    const Shape want = broadcast(a.shape, b.shape, fits);
    if (!fits)
        return fmt::format("shapes {} and {}: want equal sizes, or 1", text_of(a.shape),
                           text_of(b.shape));
    if (Text t = shape_problem(output, want); !t.empty()) return t;
    const bool choice = op.function == Arithmetic::maximum || op.function == Arithmetic::minimum;
    if (choice && v.tflite() && !(equal_scales(a, output) && equal_scales(b, output)))
        return "different scales or zero points: want the same for all tensors";
    return {};
}

Text problem(const View& v, const Pool& op) {
    if (Text t = count_problem(v, 1, 1); !t.empty()) return t;
    const Tensor &input = v.in(0), &output = v.out();
    if (Text t = arithmetic_type_problem(input, output); !t.empty()) return t;
    if (Text t = window_shape_problem(op.window, input, output); !t.empty()) return t;
    if (input.shape[3] != output.shape[3])
        return fmt::format("{} channels become {}: want the same", input.shape[3], output.shape[3]);
    const bool moves = v.tflite() || op.function == Pooling::maximum;
    return moves ? same_problem(input, output) : Text{};
}

Text problem(const View& v, const Mean& op) {
    if (Text t = count_problem(v, 1, 1); !t.empty()) return t;
    const Tensor& input = v.in(0);
    if (Text t = arithmetic_type_problem(input, v.out()); !t.empty()) return t;
    const auto rank = static_cast<int>(input.shape.size());
    Shape want = input.shape;
    int before = -1;
    for (const int axis : op.axes) {
        if (axis <= before || axis >= rank)
            return fmt::format("axes {}: want them ascending, below {}", fmt::join(op.axes, ", "),
                               rank);
        want[index(axis)] = 1;
        before = axis;
    }
    if (!op.keep_dims) {
        for (auto axis = op.axes.rbegin(); axis != op.axes.rend(); ++axis)
            want.erase(want.begin() + *axis);
    }
    return shape_problem(v.out(), want);
}

Text problem(const View& v, const Unary& op) {
    if (Text t = count_problem(v, 1, 1); !t.empty()) return t;
    if (Text t = arithmetic_type_problem(v.in(0), v.out()); !t.empty()) return t;
    if (!std::isfinite(op.alpha)) return fmt::format("alpha {}: want a number", op.alpha);
    if (!std::isfinite(op.beta)) return fmt::format("beta {}: want a number", op.beta);
    if (v.tflite() && op.function == Function::leaky_relu && op.alpha < 0)
        return fmt::format("alpha {}: want at least 0", op.alpha);
    return shape_problem(v.out(), v.in(0).shape);
}

Text problem(const View& v, const Prelu&) {
    if (Text t = count_problem(v, 2, 2); !t.empty()) return t;
    const Tensor &input = v.in(0), &slopes = v.in(1);
    if (Text t = arithmetic_type_problem(input, v.out()); !t.empty()) return t;
    if (Text t = arithmetic_type_problem(slopes, v.out()); !t.empty()) return t;
    if (input.shape.empty() || slopes.elements() != index(input.shape.back()))
        return fmt::format("slopes {} have shape {}: want one for each channel of {}", slopes.name,
                           text_of(slopes.shape), text_of(input.shape));
    return shape_problem(v.out(), input.shape);
}

Text problem(const View& v, const Requantise&) {
    if (Text t = count_problem(v, 1, 1); !t.empty()) return t;
    for (const Tensor* t : {&v.in(0), &v.out()}) {
        if (t->type == Type::float32) continue;
        if (t->type == Type::int64)
            return fmt::format("{} has type int64: want a quantised type or float32", t->name);
        // Weights of float networks have a scale per channel.
        const bool weights = t == &v.in(0) && v.out().type == Type::float32;
        if (t->quantisation.scale.size() != 1 && !(weights && t->quantisation.per_channel()))
            return fmt::format("{} has {} scales: want one", t->name, t->quantisation.scale.size());
    }
    return shape_problem(v.out(), v.in(0).shape);
}

Text problem(const View& v, const Concat& op) {
    if (Text t = count_problem(v, 1, 1 << 16); !t.empty()) return t;
    const auto rank = static_cast<int>(v.in(0).shape.size());
    if (op.axis < 0 || op.axis >= rank)
        return fmt::format("axis {}: want one of {}", op.axis, rank);
    std::int64_t total = 0;
    for (std::size_t i = 0; i < v.node.inputs.size(); ++i) {
        if (!v.has(i)) return fmt::format("input {} is left out: want it", i);
        Shape shape = v.in(i).shape;
        if (shape.size() != index(rank))
            return fmt::format("{} has shape {}: want {} axes", v.in(i).name, text_of(shape), rank);
        total += shape[index(op.axis)];
        shape[index(op.axis)] = v.in(0).shape[index(op.axis)];
        if (shape != v.in(0).shape)
            return fmt::format("shapes {} and {}: want them equal but along axis {}",
                               text_of(v.in(0).shape), text_of(v.in(i).shape), op.axis);
        const bool moves = equal_scales(v.in(i), v.out()) && v.in(i).type == v.out().type;
        if (moves && op.activation == Activation::none) continue;
        if (Text t = arithmetic_type_problem(v.in(i), v.out()); !t.empty()) return t;
    }
    Shape want = v.in(0).shape;
    want[index(op.axis)] = static_cast<int>(std::min<std::int64_t>(total, 1 << 30));
    return shape_problem(v.out(), want);
}

Text problem(const View& v, const Slice& op) {
    if (Text t = count_problem(v, 1, 1); !t.empty()) return t;
    const Shape &from = v.in(0).shape, &to = v.out().shape;
    if (op.begin.size() != from.size() || op.stride.size() != from.size() ||
        to.size() != from.size())
        return fmt::format("{} begins, {} strides, {} axes of the output: want {} of each",
                           op.begin.size(), op.stride.size(), to.size(), from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
        const std::int64_t last =
            op.begin[i] + (std::int64_t{to[i]} - 1) * std::int64_t{op.stride[i]};
        if (op.begin[i] < 0 || op.begin[i] >= from[i] || last < 0 || last >= from[i])
            return fmt::format("elements {} to {} of axis {}: want them below {}", op.begin[i],
                               last, i, from[i]);
    }
    return same_problem(v.in(0), v.out());
}

Text problem(const View& v, const Split& op) {
    if (Text t = count_problem(v, 1, 1, false); !t.empty()) return t;
    const Shape& from = v.in(0).shape;
    if (op.axis < 0 || index(op.axis) >= from.size())
        return fmt::format("axis {}: want one of {}", op.axis, from.size());
    std::int64_t total = 0;
    for (std::size_t i = 0; i < v.node.outputs.size(); ++i) {
        const Tensor& output = v.out(i);
        if (Text t = same_problem(v.in(0), output); !t.empty()) return t;
        Shape want = from;
        if (output.shape.size() == from.size()) want[index(op.axis)] = output.shape[index(op.axis)];
        if (Text t = shape_problem(output, want); !t.empty()) return t;
        total += output.shape[index(op.axis)];
    }
    if (total == from[index(op.axis)]) return {};
    return fmt::format("outputs of {} in all along axis {}: want {}", total, op.axis,
                       from[index(op.axis)]);
}

Text problem(const View& v, const Pad& op) {
    if (Text t = count_problem(v, 1, 1); !t.empty()) return t;
    Shape want = v.in(0).shape;
    if (op.amounts.size() != want.size())
        return fmt::format("padding of {} axes: want {}", op.amounts.size(), want.size());
    for (std::size_t i = 0; i < want.size(); ++i) {
        const auto [before, behind] = op.amounts[i];
        const std::int64_t size = std::int64_t{want[i]} + before + behind;
        if (before < 0 || behind < 0 || size > 1 << 30)
            return fmt::format("padding {} and {} of axis {}: want at least 0", before, behind, i);
        want[i] = static_cast<int>(size);
    }
    if (Text t = shape_problem(v.out(), want); !t.empty()) return t;
    return same_problem(v.in(0), v.out());
}

Text problem(const View& v, const Reshape&) {
    if (Text t = count_problem(v, 1, 1); !t.empty()) return t;
    if (v.in(0).elements() != v.out().elements())
        return fmt::format("shape {} becomes {}: want as many elements", text_of(v.in(0).shape),
                           text_of(v.out().shape));
    return same_problem(v.in(0), v.out());
}

Text problem(const View& v, const Transpose& op) {
    if (Text t = count_problem(v, 1, 1); !t.empty()) return t;
    const Shape& from = v.in(0).shape;
    Shape order = op.order, want;
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (order.size() != from.size() || order[i] != static_cast<int>(i))
            return fmt::format("order {}: want each of {} axes once", fmt::join(op.order, ", "),
                               from.size());
        want.push_back(from[index(op.order[i])]);
    }
    if (Text t = shape_problem(v.out(), want); !t.empty()) return t;
    return same_problem(v.in(0), v.out());
}

Text problem(const View& v, const Resize& op) {
    if (Text t = count_problem(v, 1, 1); !t.empty()) return t;
    const Tensor &input = v.in(0), &output = v.out();
    if (input.shape.size() != 4 || input.shape[0] != 1)
        return fmt::format("{} has shape {}: want 1 x height x width x channels", input.name,
                           text_of(input.shape));
    Shape want = input.shape;
    if (output.shape.size() == 4) {
        want[1] = output.shape[1];
        want[2] = output.shape[2];
    }
    if (Text t = shape_problem(output, want); !t.empty()) return t;
    if (op.function == Resampling::bilinear) {
        if (Text t = arithmetic_type_problem(input, output); !t.empty()) return t;
        if (std::max({want[1], want[2], input.shape[1], input.shape[2]}) > 1 << 16)
            return fmt::format("height and width above {}: want less", 1 << 16);
    }
    return same_problem(input, output);
}

Text problem(const View& v, const Softmax& op) {
    if (Text t = count_problem(v, 1, 1); !t.empty()) return t;
    const Tensor &input = v.in(0), &output = v.out();
    if (Text t = arithmetic_type_problem(input, output); !t.empty()) return t;
    if (op.log && (input.type != Type::float32 || output.type != Type::float32))
        return fmt::format("logarithm of {}: want float32", name_of(input.type));
    if (!std::isfinite(op.beta) || op.beta <= 0)
        return fmt::format("beta {}: want a positive number", op.beta);
    if (input.shape.empty()) return "a scalar: want at least one axis";
    if (Text t = shape_problem(output, input.shape); !t.empty()) return t;
    const Quantisation& q = output.quantisation;
    if (output.type == Type::float32 || !v.tflite()) return {};
    const int least = output.type == Type::int8 ? -128 : 0;
    // 1/256 and a little: TFLite itself allows 0.1 %.
    if (std::abs(q.scale[0] * 256 - 1) > 0.001F || q.zero_point[0] != least)
        return fmt::format("output with scale {} and zero point {}: want 1/256 and {}", q.scale[0],
                           q.zero_point[0], least);
    return {};
}

Text problem(const View& v, const Argmax& op) {
    if (Text t = count_problem(v, 1, 1); !t.empty()) return t;
    Shape want = v.in(0).shape;
    if (op.axis < 0 || index(op.axis) >= want.size())
        return fmt::format("axis {}: want one of {}", op.axis, want.size());
    const Type type = v.in(0).type;
    if (type == Type::int64) return "input of type int64: want another";
    if (v.out().type != Type::int32 && v.out().type != Type::int64)
        return fmt::format("output of type {}: want int32 or int64", name_of(v.out().type));
    want.erase(want.begin() + op.axis);
    return shape_problem(v.out(), want);
}

Text type_problem(const Tensor& t, Type want) {
    if (t.type != want)
        return fmt::format("{} of type {}: want {}", t.name, name_of(t.type), name_of(want));
    if (want != Type::int32 && t.quantisation.scale.size() != 1)
        return fmt::format("{} has {} scales: want one", t.name, t.quantisation.scale.size());
    return {};
}

Text problem(const View& v, const Lstm& op) {
    constexpr std::size_t kWeights = 1, kBiases = 9, kOutput = 13, kState = 14;
    if (v.node.inputs.size() != kState + 1 || v.node.outputs.size() != 3)
        return fmt::format("{} inputs and {} outputs: want {} and 3", v.node.inputs.size(),
                           v.node.outputs.size(), kState + 1);
    if (!v.tflite()) return "rounding of another executor: want TFLite's";
    for (std::size_t i = 0; i <= kState; ++i) {
        const bool bias = i >= kBiases && i < kOutput;
        if (!v.has(i) && !bias) return fmt::format("input {} is left out: want it", i);
        if (!v.has(i)) continue;
        const Type want = bias ? Type::int32 : i == kState ? Type::int16 : Type::int8;
        if (Text t = type_problem(v.in(i), want); !t.empty()) return t;
    }
    const Shape &in = v.in(0).shape, &first = v.in(kWeights).shape;
    if (in.size() != 3 || in[0] != 1 || first.size() != 2)
        return fmt::format("{} has shape {}, {} {}: want 1 x steps x values, cells x values",
                           v.in(0).name, text_of(in), v.in(kWeights).name, text_of(first));
    const int cells = first[0];
    for (std::size_t i = kWeights; i <= kState; ++i) {
        if (!v.has(i)) continue;
        const Shape all[] = {{cells, in[2]}, {cells, cells}, {cells}, {1, cells}};
        const Shape& want = all[i < 5 ? 0 : i < kBiases ? 1 : i < kOutput ? 2 : 3];
        if (Text t = shape_problem(v.in(i), want); !t.empty()) return t;
        if (i < kBiases && v.in(i).quantisation.zero_point[0] != 0)
            return fmt::format("{} has a zero point: want 0", v.in(i).name);
    }
    const Tensor& state = v.in(kState);
    int power = 0;
    if (std::frexp(state.quantisation.scale[0], &power) != 0.5F || power < -14 || power > -8 ||
        state.quantisation.zero_point[0] != 0)
        return fmt::format("{} has scale {} and zero point {}: want 2^-15 to 2^-9 and 0",
                           state.name, state.quantisation.scale[0],
                           state.quantisation.zero_point[0]);
    if (op.clip < 0 || op.clip > 32767) return fmt::format("clip {}: want 0 to 32767", op.clip);
    const Shape wants[] = {{1, in[1], cells}, {1, cells}, {1, cells}};
    for (std::size_t i = 0; i < 3; ++i) {
        const Tensor& same = v.in(i == 2 ? kState : kOutput);
        if (Text t = shape_problem(v.out(i), wants[i]); !t.empty()) return t;
        if (Text t = same_problem(same, v.out(i)); !t.empty()) return t;
    }
    return {};
}

}  // namespace

std::string problem_of(const Graph& graph, const Node& node) {
    const View view{graph, node};
    return std::visit([&](const auto& op) { return problem(view, op); }, node.op);
}

}  // namespace macrame::graph
