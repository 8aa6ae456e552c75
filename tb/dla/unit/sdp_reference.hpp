#pragma once
/// What SDP computes, by its definition and without regard to width: the golden model is compared
/// with it.

#include <cstddef>
#include <cstdint>

#include "verif/dla/model/sdp.hpp"

namespace macrame::tb::sdp {

namespace m = dla::model;

using Wide = __int128;

/// floor(a / 2^s) for any a, s.
inline Wide floor_shift(Wide a, int s) {
    const Wide d = Wide{1} << s;
    return a >= 0 ? a / d : -((-a + d - 1) / d);
}

/// Nearest, ties away from zero, then clamped; the flag as defined.
inline m::Rounded naive_rshr(Wide v, int s, int in, int out) {
    if (s >= in) return {};
    const Wide d = Wide{1} << s;
    const Wide r = v >= 0 ? (2 * v + d) / (2 * d) : -((-2 * v + d) / (2 * d));
    const Wide max = (Wide{1} << (out - 1)) - 1;
    const Wide clamped = r > max ? max : r < -max - 1 ? -max - 1 : r;
    return {static_cast<std::int64_t>(clamped), v < 0 ? floor_shift(v, s) < -max - 1 : r > max};
}

inline std::int32_t naive_x(const m::SdpX& x, std::int32_t in, m::SdpOperand memory) {
    if (x.bypass) return in;
    const Wide a = x.alu_from_memory ? memory.alu : x.alu_operand;
    const Wide b = x.mul_from_memory ? memory.mul : x.mul_operand;
    Wide o = a * (Wide{1} << x.alu_shift);
    if (o > INT32_MAX) o = INT32_MAX;
    if (o < INT32_MIN) o = INT32_MIN;
    Wide v = in;
    if (!x.alu_bypass) {
        if (x.alu_algo == 0)
            v = v > o ? v : o;
        else if (x.alu_algo == 1)
            v = v < o ? v : o;
        else
            v = v + o;
    }
    std::int32_t r;
    if (!x.mul_bypass && x.mul_prelu && v >= 0) {
        Wide low = v % (Wide{1} << 32);
        if (low >= (Wide{1} << 31)) low -= Wide{1} << 32;
        r = static_cast<std::int32_t>(low);
    } else {
        if (!x.mul_bypass) v = v * b;
        r = static_cast<std::int32_t>(naive_rshr(v, x.mul_shift % 64, 49, 32).value);
    }
    return !x.relu_bypass && r < 0 ? 0 : r;
}

inline m::SdpOut naive_c(const m::SdpConvertor& c, std::int32_t in) {
    const m::Rounded t = naive_rshr((Wide{in} - c.offset) * c.scale, c.shift, 49, 17);
    const std::int64_t v = t.value > 127 ? 127 : t.value < -128 ? -128 : t.value;
    return {static_cast<std::int8_t>(v), t.saturated};
}

/// The table by its definition, for one element.
inline std::int32_t naive_lut(const m::Lut& lut, std::int32_t x) {
    struct Place {
        int state;  // -1 under, 0 in, 1 over
        int index;
        Wide fraction;
    };
    const auto place = [&](const m::Lut::Range& r, bool exponential, int last) -> Place {
        const Wide d = Wide{x} - r.start;
        if (d <= 0) return {-1, 0, 0};
        const Wide one = Wide{1} << 35;
        if (exponential) {
            int e = 0;
            while (d >> (e + 1))
                ++e;
            if (e < lut.le_offset) return {-1, 0, 0};
            if (e - lut.le_offset >= last) return {1, last, 0};
            return {0, e - lut.le_offset, (d - (Wide{1} << e)) * one >> e};
        }
        if (r.select < 0) {
            const Wide i = r.select < -40 ? Wide{1} << 40 : d << -r.select;
            return i >= last ? Place{1, last, 0} : Place{0, static_cast<int>(i), 0};
        }
        const int select = r.select > 100 ? 100 : r.select;
        const Wide i = d >> select;
        if (i >= last) return {1, last, 0};
        return {0, static_cast<int>(i), (d * one >> select) % one};
    };
    const Place le = place(lut.le, !lut.le_linear, 64), lo = place(lut.lo, false, 256);
    bool use_lo = lut.hybrid_lo;
    if (le.state == -1 && lo.state == -1)
        use_lo = lut.uflow_lo;
    else if (le.state == 1 && lo.state == 1)
        use_lo = lut.oflow_lo;
    else if (le.state == 0 && lo.state != 0)
        use_lo = false;
    else if (le.state != 0 && lo.state == 0)
        use_lo = true;
    const Place at = use_lo ? lo : le;
    const m::Lut::Range& r = use_lo ? lut.lo : lut.le;
    const auto y = [&](int i) -> Wide {
        const auto z = static_cast<std::size_t>(i);
        return use_lo ? lut.lo_table[z] : lut.le_table[z];
    };
    const auto sat = [](Wide v) {
        return v > INT32_MAX ? Wide{INT32_MAX} : v < INT32_MIN ? Wide{INT32_MIN} : v;
    };
    if (at.state == 0) {
        const Wide one = Wide{1} << 35;
        const Wide sum = y(at.index) * (one - at.fraction) + y(at.index + 1) * at.fraction;
        return static_cast<std::int32_t>(naive_rshr(sum, 35, 53, 32).value);
    }
    Wide base = at.state < 0 ? r.start : r.end;
    if (at.state < 0 && !use_lo && !lut.le_linear && lut.le_offset >= 0 && lut.le_offset <= 31) {
        base += Wide{1} << lut.le_offset;
    }
    const Wide p = (Wide{x} - base) * (at.state < 0 ? r.uflow_scale : r.oflow_scale);
    const int shift = at.state < 0 ? r.uflow_shift : r.oflow_shift;
    const Wide t =
        shift >= 0 ? Wide{naive_rshr(p, shift, 50, 32).value} : sat(p * (Wide{1} << -shift));
    return static_cast<std::int32_t>(sat(y(at.index) + t));
}

}  // namespace macrame::tb::sdp
