#pragma once
/// Floating point primitives of the full design, bit for bit: fp16 (sign 1, exponent 5, mantissa
/// 10), fp17 (1-6-10) and fp32 (1-8-23). A number is its bit pattern in the low bits.
///
/// They are not those of IEEE 754: nothing ever becomes infinite (too large is the largest finite
/// number), results below the smallest normal number are zero, a NaN passes with its payload.
/// Source: full design, section 2.

#include <cassert>
#include <cstdint>

namespace macrame::dla::model {

/// `v` without its lowest `n` bits, rounded to nearest, ties to even. n in 0..63.
inline std::uint64_t shift_to_even(std::uint64_t v, int n) {
    if (n == 0) return v;
    const std::uint64_t kept = v >> n;
    const bool guard = ((v >> (n - 1)) & 1) != 0;
    const bool below = (v & ((std::uint64_t{1} << (n - 1)) - 1)) != 0;
    return kept + (guard && (below || (kept & 1) != 0) ? 1 : 0);
}

/// Index of the highest one; `v` is not 0.
inline int highest_one(std::uint64_t v) {
    assert(v != 0);
    int n = 0;
    while ((v >>= 1) != 0)
        ++n;
    return n;
}

template <int E, int M>
struct Float {
    static constexpr int kMantissaBits = M;
    static constexpr int kBias = (1 << (E - 1)) - 1;
    static constexpr int kExponentMax = (1 << E) - 1;  ///< of NaN and Inf
    static constexpr std::uint32_t kMantissaMask = (1u << M) - 1;
    static constexpr std::uint32_t kSign = 1u << (E + M);

    static int exponent(std::uint32_t v) { return static_cast<int>(v >> M) & kExponentMax; }
    static std::uint32_t mantissa(std::uint32_t v) { return v & kMantissaMask; }
    static bool negative(std::uint32_t v) { return (v & kSign) != 0; }
    static std::uint32_t magnitude(std::uint32_t v) { return v & (kSign - 1); }
    static bool is_nan(std::uint32_t v) { return exponent(v) == kExponentMax && mantissa(v) != 0; }
    static bool is_inf(std::uint32_t v) { return exponent(v) == kExponentMax && mantissa(v) == 0; }
    static bool is_zero(std::uint32_t v) { return magnitude(v) == 0; }

    static std::uint32_t make(bool sign, int exponent, std::uint64_t mantissa) {
        return (sign ? kSign : 0) | static_cast<std::uint32_t>(exponent) << M |
               (static_cast<std::uint32_t>(mantissa) & kMantissaMask);
    }
    static std::uint32_t zero(bool sign) { return make(sign, 0, 0); }
    /// The largest finite number.
    static std::uint32_t max_finite(bool sign) {
        return make(sign, kExponentMax - 1, kMantissaMask);
    }

    /// With the implied one of every number but zero, also of denormal ones.
    static std::uint64_t significand(std::uint32_t v) {
        return is_zero(v) ? 0 : (std::uint64_t{1} << M) + mantissa(v);
    }

    static std::uint32_t negated(std::uint32_t v) { return v ^ kSign; }

    /// a + b. A NaN passes, the first one first.
    static std::uint32_t add(std::uint32_t a, std::uint32_t b) {
        if (is_nan(a)) return a;
        if (is_nan(b)) return b;
        const bool swap = magnitude(b) > magnitude(a);
        const std::uint32_t hi = swap ? b : a, lo = swap ? a : b;
        const bool sign = negative(hi);
        const int distance = exponent(hi) - exponent(lo);
        const std::uint64_t large = significand(hi) << kGuard;
        const std::uint64_t small = distance > 63 ? 0 : (significand(lo) << kGuard) >> distance;
        std::uint64_t sum = negative(a) == negative(b) ? large + small : large - small;
        int e = exponent(hi);
        if (sum >> kWidth != 0) {
            if (e >= kExponentMax - 1) return max_finite(sign);
            ++e;
            sum >>= 1;
        } else {
            if (sum == 0) return zero(sign);
            const int zeros = kWidth - 1 - highest_one(sum);
            if (e <= zeros) return zero(sign);
            e -= zeros;
            sum <<= zeros;
        }
        return rounded(sign, e, shift_to_even(sum, kGuard));
    }

    /// a - b. A NaN as b passes with the other sign.
    static std::uint32_t sub(std::uint32_t a, std::uint32_t b) { return add(a, negated(b)); }

    static std::uint32_t mul(std::uint32_t a, std::uint32_t b) {
        if (is_nan(a)) return a;
        if (is_nan(b)) return b;
        const bool sign = negative(a) != negative(b);
        const int sum = exponent(a) + exponent(b);
        if (is_zero(a) || is_zero(b) || sum < kBias) return zero(sign);
        if (sum >= kExponentMax + kBias) return max_finite(sign);
        int e = sum - kBias;
        std::uint64_t product = significand(a) * significand(b);
        if (product >> (2 * M + 1) != 0) {
            if (e >= kExponentMax - 1) return max_finite(sign);
            ++e;
        } else {
            product <<= 1;
        }
        const std::uint32_t result = rounded(sign, e, shift_to_even(product, M + 1));
        return exponent(result) == 0 ? zero(sign) : result;
    }

    /// Is a above b? -0 is below +0. Neither is a NaN.
    static bool above(std::uint32_t a, std::uint32_t b) {
        if (negative(a) != negative(b)) return negative(b);
        return negative(a) ? magnitude(a) < magnitude(b) : magnitude(a) > magnitude(b);
    }
    static std::uint32_t max(std::uint32_t a, std::uint32_t b) {
        if (is_nan(a)) return a;
        if (is_nan(b)) return b;
        return above(b, a) ? b : a;
    }
    static std::uint32_t min(std::uint32_t a, std::uint32_t b) {
        if (is_nan(a)) return a;
        if (is_nan(b)) return b;
        return above(a, b) ? b : a;
    }
    static std::uint32_t relu(std::uint32_t v) { return is_nan(v) || !negative(v) ? v : 0; }

    /// Nearest number to an integer, ties to even.
    static std::uint32_t from_int(std::int64_t v) {
        if (v == 0) return 0;
        const auto size = static_cast<std::uint64_t>(v < 0 ? -v : v);
        return scaled(v < 0, size, 0);
    }

    /// Nearest number to f / 2^bits, ties to even.
    static std::uint32_t from_fraction(std::uint64_t f, int bits) {
        return f == 0 ? 0 : scaled(false, f, -bits);
    }

private:
    static constexpr int kGuard = M + 2;      ///< bits below the mantissa in sums
    static constexpr int kWidth = 2 * M + 3;  ///< bits of a sum without overflow

    /// Number of a significand of M + 1 bits, or one more after rounding.
    static std::uint32_t rounded(bool sign, int e, std::uint64_t significand) {
        if (significand >> (M + 1) == 0) return make(sign, e, significand);
        return e >= kExponentMax - 1 ? max_finite(sign) : make(sign, e + 1, 0);
    }

    /// size * 2^scale, in range but for overflow.
    static std::uint32_t scaled(bool sign, std::uint64_t size, int scale) {
        const int top = highest_one(size);
        const int e = top + scale + kBias;
        if (e <= 0) return zero(sign);
        if (e >= kExponentMax) return max_finite(sign);
        return rounded(sign, e, top > M ? shift_to_even(size, top - M) : size << (M - top));
    }
};

using Fp16 = Float<5, 10>;
using Fp17 = Float<6, 10>;
using Fp32 = Float<8, 23>;

/// fp16 to fp17 or fp32, fp17 to fp32. A NaN keeps its 10 bits in the low bits; an infinite number
/// becomes the largest finite one. Denormal fp16 are normalised, of fp17 only the exponent changes.
template <class From, class To>
std::uint32_t widen(std::uint32_t v) {
    constexpr int kShift = To::kMantissaBits - From::kMantissaBits;
    const bool sign = From::negative(v);
    const int e = From::exponent(v);
    const std::uint32_t m = From::mantissa(v);
    if (From::is_nan(v)) return To::make(sign, To::kExponentMax, m);
    if (From::is_inf(v)) return To::max_finite(sign);
    if (From::is_zero(v)) return To::zero(sign);
    int rebased = e + To::kBias - From::kBias;
    std::uint64_t fraction = m;
    if (e == 0 && From::kBias == Fp16::kBias) {
        const int zeros = From::kMantissaBits - highest_one(m);
        fraction <<= zeros;
        rebased += 1 - zeros;
    }
    return To::make(sign, rebased, fraction << kShift);
}

/// fp32 to fp17 or fp16, fp17 to fp16, ties to even. fp16 results may be denormal.
template <class From, class To>
std::uint32_t narrow(std::uint32_t v) {
    constexpr int kBias = From::kBias - To::kBias;
    constexpr int kDrop = From::kMantissaBits - To::kMantissaBits;
    const bool sign = From::negative(v);
    const int e = From::exponent(v);
    if (From::is_nan(v)) return To::make(sign, To::kExponentMax, From::mantissa(v));
    if (e >= To::kExponentMax + kBias) return To::max_finite(sign);
    if (e < kBias - To::kMantissaBits) return To::zero(sign);
    const std::uint64_t significand = (std::uint64_t{1} << From::kMantissaBits) + From::mantissa(v);
    if (e <= kBias) {
        const std::uint64_t q = shift_to_even(significand, kDrop + kBias - e + 1);
        if (q >> To::kMantissaBits != 0) return To::make(sign, 1, q);
        return To::kBias == Fp16::kBias ? To::make(sign, 0, q) : To::zero(sign);
    }
    const std::uint64_t q = shift_to_even(significand, kDrop);
    const int carried = e - kBias + static_cast<int>(q >> (To::kMantissaBits + 1));
    if (carried >= To::kExponentMax) return To::max_finite(sign);
    return To::make(sign, carried, q);
}

/// fp16 to a 16-bit integer, half away from zero. NaN is -32768.
inline std::int16_t int16_of_fp16(std::uint32_t v) {
    if (Fp16::is_nan(v)) return -32768;
    const int shift = Fp16::exponent(v) - 25;  // denormal ones have an implied one, too
    const std::int64_t size = 1024 + static_cast<std::int64_t>(Fp16::mantissa(v));
    const std::int64_t whole =
        shift >= 0 ? size << shift : (size + (std::int64_t{1} << (-shift - 1))) >> -shift;
    const bool sign = Fp16::negative(v);
    if (whole > 32767) return sign ? -32768 : 32767;
    return static_cast<std::int16_t>(sign ? -whole : whole);
}

}  // namespace macrame::dla::model
