#pragma once
/// Small graphs for tests.

#include <string>
#include <utility>
#include <vector>

#include "compiler/graph/graph.hpp"

namespace macrame::dla::compiler::test {

/// An int8 tensor of this shape, in steps of 0.5.
inline graph::TensorId activation(graph::Graph& g, std::vector<int> shape) {
    graph::Tensor t;
    t.name = "t" + std::to_string(g.tensors.size());
    t.shape = std::move(shape);
    t.quantisation = {{0.5F}, {0}, 0};
    g.tensors.push_back(std::move(t));
    return static_cast<graph::TensorId>(g.tensors.size()) - 1;
}

/// A constant of ones, in steps of 0.01.
inline graph::TensorId weights(graph::Graph& g, std::vector<int> shape) {
    const graph::TensorId id = activation(g, std::move(shape));
    graph::Tensor& t = g.tensor(id);
    t.constant = true;
    t.quantisation.scale = {0.01F};
    t.data.assign(t.elements(), 1);
    return id;
}

/// An operator behind these tensors; its output.
inline graph::TensorId add(graph::Graph& g, graph::Operator op, std::vector<graph::TensorId> in,
                           std::vector<int> shape) {
    const graph::TensorId out = activation(g, std::move(shape));
    g.nodes.push_back({std::move(op), std::move(in), {out}, "operator"});
    return out;
}

}  // namespace macrame::dla::compiler::test
