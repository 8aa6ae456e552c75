/// Sums of products, and other windows that move over a picture.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "compiler/graph/check_operators.hpp"
#include "compiler/graph/sums.hpp"

namespace macrame::graph::checks {
namespace {

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
    const bool numbers = input.type == Type::int32 && output.type == Type::int32;
    Text problem = numbers ? Text{} : arithmetic_type_problem(input, output);
    if (!problem.empty()) return problem;
    const bool real = input.type == Type::float32;
    if (!weights.constant)
        return fmt::format("weights {} are computed: want constants", weights.name);
    const bool wide = input.type == Type::int16;
    if (real ? weights.type != Type::float32
             : weights.type != Type::int8 && (wide || weights.type != Type::uint8))
        return fmt::format("weights {} have type {}: want {}", weights.name, name_of(weights.type),
                           real   ? "float32"
                           : wide ? "int8"
                                  : "int8 or uint8");
    if (!real && (weights.quantisation.scale.empty() ||
                  (weights.quantisation.per_channel() && weights.quantisation.axis != 0)))
        return fmt::format("weights {} have {} scales along axis {}: want one, or one per kernel",
                           weights.name, weights.quantisation.scale.size(),
                           weights.quantisation.axis);
    if (!v.has(2)) return {};
    if (numbers) return "sums of int32 with a bias: want none";
    const Tensor& bias = v.in(2);
    if (!bias.constant) return fmt::format("bias {} is computed: want a constant", bias.name);
    const Type want = real ? Type::float32 : Type::int32;
    if (bias.type != want && !(wide && bias.type == Type::int64))
        return fmt::format("bias {} has type {}: want {}", bias.name, name_of(bias.type),
                           wide ? "int32 or int64" : name_of(want));
    if (bias.elements() != index(kernels))
        return fmt::format("bias {} has shape {}: want {}", bias.name, text_of(bias.shape),
                           kernels);
    return {};
}

constexpr int kSumBytes = 4;

/// Digits or bytes of sums: numbers of int8.
Text sums_problem(const View& v, const Conv& op) {
    if (op.sums == Sums::whole) return {};
    if (v.node.outputs.size() > kMostDigits)
        return fmt::format("{} digits: want 1 to {}", v.node.outputs.size(), kMostDigits);
    if (v.has(2) || op.activation != Activation::none)
        return "sums with a bias or an activation: want neither";
    const auto problem = [&](const Tensor& t) -> Text {
        if (t.type != Type::int8 || t.quantisation.scale != std::vector<float>{1} ||
            t.quantisation.zero_point != std::vector<std::int32_t>{0})
            return fmt::format("{} is no number of int8: want a scale of 1, no zero point", t.name);
        return {};
    };
    if (Text t = problem(v.in(0)); !t.empty()) return t;
    for (std::size_t i = 0; i < v.node.outputs.size(); ++i) {
        if (Text t = problem(v.out(i)); !t.empty()) return t;
        if (Text t = shape_problem(v.out(i), v.out().shape); !t.empty()) return t;
    }
    if (op.sums == Sums::bytes && v.out().shape.back() % kSumBytes != 0)
        return fmt::format("{} channels of bytes: want a multiple of {}", v.out().shape.back(),
                           kSumBytes);
    return {};
}

}  // namespace

Text problem(const View& v, const Join&) {
    if (Text t = count_problem(v, 1, kMostDigits); !t.empty()) return t;
    for (std::size_t i = 0; i < v.node.inputs.size(); ++i) {
        if (!v.has(i)) return fmt::format("input {} is left out: want it", i);
        if (Text t = type_problem(v.in(i), Type::int8); !t.empty()) return t;
        const std::size_t wants = v.out().elements();
        const bool bytes = v.node.inputs.size() == 1 && v.in(0).elements() == kSumBytes * wants;
        if (v.in(i).elements() != wants && !bytes)
            return fmt::format("{} has shape {}: want {} digits, or four bytes each", v.in(i).name,
                               text_of(v.in(i).shape), wants);
    }
    return type_problem(v.out(), Type::int32);
}

Text problem(const View& v, const Conv& op) {
    if (Text t = count_problem(v, 2, 3, op.sums != Sums::digits); !t.empty()) return t;
    const Tensor &input = v.in(0), &weights = v.in(1);
    if (Text t = sums_problem(v, op); !t.empty()) return t;
    if (Text t = window_shape_problem(op.window, input, v.out()); !t.empty()) return t;
    const int channels = input.shape[3];
    const int kernels = v.out().shape[3] / (op.sums == Sums::bytes ? kSumBytes : 1);
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

namespace {

/// The second operand of int16 may have weights of int8, also with a scale for each column.
Text second_problem(const View& v, const MatMul& op) {
    const Tensor& b = v.in(1);
    if (v.in(0).type != Type::int16 || b.type != Type::int8)
        return arithmetic_type_problem(b, v.out());
    const Quantisation& q = b.quantisation;
    const int columns = static_cast<int>(b.shape.size()) - (op.transpose_b ? 2 : 1);
    const bool zero = std::all_of(q.zero_point.begin(), q.zero_point.end(),
                                  [](std::int32_t value) { return value == 0; });
    if (q.scale.size() == 1 || (q.per_channel() && q.axis == columns && zero)) return {};
    return fmt::format(
        "{} has {} scales along axis {}: want one, or one per column without zero "
        "points",
        b.name, q.scale.size(), q.axis);
}

}  // namespace

Text problem(const View& v, const MatMul& op) {
    if (Text t = count_problem(v, 2, 2); !t.empty()) return t;
    const Tensor &a = v.in(0), &b = v.in(1), &output = v.out();
    const auto is_number = [](const Tensor* t) { return t->type == Type::int32; };
    const Tensor* const all[] = {&a, &b, &output};
    if (!std::all_of(std::begin(all), std::end(all), is_number)) {
        if (Text t = arithmetic_type_problem(a, output); !t.empty()) return t;
        if (Text t = second_problem(v, op); !t.empty()) return t;
    }
    if (a.shape.size() < 2 || b.shape.size() < 2)
        return fmt::format("shapes {} and {}: want at least two axes", text_of(a.shape),
                           text_of(b.shape));
    Shape x = a.shape, y = b.shape;
    if (op.transpose_a) std::swap(x[x.size() - 2], x[x.size() - 1]);
    if (op.transpose_b) std::swap(y[y.size() - 2], y[y.size() - 1]);
    if (x.back() != y[y.size() - 2])
        return fmt::format("{} columns times {} rows: want as many", x.back(), y[y.size() - 2]);
    const Shape last = {x[x.size() - 2], y.back()};
    x.resize(x.size() - 2);
    y.resize(y.size() - 2);
    bool fits = false;
    Shape want = broadcast(x, y, fits);
    if (!fits)
        return fmt::format("shapes {} and {}: want axes in front of equal size, or 1",
                           text_of(a.shape), text_of(b.shape));
    want.insert(want.end(), last.begin(), last.end());
    return shape_problem(output, want);
}

}  // namespace macrame::graph::checks
