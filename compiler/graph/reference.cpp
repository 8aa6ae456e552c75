#include "compiler/graph/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "compiler/graph/kernels.hpp"
#include "compiler/graph/quantised.hpp"

namespace macrame::graph {
namespace {

template <typename Element, typename Value>
std::vector<Value> unpack(const Bytes& bytes) {
    std::vector<Value> values(bytes.size() / sizeof(Element));
    for (std::size_t i = 0; i < values.size(); ++i) {
        Element element;
        std::memcpy(&element, bytes.data() + i * sizeof(Element), sizeof(Element));
        values[i] = static_cast<Value>(element);
    }
    return values;
}

template <typename Element, typename Value>
Bytes pack_as(const std::vector<Value>& values) {
    constexpr auto kLeast = static_cast<Value>(std::numeric_limits<Element>::lowest());
    constexpr auto kMost = static_cast<Value>(std::numeric_limits<Element>::max());
    Bytes bytes(values.size() * sizeof(Element));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto element = static_cast<Element>(std::clamp(values[i], kLeast, kMost));
        std::memcpy(bytes.data() + i * sizeof(Element), &element, sizeof(Element));
    }
    return bytes;
}

std::vector<std::int32_t> unpack_integers(Type type, const Bytes& bytes) {
    switch (type) {
        case Type::int8:
            return unpack<std::int8_t, std::int32_t>(bytes);
        case Type::uint8:
            return unpack<std::uint8_t, std::int32_t>(bytes);
        case Type::int16:
            return unpack<std::int16_t, std::int32_t>(bytes);
        default:
            return unpack<std::int32_t, std::int32_t>(bytes);
    }
}

float clamped(Activation activation, float value) {
    switch (activation) {
        case Activation::relu:
            return std::max(value, 0.0F);
        case Activation::relu6:
            return std::clamp(value, 0.0F, 6.0F);
        case Activation::relu_n1_to_1:
            return std::clamp(value, -1.0F, 1.0F);
        case Activation::none:
            break;
    }
    return value;
}

}  // namespace

std::vector<std::int32_t> Call::integers(std::size_t i) const {
    return unpack_integers(in(i).type, bytes(i));
}

std::vector<std::int64_t> Call::whole(std::size_t i) const {
    if (in(i).type == Type::int64) return unpack<std::int64_t, std::int64_t>(bytes(i));
    const std::vector<std::int32_t> values = integers(i);
    return {values.begin(), values.end()};
}

std::vector<float> Call::reals(std::size_t i) const {
    const Tensor& tensor = in(i);
    if (tensor.type == Type::float32) return unpack<float, float>(bytes(i));
    const Quantisation& q = tensor.quantisation;
    if (q.scale.empty() && tensor.type == Type::int64) return unpack<std::int64_t, float>(bytes(i));
    const std::vector<std::int32_t> values = integers(i);
    if (q.scale.empty()) return {values.begin(), values.end()};
    std::size_t inner = 1;  // elements of one index of the axis with the scales
    for (std::size_t axis = static_cast<std::size_t>(q.axis) + 1; axis < tensor.shape.size();
         ++axis)
        inner *= static_cast<std::size_t>(tensor.shape[axis]);
    std::vector<float> reals(values.size());
    for (std::size_t e = 0; e < values.size(); ++e) {
        const std::size_t c = q.per_channel() ? e / inner % q.scale.size() : 0;
        const double distance = static_cast<double>(values[e]) - q.zero_point[c];
        reals[e] = static_cast<float>(static_cast<double>(q.scale[c]) * distance);
    }
    return reals;
}

Bytes pack(const Tensor& tensor, const std::vector<std::int32_t>& values) {
    switch (tensor.type) {
        case Type::int8:
            return pack_as<std::int8_t>(values);
        case Type::uint8:
            return pack_as<std::uint8_t>(values);
        case Type::int16:
            return pack_as<std::int16_t>(values);
        case Type::int64:
            return pack_as<std::int64_t>(std::vector<std::int64_t>(values.begin(), values.end()));
        default:
            return pack_as<std::int32_t>(values);
    }
}

Bytes pack_whole(const Tensor& tensor, const std::vector<std::int64_t>& values) {
    const std::size_t size = size_of(tensor.type);
    Bytes bytes(values.size() * size);
    for (std::size_t i = 0; i < values.size(); ++i)
        std::memcpy(&bytes[i * size], &values[i], size);  // the low bytes come first
    return bytes;
}

std::int32_t quantise(Rounding rounding, const Tensor& tensor, float value) {
    const float steps = value / tensor.quantisation.scale[0];
    const float whole = rounding == Rounding::onnx ? std::nearbyint(steps) : std::round(steps);
    // Not a number becomes the zero point.
    const double limited = std::isnan(whole) ? 0.0 : static_cast<double>(whole);
    return static_cast<std::int32_t>(
        std::clamp(limited + tensor.quantisation.zero_point[0], -2147483648.0, 2147483647.0));
}

Bytes pack(const Call& call, const std::vector<float>& values, Activation activation) {
    const Tensor& tensor = call.out();
    if (tensor.type == Type::float32) {
        Bytes bytes(values.size() * sizeof(float));
        for (std::size_t i = 0; i < values.size(); ++i) {
            const float value = clamped(activation, values[i]);
            std::memcpy(bytes.data() + i * sizeof(float), &value, sizeof(float));
        }
        return bytes;
    }
    std::vector<std::int32_t> integers(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        integers[i] = quantise(call.graph.rounding, tensor, clamped(activation, values[i]));
    return pack(tensor, integers);
}

std::vector<std::int32_t> requantise(Rounding rounding, const Tensor& from, const Tensor& to,
                                     std::vector<std::int32_t> values) {
    const double factor = static_cast<double>(from.quantisation.scale[0]) /
                          static_cast<double>(to.quantisation.scale[0]);
    const std::int32_t zero_in = from.quantisation.zero_point[0];
    const std::int32_t zero_out = to.quantisation.zero_point[0];
    const Multiplier fixed = multiplier(factor);
    for (std::int32_t& value : values) {
        if (rounding == Rounding::onnx) {
            const double distance = static_cast<double>(value) - zero_in;
            const auto real =
                static_cast<float>(static_cast<double>(from.quantisation.scale[0]) * distance);
            value = quantise(rounding, to, real);
            continue;
        }
        const auto distance = static_cast<std::int32_t>(static_cast<std::uint32_t>(value) -
                                                        static_cast<std::uint32_t>(zero_in));
        const std::int64_t sum = std::int64_t{multiply(distance, fixed)} + zero_out;
        value = static_cast<std::int32_t>(
            std::clamp<std::int64_t>(sum, std::numeric_limits<std::int32_t>::min(),
                                     std::numeric_limits<std::int32_t>::max()));
    }
    return values;
}

std::vector<Bytes> run_node(const Graph& graph, const Node& node,
                            const std::vector<const Bytes*>& inputs) {
    const Call call{graph, node, inputs};
    return std::visit(
        [&](const auto& op) {
            if constexpr (std::is_same_v<decltype(execute(call, op)), std::vector<Bytes>>) {
                return execute(call, op);
            } else {
                std::vector<Bytes> outputs;
                outputs.push_back(execute(call, op));
                return outputs;
            }
        },
        node.op);
}

std::vector<Bytes> run(const Graph& graph, const std::vector<Bytes>& inputs,
                       const std::function<void(TensorId, const Bytes&)>& tap) {
    const auto number = [](TensorId id) { return static_cast<std::size_t>(id); };
    if (inputs.size() != graph.inputs.size())
        throw std::invalid_argument(
            fmt::format("{}: {} inputs: want {}", graph.name, inputs.size(), graph.inputs.size()));
    std::vector<Bytes> written(graph.tensors.size());
    std::vector<const Bytes*> values(graph.tensors.size());
    for (std::size_t i = 0; i < graph.tensors.size(); ++i)
        values[i] = graph.tensors[i].constant ? &graph.tensors[i].data.bytes() : &written[i];
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Tensor& tensor = graph.tensor(graph.inputs[i]);
        if (inputs[i].size() != tensor.bytes())
            throw std::invalid_argument(fmt::format("{}: input {} of {} bytes: want {}", graph.name,
                                                    i, inputs[i].size(), tensor.bytes()));
        values[number(graph.inputs[i])] = &inputs[i];
    }
    // What no node reads any more is dropped.
    std::vector<std::size_t> last(graph.tensors.size(), 0);
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        for (const TensorId id : graph.nodes[n].inputs) {
            if (id != kNone) last[number(id)] = n;
        }
    }
    for (const TensorId id : graph.outputs)
        last[number(id)] = graph.nodes.size();
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const Node& node = graph.nodes[n];
        std::vector<const Bytes*> arguments;
        for (const TensorId id : node.inputs)
            arguments.push_back(id == kNone ? nullptr : values[number(id)]);
        std::vector<Bytes> results = run_node(graph, node, arguments);
        for (std::size_t i = 0; i < results.size(); ++i) {
            assert(results[i].size() == graph.tensor(node.outputs[i]).bytes());
            written[number(node.outputs[i])] = std::move(results[i]);
            if (tap) tap(node.outputs[i], written[number(node.outputs[i])]);
        }
        for (const TensorId id : node.inputs) {
            if (id != kNone && last[number(id)] == n) Bytes().swap(written[number(id)]);
        }
    }
    std::vector<Bytes> outputs;
    for (const TensorId id : graph.outputs)
        outputs.push_back(*values[number(id)]);
    return outputs;
}

}  // namespace macrame::graph
