#pragma once
/// Golden model of CDP in fp16: squares and their sum in fp32, table and product in fp17.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "float.hpp"
#include "lut.hpp"

namespace macrame::dla::model {

constexpr int kCdpFraction = 16;

/// Place of fp32 `x` in a table that begins at `start`; its index is exponential or linear.
inline LutPlace cdp_place_float(std::uint32_t x, std::int64_t start, bool exponential, int step,
                                int last) {
    const std::uint32_t d = Fp32::sub(x, static_cast<std::uint32_t>(start));
    if (Fp32::negative(d) || Fp32::is_zero(d) || Fp32::is_nan(d)) return {};
    const int e = Fp32::exponent(d) - Fp32::kBias - step;
    const std::uint64_t significand = Fp32::significand(d);
    constexpr std::uint64_t kMask = (1u << kCdpFraction) - 1;
    constexpr int kDrop = Fp32::kMantissaBits - kCdpFraction;
    if (exponential) {
        if (e < 0) return {};
        return e >= last ? lut_over(last)
                         : LutPlace{LutState::kIn, e, significand >> kDrop & kMask};
    }
    if (e > 8) return lut_over(last);
    if (e < -kCdpFraction - 1) return {LutState::kIn, 0, 0};
    const std::uint64_t place = significand << 8 >> (kDrop + 8 - e);  // in 2^-16
    const int index = static_cast<int>(place >> kCdpFraction);
    return index >= last ? lut_over(last) : LutPlace{LutState::kIn, index, place & kMask};
}

/// Result of the table for fp32 `x`: fp17.
struct CdpLookupFloat {
    std::uint32_t value = 0;
    LutEvent event = LutEvent::kHybrid;
};

inline CdpLookupFloat cdp_lookup_float(const Lut& lut, std::uint32_t x) {
    const bool power = !lut.le_linear;
    const LutPlace le = cdp_place_float(x, lut.le.start, power,
                                        power ? lut.le_offset : lut.le.select, kLeEntries - 1);
    const LutPlace lo = cdp_place_float(x, lut.lo.start, false, lut.lo.select, kLoEntries - 1);
    const LutChoice choice = lut_choose(lut, le, lo);
    if (Fp32::is_nan(x)) {
        return {Fp17::make(Fp32::negative(x), Fp17::kExponentMax, x & Fp17::kMantissaMask),
                choice.event};
    }
    const auto entry = [&](int index) {
        const auto i = static_cast<std::size_t>(index);
        return static_cast<std::uint32_t>(
            static_cast<std::uint16_t>(choice.lo ? lut.lo_table[i] : lut.le_table[i]));
    };
    const Lut::Range& range = choice.lo ? lut.lo : lut.le;
    const int i = choice.place.index;
    std::uint32_t distance = 0, factor = 0;
    if (choice.place.state == LutState::kIn) {
        distance = Fp32::sub(widen<Fp16, Fp32>(entry(i + 1)), widen<Fp16, Fp32>(entry(i)));
        factor = Fp17::from_fraction(choice.place.fraction, kCdpFraction);
    } else {
        const bool over = choice.place.state == LutState::kOver;
        auto base = static_cast<std::uint32_t>(over ? range.end : range.start);
        if (!over && !choice.lo && power && lut.le_offset > -Fp32::kBias)
            base = Fp32::add(base, Fp32::make(false, lut.le_offset + Fp32::kBias, 0));
        distance = Fp32::sub(x, base);
        const std::int16_t scale = over ? range.oflow_scale : range.uflow_scale;
        factor = widen<Fp16, Fp17>(static_cast<std::uint16_t>(scale));
    }
    const std::uint32_t term = Fp17::mul(narrow<Fp32, Fp17>(distance), factor);
    return {Fp17::add(term, widen<Fp16, Fp17>(entry(i))), choice.event};
}

/// Squares of the elements `half` to each side of element `c`, nearest first. `v`: fp17.
inline std::uint32_t cdp_sum_float(const std::vector<std::uint32_t>& v, int c, int half) {
    const auto square = [&](int n) {
        if (n < 0 || n >= static_cast<int>(v.size())) return std::uint32_t{0};
        const std::uint32_t wide = widen<Fp17, Fp32>(v[static_cast<std::size_t>(n)]);
        return Fp32::mul(wide, wide);
    };
    std::uint32_t sum = Fp32::add(Fp32::add(square(c - 1), square(c + 1)), square(c));
    for (int n = 2; n <= half; ++n)
        sum = Fp32::add(sum, Fp32::add(square(c - n), square(c + n)));
    return sum;
}

}  // namespace macrame::dla::model
