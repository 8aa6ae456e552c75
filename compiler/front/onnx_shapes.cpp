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
void OnnxImporters::cast_to_numbers(OnnxReader& r, const OnnxOperator& op, OnnxValue x) {
    const std::int64_t to = op.integer("to", 0);
    if (x.real) x = r.in_float(op, x);
    const TensorId input = r.plain(op, x);
    const graph::Tensor from = r.tensor(input);
    const std::string& name = op.node->output(0);
    x.form = Form::plain;
    x.real = to == kBool;
    x.shifted = false;
    if (to == kBool) {
        TensorId zero = r.add_real("zero", 0);
        if (from.type != Type::float32) {
            const TensorId numbers = r.add_tensor(name, from.type, {});
            r.add(op, graph::Cast{}, {zero}, {numbers});
            zero = numbers;
        }
        x.id = r.add_tensor(name, Type::int8, x.shape, {{1.0F}, {0}, 0});
        r.add(op, graph::Compare{graph::Relation::not_equal}, {input, zero}, {x.id});
    } else {
        x.id = r.add_tensor(name, to == kInt32 ? Type::int32 : Type::int64, x.shape);
        r.add(op, graph::Cast{}, {input}, {x.id});
    }
    r.give(op, 0, x);
}

void OnnxImporters::cast(OnnxReader& r, const OnnxOperator& op) {
    const std::int64_t to = op.integer("to", 0);
    OnnxValue x = r.value(op, 0);
    const graph::Tensor from = r.tensor(x.id);
    const bool to_float = to == kFloat || to == kDouble, to_integer = to == kInt32 || to == kInt64;
    if ((to_float && x.real) || (to_integer && is_integer(from) && !x.real)) {
        r.give(op, 0, x);
    } else if (to_float && from.type == Type::int8) {
        // Elements are the real values.
        r.give(op, 0, r.dequantised(x, {{{1.0F}, {x.shifted ? -128 : 0}, 0}, x.shifted}));
    } else if (to == kBool && from.type == Type::int8 && x.real &&
               from.quantisation.scale[0] == 1) {
        r.give(op, 0, x);
    } else if (to_float && is_integer(from) && (!from.constant || from.elements() > 64)) {
        const TensorId input = r.plain(op, x);
        x.form = Form::plain;
        x.real = true;
        x.id = r.add_tensor(op.node->output(0), Type::float32, x.shape);
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
    } else if (to_integer || to == kBool) {
        cast_to_numbers(r, op, x);
    } else {
        throw Refusal{
            fmt::format("{} of type {} to type {}: want float32, int32, int64 or bool, or a "
                        "QuantizeLinear",
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
        if (!t.constant || !is_integer(t) || value->real) return false;
    }
    const auto x = integers_of(r.tensor(a.id)), y = integers_of(r.tensor(b.id));
    if (x.size() != y.size() && x.size() != 1 && y.size() != 1)
        throw Refusal{fmt::format("{} and {} integers: want as many, or one", x.size(), y.size())};
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
    r.give(op, 0,
           r.integers_value(op.node->output(0), result, x.size() >= y.size() ? a.shape : b.shape));
    return true;
}

// ---------------------------------------------------------------- resampling

namespace {

/// Where the centre of an output lies in the input.
double source_of(const std::string& mode, int to, int input, int output, double scale) {
    if (mode == "asymmetric") return to / scale;
    if (mode == "align_corners") return output > 1 ? to * (input - 1.0) / (output - 1.0) : 0.0;
    if (mode == "pytorch_half_pixel" && output == 1) return 0;
    return (to + 0.5) / scale - 0.5;
}

double rounded(const std::string& mode, double at) {
    if (mode == "floor") return std::floor(at);
    if (mode == "ceil") return std::ceil(at);
    if (mode == "round_prefer_ceil") return std::floor(at + 0.5);
    return std::ceil(at - 0.5);
}

struct Wanted {
    std::string transformation, rounding;
    std::array<int, 2> input, output;
    std::array<double, 2> scale;
};

/// A resampling of the graph that takes the same elements.
graph::Resize nearest(const Wanted& w) {
    for (const bool corners : {false, true}) {
        for (const bool half : {false, true}) {
            const graph::Resize candidate{graph::Resampling::nearest, corners, half};
            bool same = true;
            for (std::size_t axis = 0; axis < 2 && same; ++axis) {
                const int input = w.input[axis], output = w.output[axis];
                for (int to = 0; to < output && same; ++to) {
                    const double at = source_of(w.transformation, to, input, output, w.scale[axis]);
                    const double index = std::clamp(rounded(w.rounding, at), 0.0, input - 1.0);
                    same = graph::nearest_source(to, input, output, candidate) ==
                           static_cast<int>(index);
                }
            }
            if (same) return candidate;
        }
    }
    throw Refusal{fmt::format(
        "nearest with {} and {} from {}x{} to {}x{}: want another "
        "transformation, or integer factors",
        w.transformation, w.rounding, w.input[0], w.input[1], w.output[0], w.output[1])};
}

graph::Resize bilinear(const Wanted& w) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
        const double exact = static_cast<double>(w.output[axis]) / w.input[axis];
        if (w.transformation != "align_corners" && std::abs(w.scale[axis] / exact - 1) > 1e-6)
            throw Refusal{fmt::format("scale {} from {} to {}: want {}", w.scale[axis],
                                      w.input[axis], w.output[axis], exact)};
        if (w.transformation == "pytorch_half_pixel" && w.output[axis] == 1)
            throw Refusal{"pytorch_half_pixel to one element: want half_pixel"};
    }
    const bool half = w.transformation == "half_pixel" || w.transformation == "pytorch_half_pixel";
    return {graph::Resampling::bilinear, w.transformation == "align_corners", half};
}

}  // namespace

void OnnxImporters::resize(OnnxReader& r, const OnnxOperator& op) {
    OnnxValue x = r.value(op, 0);
    const bool old = op.type() == "Upsample" || op.version < 11;
    const std::string mode = op.text("mode", "nearest");
    Wanted w;
    w.transformation = op.text("coordinate_transformation_mode", old ? "asymmetric" : "half_pixel");
    w.rounding = op.text("nearest_mode", old ? "floor" : "round_prefer_floor");
    constexpr std::array<const char*, 4> kModes = {"asymmetric", "align_corners", "half_pixel",
                                                   "pytorch_half_pixel"};
    if (std::find(kModes.begin(), kModes.end(), w.transformation) == kModes.end())
        throw Refusal{fmt::format("{}: want {}", w.transformation, fmt::join(kModes, ", "))};
    if (op.integer("antialias", 0) != 0 || op.integer("exclude_outside", 0) != 0 ||
        op.find("axes") != nullptr)
        throw Refusal{"antialias, exclude_outside or axes: want none of them"};
    // A line is a picture of one row.
    const bool line = x.shape.size() == 3;
    if (line) x = in_shape(r, op, x, {x.shape[0], x.shape[1], 1, x.shape[2]});
    const TensorId input = r.image(op, x);
    const std::size_t scales = old ? 1 : 2;
    std::array<double, 4> factors{};
    if (r.has(op, scales)) {
        std::vector<float> values = r.reals(op, scales);
        if (line && values.size() == 3) values.insert(values.begin() + 2, 1);
        if (values.size() != 4) throw Refusal{fmt::format("{} scales: want 4", values.size())};
        std::copy(values.begin(), values.end(), factors.begin());
        for (std::size_t i = 0; i < 4; ++i) {
            const double size = std::floor(x.shape[i] * factors[i]);
            if (!(size >= 1 && size <= 1 << 20))
                throw Refusal{fmt::format("scale {} of {}: want 1 to {} elements", factors[i],
                                          x.shape[i], 1 << 20)};
            x.shape[i] = static_cast<int>(size);
        }
    } else {
        std::vector<std::int64_t> sizes = r.constants(op, 3);
        if (line && sizes.size() == 3) sizes.insert(sizes.begin() + 2, 1);
        if (sizes.size() != 4) throw Refusal{fmt::format("{} sizes: want 4", sizes.size())};
        for (std::size_t i = 0; i < 4; ++i) {
            const int size = size_of(sizes[i], "a size");
            factors[i] = static_cast<double>(size) / x.shape[i];
            x.shape[i] = size;
        }
    }
    const std::vector<int> from = r.tensor(input).shape;
    w.input = {from[1], from[2]};
    w.output = {x.shape[2], x.shape[3]};
    w.scale = {factors[2], factors[3]};
    if (std::max(w.output[0], w.output[1]) > 1 << 16)
        throw Refusal{fmt::format("{}x{}: want at most {}", w.output[0], w.output[1], 1 << 16)};
    if (mode != "nearest" && mode != "linear")
        throw Refusal{fmt::format("mode {}: want nearest or linear", mode)};
    const graph::Resize resize = mode == "nearest" ? nearest(w) : bilinear(w);
    x.form = Form::image;
    x.id = r.add_move(op, resize, input, image_shape(x.shape));
    r.give(op, 0, line ? in_shape(r, op, x, {x.shape[0], x.shape[1], x.shape[3]}) : x);
}

}  // namespace macrame::front
