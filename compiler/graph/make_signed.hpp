#pragma once
/// int8 in place of uint8, for hardware that has one kind of bytes.

#include "compiler/graph/graph.hpp"

namespace macrame::graph {

/// Makes uint8 tensors int8 (Tensor::shifted): elements and zero points less by 128, the same real
/// values, rounded as before. Inputs and outputs of the graph stay what they are, with a
/// requantisation behind and in front. What only requantisations touch stays, and what has no scale
/// with all that it is computed with. The graph has passed check() and does so again.
void make_signed(Graph& graph);

}  // namespace macrame::graph
