#pragma once
/// Checks of a graph in parts, for front ends that build one node after the other.

#include <string>
#include <vector>

#include "compiler/graph/graph.hpp"

namespace macrame::graph {

/// Axes that a tensor may have.
constexpr std::size_t kMaxRank = 8;
/// Bytes that a tensor may have.
constexpr std::size_t kMaxBytes = std::size_t{1} << 30;

/// "1x49x10x1"; "scalar" without axes.
std::string text_of(const std::vector<int>& shape);

/// What is wrong with a tensor on its own: shape, size of the data, scales. Empty: nothing.
std::string problem_of(const Tensor& tensor);

/// What is wrong with a node, without its place. Empty: nothing. Its tensors exist and are without
/// problems of their own.
std::string problem_of(const Graph& graph, const Node& node);

}  // namespace macrame::graph
