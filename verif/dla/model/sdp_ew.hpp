#pragma once
/// Golden model of the Y stage "EW" of SDP in integers: operand convertors, multiplier, ALU, table.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "lut.hpp"
#include "sdp_math.hpp"

namespace macrame::dla::model {

/// Convertor of memory operands.
struct SdpEwConvertor {
    bool bypass = true;
    std::int32_t offset = 0;
    std::int16_t scale = 1;
    int shift = 0;  ///< 0..63

    std::int32_t operator()(std::int16_t in) const {
        if (bypass) return in;
        const std::int64_t product = (std::int64_t{in} - offset) * scale;
        return static_cast<std::int32_t>(round_shift_right(product, shift, 49, 32).value);
    }
};

/// Registers of EW.
struct SdpEw {
    bool bypass = true;
    bool alu_bypass = true;
    int alu_algo = kMax;
    bool mul_bypass = true;
    bool mul_prelu = false;
    bool lut_bypass = true;
    bool alu_from_memory = false;
    bool mul_from_memory = false;
    SdpEwConvertor alu_cvt, mul_cvt;
    std::int32_t alu_operand = 0, mul_operand = 0;  ///< register operands
    int truncate = 0;                               ///< right shift of the product, 0..1023

    /// The stage takes one record per element from SDP_RDMA.
    bool needs_memory() const {
        return !bypass && ((!alu_bypass && alu_from_memory) || (!mul_bypass && mul_from_memory));
    }
    /// Compare mode: results are only looked at, not written.
    bool eql() const { return !bypass && !alu_bypass && alu_algo == kEql; }
    bool uses_lut() const { return !bypass && !lut_bypass; }
};

inline std::int32_t saturate32(std::int64_t v) {
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(v, INT32_MIN, INT32_MAX));
}

/// EW for one element, without the table.
inline std::int32_t sdp_ew_arithmetic(const SdpEw& ew, std::int32_t in, SdpOperand memory) {
    if (ew.bypass) return in;
    std::int32_t v = in;
    if (!ew.mul_bypass && !(ew.mul_prelu && v >= 0)) {
        const std::int32_t b = ew.mul_from_memory ? ew.mul_cvt(memory.mul) : ew.mul_operand;
        const Rounded r = round_shift_right(std::int64_t{v} * b, ew.truncate, 64, 32);
        v = static_cast<std::int32_t>(r.value);
    }
    if (ew.alu_bypass) return v;
    const std::int32_t a = ew.alu_from_memory ? ew.alu_cvt(memory.alu) : ew.alu_operand;
    switch (ew.alu_algo) {
        case kMax:
            return std::max(v, a);
        case kMin:
            return std::min(v, a);
        case kSum:
            return saturate32(std::int64_t{v} + a);
        default:
            return v == a ? 0 : 1;
    }
}

/// Result of a look-up, and what the counters count.
struct SdpLutOut {
    std::int32_t value = 0;
    LutState state = LutState::kIn;  ///< of the table whose result is taken
    bool le_hit = false, lo_hit = false;
};

/// Counts where the result comes from and, by itself, each table that has the element.
inline void sdp_lut_count(const SdpLutOut& found, LutCounts& counts) {
    const auto count = [&](LutEvent event, bool happened) {
        counts[static_cast<std::size_t>(event)] += happened ? 1u : 0u;
    };
    count(LutEvent::kUnderflow, found.state == LutState::kUnder);
    count(LutEvent::kOverflow, found.state == LutState::kOver);
    count(LutEvent::kHybrid, found.state == LutState::kIn);
    count(LutEvent::kLeHit, found.le_hit);
    count(LutEvent::kLoHit, found.lo_hit);
}

/// a * scale, shifted right by `shift` (left if negative), rounded, saturated to 32 bits.
inline std::int64_t sdp_lut_slope(std::int64_t a, std::int16_t scale, int shift) {
    const std::int64_t p = a * scale;
    if (shift >= 0) return round_shift_right(p, shift, 50, 32).value;
    const std::int64_t limit = std::int64_t{1} << 40;
    return saturate32(std::clamp(p, -limit, limit) * (std::int64_t{1} << -shift));
}

/// The table for one element.
inline SdpLutOut sdp_lut(const Lut& lut, std::int32_t x) {
    constexpr int kFraction = 35;
    const auto linear = [](std::int64_t distance, int select, int last) {
        if (distance > 0 && select > 62) {  // far below entry 1
            const int right = std::min(select - kFraction, 63);
            return LutPlace{LutState::kIn, 0, static_cast<std::uint64_t>(distance >> right)};
        }
        return lut_linear(distance, select, last, kFraction);
    };
    const std::int64_t le_distance = std::int64_t{x} - lut.le.start;
    const LutPlace le =
        lut.le_linear ? linear(le_distance, lut.le.select, kLeEntries - 1)
                      : lut_exponential(le_distance, lut.le_offset, kLeEntries - 1, kFraction);
    const LutPlace lo = linear(std::int64_t{x} - lut.lo.start, lut.lo.select, kLoEntries - 1);
    const LutChoice choice = lut_choose(lut, le, lo);
    const Lut::Range& range = choice.lo ? lut.lo : lut.le;
    const auto entry = [&](int i) -> std::int64_t {
        return choice.lo ? lut.lo_table[static_cast<std::size_t>(i)]
                         : lut.le_table[static_cast<std::size_t>(i)];
    };
    SdpLutOut out;
    out.state = choice.place.state;
    out.le_hit = le.state == LutState::kIn;
    out.lo_hit = lo.state == LutState::kIn;
    const std::int64_t y = entry(choice.place.index);
    if (out.state == LutState::kIn) {
        const auto fraction = static_cast<std::int64_t>(choice.place.fraction);
        const std::int64_t sum = y * ((std::int64_t{1} << kFraction) - fraction) +
                                 entry(choice.place.index + 1) * fraction;
        out.value = static_cast<std::int32_t>(round_shift_right(sum, kFraction, 53, 32).value);
    } else if (out.state == LutState::kUnder) {
        std::int64_t base = range.start;
        if (!choice.lo && !lut.le_linear && lut.le_offset >= 0 && lut.le_offset <= 31) {
            base += std::int64_t{1} << lut.le_offset;
        }
        out.value = saturate32(y + sdp_lut_slope(x - base, range.uflow_scale, range.uflow_shift));
    } else {
        out.value =
            saturate32(y + sdp_lut_slope(x - range.end, range.oflow_scale, range.oflow_shift));
    }
    return out;
}

/// Every access goes on to the next entry, behind the table, too.
class SdpLutAccess : public LutAccess {
public:
    void write_data(Lut& lut, std::uint32_t value) {
        if (writes_) put(lut, value);
        advance();
    }
    std::uint32_t read_data(Lut& lut) {
        const std::uint32_t value = get(lut);
        advance();
        return value;
    }

private:
    void advance() { pointer_ = (pointer_ + 1) & 0x3FF; }
};

}  // namespace macrame::dla::model
