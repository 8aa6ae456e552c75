#pragma once
/// Integer arithmetic of SDP's stages, and the inverse of each: they are monotone where the
/// multiplier is not negative.

#include <algorithm>
#include <cstdint>
#include <limits>

namespace macrame::dla::compiler {

/// Stand for inputs that always or never reach an output; sums of a few do not overflow.
constexpr std::int64_t kAlways = std::numeric_limits<std::int64_t>::min() / 8;
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max() / 8;

/// The largest operand of a stage, which has 16 bits.
constexpr int kMostOperand = 32767;

/// Clamps to a signed number of `bits` bits.
constexpr std::int64_t saturate(std::int64_t value, int bits) {
    const std::int64_t limit = std::int64_t{1} << (bits - 1);
    return value < -limit ? -limit : value >= limit ? limit - 1 : value;
}

/// value / 2^shift to nearest, ties away from zero; 0 from a shift of `width` on: 49 in the X
/// stages and the output convertor, 64 in EW. |value| < 2^62.
constexpr std::int64_t round_shift(std::int64_t value, int shift, int width = 49) {
    if (shift == 0) return value;
    if (shift >= std::min(width, 63)) return 0;
    const std::int64_t half = std::int64_t{1} << (shift - 1);
    return value < 0 ? -((half - value) >> shift) : (value + half) >> shift;
}

/// ALU operand of an X stage: operand << shift, saturated to 32 bits.
constexpr std::int64_t alu_operand(std::int64_t operand, int shift) {
    return shift > 31 ? saturate(operand * (std::int64_t{1} << 32), 32)
                      : saturate(operand * (std::int64_t{1} << shift), 32);
}

constexpr std::int64_t floor_divide(std::int64_t value, std::int64_t divisor) {
    return value / divisor - (value % divisor < 0 ? 1 : 0);
}
constexpr std::int64_t ceil_divide(std::int64_t value, std::int64_t divisor) {
    return value / divisor + (value % divisor > 0 ? 1 : 0);
}

/// Least value with round_shift(value, shift) >= result; |result| * 2^shift < 2^61.
constexpr std::int64_t least_shifted(std::int64_t result, int shift) {
    if (shift == 0) return result;
    return result * (std::int64_t{1} << shift) - (std::int64_t{1} << (shift - 1)) +
           (result <= 0 ? 1 : 0);
}

/// Least sum with saturate(round_shift(sum * multiplier, shift), 32) >= result, multiplier > 0.
constexpr std::int64_t least_sum(std::int64_t result, std::int64_t multiplier, int shift) {
    if (result > std::numeric_limits<std::int32_t>::max()) return kNever;
    if (result <= std::numeric_limits<std::int32_t>::min()) return kAlways;
    return ceil_divide(least_shifted(result, shift), multiplier);
}

}  // namespace macrame::dla::compiler
