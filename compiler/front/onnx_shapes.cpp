/// Operators of ONNX on shapes and other constants, and resampling.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "compiler/front/onnx_importers.hpp"
#include "compiler/front/onnx_types.hpp"
#include "compiler/graph/check.hpp"
#include "compiler/graph/kernels.hpp"

namespace macrame::front {

using graph::TensorId;
using graph::Type;

namespace {

bool is_integer(const graph::Tensor& t) { return t.type == Type::int32 || t.type == Type::int64; }

}  // namespace

void OnnxImporters::shape(OnnxReader& r, const OnnxOperator& op) {
    const std::vector<int>& from = r.value(op, 0).shape;
    const auto rank = static_cast<std::int64_t>(from.size());
    const Range range = range_of(op.integer("start", 0), op.integer("end", rank), 1, rank);
    if (range.count < 1) throw Refusal{"no axes: want at least 1"};
    std::vector<std::int64_t> sizes;
    for (std::int64_t i = 0; i < range.count; ++i)
        sizes.push_back(from[static_cast<std::size_t>(range.begin + i)]);
    r.give(op, 0, r.integers_value(op.node->output(0), sizes, {static_cast<int>(sizes.size())}));
}

void OnnxImporters::constant_of_shape(OnnxReader& r, const OnnxOperator& op) {
    std::vector<int> shape;
    for (const std::int64_t size : r.constants(op, 0))
        shape.push_back(size_of(size, "a size"));
    const std::string& name = op.node->output(0);
    float real = 0;
    if (const onnx_schema::Attribute* attribute = op.find("value")) {
        const onnx_schema::Tensor& value = attribute->t();
        const bool integers = value.data_type() == kInt64 || value.data_type() == kInt32;
        r.read_constant(name + " value", value);
        const graph::Tensor one = r.tensor(r.value_of(name + " value").id);
        if (one.elements() != 1) throw Refusal{"a value of several elements: want one"};
        if (integers) {
            const auto count = static_cast<std::size_t>(elements_of(shape));
            r.budget_.charge(count * sizeof(std::int64_t));
            r.give(op, 0,
                   r.integers_value(name, std::vector<std::int64_t>(count, integers_of(one)[0]),
                                    shape));
            return;
        }
        real = r.reals_of(name + " value")[0];
    }
    graph::Tensor to;
    to.name = readable(name);
    to.type = Type::float32;
    to.shape = shape;
    to.constant = true;
    r.budget_.charge(to.bytes());
    to.data.resize(to.bytes());
    for (std::size_t i = 0; i < to.elements(); ++i)
        std::memcpy(&to.data[i * sizeof(real)], &real, sizeof(real));
    OnnxValue y;
    y.shape = shape;
    y.real = true;
    y.id = r.add_tensor(std::move(to));
    r.give(op, 0, y);
}

/// Of what is computed: real values lose their fractions; what is not 0 is true.
void OnnxImporters::cast_to_numbers(OnnxReader& r, const OnnxOperator& op, OnnxValue x,
                                    std::int64_t to) {
    if (x.real) x = r.in_float(op, x);
    const TensorId input = r.plain(op, x);
    const graph::Tensor from = r.tensor(input);
    const std::string& name = op.node->output(0);
    x.form = Form::plain;
    const bool shifted = x.shifted && !x.real;  // before elements are numbers
    x.real = to == kBool;
    x.shifted = false;
    if (to == kBool) {
        TensorId zero = r.add_real("zero", 0);
        if (from.type != Type::float32) {
            const TensorId numbers = r.add_tensor(name, from.type, {});
            r.graph_.tensor(numbers).shifted = shifted;
            r.add(op, graph::Cast{}, {zero}, {numbers});
            zero = numbers;
        }
        x.id = r.add_tensor(name, Type::int8, x.shape, {{1.0F}, {0}, 0});
        r.add(op, graph::Compare{graph::Relation::not_equal}, {input, zero}, {x.id});
    } else {
        r.graph_.tensor(input).shifted = shifted;
        x.shifted = to == kUint8;
        x.id = r.add_tensor(name,
                            to == kInt32                  ? Type::int32
                            : to == kInt8 || to == kUint8 ? Type::int8
                                                          : Type::int64,
                            x.shape);
        r.graph_.tensor(x.id).shifted = x.shifted;
        r.add(op, graph::Cast{}, {input}, {x.id});
    }
    r.give(op, 0, x);
}

/// The type in the file that a value has.
std::int64_t OnnxImporters::type_of(const OnnxReader& r, const OnnxValue& value) {
    const graph::Tensor& t = r.tensor(value.id);
    if (value.real)
        return t.type == Type::int8 && t.quantisation.scale == std::vector<float>{1.0F} &&
                       t.quantisation.zero_point == std::vector<std::int32_t>{0}
                   ? kBool
                   : kFloat;
    return t.type == Type::int64   ? kInt64
           : t.type == Type::int32 ? kInt32
           : t.type == Type::int16 ? kInt16
           : value.shifted         ? kUint8
                                   : kInt8;
}

void OnnxImporters::cast(OnnxReader& r, const OnnxOperator& op) {
    std::int64_t to = op.integer("to", 0);
    if (op.type() == "CastLike") to = type_of(r, r.value(op, 1));
    op.integer("saturate", 1);    // of 8-bit floating-point types
    op.text("round_mode", "up");  // likewise
    OnnxValue x = r.value(op, 0);
    const graph::Tensor from = r.tensor(x.id);
    const bool to_float = to == kFloat || to == kDouble || to == kHalf || to == kBfloat16,
               to_integer = to == kInt32 || to == kInt64, to_byte = to == kInt8 || to == kUint8;
    if ((to_float && x.real) || (to_integer && is_integer(from) && !x.real)) {
        r.give(op, 0, x);
    } else if (to_float && from.type == Type::int8) {
        // Elements are the real values.
        r.give(op, 0, r.dequantised(x, {{{1.0F}, {x.shifted ? -128 : 0}, 0}, x.shifted}));
    } else if (to == kBool && from.type == Type::int8 && x.real &&
               from.quantisation.scale[0] == 1) {
        r.give(op, 0, x);
    } else if (to_float && is_integer(from) && (!from.constant || from.elements() > 64)) {
        const TensorId input = x.id;
        x.real = true;
        x.id = r.add_tensor(op.node->output(0), Type::float32, from.shape);
        r.add(op, graph::Requantise{}, {input}, {x.id});
        r.give(op, 0, x);
    } else if (to_float && from.constant && is_integer(from)) {
        const std::vector<std::int64_t> values = integers_of(from);
        graph::Tensor real = from;
        real.type = Type::float32;
        real.data.resize(real.bytes());
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto value = static_cast<float>(values[i]);
            std::memcpy(&real.data[i * sizeof(value)], &value, sizeof(value));
        }
        x.real = true;
        x.id = r.add_tensor(std::move(real));
        r.give(op, 0, x);
    } else if (to_integer && from.constant && from.type == Type::float32 && from.elements() <= 64) {
        std::vector<std::int64_t> values;
        for (const float value : r.reals(op, 0)) {
            const double limited = std::isnan(value) ? 0.0
                                                     : std::clamp(static_cast<double>(value),
                                                                  -2147483648.0, 2147483647.0);
            values.push_back(static_cast<std::int64_t>(limited));
        }
        r.give(op, 0, r.integers_value(op.node->output(0), values, x.shape));
    } else if (to_byte && !x.real && from.type == Type::int8 && x.shifted == (to == kUint8)) {
        r.give(op, 0, x);
    } else if (to_integer || to_byte || to == kBool) {
        cast_to_numbers(r, op, x, to);
    } else {
        throw Refusal{
            fmt::format("{} of type {} to type {}: want a floating-point type, int8, uint8, "
                        "int32, int64 or bool, or a QuantizeLinear",
                        from.name, name_of(from.type), to)};
    }
}

/// Rows that the network computes or reads, and many constant ones.
void OnnxImporters::select_rows(OnnxReader& r, const OnnxOperator& op, OnnxValue x, OnnxValue which,
                                int axis) {
    const graph::Tensor indices = r.tensor(which.id);
    if (which.real || !is_integer(indices))
        throw Refusal{fmt::format("indices {} have type {}: want int32 or int64", indices.name,
                                  name_of(indices.type))};
    const std::int64_t size = x.shape[static_cast<std::size_t>(axis)];
    if (indices.constant && indices.elements() <= 64) {
        for (const std::int64_t index : integers_of(indices))
            axis_of(index, static_cast<std::size_t>(size));
    }
    OnnxValue y = x;
    y.form = Form::plain;
    y.shape.erase(y.shape.begin() + axis);
    y.shape.insert(y.shape.begin() + axis, which.shape.begin(), which.shape.end());
    // Scales along another axis than rows are those of weights: as real values.
    if (r.tensor(x.id).quantisation.per_channel()) x = r.in_float(op, x);
    const graph::Tensor from = r.tensor(x.id);
    y.id = r.add_tensor(op.node->output(0), from.type, y.shape, from.quantisation);
    r.graph_.tensor(y.id).shifted = from.shifted;
    r.add(op, graph::Gather{axis}, {r.plain(op, x), r.plain(op, which)}, {y.id});
    r.give(op, 0, y);
}

void OnnxImporters::gather(OnnxReader& r, const OnnxOperator& op) {
    const OnnxValue x = r.value(op, 0);
    const int axis = axis_of(op.integer("axis", 0), x.shape.size());
    const graph::Tensor from = r.tensor(x.id);
    const int size = x.shape[static_cast<std::size_t>(axis)];
    const OnnxValue which = r.value(op, 1);
    if (!r.tensor(which.id).constant || r.tensor(which.id).elements() > 64 ||
        (from.constant && !is_integer(from)))
        return select_rows(r, op, x, which, axis);
    std::vector<std::int64_t> indices = r.constants(op, 1);
    for (std::int64_t& index : indices)
        index = axis_of(index, static_cast<std::size_t>(size));
    const std::vector<int> shape = r.value(op, 1).shape;
    if (from.constant && is_integer(from) && x.shape.size() == 1) {
        const std::vector<std::int64_t> values = integers_of(from);
        for (std::int64_t& index : indices)
            index = values[static_cast<std::size_t>(index)];
        r.give(op, 0, r.integers_value(op.node->output(0), indices, shape));
        return;
    }
    if (indices.size() != 1) return select_rows(r, op, x, which, axis);
    OnnxValue y = x;
    const TensorId input = r.plain(op, x);
    y.form = Form::plain;
    graph::Slice slice{std::vector<int>(x.shape.size(), 0), std::vector<int>(x.shape.size(), 1)};
    slice.begin[static_cast<std::size_t>(axis)] = static_cast<int>(indices[0]);
    y.shape[static_cast<std::size_t>(axis)] = 1;
    y.id = r.add_move(op, slice, input, y.shape);
    std::vector<int> to = y.shape;
    to.erase(to.begin() + axis);
    to.insert(to.begin() + axis, shape.begin(), shape.end());
    r.give(op, 0, in_shape(r, op, y, to));
}

bool OnnxImporters::fold_integers(OnnxReader& r, const OnnxOperator& op) {
    if (op.inputs() != 2) return false;
    const OnnxValue &a = r.value(op, 0), &b = r.value(op, 1);
    for (const OnnxValue* value : {&a, &b}) {
        const graph::Tensor& t = r.tensor(value->id);
        if (!t.constant || !is_integer(t) || value->real || t.elements() > 64) return false;
    }
    const std::size_t counts[] = {r.tensor(a.id).elements(), r.tensor(b.id).elements()};
    // A column and a row are as many and no pairs.
    if (a.shape != b.shape && counts[0] != 1 && counts[1] != 1) return false;
    const auto x = integers_of(r.tensor(a.id)), y = integers_of(r.tensor(b.id));
    std::vector<std::int64_t> result;
    for (std::size_t i = 0; i < std::max(x.size(), y.size()); ++i) {
        const std::int64_t p = x[x.size() == 1 ? 0 : i], q = y[y.size() == 1 ? 0 : i];
        if (op.type() == "Div" && q == 0) throw Refusal{"a division by 0: want another divisor"};
        result.push_back(op.type() == "Add"   ? p + q
                         : op.type() == "Sub" ? p - q
                         : op.type() == "Mul" ? p * q
                         : op.type() == "Div" ? p / q
                         : op.type() == "Max" ? std::max(p, q)
                                              : std::min(p, q));
    }
    r.give(op, 0, r.integers_value(op.node->output(0), result, broadcast(a.shape, b.shape)));
    return true;
}

}  // namespace macrame::front
