#pragma once
/// Golden model of the stages of SDP in fp16: elements are fp32, operands and tables fp16, the
/// arithmetic of tables fp17.

#include "sdp_ew.hpp"

namespace macrame::dla::model {

/// An operand or element of memory as fp32; NaN becomes 0 if `flush`.
inline std::uint32_t sdp_fp_of_memory(std::uint32_t fp16, bool flush) {
    return widen<Fp16, Fp32>(flush && Fp16::is_nan(fp16) ? 0 : fp16);
}

/// ALU of a stage.
inline std::uint32_t sdp_fp_alu(int algo, std::uint32_t v, std::uint32_t o) {
    switch (algo) {
        case kMax:
            return Fp32::max(v, o);
        case kMin:
            return Fp32::min(v, o);
        case kSum:
            return Fp32::add(v, o);
        default:
            return v == o ? 0 : 1;
    }
}

/// X1 or X2 for one element. `flush`: NAN_TO_ZERO.
template <class Stage>
std::uint32_t sdp_fp_x_stage(const Stage& x, bool flush, std::uint32_t in, SdpOperand memory) {
    if (x.bypass) return in;
    const auto operand = [&](bool from_memory, std::int16_t fetched, std::int16_t register_value) {
        return sdp_fp_of_memory(pattern16(from_memory ? fetched : register_value), flush);
    };
    std::uint32_t v = in;
    if (!x.alu_bypass) {
        v = sdp_fp_alu(x.alu_algo, v, operand(x.alu_from_memory, memory.alu, x.alu_operand));
    }
    if (!x.mul_bypass && !(x.mul_prelu && !Fp32::negative(v))) {
        v = Fp32::mul(v, operand(x.mul_from_memory, memory.mul, x.mul_operand));
    }
    return x.relu_bypass ? v : Fp32::relu(v);
}

/// EW for one element, without the table. Convertors and TRUNCATE have no effect.
inline std::uint32_t sdp_fp_ew_arithmetic(const SdpEw& ew, bool flush, std::uint32_t in,
                                          SdpOperand memory) {
    if (ew.bypass) return in;
    const auto operand = [&](bool from_memory, std::int16_t fetched, std::int32_t register_value) {
        return from_memory ? sdp_fp_of_memory(pattern16(fetched), flush) : pattern(register_value);
    };
    std::uint32_t v = in;
    if (!ew.mul_bypass && !(ew.mul_prelu && !Fp32::negative(v))) {
        v = Fp32::mul(v, operand(ew.mul_from_memory, memory.mul, ew.mul_operand));
    }
    if (ew.alu_bypass) return v;
    return sdp_fp_alu(ew.alu_algo, v, operand(ew.alu_from_memory, memory.alu, ew.alu_operand));
}

/// Place of x in a table that begins at `start`, with 35 bits of fraction. `linear`: entries are
/// 2^shift apart, else entry 0 is at distance 2^shift.
inline LutPlace sdp_fp_place(std::uint32_t x, std::uint32_t start, bool linear, int shift,
                             int last) {
    const std::uint32_t distance = Fp32::sub(x, start);
    if (Fp32::negative(distance) || Fp32::is_zero(distance) || Fp32::is_nan(distance)) return {};
    const auto exponent = static_cast<std::int8_t>(Fp32::exponent(distance) - Fp32::kBias);
    const int index = exponent - shift;
    if (!linear) {
        if (index < 0) return {};
        if (index >= last) return lut_over(last);
        return {LutState::kIn, index, std::uint64_t{Fp32::mantissa(distance)} << 12};
    }
    if (index >= 8) return lut_over(last);
    // The significand in units of 2^-35; it reaches 9 bits above the point at most.
    const std::uint64_t one = Fp32::significand(distance) << 12;
    const std::uint64_t fixed = index >= 0 ? one << index : index < -63 ? 0 : one >> -index;
    const std::uint64_t whole = fixed >> 35;
    if (whole >= static_cast<std::uint64_t>(last)) return lut_over(last);
    return {LutState::kIn, static_cast<int>(whole), fixed & ((std::uint64_t{1} << 35) - 1)};
}

/// Where the slope below or above a table begins.
inline std::uint32_t sdp_fp_slope_base(const Lut& lut, const LutChoice& choice) {
    const Lut::Range& range = choice.lo ? lut.lo : lut.le;
    const bool under = choice.place.state == LutState::kUnder;
    const auto base = static_cast<std::uint32_t>(under ? range.start : range.end);
    if (!under || choice.lo || lut.le_linear) return base;
    const int exponent = lut.le_offset + Fp32::kBias;
    return Fp32::add(base, exponent > 0 ? Fp32::make(false, exponent, 0) : 0);
}

/// The table for one element.
inline SdpLutOut sdp_fp_lut(const Lut& lut, std::uint32_t x) {
    const auto range_word = [](std::int64_t v) { return static_cast<std::uint32_t>(v); };
    const LutPlace le = sdp_fp_place(x, range_word(lut.le.start), lut.le_linear,
                                     lut.le_linear ? lut.le.select : lut.le_offset, kLeEntries - 1);
    const LutPlace lo =
        sdp_fp_place(x, range_word(lut.lo.start), true, lut.lo.select, kLoEntries - 1);
    const LutChoice choice = lut_choose(lut, le, lo);
    const Lut::Range& range = choice.lo ? lut.lo : lut.le;
    const auto entry = [&](int i) {
        const auto z = static_cast<std::size_t>(i);
        return widen<Fp16, Fp17>(pattern16(choice.lo ? lut.lo_table[z] : lut.le_table[z]));
    };
    SdpLutOut out;
    out.state = choice.place.state;
    out.le_hit = le.state == LutState::kIn;
    out.lo_hit = lo.state == LutState::kIn;
    const std::uint32_t y = entry(choice.place.index);
    std::uint32_t value = 0;
    if (out.state == LutState::kIn) {
        const std::uint64_t fraction = choice.place.fraction;
        const std::uint32_t below = Fp17::from_fraction((std::uint64_t{1} << 35) - fraction, 35);
        const std::uint32_t above = Fp17::from_fraction(fraction, 35);
        value = Fp17::add(Fp17::mul(below, y), Fp17::mul(above, entry(choice.place.index + 1)));
    } else {
        const std::int16_t scale =
            out.state == LutState::kUnder ? range.uflow_scale : range.oflow_scale;
        const std::uint32_t distance =
            narrow<Fp32, Fp17>(Fp32::sub(x, sdp_fp_slope_base(lut, choice)));
        value = Fp17::add(y, Fp17::mul(distance, widen<Fp16, Fp17>(pattern16(scale))));
    }
    out.value = word(widen<Fp17, Fp32>(value));
    return out;
}

}  // namespace macrame::dla::model
