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

}  // namespace macrame::systolic::model
