#pragma once
/// Who makes a tensor, who reads it, and what stands in front of a node.

#include <functional>
#include <vector>

#include "compiler/graph/graph.hpp"

namespace macrame::graph {

/// The node that makes a tensor; -1: none.
int maker(const Graph& graph, TensorId id);

/// Nodes that read a tensor, in the order of the graph.
std::vector<int> readers(const Graph& graph, TensorId id);

/// The same of all tensors.
using Readers = std::vector<std::vector<int>>;
Readers readers(const Graph& graph);

/// Whether it is an output of the network.
bool is_output(const Graph& graph, TensorId id);

/// A node, and the nodes that make what it reads, and so on, each once. `through` tells the tensors
/// that are followed; constants are not.
std::vector<int> in_front(const Graph& graph, int node,
                          const std::function<bool(TensorId)>& through);

}  // namespace macrame::graph
