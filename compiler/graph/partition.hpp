#pragma once
/// A network in parts that hardware and host do in turn: which operators run where, and each part
/// as a network of its own.

#include <vector>

#include "compiler/graph/graph.hpp"

namespace macrame::graph {

/// Operators that hardware or host does in a row, in the order of the graph.
struct Part {
    bool hardware = false;
    std::vector<int> nodes;
};

/// The parts of a network, in the order in which they run, if the host does `refused` (by node) and
/// the hardware as much as possible of the rest. Nodes are not taken as they stand but as early as
/// what they read is there, so that branches share parts, and there are as few parts as can be.
/// What joins no products of the hardware and touches the host goes to the host, too: it would cost
/// a transfer of its own.
std::vector<Part> partition(const Graph& graph, const std::vector<bool>& refused);

/// Nodes of a graph as a graph of their own.
struct Cut {
    Graph graph;
    std::vector<TensorId> tensors;  ///< of the whole graph, by tensor of the cut
    std::vector<int> nodes;         ///< the same of its nodes

    TensorId whole(TensorId id) const { return tensors[static_cast<std::size_t>(id)]; }
};

/// Inputs become what others make, or the network reads, and these nodes read; outputs what these
/// make, and others read, or the network writes. Both in the order of the graph's tensors, which
/// all tensors keep; constants are copied.
Cut cut(const Graph& graph, const std::vector<int>& nodes);

}  // namespace macrame::graph
