#pragma once
/// Executes a graph from the definition of its operators, in plain loops: the reference that every
/// back end is held against, and what runs on the host.

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <vector>

#include "compiler/graph/graph.hpp"

namespace macrame::graph {

/// A value of an input that an operator cannot take; the text names the place.
struct BadValue : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

/// Elements of a tensor in order, little-endian.
using Bytes = std::vector<std::uint8_t>;

/// Runs all nodes. `inputs` are the elements of Graph::inputs; returns those of Graph::outputs.
/// `tap`, if there is one, sees each tensor as it is written. The graph has passed check().
std::vector<Bytes> run(const Graph& graph, const std::vector<Bytes>& inputs,
                       const std::function<void(TensorId, const Bytes&)>& tap = {});

/// Runs one node: elements of its inputs (empty for kNone) to those of its outputs.
std::vector<Bytes> run_node(const Graph& graph, const Node& node,
                            const std::vector<const Bytes*>& inputs);

}  // namespace macrame::graph
