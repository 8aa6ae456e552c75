#pragma once
/// Two's complement numbers of any width up to 32 bits.

#include <algorithm>
#include <cstdint>

namespace macrame::systolic::model {

/// The low `width` bits as a signed number.
constexpr std::int64_t wrap(std::int64_t value, int width) {
    const std::uint64_t sign = std::uint64_t{1} << (width - 1);
    const std::uint64_t bits = static_cast<std::uint64_t>(value) & (2 * sign - 1);
    return static_cast<std::int64_t>(bits ^ sign) - static_cast<std::int64_t>(sign);
}

/// The nearest number of `width` bits.
constexpr std::int64_t clamp(std::int64_t value, int width) {
    const std::int64_t highest = (std::int64_t{1} << (width - 1)) - 1;
    return std::clamp(value, -highest - 1, highest);
}

/// To the right, arithmetic; to the left if the distance is negative.
constexpr std::int64_t shift(std::int64_t value, std::int64_t distance, int width) {
    if (distance >= 0) return value >> std::min<std::int64_t>(distance, width - 1);
    if (-distance >= width) return 0;
    return wrap(static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << -distance), width);
}

/// How a scale rounds, by its number in the scale memory.
enum class Rounding {
    half_up = 0,
    half_to_even = 1,
    half_away = 2,
    twice = 3  ///< to a multiple of 2^31, halves up, then as half_away
};

/// A product to the right, rounded.
constexpr std::int64_t scaled_down(std::int64_t product, int shift, Rounding rounding) {
    constexpr std::int64_t kFirst = std::int64_t{1} << 31;
    if (rounding == Rounding::twice) product = (product + kFirst / 2) & -kFirst;
    if (shift == 0) return product;
    const std::int64_t half = std::int64_t{1} << (shift - 1);
    const std::int64_t low = product >> shift;
    const std::int64_t rest = product & (2 * half - 1);
    if (rest != half) return low + (rest > half ? 1 : 0);
    switch (rounding) {
        case Rounding::half_to_even:
            return low + (low & 1);
        case Rounding::half_up:
            return low + 1;
        default:
            return low + (product < 0 ? 0 : 1);
    }
}

}  // namespace macrame::systolic::model
