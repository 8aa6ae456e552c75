#pragma once
/// Fixed-point arithmetic of the reference executors.

#include <cstdint>
#include <utility>

#include "compiler/graph/graph.hpp"

namespace macrame::graph {

/// A positive real factor as mantissa * 2^(exponent - 31), 2^30 <= mantissa < 2^31 (0: 0), as
/// TFLite's QuantizeMultiplier.
struct Multiplier {
    std::int32_t mantissa = 0;
    int exponent = 0;
};
Multiplier multiplier(double real);

/// value * factor as TFLite's reference kernels round it: saturating doubling high multiplication,
/// then a rounding shift, each half away from zero (the first: half up for products).
std::int32_t multiply(std::int32_t value, Multiplier factor);

/// Bounds of the values of a tensor behind an activation.
std::pair<int, int> bounds(Activation activation, const Tensor& output);

/// Factors input scale * weight scale / output scale of a convolution or fully connected layer, one
/// per output channel, in the type (double, or float for fully connected layers) of the reference.
std::vector<double> output_factors(const Graph& graph, const Node& node);

}  // namespace macrame::graph
