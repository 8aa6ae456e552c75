#pragma once
/// Golden model of CACC, fp16: the floating point accumulator and its conversion to fp32. Both
/// round half away from zero.

#include <cstdint>
#include <utility>

#include "arithmetic.hpp"
#include "cmac_fp16.hpp"

namespace macrame::dla::model {

/// An accumulator: mantissa * 2^(exponent - 101). The mantissa has 40 bits in two's complement, the
/// upper two of which differ; zero has exponent 0, NaN exponent 255 with sign and payload in 39:29.
struct FloatAcc {
    static constexpr int kMantissa = 40;
    static constexpr int kNan = 255;

    int exponent = 0;
    std::int64_t mantissa = 0;

    bool is_nan() const { return exponent == kNan; }
};

/// `value` * 2^(exponent - 101) as an accumulator.
inline FloatAcc normalized(int exponent, std::int64_t value) {
    if (value == 0) return {};
    const std::int64_t limit = std::int64_t{1} << (FloatAcc::kMantissa - 1);
    int drop = 0;  // bits below the mantissa
    while (value >> drop >= limit || value >> drop < -limit)
        ++drop;
    if (drop > 0) {
        const std::int64_t half = std::int64_t{1} << (drop - 1);
        value = (value + half - (value < 0 ? 1 : 0)) >> drop;
        return normalized(exponent + drop, value);
    }
    while (wrap(2 * value, FloatAcc::kMantissa) == 2 * value) {
        value *= 2;
        --exponent;
    }
    return {exponent, value};
}

/// One step of accumulation: a partial sum of fp16_psum() is added.
inline FloatAcc accumulate(const FloatAcc& acc, std::uint64_t psum) {
    const std::int64_t sum = wrap(static_cast<std::int64_t>(psum), kPsumMantissa);
    const int exponent = static_cast<int>(psum >> kPsumMantissa);
    if (sum == 0 || acc.is_nan()) return acc;
    if (exponent == kPsumNan) return {FloatAcc::kNan, sum * 4};
    FloatAcc high = acc;
    FloatAcc low = normalized(exponent + 51, sum);
    if (high.mantissa == 0 || (low.exponent > high.exponent)) std::swap(high, low);
    const int distance = high.exponent - low.exponent;
    if (low.mantissa == 0 || distance > FloatAcc::kMantissa) return high;
    // 20 bits below the mantissa; bits that are lost below them are all there is to tell from none.
    const std::int64_t whole = low.mantissa * (1 << 20);
    const bool lost = (whole & ((std::int64_t{1} << distance) - 1)) != 0;
    return normalized(high.exponent - 20,
                      high.mantissa * (1 << 20) + (whole >> distance | (lost ? 1 : 0)));
}

/// The result as delivered to SDP: a pattern of fp32.
inline std::uint32_t final_fp32(const FloatAcc& acc) {
    const std::uint32_t sign = acc.mantissa < 0 ? 0x80000000u : 0;
    if (acc.is_nan()) {
        return sign | 0x7F800000u | static_cast<std::uint32_t>(acc.mantissa >> 29 & 0x3FF);
    }
    if (acc.mantissa == 0) return 0;
    // Up to 2^24, with which the exponent is one more and the fraction 0.
    const std::uint64_t magnitude =
        static_cast<std::uint64_t>(acc.mantissa < 0 ? -acc.mantissa : acc.mantissa);
    const auto significand = static_cast<std::uint32_t>((magnitude + (1 << 14)) >> 15);
    const auto exponent = static_cast<std::uint32_t>(acc.exponent + 63) << 23;
    return sign | (exponent + significand);
}

}  // namespace macrame::dla::model
