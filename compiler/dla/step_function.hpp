#pragma once
/// The reference executor's requantisation of a channel as what it is: a monotone step function.

#include <cstdint>
#include <vector>

#include "compiler/dla/requantise.hpp"

namespace macrame::dla::compiler {

/// TFLite's multiplier: mantissa * 2^(left - right - 31), one of the shifts 0.
struct Fixed {
    std::int64_t mantissa = 0;
    int left = 0, right = 0;
};
Fixed fixed(double factor);
/// value * factor as TFLite rounds it: to a multiple of 2^-right half up, then half away from zero.
std::int64_t multiply(std::int64_t value, const Fixed& factor);

/// A factor in [2^(-shift - 1), 2^-shift), or 0.
struct Gain {
    double value = 0;
    int shift = 0;
};
Gain gain(const LayerTarget& layer, const ChannelTarget& channel);

/// Output of the reference before the clamp and without the zero point.
std::int64_t unclamped(const LayerTarget& layer, const ChannelTarget& channel, std::int64_t raw);

/// Least raw sum for which unclamped() is at least `result`; kAlways, kNever.
std::int64_t least_raw(const LayerTarget& layer, const ChannelTarget& channel, std::int64_t result);

/// The steps within reach. Results are clamped, without the zero point.
struct Steps {
    std::int64_t low = 0, high = 0;  ///< raw sums that can be reached
    int first = 0, last = 0;         ///< results there
    std::vector<std::int64_t> at;  ///< at[i]: least raw sum with a result of first + 1 + i or more
};
Steps steps(const LayerTarget& layer, const ChannelTarget& channel);

}  // namespace macrame::dla::compiler
