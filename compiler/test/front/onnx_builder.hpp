#pragma once
/// Makes small ONNX files for tests.

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/front/front.hpp"
#include "compiler/graph/reference.hpp"
#include "onnx.pb.h"

namespace macrame::front::test {

using Dims = std::vector<std::int64_t>;
using Names = std::vector<std::string>;
using Floats = std::vector<float>;
using Ints = std::vector<std::int64_t>;
using Value = std::variant<std::int64_t, float, std::string, Ints>;
using Attributes = std::vector<std::pair<std::string, Value>>;

/// Operators in order, as the file has them. A name ends up as that of a tensor.
class OnnxBuilder {
public:
    static constexpr int kFloat = 1, kUint8 = 2, kInt8 = 3, kInt32 = 6, kInt64 = 7;

    explicit OnnxBuilder(std::int64_t version = 17) {
        model.set_ir_version(8);
        set("", version);
        set("com.microsoft", 1);
    }

    onnx_schema::Graph& graph() { return *model.mutable_graph(); }

    void set(const std::string& domain, std::int64_t version) {
        onnx_schema::OperatorSet* added = model.add_opset_import();
        added->set_domain(domain);
        added->set_version(version);
    }

    template <typename Element>
    std::string constant(int type, const Dims& dims, const std::vector<Element>& values) {
        onnx_schema::Tensor& tensor = *graph().add_initializer();
        tensor.set_name("c" + std::to_string(graph().initializer_size()));
        tensor.set_data_type(type);
        for (const std::int64_t size : dims)
            tensor.add_dims(size);
        std::string raw(values.size() * sizeof(Element), '\0');
        if (!raw.empty()) std::memcpy(raw.data(), values.data(), raw.size());
        tensor.set_raw_data(raw);
        return tensor.name();
    }
    std::string real(const Dims& dims, const Floats& values) {
        return constant<float>(kFloat, dims, values);
    }
    std::string real(float value) { return real({}, {value}); }
    std::string zero(int value, int type = kInt8) {
        return constant<std::uint8_t>(type, {}, {static_cast<std::uint8_t>(value)});
    }
    std::string integers(const Ints& values) {
        return constant<std::int64_t>(kInt64, {static_cast<std::int64_t>(values.size())}, values);
    }

    std::string input(const Dims& dims, int type = kFloat) {
        onnx_schema::ValueInfo& info = *graph().add_input();
        info.set_name("x" + std::to_string(graph().input_size()));
        onnx_schema::TensorType& tensor = *info.mutable_type()->mutable_tensor_type();
        tensor.set_elem_type(type);
        tensor.mutable_shape();
        for (const std::int64_t size : dims)
            tensor.mutable_shape()->add_dim()->set_dim_value(size);
        return info.name();
    }

    std::string op(const std::string& type, const Names& inputs, const Attributes& attributes = {},
                   const std::string& domain = "", int outputs = 1) {
        onnx_schema::Node& node = *graph().add_node();
        node.set_op_type(type);
        node.set_domain(domain);
        for (const std::string& name : inputs)
            node.add_input(name);
        const std::string name = "y" + std::to_string(graph().node_size());
        for (int i = 0; i < outputs; ++i)
            node.add_output(i == 0 ? name : name + "_" + std::to_string(i));
        for (const auto& [key, value] : attributes)
            add(node, key, value);
        return name;
    }
    /// QuantizeLinear and DequantizeLinear.
    std::string pair(const std::string& x, float scale, int zero_point, int type = kInt8) {
        return dequantised(op("QuantizeLinear", {x, real(scale), zero(zero_point, type)}), scale,
                           zero_point, type);
    }
    std::string dequantised(const std::string& x, float scale, int zero_point, int type = kInt8) {
        return op("DequantizeLinear", {x, real(scale), zero(zero_point, type)});
    }

    void output(const std::string& name) { graph().add_output()->set_name(name); }

    std::vector<std::uint8_t> bytes() const {
        const std::string text = model.SerializeAsString();
        return {text.begin(), text.end()};
    }
    ReadResult read() const { return read_onnx("net", bytes()); }
    /// All messages, a line each.
    std::string errors() const {
        std::string text;
        for (const std::string& error : read().errors)
            text += error + "\n";
        return text;
    }

    onnx_schema::Model model;

private:
    static void add(onnx_schema::Node& node, const std::string& key, const Value& value) {
        onnx_schema::Attribute& attribute = *node.add_attribute();
        attribute.set_name(key);
        if (const auto* whole = std::get_if<std::int64_t>(&value)) {
            attribute.set_type(2);
            attribute.set_i(*whole);
        } else if (const auto* number = std::get_if<float>(&value)) {
            attribute.set_type(1);
            attribute.set_f(*number);
        } else if (const auto* text = std::get_if<std::string>(&value)) {
            attribute.set_type(3);
            attribute.set_s(*text);
        } else {
            attribute.set_type(7);
            for (const std::int64_t each : std::get<Ints>(value))
                attribute.add_ints(each);
        }
    }
};

/// start, start + 1, ...
inline Floats ramp(std::size_t count, float start = 0) {
    Floats values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(start + static_cast<float>(i));
    return values;
}

/// Elements as bytes, and back.
template <typename Element>
graph::Bytes to_bytes(const std::vector<Element>& values) {
    graph::Bytes bytes(values.size() * sizeof(Element));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}
template <typename Element>
std::vector<Element> from_bytes(const graph::Bytes& bytes) {
    std::vector<Element> values(bytes.size() / sizeof(Element));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

/// What a network of one input makes of it.
template <typename Out, typename In>
std::vector<Out> run(const ReadResult& network, const std::vector<In>& input) {
    if (!network.ok()) throw std::invalid_argument(network.errors[0]);
    return from_bytes<Out>(graph::run(network.graph, {to_bytes(input)}).at(0));
}

/// Names of the operators in a graph.
inline Names names_of(const graph::Graph& graph) {
    Names names;
    for (const graph::Node& node : graph.nodes)
        names.emplace_back(graph::name_of(node.op));
    return names;
}

}  // namespace macrame::front::test
