#pragma once
/// One form for what files say in several.

#include "compiler/graph/graph.hpp"

namespace macrame::graph {

/// Computes what depends on constants alone, makes paddings in front of convolutions theirs, and
/// drops what nobody reads. Inputs and outputs of the graph stay; it has passed check() and does so
/// again.
void canonicalise(Graph& graph);

}  // namespace macrame::graph
