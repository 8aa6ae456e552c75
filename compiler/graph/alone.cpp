#include "compiler/graph/alone.hpp"

#include <utility>

namespace macrame::graph {

Alone::Alone(const Graph& graph, const Node& node) : node_(node) {
    alone_.rounding = graph.rounding;
    const auto take = [&](TensorId& id) {
        if (id == kNone) return;
        alone_.tensors.push_back(graph.tensor(id));
        id = static_cast<TensorId>(alone_.tensors.size() - 1);
    };
    for (TensorId& id : node_.inputs)
        take(id);
    for (TensorId& id : node_.outputs)
        take(id);
}

void Alone::set_input(std::size_t index, std::vector<int> shape, Bytes elements) {
    Tensor& tensor = alone_.tensor(node_.inputs[index]);
    tensor.shape = std::move(shape);
    tensor.data = std::move(elements);
}

Bytes Alone::run(std::vector<int> shape) {
    alone_.tensor(node_.outputs[0]).shape = std::move(shape);
    std::vector<const Bytes*> in;
    for (const TensorId id : node_.inputs)
        in.push_back(id == kNone ? nullptr : &alone_.tensor(id).data.bytes());
    return std::move(run_node(alone_, node_, in)[0]);
}

Bytes all_values(Type type, int repeats, int times) {
    Bytes out;
    const int first = type == Type::uint8 ? 0 : -128;
    for (int n = 0; n < times; ++n)
        for (int value = first; value < first + 256; ++value)
            out.insert(out.end(), static_cast<std::size_t>(repeats),
                       static_cast<std::uint8_t>(value));
    return out;
}

}  // namespace macrame::graph
