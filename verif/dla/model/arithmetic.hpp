#pragma once
/// Fixed-point arithmetic that several units have in common.

#include <algorithm>
#include <cstdint>

namespace macrame::dla::model {

/// The lowest `bits` bits of `v` as a signed number.
inline std::int64_t wrap(std::int64_t v, int bits) {
    const auto raw = static_cast<std::uint64_t>(v) << (64 - bits);
    return static_cast<std::int64_t>(raw) >> (64 - bits);
}

/// Fields of 8 and of 16 bits as signed numbers; bits above are ignored.
inline std::int8_t signed8(std::uint32_t field) { return static_cast<std::int8_t>(field); }
inline std::int16_t signed16(std::uint32_t field) { return static_cast<std::int16_t>(field); }

/// Result of a rounding right shift.
struct Rounded {
    std::int64_t value = 0;
    bool saturated = false;
};

/// Shifts `v` (of `in_bits` bits) right, rounds half away from zero, saturates to `out_bits` bits.
/// The flag of negative numbers is about the value before rounding. shift >= in_bits gives 0.
inline Rounded round_shift_right(std::int64_t v, int shift, int in_bits, int out_bits) {
    if (shift >= in_bits) return {};
    const std::int64_t floor = v >> shift;
    const bool guard = shift > 0 && ((v >> (shift - 1)) & 1) != 0;
    const bool below = shift > 1 && (v & ((std::int64_t{1} << (shift - 1)) - 1)) != 0;
    const std::int64_t rounded = floor + (guard && (v >= 0 || below) ? 1 : 0);
    const std::int64_t max = (std::int64_t{1} << (out_bits - 1)) - 1;
    const std::int64_t min = -max - 1;
    return {std::clamp(rounded, min, max), v < 0 ? floor < min : rounded > max};
}

}  // namespace macrame::dla::model
