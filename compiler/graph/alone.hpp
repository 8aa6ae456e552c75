#pragma once
/// One node on the reference, on all values that small tensors can have.

#include <cstddef>
#include <vector>

#include "compiler/graph/graph.hpp"
#include "compiler/graph/reference.hpp"

namespace macrame::graph {

/// A node alone, with other shapes than in its graph. Constants stay what they are unless they are
/// set.
class Alone {
public:
    Alone(const Graph& graph, const Node& node);

    void set_input(std::size_t index, std::vector<int> shape, Bytes elements);
    /// The elements of its first output.
    Bytes run(std::vector<int> shape);

    const Graph& graph() const { return alone_; }
    const Node& node() const { return node_; }

private:
    Graph alone_;
    Node node_;
};

/// The 256 values of an element of a byte in order, each `repeats` times, all of it `times` times.
Bytes all_values(Type type, int repeats = 1, int times = 1);

}  // namespace macrame::graph
