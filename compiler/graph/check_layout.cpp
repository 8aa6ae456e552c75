/// Operators that move elements.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compiler/graph/check_operators.hpp"

namespace macrame::graph::checks {

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
        const int room = want[i] - (op.kind == Padding::reflect ? 1 : 0);
        const bool mirror = op.kind == Padding::reflect || op.kind == Padding::symmetric;
        if (mirror && std::max(before, behind) > room)
            return fmt::format("padding {} and {} of {} elements by a mirror: want at most {}",
                               before, behind, want[i], room);
        want[i] = static_cast<int>(size);
    }
    if (op.value != 0) {
        if (!std::isfinite(op.value))
            return fmt::format("padding with {}: want a number", op.value);
        if (Text t = arithmetic_type_problem(v.in(0), v.out()); !t.empty()) return t;
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

Text problem(const View& v, const Gather& op) {
    if (Text t = count_problem(v, 2, 2); !t.empty()) return t;
    const Tensor &input = v.in(0), &indices = v.in(1);
    if (op.axis < 0 || index(op.axis) >= input.shape.size())
        return fmt::format("axis {}: want one of {}", op.axis, input.shape.size());
    if (indices.type != Type::int32 && indices.type != Type::int64)
        return fmt::format("indices {} have type {}: want int32 or int64", indices.name,
                           name_of(indices.type));
    Shape want = input.shape;
    want.erase(want.begin() + op.axis);
    want.insert(want.begin() + op.axis, indices.shape.begin(), indices.shape.end());
    if (Text t = shape_problem(v.out(), want); !t.empty()) return t;
    return same_problem(input, v.out());
}

}  // namespace macrame::graph::checks
