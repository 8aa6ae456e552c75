#pragma once
/// Golden model of the two-level lookup table of CDP and SDP: index, fraction and choice of the
/// table. LE has 65 entries with exponential or linear index, LO has 257 with linear index.
/// The value that becomes of it differs between the units: see cdp.hpp.

#include <array>
#include <cstddef>
#include <cstdint>

namespace macrame::dla::model {

constexpr int kLeEntries = 65;
constexpr int kLoEntries = 257;

/// The S_LUT_ registers as real numbers, and the tables.
struct Lut {
    /// Where one table lies and how it goes on outside.
    struct Range {
        std::int64_t start = 0, end = 0;  ///< `end` is only the base of the overflow slope
        int select = 0;                   ///< linear: entries are 2^select apart
        std::int16_t uflow_scale = 0, oflow_scale = 0;
        int uflow_shift = 0, oflow_shift = 0;  ///< right, negative: left
    };

    bool le_linear = false;
    int le_offset = 0;  ///< exponential: entry 0 is at distance 2^le_offset
    bool uflow_lo = false, oflow_lo = false, hybrid_lo = false;  ///< priorities: LO, not LE
    Range le, lo;
    std::array<std::int16_t, kLeEntries> le_table{};
    std::array<std::int16_t, kLoEntries> lo_table{};
};

enum class LutState { kUnder, kIn, kOver };

/// Place of an input in one table.
struct LutPlace {
    LutState state = LutState::kUnder;
    int index = 0;
    std::uint64_t fraction = 0;  ///< distance to the entry, in 2^-fraction_bits
};

inline LutPlace lut_over(int last) { return {LutState::kOver, last, 0}; }

/// Place of `distance` = x - START in a table with linear index.
inline LutPlace lut_linear(std::int64_t distance, int select, int last, int fraction_bits) {
    if (distance <= 0) return {};
    if (select < 0) {
        if (-select > 16 || distance >= last) return lut_over(last);
        const std::int64_t index = distance << -select;
        return index >= last ? lut_over(last) : LutPlace{LutState::kIn, static_cast<int>(index), 0};
    }
    const std::int64_t index = select > 62 ? 0 : distance >> select;
    if (index >= last) return lut_over(last);
    // The fraction keeps its top bits: no rounding.
    const std::int64_t rest = distance - (index << select);
    const auto fraction =
        static_cast<std::uint64_t>(select > fraction_bits ? rest >> (select - fraction_bits)
                                                          : rest << (fraction_bits - select));
    return {LutState::kIn, static_cast<int>(index), fraction};
}

/// Place of `distance` = x - START in a table with exponential index.
inline LutPlace lut_exponential(std::int64_t distance, int offset, int last, int fraction_bits) {
    if (distance <= 0) return {};
    int exponent = 0;
    while ((distance >> (exponent + 1)) != 0)
        ++exponent;
    if (exponent < offset) return {};
    if (exponent - offset >= last) return lut_over(last);
    const std::int64_t rest = distance - (std::int64_t{1} << exponent);
    const auto fraction =
        static_cast<std::uint64_t>(exponent > fraction_bits ? rest >> (exponent - fraction_bits)
                                                            : rest << (fraction_bits - exponent));
    return {LutState::kIn, exponent - offset, fraction};
}

/// What the statistics count; in CDP exactly one per element.
enum class LutEvent { kUnderflow, kOverflow, kHybrid, kLeHit, kLoHit };

/// Counters D_PERF_LUT_* of a layer, in the order of LutEvent.
using LutCounts = std::array<std::uint32_t, 5>;

/// The table whose result is taken.
struct LutChoice {
    bool lo = false;
    LutPlace place;
    LutEvent event = LutEvent::kHybrid;
};

inline LutChoice lut_choose(const Lut& lut, const LutPlace& le, const LutPlace& lo) {
    const auto take = [&](bool use_lo, LutEvent event) {
        return LutChoice{use_lo, use_lo ? lo : le, event};
    };
    const bool le_in = le.state == LutState::kIn;
    const bool lo_in = lo.state == LutState::kIn;
    if (le_in != lo_in) return take(lo_in, lo_in ? LutEvent::kLoHit : LutEvent::kLeHit);
    if (!le_in && le.state == lo.state) {
        return le.state == LutState::kUnder ? take(lut.uflow_lo, LutEvent::kUnderflow)
                                            : take(lut.oflow_lo, LutEvent::kOverflow);
    }
    return take(lut.hybrid_lo, LutEvent::kHybrid);
}

/// What the windows S_LUT_ACCESS_CFG / S_LUT_ACCESS_DATA of SDP and CDP have in common: which entry
/// is next. How it goes on differs.
class LutAccess {
public:
    void write_cfg(std::uint32_t value) {
        pointer_ = static_cast<int>(value & 0x3FFu);
        lo_ = (value >> 16 & 1u) != 0;
        writes_ = (value >> 17 & 1u) != 0;
    }

protected:
    int last() const { return (lo_ ? kLoEntries : kLeEntries) - 1; }
    /// Stores into the entry; nothing happens behind the table.
    void put(Lut& lut, std::uint32_t value) const {
        if (std::int16_t* to = entry(lut)) *to = static_cast<std::int16_t>(value);
    }
    /// The entry as 16 bits, 0 behind the table.
    std::uint32_t get(Lut& lut) const {
        const std::int16_t* from = entry(lut);
        return from == nullptr ? 0u : static_cast<std::uint16_t>(*from);
    }

    int pointer_ = 0;
    bool writes_ = false;

private:
    std::int16_t* entry(Lut& lut) const {
        if (pointer_ > last()) return nullptr;
        const auto i = static_cast<std::size_t>(pointer_);
        return lo_ ? &lut.lo_table[i] : &lut.le_table[i];
    }

    bool lo_ = false;
};

}  // namespace macrame::dla::model
