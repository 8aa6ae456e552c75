#pragma once
/// Constant weights of layers.

#include <memory>
#include <vector>

#include "compiler/systolic/lower.hpp"

namespace macrame::systolic::compiler {

constexpr int kMostPadding = 15;  ///< fields of GEMM, for dilation, too

/// Weights less their zero point: up to nine bits.
std::shared_ptr<const std::vector<int>> whole_weights(const graph::Graph& graph,
                                                      graph::TensorId id);

/// Weights of int8 whose sum each of these is.
int terms_of(const std::vector<int>& weights);

/// Where weights have nine bits the array reads each plane of the input several times, once for
/// each term of their sums.
Value repeat_input(ConvLayer& layer, Value in, int filters, int terms);

}  // namespace macrame::systolic::compiler
