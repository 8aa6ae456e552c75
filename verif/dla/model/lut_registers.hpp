#pragma once
/// The table registers that SDP and CDP have in common.

#include <array>
#include <cstddef>
#include <cstdint>

#include "arithmetic.hpp"
#include "lut.hpp"
#include "register_file.hpp"

namespace macrame::dla::model {

/// Fields of a layer's table but where it begins and ends. SELECT has `select_bits` bits.
template <class Cfg, class Info, class LeScale, class LeShift, class LoScale, class LoShift>
void read_lut_registers(const RegisterFile& regs, int select_bits, Lut& lut) {
    const auto number = [](std::uint32_t field, int bits) {
        return static_cast<int>(wrap(field, bits));
    };
    const auto cfg = regs.get<Cfg>();
    lut.le_linear = cfg.LUT_LE_FUNCTION() != 0;
    lut.uflow_lo = cfg.LUT_UFLOW_PRIORITY() != 0;
    lut.oflow_lo = cfg.LUT_OFLOW_PRIORITY() != 0;
    lut.hybrid_lo = cfg.LUT_HYBRID_PRIORITY() != 0;
    const auto info = regs.get<Info>();
    lut.le_offset = number(info.LUT_LE_INDEX_OFFSET(), 8);
    lut.le.select = number(info.LUT_LE_INDEX_SELECT(), select_bits);
    lut.lo.select = number(info.LUT_LO_INDEX_SELECT(), select_bits);
    const auto le_scale = regs.get<LeScale>();
    const auto lo_scale = regs.get<LoScale>();
    lut.le.uflow_scale = signed16(le_scale.LUT_LE_SLOPE_UFLOW_SCALE());
    lut.le.oflow_scale = signed16(le_scale.LUT_LE_SLOPE_OFLOW_SCALE());
    lut.lo.uflow_scale = signed16(lo_scale.LUT_LO_SLOPE_UFLOW_SCALE());
    lut.lo.oflow_scale = signed16(lo_scale.LUT_LO_SLOPE_OFLOW_SCALE());
    const auto le_shift = regs.get<LeShift>();
    const auto lo_shift = regs.get<LoShift>();
    lut.le.uflow_shift = number(le_shift.LUT_LE_SLOPE_UFLOW_SHIFT(), 5);
    lut.le.oflow_shift = number(le_shift.LUT_LE_SLOPE_OFLOW_SHIFT(), 5);
    lut.lo.uflow_shift = number(lo_shift.LUT_LO_SLOPE_UFLOW_SHIFT(), 5);
    lut.lo.oflow_shift = number(lo_shift.LUT_LO_SLOPE_OFLOW_SHIFT(), 5);
}

/// Stores the counters of a layer's table; the registers are in the order of LutEvent.
template <class Uflow, class Oflow, class Hybrid, class LeHit, class LoHit>
void set_lut_counters(RegisterFile& regs, const LutCounts& counts) {
    constexpr std::array kCounters = {Uflow::kOffset, Oflow::kOffset, Hybrid::kOffset,
                                      LeHit::kOffset, LoHit::kOffset};
    for (std::size_t i = 0; i < counts.size(); ++i)
        regs.set_counter(kCounters[i], counts[i]);
}

}  // namespace macrame::dla::model
