#pragma once
/// A requantisation as the sum of two: where one layer of SDP cannot round as the reference does at
/// all steps of a channel, one has the results up to some value and one those above it. On its side
/// of 0, rounding twice is half a unit of the first rounding in one direction; and either half has
/// fewer steps.

#include <optional>
#include <vector>

#include "compiler/dla/requantise.hpp"

namespace macrame::dla::compiler {

/// `below` gives 127 for results of `at` or more, `above` gives -128 for results of `at` or less,
/// and the sum of both with offset() is the result, saturated to int8.
struct Halves {
    int at = 0;
    Requantisation below, above;
    std::vector<Deviation> deviations;  ///< of the sum; empty: proved equal for all accumulators

    int offset() const { return at + 1; }
    /// The sum, as the hardware computes it.
    int apply(std::size_t channel, std::int64_t accumulator) const;
};

/// The best of some ways to cut the results in two; none where there are fewer than two of them.
std::optional<Halves> requantise_in_halves(const LayerTarget& layer, const Stages& stages);

}  // namespace macrame::dla::compiler
