/// Quantisation in ONNX files: pairs of QuantizeLinear and DequantizeLinear become types of
/// tensors.
///
/// A value that was dequantised keeps its integers. An operator between such values and a
/// QuantizeLinear computes with integers; any other one with float32. Values of 16 bits are float32
/// behind their DequantizeLinear, as there are no integers for what ONNX Runtime computes with
/// them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "compiler/front/onnx_importers.hpp"
#include "compiler/front/onnx_types.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::kNone;
using graph::Quantisation;
using graph::TensorId;
using graph::Type;

namespace {

bool same(const Quantisation& a, const Quantisation& b) {
    return a.scale == b.scale && a.zero_point == b.zero_point &&
           (!a.per_channel() || a.axis == b.axis);
}

/// Elements of a constant of one, two or four bytes as integers.
std::vector<std::int32_t> elements(const graph::Tensor& from) {
    std::vector<std::int32_t> values(from.elements());
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (from.type == Type::int8)
            values[i] = static_cast<std::int8_t>(from.data[i]);
        else if (from.type == Type::int16)
            values[i] = static_cast<std::int16_t>(from.data[2 * i] | from.data[2 * i + 1] << 8);
        else
            std::memcpy(&values[i], &from.data[i * sizeof(std::int32_t)], sizeof(std::int32_t));
    }
    return values;
}

}  // namespace

std::optional<OnnxReader::Parameters> OnnxReader::parameters_of(const onnx_schema::Node& node,
                                                                int scale, bool shifted) const {
    const auto constant = [&](int i) -> const OnnxValue* {
        if (i >= node.input_size()) return nullptr;
        const auto found = values_.find(node.input(i));
        return found != values_.end() && tensor(found->second.id).constant ? &found->second
                                                                           : nullptr;
    };
    const OnnxValue* scales = constant(scale);
    if (scales == nullptr || tensor(scales->id).type != Type::float32) return std::nullopt;
    Parameters result;
    result.quantisation.scale = reals_of(node.input(scale));
    const std::size_t count = result.quantisation.scale.size();
    result.shifted = shifted;
    if (scale + 1 < node.input_size() && !node.input(scale + 1).empty()) {
        const OnnxValue* zero = constant(scale + 1);
        if (zero == nullptr) return std::nullopt;
        const Type type = tensor(zero->id).type;
        if (type != Type::int8 && type != Type::int16 && type != Type::int32) return std::nullopt;
        if (node.op_type() == "QuantizeLinear" && four_bits_.count(node.input(scale + 1)) != 0)
            return std::nullopt;
        result.wide = type == Type::int16;
        result.quantisation.zero_point = elements(tensor(zero->id));
        result.shifted = zero->shifted;
    } else {
        result.quantisation.zero_point.assign(count, shifted ? -128 : 0);
    }
    if (result.quantisation.zero_point.size() != count) return std::nullopt;
    return result;
}

bool OnnxReader::only_dequantised(const std::string& name) const {
    const auto readers = readers_.find(name);
    if (is_output(name) || readers == readers_.end()) return !is_output(name);
    return std::all_of(readers->second.begin(), readers->second.end(), [&](int reader) {
        const std::string& type = model_.graph().node(reader).op_type();
        return type == "QuantizeLinear" || type == "DequantizeLinear";
    });
}

std::optional<OnnxReader::Parameters> OnnxReader::quantised_by_all(const std::string& name) const {
    const auto readers = readers_.find(name);
    if (readers == readers_.end() || is_output(name)) return std::nullopt;
    std::optional<Parameters> first;
    for (const int reader : readers->second) {
        const onnx_schema::Node& node = model_.graph().node(reader);
        if (node.op_type() != "QuantizeLinear" || node.input_size() < 2 || node.input(0) != name)
            return std::nullopt;
        const OnnxOperator op = view_of(reader);
        const bool other_type = op.integer("output_dtype", 0) != 0 && node.input_size() < 3;
        const auto parameters = parameters_of(node, 1, true);
        if (other_type || !parameters || parameters->wide || parameters->quantisation.per_channel())
            return std::nullopt;
        if (first && !same(first->quantisation, parameters->quantisation)) return std::nullopt;
        first = parameters;
    }
    return first;
}

std::optional<graph::Activation> OnnxReader::activation_of(const onnx_schema::Node& node) const {
    using graph::Activation;
    if (node.op_type() == "Relu") return Activation::relu;
    if (node.op_type() != "Clip") return std::nullopt;
    OnnxOperator op;
    op.node = &node;
    for (std::size_t i = 1; i < op.inputs(); ++i) {
        // Bounds that are not there yet are computed.
        const auto bound = values_.find(node.input(static_cast<int>(i)));
        if (has(op, i) && (bound == values_.end() || !tensor(bound->second.id).constant))
            return std::nullopt;
    }
    const auto [low, high] = clip_bounds(op);
    if (low == 0 && high == 6) return Activation::relu6;
    if (low == -1 && high == 1) return Activation::relu_n1_to_1;
    if (low == 0 && high >= std::numeric_limits<float>::max()) return Activation::relu;
    return std::nullopt;
}

std::pair<float, float> OnnxReader::clip_bounds(const OnnxOperator& op) const {
    constexpr float kMost = std::numeric_limits<float>::max();
    const auto bound = [&](std::size_t i, const char* name, float otherwise) {
        if (i >= op.inputs()) return op.real(name, otherwise);
        if (!has(op, i)) return otherwise;
        const std::vector<float> values = reals(op, i);
        return values.size() == 1 ? values[0] : std::nanf("");
    };
    return {bound(1, "min", -kMost), bound(2, "max", kMost)};
}

std::optional<int> OnnxReader::reader_of(const std::string& name, int behind) const {
    const auto readers = readers_.find(name);
    if (readers == readers_.end() || readers->second.size() != 1 || is_output(name))
        return std::nullopt;
    const int reader = readers->second[0];
    const onnx_schema::Node& node = model_.graph().node(reader);
    if (reader <= behind || node.output_size() != 1 || node.input(0) != name ||
        !node.domain().empty())
        return std::nullopt;
    return reader;
}

Ending OnnxReader::ending(const OnnxOperator& op, bool activation,
                          std::optional<int> folded) const {
    Ending result;
    result.name = op.outputs() > 0 ? op.node->output(0) : "";
    const auto fold = [&](int node) {
        result.nodes.push_back(node);
        result.name = model_.graph().node(node).output(0);
    };
    if (folded) fold(*folded);
    const auto reader = activation ? reader_of(result.name, op.index) : std::nullopt;
    if (reader) {
        try {
            if (const auto function = activation_of(model_.graph().node(*reader))) {
                result.activation = *function;
                fold(*reader);
            }
        } catch (const Refusal&) {
            // Bounds that are computed: the operator stays.
        }
    }
    if (const auto parameters = quantised_by_all(result.name)) {
        result.quantisation = parameters->quantisation;
        result.shifted = parameters->shifted;
    }
    return result;
}

bool OnnxReader::is_quantised(const OnnxValue& value) const {
    const graph::Tensor& from = tensor(value.id);
    return value.real && from.type == Type::int8 && from.quantisation.scale.size() == 1;
}

namespace {

/// Integers of 32 bits have a zero point of 0 in the graph: the constant is the distance from it.
void take_zero_points(graph::Tensor& tensor) {
    graph::Quantisation& q = tensor.quantisation;
    const auto zero = [](std::int32_t value) { return value == 0; };
    if (std::all_of(q.zero_point.begin(), q.zero_point.end(), zero)) return;
    std::size_t inner = 1;  // elements of one index of the axis
    for (std::size_t i = static_cast<std::size_t>(q.axis) + 1; i < tensor.shape.size(); ++i)
        inner *= static_cast<std::size_t>(tensor.shape[i]);
    for (std::size_t i = 0; i < tensor.elements(); ++i) {
        std::int32_t value = 0;
        std::memcpy(&value, &std::as_const(tensor).data[i * sizeof value], sizeof value);
        const std::int64_t distance =
            std::int64_t{value} - q.zero_point[i / inner % q.zero_point.size()];
        value = static_cast<std::int32_t>(distance);
        if (value != distance)
            throw Refusal{fmt::format("{}: {} less a zero point of {}: want 32 bits", tensor.name,
                                      distance + q.zero_point[i / inner % q.zero_point.size()],
                                      q.zero_point[i / inner % q.zero_point.size()])};
        std::memcpy(&tensor.data[i * sizeof value], &value, sizeof value);
    }
    std::fill(q.zero_point.begin(), q.zero_point.end(), 0);
}

}  // namespace

OnnxValue OnnxReader::dequantised(OnnxValue value, const Parameters& parameters) {
    graph::Tensor& from = graph_.tensor(value.id);
    if (value.real ||
        (from.type != Type::int8 && from.type != Type::int16 && from.type != Type::int32))
        throw Refusal{fmt::format("{} has type {}: want int8, uint8, int16, uint16 or int32",
                                  from.name, name_of(from.type))};
    Quantisation quantisation = parameters.quantisation;
    if (quantisation.per_channel()) {
        const auto rank = static_cast<int>(from.shape.size());
        if (value.form != Form::plain || quantisation.axis >= rank ||
            from.shape[static_cast<std::size_t>(quantisation.axis)] !=
                static_cast<int>(quantisation.scale.size()))
            throw Refusal{fmt::format("{} scales along axis {} of {}: want as many",
                                      quantisation.scale.size(), quantisation.axis,
                                      graph::text_of(value.shape))};
    }
    if (from.constant) {
        value.id = with_scales(value.id, std::move(quantisation));
    } else if (from.quantisation.scale.empty()) {
        from.quantisation = std::move(quantisation);
        if (const std::string problem = graph::problem_of(from); !problem.empty())
            throw Refusal{fmt::format("{}: {}", from.name, problem)};
    } else if (!same(from.quantisation, quantisation)) {
        throw Refusal{fmt::format(
            "{} has scale {} and zero point {} here, {} and {} where it is written: want the same",
            from.name, quantisation.scale[0], quantisation.zero_point[0],
            from.quantisation.scale[0], from.quantisation.zero_point[0])};
    }
    value.real = true;
    return value;
}

TensorId OnnxReader::with_scales(TensorId constant, Quantisation quantisation) {
    const graph::Tensor& from = tensor(constant);
    const bool moves = from.type == Type::int32;  // to zero points of 0
    std::vector<TensorId>& known = scaled_[constant];
    for (const TensorId id : known)
        if (!moves && same(tensor(id).quantisation, quantisation) && tensor(id).shape == from.shape)
            return id;
    budget_.charge(sizeof(graph::Tensor) + quantisation.scale.size() * 8);  // data are shared
    graph::Tensor copy = from;
    copy.quantisation = std::move(quantisation);
    if (moves) take_zero_points(copy);
    if (const std::string problem = graph::problem_of(copy); !problem.empty())
        throw Refusal{fmt::format("{}: {}", copy.name, problem)};
    known.push_back(add_tensor(std::move(copy)));
    return known.back();
}

OnnxValue OnnxReader::as_step(OnnxValue value) {
    const graph::Tensor& from = tensor(value.id);
    if (!from.constant || from.type != Type::float32 || from.elements() != 1) return value;
    float real = 0;
    std::memcpy(&real, from.data.data(), sizeof(real));
    if (!std::isfinite(real)) return value;
    const bool zero = real == 0;
    value.id =
        add_tensor(from.name, Type::int8, from.shape, {{zero ? 1.0F : std::abs(real)}, {0}, 0});
    graph::Tensor& to = graph_.tensor(value.id);
    to.constant = true;
    to.data.assign(1, static_cast<std::uint8_t>(zero ? 0 : real < 0 ? -1 : 1));
    return value;
}

OnnxValue OnnxReader::in_float(const OnnxOperator& op, OnnxValue value) {
    const graph::Tensor& from = tensor(value.id);
    if (from.type == Type::float32) return value;
    if (!value.real)
        throw Refusal{fmt::format("{} has type {}: want float32", from.name, name_of(from.type))};
    const TensorId id = add_tensor(from.name, Type::float32, from.shape);
    add(op, graph::Requantise{}, {value.id}, {id});
    value.id = id;
    return value;
}

bool OnnxReader::in_integers(const OnnxOperator& op, const std::vector<OnnxValue*>& inputs,
                             Ending& ending) {
    const bool all = std::all_of(inputs.begin(), inputs.end(),
                                 [&](const OnnxValue* value) { return is_quantised(*value); });
    if (all && ending.quantisation) return true;
    ending.quantisation.reset();
    for (OnnxValue* value : inputs)
        *value = in_float(op, *value);
    return false;
}

TensorId OnnxReader::add_result(const Ending& ending, std::vector<int> shape) {
    if (ending.quantisation) {
        const TensorId id =
            add_tensor(ending.name, Type::int8, std::move(shape), *ending.quantisation);
        graph_.tensor(id).shifted = ending.shifted;
        return id;
    }
    return add_tensor(ending.name, Type::float32, std::move(shape));
}

OnnxReader::Parameters OnnxReader::want_parameters(const OnnxOperator& op, int scale,
                                                   bool shifted) const {
    const auto found = parameters_of(*op.node, scale, shifted);
    if (!found)
        throw Refusal{
            fmt::format("scale or zero point at input {}: want constants, float32 and "
                        "int8, uint8, int16, uint16 or int32, as many of both",
                        scale)};
    return *found;
}

/// Scales of integers that were not quantised where they were written: those of what moves them.
void OnnxReader::spread_scales() {
    const auto moves = [&](const graph::Node& node) {
        const auto* pool = std::get_if<graph::Pool>(&node.op);
        const bool converts = std::holds_alternative<graph::Requantise>(node.op) &&
                              tensor(node.inputs[0]).type != tensor(node.outputs[0]).type;
        return converts || (pool != nullptr && pool->function == graph::Pooling::maximum) ||
               std::holds_alternative<graph::Reshape>(node.op) ||
               std::holds_alternative<graph::Transpose>(node.op) ||
               std::holds_alternative<graph::Slice>(node.op) ||
               std::holds_alternative<graph::Split>(node.op) ||
               std::holds_alternative<graph::Gather>(node.op) ||
               std::holds_alternative<graph::Pad>(node.op) ||
               std::holds_alternative<graph::Resize>(node.op) ||
               std::holds_alternative<graph::Concat>(node.op);
    };
    const auto integer = [](const graph::Tensor& t) {
        return t.type == Type::int8 || t.type == Type::uint8;
    };
    const auto spread = [&](TensorId from_id, TensorId to_id) {
        const graph::Tensor& from = tensor(from_id);
        graph::Tensor& to = graph_.tensor(to_id);
        if (!integer(from) || !integer(to) || !to.quantisation.scale.empty()) return;
        to.quantisation = from.quantisation;
        const int shift = (to.type == Type::uint8 ? 128 : 0) - (from.type == Type::uint8 ? 128 : 0);
        for (std::int32_t& zero : to.quantisation.zero_point)
            zero += shift;
    };
    const auto visit = [&](const graph::Node& node, bool forward) {
        if (!moves(node)) return;
        for (const TensorId input : node.inputs) {
            for (const TensorId output : node.outputs)
                forward ? spread(input, output) : spread(output, input);
        }
    };
    for (const graph::Node& node : graph_.nodes)
        visit(node, true);
    for (auto node = graph_.nodes.rbegin(); node != graph_.nodes.rend(); ++node)
        visit(*node, false);
    for (const graph::Node& node : graph_.nodes)
        visit(node, true);
    for (graph::Tensor& t : graph_.tensors) {
        // Nobody asked for real values.
        if (integer(t) && t.quantisation.scale.empty())
            t.quantisation = {{1.0F}, {t.type == Type::uint8 ? 128 : 0}, 0};
    }
}

// ---------------------------------------------------------------- operators

namespace {

/// Whether scales lie in blocks, which only those of weights do.
void want_no_blocks(const OnnxOperator& op) {
    if (const std::int64_t size = op.integer("block_size", 0); size != 0)
        throw Refusal{fmt::format("blocks of {} scales: want one for each tensor or axis", size)};
}

/// A constant of float32 as int8.
void quantise(const graph::Tensor& from, graph::Tensor& to) {
    const Quantisation& q = to.quantisation;
    std::size_t inner = 1;
    for (std::size_t axis = static_cast<std::size_t>(q.axis) + 1; axis < from.shape.size(); ++axis)
        inner *= static_cast<std::size_t>(from.shape[axis]);
    to.data.resize(from.elements());
    for (std::size_t i = 0; i < to.data.size(); ++i) {
        float value = 0;
        std::memcpy(&value, &from.data[i * sizeof(float)], sizeof(float));
        const std::size_t c = q.per_channel() ? i / inner % q.scale.size() : 0;
        const float steps = std::nearbyint(value / q.scale[c]);
        const float limited = std::isnan(steps) ? 0.0F : std::clamp(steps, -512.0F, 512.0F);
        to.data[i] = static_cast<std::uint8_t>(static_cast<std::int8_t>(
            std::clamp(static_cast<int>(limited) + q.zero_point[c], -128, 127)));
    }
}

constexpr int kLeastWide = -32768;  ///< 0 of uint16

}  // namespace

/// To 16 bits, for whoever reads the integers: a DequantizeLinear has the real values again.
void OnnxImporters::quantize_wide(OnnxReader& r, const OnnxOperator& op, const OnnxValue& x,
                                  const OnnxReader::Parameters& parameters) {
    const std::string& name = op.node->output(0);
    if (parameters.shifted && !r.only_dequantised(name))
        throw Refusal{fmt::format("{} is uint16: want DequantizeLinear behind it", readable(name))};
    if (parameters.quantisation.per_channel())
        throw Refusal{
            fmt::format("{} scales for 16 bits: want one", parameters.quantisation.scale.size())};
    OnnxValue y = r.in_float(op, x);
    const graph::TensorId id =
        r.add_tensor(name, Type::int16, r.tensor(y.id).shape, parameters.quantisation);
    r.add(op, graph::Requantise{}, {y.id}, {id});
    y.id = id;
    y.real = false;
    y.shifted = parameters.shifted;
    r.give(op, 0, y);
}

void OnnxImporters::quantize(OnnxReader& r, const OnnxOperator& op) {
    want_no_blocks(op);
    if (r.has(op, 2) && r.four_bits_.count(op.node->input(2)) != 0)
        throw Refusal{"a result of 4 bits: want 8 or 16, or constants that are quantised"};
    const OnnxValue x = r.value(op, 0);
    OnnxReader::Parameters parameters = r.want_parameters(op, 1, true);
    const std::int64_t type = op.integer("output_dtype", kUint8);
    if (!r.has(op, 2)) {
        if (type != kInt8 && type != kUint8 && type != kInt16 && type != kUint16)
            throw Refusal{
                fmt::format("output of type {}: want int8, uint8, int16 or uint16", type)};
        parameters.wide = type == kInt16 || type == kUint16;
        parameters.shifted = type == kUint8 || type == kUint16;
        parameters.quantisation.zero_point.assign(parameters.quantisation.scale.size(),
                                                  !parameters.shifted ? 0
                                                  : parameters.wide   ? kLeastWide
                                                                      : -128);
    }
    if (parameters.wide) return quantize_wide(r, op, x, parameters);
    Quantisation& q = parameters.quantisation;
    const graph::Tensor from = r.tensor(x.id);
    if (q.per_channel()) {
        q.axis = axis_of(op.integer("axis", 1), x.shape.size());
        if (!from.constant || from.type != Type::float32)
            throw Refusal{fmt::format("{} scales for {}: want one where a tensor is no constant",
                                      q.scale.size(), from.name)};
    }
    OnnxValue y = x;
    y.real = false;
    y.shifted = parameters.shifted;
    if (r.is_quantised(x) && same(from.quantisation, q)) {
        r.give(op, 0, y);
        return;
    }
    if (!x.real)
        throw Refusal{fmt::format("{} has type {}: want float32", from.name, name_of(from.type))};
    if (from.constant && from.type == Type::float32) {
        graph::Tensor to;
        to.name = from.name;
        to.shape = from.shape;
        to.constant = true;
        to.quantisation = q;
        to.data.resize(to.bytes());
        r.budget_.charge(to.data.size());
        if (const std::string problem = graph::problem_of(to); !problem.empty())
            throw Refusal{fmt::format("{}: {}", to.name, problem)};
        quantise(from, to);
        y.id = r.add_tensor(std::move(to));
    } else {
        y.id = r.add_tensor(op.node->output(0), Type::int8, from.shape, q);
        r.add(op, graph::Requantise{}, {x.id}, {y.id});
    }
    r.give(op, 0, y);
}

void OnnxImporters::dequantize(OnnxReader& r, const OnnxOperator& op) {
    if (const std::int64_t size = op.integer("block_size", 0); size != 0)
        return dequantize_blocks(r, op, size);
    const OnnxValue x = r.value(op, 0);
    OnnxReader::Parameters parameters = r.want_parameters(op, 1, x.shifted);
    const bool wide = r.tensor(x.id).type == Type::int16;
    if (wide && x.shifted && !r.has(op, 2))
        parameters.quantisation.zero_point.assign(parameters.quantisation.scale.size(), kLeastWide);
    if (parameters.quantisation.per_channel())
        parameters.quantisation.axis = axis_of(op.integer("axis", 1), x.shape.size());
    const OnnxValue y = r.dequantised(x, parameters);
    r.give(op, 0, wide ? r.in_float(op, y) : y);
}

}  // namespace macrame::front
