/// Functions of elements, also of several.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compiler/graph/check_operators.hpp"

namespace macrame::graph::checks {

Text problem(const View& v, const Binary& op) {
    if (Text t = count_problem(v, 2, 2); !t.empty()) return t;
    const Tensor &a = v.in(0), &b = v.in(1), &output = v.out();
    for (const Tensor* t : {&a, &b}) {
        if (is_whole(*t) && t->type == output.type) continue;
        if (Text text = arithmetic_type_problem(*t, output); !text.empty()) return text;
    }
    const bool rounds =
        op.function == Arithmetic::floor_div || op.function == Arithmetic::floor_mod;
    if (rounds && size_of(output.type) < 4)
        return fmt::format("{} of {}: want float32, int32 or int64", name_of(v.node.op),
                           name_of(output.type));
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

namespace {

/// Axes that go, or stay with one element.
Text axes_problem(const View& v, const std::vector<int>& axes, bool keep_dims) {
    const Tensor& input = v.in(0);
    const auto rank = static_cast<int>(input.shape.size());
    Shape want = input.shape;
    int before = -1;
    for (const int axis : axes) {
        if (axis <= before || axis >= rank)
            return fmt::format("axes {}: want them ascending, below {}", fmt::join(axes, ", "),
                               rank);
        want[index(axis)] = 1;
        before = axis;
    }
    if (!keep_dims) {
        for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis)
            want.erase(want.begin() + *axis);
    }
    return shape_problem(v.out(), want);
}

}  // namespace

Text problem(const View& v, const Mean& op) {
    if (Text t = count_problem(v, 1, 1); !t.empty()) return t;
    if (Text t = arithmetic_type_problem(v.in(0), v.out()); !t.empty()) return t;
    return axes_problem(v, op.axes, op.keep_dims);
}

Text problem(const View& v, const Reduce& op) {
    if (Text t = count_problem(v, 1, 1); !t.empty()) return t;
    const Tensor &input = v.in(0), &output = v.out();
    const bool whole = is_whole(input) && input.type == output.type;
    if (Text t = arithmetic_type_problem(input, output); !whole && !t.empty()) return t;
    const bool picks = op.function == Reduction::maximum || op.function == Reduction::minimum;
    if (picks && !equal_scales(input, output))
        return fmt::format("{} and {} have different scales or zero points: want the same",
                           input.name, output.name);
    if (op.function == Reduction::product && !whole && input.type != Type::float32)
        return fmt::format("product of {}: want float32, int32 or int64", name_of(input.type));
    return axes_problem(v, op.axes, op.keep_dims);
}

Text problem(const View& v, const Cast&) {
    if (Text t = count_problem(v, 1, 1); !t.empty()) return t;
    return shape_problem(v.out(), v.in(0).shape);
}

Text problem(const View& v, const DynamicQuantise&) {
    if (Text t = count_problem(v, 1, 1, false); !t.empty()) return t;
    if (v.node.outputs.size() != 3) return fmt::format("{} outputs: want 3", v.node.outputs.size());
    const Tensor* const all[] = {&v.in(0), &v.out(0), &v.out(1), &v.out(2)};
    const Type wants[] = {Type::float32, Type::int8, Type::float32, Type::int8};
    for (std::size_t i = 0; i < 4; ++i)
        if (all[i]->type != wants[i])
            return fmt::format("{} has type {}: want {}", all[i]->name, name_of(all[i]->type),
                               name_of(wants[i]));
    if (Text t = shape_problem(v.out(), v.in(0).shape); !t.empty()) return t;
    if (v.in(0).elements() % v.out(1).elements() != 0)
        return fmt::format("{} scales for {} elements: want a divisor", v.out(1).elements(),
                           v.in(0).elements());
    return shape_problem(v.out(2), v.out(1).shape);
}

namespace {

Text real_problem(const Tensor& t) {
    if (t.type == Type::float32) return {};
    return fmt::format("{} has type {}: want float32", t.name, name_of(t.type));
}

}  // namespace

Text problem(const View& v, const RealDigits&) {
    if (Text t = count_problem(v, 1, 1, false); !t.empty()) return t;
    if (v.node.outputs.size() != 2) return fmt::format("{} outputs: want 2", v.node.outputs.size());
    if (Text t = real_problem(v.in(0)); !t.empty()) return t;
    if (Text t = type_problem(v.out(0), Type::int8); !t.empty()) return t;
    if (Text t = real_problem(v.out(1)); !t.empty()) return t;
    if (v.out(0).elements() != 2 * v.in(0).elements())
        return fmt::format("{} has shape {}: want {} digits", v.out(0).name,
                           text_of(v.out(0).shape), 2 * v.in(0).elements());
    return shape_problem(v.out(1), {});
}

Text problem(const View& v, const RealSums&) {
    if (Text t = count_problem(v, 3, 4); !t.empty()) return t;
    if (Text t = type_problem(v.in(0), Type::int32); !t.empty()) return t;
    for (std::size_t i = 1; i < v.node.inputs.size(); ++i) {
        if (!v.has(i)) continue;
        if (Text t = real_problem(v.in(i)); !t.empty()) return t;
        if (i > 1 && !v.in(i).constant) return v.in(i).name + " is computed: want a constant";
        if (Text t = shape_problem(v.in(i), i == 1 ? Shape{} : v.in(2).shape); !t.empty()) return t;
    }
    if (Text t = real_problem(v.out()); !t.empty()) return t;
    const std::size_t kernels = v.in(2).elements();
    if (v.in(2).shape.size() != 1 || v.out().elements() % kernels != 0 ||
        v.in(0).elements() != 4 * v.out().elements())
        return fmt::format("{} sums and {} kernels for {} values: want four for each, in rows",
                           v.in(0).elements(), kernels, v.out().elements());
    return {};
}

Text problem(const View& v, const L2Norm&) {
    if (Text t = count_problem(v, 1, 1); !t.empty()) return t;
    const Tensor &input = v.in(0), &output = v.out();
    if (Text t = arithmetic_type_problem(input, output); !t.empty()) return t;
    if (input.shape.empty()) return "a scalar: want at least one axis";
    if (input.type == Type::int16) return "type int16: want int8 or float32";
    const Quantisation& q = output.quantisation;
    const int zero = output.type == Type::uint8 ? 128 : 0;
    if (output.type != Type::float32 && (q.scale[0] != 1.0F / 128 || q.zero_point[0] != zero))
        return fmt::format("output with scale {} and zero point {}: want 1/128 and {}", q.scale[0],
                           q.zero_point[0], zero);
    return shape_problem(output, input.shape);
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
    const bool narrow = input.type == Type::int16 && slopes.type == Type::int8;
    if (Text t = arithmetic_type_problem(slopes, narrow ? slopes : v.out()); !t.empty()) return t;
    if (input.shape.empty() || slopes.elements() != index(input.shape.back()))
        return fmt::format("slopes {} have shape {}: want one for each channel of {}", slopes.name,
                           text_of(slopes.shape), text_of(input.shape));
    return shape_problem(v.out(), input.shape);
}

Text problem(const View& v, const Requantise&) {
    if (Text t = count_problem(v, 1, 1); !t.empty()) return t;
    for (const Tensor* t : {&v.in(0), &v.out()}) {
        if (t->type == Type::float32) continue;
        const bool whole =
            (t->type == Type::int32 || t->type == Type::int64) && t->quantisation.scale.empty();
        if (whole && t == &v.in(0) && v.out().type == Type::float32) continue;
        if (t->type == Type::int64)
            return fmt::format("{} has type int64: want a quantised type or float32", t->name);
        // Weights of float networks have a scale per channel.
        const bool weights = t == &v.in(0) && v.out().type == Type::float32;
        if (t->quantisation.scale.size() != 1 && !(weights && t->quantisation.per_channel()))
            return fmt::format("{} has {} scales: want one", t->name, t->quantisation.scale.size());
    }
    return shape_problem(v.out(), v.in(0).shape);
}

Text problem(const View& v, const LocalNorm& op) {
    if (Text t = count_problem(v, 1, 1); !t.empty()) return t;
    for (const Tensor* t : {&v.in(0), &v.out()})
        if (t->type != Type::float32)
            return fmt::format("{} has type {}: want float32", t->name, name_of(t->type));
    if (v.in(0).shape.empty()) return "a scalar: want at least one axis";
    if (op.before < 0 || op.behind < -1)
        return fmt::format("{} elements in front and {} behind: want at least 0 and -1", op.before,
                           op.behind);
    return shape_problem(v.out(), v.in(0).shape);
}

Text problem(const View& v, const Cumsum& op) {
    if (Text t = count_problem(v, 1, 1); !t.empty()) return t;
    const Tensor &input = v.in(0), &output = v.out();
    if (input.type != output.type || (!is_whole(input) && input.type != Type::float32))
        return fmt::format("{} becomes {}: want float32, int32 or int64", name_of(input.type),
                           name_of(output.type));
    if (op.axis < 0 || index(op.axis) >= input.shape.size())
        return fmt::format("axis {}: want one of {}", op.axis, input.shape.size());
    return shape_problem(output, input.shape);
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
    const int one = output.type == Type::int16 ? 32768 : 256;
    // And a little: TFLite itself allows 0.1 %.
    if (std::abs(q.scale[0] * static_cast<float>(one) - 1) > 0.001F || q.zero_point[0] != least)
        return fmt::format("output with scale {} and zero point {}: want 1/{} and {}", q.scale[0],
                           q.zero_point[0], one, least);
    return {};
}

Text problem(const View& v, const Norm& op) {
    if (Text t = count_problem(v, 1, 3); !t.empty()) return t;
    const Tensor &input = v.in(0), &output = v.out();
    if (Text t = arithmetic_type_problem(input, output); !t.empty()) return t;
    if (op.axis < 0 || index(op.axis) >= input.shape.size())
        return fmt::format("axis {}: want one of {}", op.axis, input.shape.size());
    if (!std::isfinite(op.epsilon) || op.epsilon < 0)
        return fmt::format("epsilon {}: want a number, at least 0", op.epsilon);
    const Shape behind(input.shape.begin() + op.axis, input.shape.end());
    for (std::size_t i = 1; i < 3; ++i) {
        if (!v.has(i)) continue;
        if (v.in(i).type != Type::float32)
            return fmt::format("{} has type {}: want float32", v.in(i).name, name_of(v.in(i).type));
        if (Text t = shape_problem(v.in(i), behind); !t.empty()) return t;
    }
    return shape_problem(output, input.shape);
}

Text problem(const View& v, const Compare&) {
    if (Text t = count_problem(v, 2, 2); !t.empty()) return t;
    const Tensor &a = v.in(0), &b = v.in(1), &output = v.out();
    // Of int16 the reference compares the elements, whatever their scales are.
    const bool scaled = v.tflite() && a.type == b.type && size_of(a.type) <= 2 &&
                        a.quantisation.scale.size() == 1 && b.quantisation.scale.size() == 1;
    if (Text t = same_problem(a, b); !scaled && !t.empty()) return t;
    if (output.type != Type::int8)
        return fmt::format("{} has type {}: want int8", output.name, name_of(output.type));
    bool fits = false;
    const Shape want = broadcast(a.shape, b.shape, fits);
    if (!fits)
        return fmt::format("shapes {} and {}: want equal sizes, or 1", text_of(a.shape),
                           text_of(b.shape));
    return shape_problem(output, want);
}

Text problem(const View& v, const Select&) {
    if (Text t = count_problem(v, 3, 3); !t.empty()) return t;
    if (v.in(0).type != Type::int8)
        return fmt::format("condition {} has type {}: want int8", v.in(0).name,
                           name_of(v.in(0).type));
    Shape want = v.in(0).shape;
    for (std::size_t i = 1; i < 3; ++i) {
        if (Text t = same_problem(v.in(i), v.out()); !t.empty()) return t;
        bool fits = false;
        const Shape before = want;
        want = broadcast(before, v.in(i).shape, fits);
        if (!fits)
            return fmt::format("shapes {} and {}: want equal sizes, or 1", text_of(before),
                               text_of(v.in(i).shape));
    }
    return shape_problem(v.out(), want);
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

}  // namespace macrame::graph::checks
