#pragma once
/// Writes the tables of SDP or CDP.

#include <cstdint>

#include "tb/dla/unit/unit_bench.hpp"
#include "verif/dla/model/lut.hpp"

namespace macrame::tb {

/// Width of the registers that say where the ranges of the tables begin and end.
enum class RangeWidth { k32, k38 };

/// The register files of SDP and CDP have the same registers for their tables, but CDP has two for
/// each end of a range.
inline void load_lut(UnitBench& bench, const dla::model::Lut& lut, RangeWidth width) {
    using Range = dla::model::Lut::Range;
    const auto u32 = [](auto v) { return static_cast<std::uint32_t>(v); };
    bench.write(0x08, 0x20000);
    for (const std::int16_t entry : lut.le_table)
        bench.write(0x0c, u32(entry));
    bench.write(0x08, 0x30000);
    for (const std::int16_t entry : lut.lo_table)
        bench.write(0x0c, u32(entry));
    bench.write(0x10, u32(lut.le_linear) | u32(lut.uflow_lo) << 4 | u32(lut.oflow_lo) << 5 |
                          u32(lut.hybrid_lo) << 6);
    bench.write(0x14, (u32(lut.le_offset) & 0xff) | (u32(lut.le.select) & 0xff) << 8 |
                          (u32(lut.lo.select) & 0xff) << 16);
    int at = 0x18;
    const auto put = [&](std::uint32_t value) {
        bench.write(at, value);
        at += 4;
    };
    for (const Range* r : {&lut.le, &lut.lo}) {
        for (const std::int64_t place : {r->start, r->end}) {
            put(u32(place));
            if (width == RangeWidth::k38) put(u32(place >> 32) & 0x3f);
        }
    }
    for (const Range* r : {&lut.le, &lut.lo}) {
        put((u32(r->uflow_scale) & 0xffff) | u32(r->oflow_scale) << 16);
        put((u32(r->uflow_shift) & 0x1f) | (u32(r->oflow_shift) & 0x1f) << 5);
    }
}

}  // namespace macrame::tb
