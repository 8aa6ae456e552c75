#pragma once
/// A graph, for people.

#include <string>

#include "compiler/graph/graph.hpp"

namespace macrame::graph {

/// "name int8 1x8x8x16, scale 0.05, zero point -3"
std::string text_of(const Tensor& tensor);

/// Inputs and outputs, then each operator with what it reads and writes.
std::string text_of(const Graph& graph);

}  // namespace macrame::graph
