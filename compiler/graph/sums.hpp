#pragma once
/// Sums of int32 as bytes that hardware writes.
///
/// Networks whose activations get their scale in each run (DynamicQuantizeLinear and MatMulInteger
/// or ConvInteger of ONNX) have convolutions of numbers: (x - z) * w, where z is computed. That is
/// x * w - z * (1 * w), so the product with the weights is one of bytes, and what z adds is
/// computed behind it. All of it wraps as int32 does.

#include <cstddef>
#include <cstdint>
#include <functional>

#include "compiler/graph/graph.hpp"

namespace macrame::graph {

/// Of int8 that stand for themselves.
inline const Quantisation kNumber = {{1.0F}, {0}, 0};

/// Of Sums::digits.
constexpr std::size_t kMostDigits = 3;

/// What a digit counts as: 1, -2^8, -2^16.
constexpr std::int64_t digit_factor(std::size_t digit) {
    return digit == 0 ? 1 : -(std::int64_t{1} << 8 * digit);
}

/// The least sum that so many digits have, and the largest; all between them are, too.
constexpr std::int64_t least_of_digits(std::size_t count) {
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < count; ++d)
        sum += digit_factor(d) * (d == 0 ? -128 : 127);
    return sum;
}
constexpr std::int64_t most_of_digits(std::size_t count) {
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < count; ++d)
        sum += digit_factor(d) * (d == 0 ? 127 : -128);
    return sum;
}

/// Does the hardware take this convolution, a network by itself?
using TakesSums = std::function<bool(const Graph& alone)>;

/// Makes convolutions and fully connected layers of numbers with constant weights, whose input is
/// int8 less a zero point, ones of Sums `form` that `takes` has, with the sums joined behind them.
/// Sums of more than the digits hold are those of channels in parts.
void split_sums(Graph& graph, Sums form, const TakesSums& takes);

}  // namespace macrame::graph
