#pragma once
/// One form for what files say in several.

#include "compiler/graph/graph.hpp"

namespace macrame::graph {

/// Drops nodes and tensors that no output needs; tensors get new numbers, inputs stay.
void drop_unused(Graph& graph);

/// Makes paddings in front of convolutions theirs, columns of long windows channels, and reshapes
/// of reshapes one. Readers have computed what depends on constants alone. Inputs and outputs of
/// the graph stay; it has passed check() and does so again.
void canonicalise(Graph& graph);

}  // namespace macrame::graph
