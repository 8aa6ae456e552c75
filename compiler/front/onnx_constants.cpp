/// Constants of ONNX files: initialisers and the operator Constant.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "compiler/front/half.hpp"
#include "compiler/front/onnx_form.hpp"
#include "compiler/front/onnx_reader.hpp"
#include "compiler/front/onnx_types.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::Type;

bool convert(int from, Type& to) {
    switch (from) {
        case kFloat:
        case kDouble:
        case kHalf:
        case kBfloat16:
            to = Type::float32;
            return true;
        case kUint8:
        case kInt8:
        case kBool:
        case kUint4:
        case kInt4:
            to = Type::int8;
            return true;
        case kInt16:
        case kUint16:
            to = Type::int16;
            return true;
        case kInt32:
            to = Type::int32;
            return true;
        case kInt64:
            to = Type::int64;
            return true;
        default:
            return false;
    }
}

std::string type_problem(int type) {
    return fmt::format(
        "type {}: want float (1), uint8 (2), int8 (3), int16 (5), int32 (6), int64 (7), "
        "bool (9), float16 (10), double (11), bfloat16 (16), or uint4 (21) and int4 (22) of "
        "constants, uint16 (4) between QuantizeLinear and DequantizeLinear",
        type);
}

namespace {

template <typename To, typename List>
void copy(std::vector<std::uint8_t>& to, const List& from) {
    to.resize(static_cast<std::size_t>(from.size()) * sizeof(To));
    std::size_t at = 0;
    for (const auto value : from) {
        const To element = static_cast<To>(value);
        std::memcpy(&to[at], &element, sizeof(To));
        at += sizeof(To);
    }
}

/// Doubles, in order, as float32.
void narrow(std::vector<std::uint8_t>& data) {
    for (std::size_t i = 0; i < data.size() / sizeof(double); ++i) {
        double value = 0;
        std::memcpy(&value, &data[i * sizeof(double)], sizeof(double));
        constexpr double kMost = std::numeric_limits<float>::max();
        const auto single = static_cast<float>(std::clamp(value, -kMost, kMost));
        std::memcpy(&data[i * sizeof(float)], &single, sizeof(float));
    }
    data.resize(data.size() / 2);
}

/// Elements of float16 or bfloat16, in order, as float32.
void widen(std::vector<std::uint8_t>& data, int type) {
    std::vector<std::uint8_t> singles(2 * data.size());
    for (std::size_t i = 0; i + 1 < data.size(); i += 2) {
        const auto bits = static_cast<std::uint16_t>(data[i] | data[i + 1] << 8);
        const float single = wide(bits);
        const std::uint32_t upper = std::uint32_t{bits} << 16;  // what bfloat16 is of float32
        if (type == kHalf)
            std::memcpy(&singles[2 * i], &single, sizeof(single));
        else
            std::memcpy(&singles[2 * i], &upper, sizeof(upper));
    }
    data = std::move(singles);
}

bool has_four_bits(int type) { return type == kUint4 || type == kInt4; }

/// Elements of 4 bits, two in a byte, as int8.
void unpack(std::vector<std::uint8_t>& data, int type, std::size_t elements) {
    std::vector<std::uint8_t> bytes(elements);
    for (std::size_t i = 0; i < elements; ++i) {
        const int value = data[i / 2] >> (i % 2 == 0 ? 0 : 4) & 15;
        bytes[i] = static_cast<std::uint8_t>(type == kInt4 && value > 7 ? value - 16 : value);
    }
    data = std::move(bytes);
}

/// Elements of a tensor, from whichever field has them, in the type of the graph.
std::vector<std::uint8_t> data_of(const onnx_schema::Tensor& from, std::size_t elements) {
    const int type = from.data_type();
    std::vector<std::uint8_t> data;
    if (from.has_raw_data()) {
        data.assign(from.raw_data().begin(), from.raw_data().end());
    } else if (type == kFloat) {
        copy<float>(data, from.float_data());
    } else if (type == kInt64) {
        copy<std::int64_t>(data, from.int64_data());
    } else if (type == kDouble) {
        copy<double>(data, from.double_data());
    } else if (type == kInt32) {
        copy<std::int32_t>(data, from.int32_data());
    } else if (type == kInt16 || type == kUint16 || type == kHalf || type == kBfloat16) {
        copy<std::int16_t>(data, from.int32_data());
    } else {
        copy<std::uint8_t>(data, from.int32_data());
    }
    Type to = Type::int8;
    convert(type, to);
    const bool half = type == kHalf || type == kBfloat16;
    const std::size_t size = type == kDouble ? sizeof(double)
                             : half          ? sizeof(std::uint16_t)
                                             : graph::size_of(to);
    const std::size_t bytes = has_four_bits(type) ? (elements + 1) / 2 : elements * size;
    if (data.size() != bytes)
        throw Refusal{fmt::format("{} bytes of data: want {}", data.size(), bytes)};
    if (type == kDouble) narrow(data);
    if (half) widen(data, type);
    if (has_four_bits(type)) unpack(data, type, elements);
    if (type == kUint8) {
        for (std::uint8_t& byte : data)
            byte ^= 0x80U;
    }
    if (type == kUint16) {
        for (std::size_t i = 1; i < data.size(); i += 2)
            data[i] ^= 0x80U;
    }
    return data;
}

}  // namespace

void OnnxReader::read_constant(const std::string& name, const onnx_schema::Tensor& from) {
    if (defects_.count(name) != 0 || empty_.count(name) != 0)
        throw Refusal{fmt::format("{} has two values: want one", readable(name))};
    try {
        if (const std::string problem = data_problem(from); !problem.empty())
            throw Refusal{problem};
        if (from.has_segment()) throw Refusal{"a part of a tensor: want all of it"};
        OnnxValue value;
        graph::Tensor tensor;
        if (!convert(from.data_type(), tensor.type) ||
            (from.data_type() == kUint16 && !only_dequantised(name)))
            throw Refusal{type_problem(from.data_type())};
        if (static_cast<std::size_t>(from.dims_size()) > graph::kMaxRank)
            throw Refusal{
                fmt::format("{} axes: want at most {}", from.dims_size(), graph::kMaxRank)};
        bool none = false;
        for (const std::int64_t size : from.dims()) {
            none |= size == 0;
            value.shape.push_back(size == 0 ? 1 : size_of(size, "a size"));
        }
        if (none) {
            empty_.insert(name);
            return;
        }
        tensor.name = readable(name);
        tensor.shape = value.shape;
        tensor.constant = true;
        if (tensor.bytes() > graph::kMaxBytes)
            throw Refusal{fmt::format("shape {}: want at most {} bytes",
                                      graph::text_of(tensor.shape), graph::kMaxBytes)};
        budget_.charge(from.ByteSizeLong());
        tensor.data = data_of(from, tensor.elements());
        value.shifted = from.data_type() == kUint8 || from.data_type() == kUint16;
        if (from.data_type() == kBool) tensor.quantisation = {{1.0F}, {0}, 0};
        value.real = tensor.type == Type::float32 || from.data_type() == kBool;
        if (has_four_bits(from.data_type())) four_bits_.insert(name);
        value.id = add_tensor(std::move(tensor));
        define(name, std::move(value));
    } catch (const Refusal& refusal) {
        if (budget_.exceeded() || values_.count(name) != 0) throw;
        defects_[name] = refusal.text;
    }
}

/// Constants first: operators look ahead for scales and bounds.
void OnnxReader::read_initialisers() {
    const onnx_schema::Graph& graph = model_.graph();
    for (const onnx_schema::Tensor& tensor : graph.initializer())
        read_constant(tensor.name(), tensor);
    for (const onnx_schema::SparseTensor& tensor : graph.sparse_initializer())
        defects_[tensor.values().name()] = "sparse, in a form of its own: want all elements";
    for (int i = 0; i < graph.node_size(); ++i) {
        const onnx_schema::Node& node = graph.node(i);
        if (node.op_type() != "Constant" || !node.domain().empty() || node.output_size() != 1)
            continue;
        const OnnxOperator op = view_of(i);
        if (const onnx_schema::Attribute* attribute = op.find("value")) {
            read_constant(node.output(0), attribute->t());
        } else if (op.find("value_float") != nullptr) {
            OnnxValue value;
            value.id = add_real(node.output(0), op.real("value_float", 0));
            value.real = true;
            give(op, 0, value);
        } else if (op.find("value_int") != nullptr) {
            give(op, 0, integers_value(node.output(0), {op.integer("value_int", 0)}, {}));
        } else if (op.find("value_floats") != nullptr) {
            const auto& values = op.find("value_floats")->floats();
            onnx_schema::Tensor list;
            list.set_data_type(kFloat);
            list.add_dims(values.size());
            *list.mutable_float_data() = values;
            read_constant(node.output(0), list);
        } else if (op.find("value_ints") != nullptr) {
            const std::vector<std::int64_t> values = op.integers("value_ints");
            const std::vector<int> shape = {static_cast<int>(values.size())};
            if (values.empty())
                empty_.insert(node.output(0));
            else
                give(op, 0, integers_value(node.output(0), values, shape));
        } else {
            throw Refusal{fmt::format("{}: want value, value_float(s) or value_int(s)", op.where)};
        }
        done_.insert(i);
    }
}

}  // namespace macrame::front
