#pragma once
/// How far the results of an operator move where what it reads moves.

#include <vector>

#include "compiler/graph/chain.hpp"
#include "compiler/graph/graph.hpp"

namespace macrame::graph {

/// Most that the elements of a tensor can be apart: steps of integers, real values of float32
/// (which may be infinity).
double range_of(const Tensor& tensor);

/// How far each output of a node moves at most, whatever its inputs are, where the elements of
/// inputs[i] move by up to as much each. In the units of range_of() and never more than that.
///
/// | operator | bound |
/// |---|---|
/// | one that moves elements, pooling for the largest | as its input |
/// | function of one element, concatenation | of a table of the 256 values |
/// | function of two | of tables, for each value of a constant; of all pairs |
/// | convolution, fully connected, mean, average | sum of the weights' magnitudes, times the factor
/// | | softmax, index of the largest | by its definition |
///
/// What computes in float32 has no bound but its range.
std::vector<double> spread(const Graph& graph, const Node& node, const std::vector<double>& inputs);

/// The same of a chain as a whole, where the elements of its root move by up to `by` steps.
double spread(const Chain& chain, double by);

}  // namespace macrame::graph
