#pragma once
/// Small graphs for tests.

#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "compiler/graph/graph.hpp"
#include "compiler/graph/reference.hpp"

namespace macrame::graph::test {

template <typename Element>
Bytes bytes_of(const std::vector<Element>& values) {
    Bytes bytes(values.size() * sizeof(Element));
    if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

template <typename Element>
std::vector<Element> values_of(const Bytes& bytes) {
    if (bytes.size() % sizeof(Element) != 0) throw std::runtime_error("bytes of other elements");
    std::vector<Element> values(bytes.size() / sizeof(Element));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

/// A graph of one node, or of several in order.
struct Builder {
    Graph graph;

    explicit Builder(Rounding rounding = Rounding::tflite) {
        graph.name = "test";
        graph.rounding = rounding;
    }

    TensorId tensor(Type type, std::vector<int> shape, float scale = 0, int zero_point = 0) {
        Tensor t;
        t.name = "t" + std::to_string(graph.tensors.size());
        t.type = type;
        t.shape = std::move(shape);
        if (scale > 0) t.quantisation = {{scale}, {zero_point}, 0};
        graph.tensors.push_back(std::move(t));
        return static_cast<TensorId>(graph.tensors.size()) - 1;
    }
    TensorId input(Type type, std::vector<int> shape, float scale = 0, int zero_point = 0) {
        graph.inputs.push_back(tensor(type, std::move(shape), scale, zero_point));
        return graph.inputs.back();
    }
    TensorId output(Type type, std::vector<int> shape, float scale = 0, int zero_point = 0) {
        graph.outputs.push_back(tensor(type, std::move(shape), scale, zero_point));
        return graph.outputs.back();
    }
    template <typename Element>
    TensorId constant(Type type, std::vector<int> shape, const std::vector<Element>& values,
                      float scale = 0, int zero_point = 0) {
        const TensorId id = tensor(type, std::move(shape), scale, zero_point);
        graph.tensor(id).constant = true;
        graph.tensor(id).data = bytes_of(values);
        return id;
    }
    void node(Operator op, std::vector<TensorId> inputs, std::vector<TensorId> outputs) {
        const std::string where = "node " + std::to_string(graph.nodes.size());
        graph.nodes.push_back({std::move(op), std::move(inputs), std::move(outputs), where});
    }

    /// The first output; the graph has to be without errors.
    template <typename Element, typename In>
    std::vector<Element> run(const std::vector<std::vector<In>>& inputs) const {
        const std::vector<std::string> errors = check(graph);
        if (!errors.empty()) throw std::runtime_error(errors[0]);
        std::vector<Bytes> bytes;
        for (const auto& values : inputs)
            bytes.push_back(bytes_of(values));
        return values_of<Element>(graph::run(graph, bytes)[0]);
    }
};

inline std::vector<std::int8_t> random_values(std::size_t count, unsigned seed, int least = -128,
                                              int most = 127) {
    std::mt19937 random(seed);
    std::vector<std::int8_t> values(count);
    const auto range = static_cast<unsigned>(most - least + 1);
    for (std::int8_t& value : values)
        value = static_cast<std::int8_t>(least + static_cast<int>(random() % range));
    return values;
}

/// All values of int8.
inline std::vector<std::int8_t> every_value() {
    std::vector<std::int8_t> values;
    for (int i = -128; i < 128; ++i)
        values.push_back(static_cast<std::int8_t>(i));
    return values;
}

}  // namespace macrame::graph::test
