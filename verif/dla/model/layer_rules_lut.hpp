#pragma once
/// Rules of a lookup table; SDP and CDP have one.

#include <algorithm>
#include <cstdint>

#include "arithmetic.hpp"
#include "layer_rules.hpp"

namespace macrame::dla::model::rules {

/// Registers of a lookup table.
struct Table {
    bool exponent = false;
    int le_offset = 0, le_select = 0, lo_select = 0;
    std::int64_t le_start = 0, le_end = 0, lo_start = 0, lo_end = 0;
};

/// Largest values of a type; `end_bits`: of the registers LE_END and LO_END; 0: they hold fp32.
struct TableLimits {
    int le_select, lo_select, le_offset, end_bits;
    int least_select = -6, least_lo_select = -8, least_offset = -64;
};
inline constexpr TableLimits kFloatTable = {121, 119, 127, 0, -128, -128, -126};

/// The end is 2^power behind the start, or the largest value.
inline bool ends(std::int64_t start, int power, std::int64_t end, TableLimits most) {
    if (most.end_bits == 0) return true;
    const std::int64_t largest = (std::int64_t{1} << (most.end_bits - 1)) - 1;
    if (power < 0) return true;
    return end == (power >= most.end_bits ? largest
                                          : std::min(start + (std::int64_t{1} << power), largest));
}

/// `used` tells whether a layer looks into its table, `table` gives the registers.
template <class Info, class LeEnd, class LoEnd>
void add_table(Rules& out, const Applies& used, Table (*table)(L), TableLimits (*limits)(L)) {
    add<Info>(out, "lut-le-select", "NVDLA limits", [=](S, L l) {
        const Table t = table(l);
        const TableLimits most = limits(l);
        return want(!used(l) || t.exponent ||
                        (t.le_select >= most.least_select && t.le_select <= most.le_select),
                    "LE_INDEX_SELECT in ", most.least_select, "..", most.le_select);
    });
    add<Info>(out, "lut-lo-select", "NVDLA limits", [=](S, L l) {
        const Table t = table(l);
        const TableLimits most = limits(l);
        return want(
            !used(l) || (t.lo_select >= most.least_lo_select && t.lo_select <= most.lo_select),
            "LO_INDEX_SELECT in ", most.least_lo_select, "..", most.lo_select);
    });
    add<Info>(out, "lut-le-offset", "NVDLA limits", [=](S, L l) {
        const Table t = table(l);
        const TableLimits most = limits(l);
        return want(!used(l) || !t.exponent ||
                        (t.le_offset >= most.least_offset && t.le_offset <= most.le_offset),
                    "LE_INDEX_OFFSET in ", most.least_offset, "..", most.le_offset);
    });
    // The end of a table is only the base of its overflow slope: programs that leave it
    // at another value work.
    warn<LeEnd>(out, "lut-le-end", "NVDLA limits", [=](S, L l) {
        const Table t = table(l);
        const int power = t.exponent ? t.le_offset + 64 : t.le_select + 6;
        return want(!used(l) || ends(t.le_start, power, t.le_end, limits(l)), "LE_START + 2^",
                    t.exponent ? "(LE_INDEX_OFFSET+64)" : "(LE_INDEX_SELECT+6)", ", 2^", power,
                    " behind ", t.le_start);
    });
    warn<LoEnd>(out, "lut-lo-end", "NVDLA limits", [=](S, L l) {
        const Table t = table(l);
        const int power = t.lo_select + 8;
        return want(!used(l) || ends(t.lo_start, power, t.lo_end, limits(l)),
                    "LO_START + 2^(LO_INDEX_SELECT+8), 2^", power, " behind ", t.lo_start);
    });
}

}  // namespace macrame::dla::model::rules
