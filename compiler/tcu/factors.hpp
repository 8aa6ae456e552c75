#pragma once
/// Scales of fixed-point numbers: a tensor holds its real values times a factor, a power of two, so
/// that they use the format as far as sums in front of them leave room.

#include <vector>

#include "compiler/graph/graph.hpp"
#include "compiler/tcu/format.hpp"

namespace macrame::tcu::compiler {

/// What real values of a tensor can be.
struct Range {
    double low = 0, high = 0;
    bool known = false;

    double size() const { return std::max(-low, high); }
};
Range range_of(const graph::Tensor& tensor);

/// Of each tensor of the graph. Those in float32 between quantised ones have the range of what they
/// are copies of, or of what all their readers make of them.
std::vector<Range> ranges(const graph::Graph& graph);

/// The largest power of two that is at most `value`.
double power_below(double value);

/// For each tensor of the graph, at most 1 where nothing is known of its values. Tensors that
/// operators copy values between have the same.
std::vector<double> factors(const graph::Graph& graph, const std::vector<Range>& ranges,
                            const Format& format);

}  // namespace macrame::tcu::compiler
