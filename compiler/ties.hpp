#pragma once
/// Averages of float32: sums that lie between two steps are rounded by the order in which they were
/// added. No other arithmetic has them all, but the host, which adds in that order, does.

#include <cstdint>
#include <string_view>

#include "compiler/compiled.hpp"

namespace macrame::compiler {

/// The mapping of an Exactness that counts such sums.
inline constexpr std::string_view kSumsOfFloat32 = "sums of float32";

/// More than one sum in so many is noticed.
inline constexpr std::int64_t kMostTies = 1000;
constexpr bool are_many_ties(std::int64_t ties, std::int64_t sums) {
    return ties * kMostTies > sums;
}

/// Is that why an operator is not exact?
inline bool rounds_by_order(const Exactness& told) {
    return told.mapping == kSumsOfFloat32 && are_many_ties(told.values, told.reachable);
}

}  // namespace macrame::compiler
