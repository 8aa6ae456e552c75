#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace macrame {

/// Says whether a number is one of the set.
using IsIn = std::function<bool(std::int64_t)>;

inline constexpr std::string_view kAmongOthers = "among others";

/// A set of numbers in words, items that are joined by "or": "8", "a number in 4..32", "an even
/// number in 2..256", "a multiple of 128 in 0..2147483520", "a power of two in 2..32". Empty: no
/// number of low..high is in the set. All numbers of a short range are tried. Of a long one many
/// are; what the words then say holds for all of these, and where no words fit, kAmongOthers ends
/// a list of some that are in it.
std::vector<std::string> number_items(std::int64_t low, std::int64_t high, const IsIn& is_in);

}  // namespace macrame
