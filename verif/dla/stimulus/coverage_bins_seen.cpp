/// Parameters that units behind them can hide: sight.hpp. README.md says by what.

#include "coverage_bins.hpp"
#include "sight.hpp"

namespace macrame::dla::stimulus {

namespace {

namespace regs = dla_regs;
using Sizes = SeenParameter::Sizes;
using Now = SeenParameter::Now;

// ---- other values

std::uint32_t last_bit(std::uint32_t v) { return v ^ 1u; }
/// A step more or, of those that take all bits away, as if only the low five bits counted.
std::uint32_t shift_right(std::uint32_t v) { return v < 32 ? v + 1 : v & 31u; }
/// As if 32 and more were 16 and more.
std::uint32_t shift_left(std::uint32_t v) { return v < 32 ? v + 1 : (v & 15u) | 16u; }
/// Of the same size on the other side.
std::uint32_t inverse(std::uint32_t v) { return ~v; }
/// 0, 1 or 2; 3 acts as 2.
std::uint32_t other_of_three(std::uint32_t v) { return v < 2 ? v + 1 : 0; }

const std::vector<int> kShifts = {0, 1, 8, 16, 32};
const std::vector<int> kAny = {};

// ---- where they exist

bool always(Sizes) { return true; }
bool integers(Sizes sizes) { return sizes.int8 || sizes.int16; }
bool has_bs(Sizes sizes) { return sizes.sdp_bs && integers(sizes); }
bool has_bn(Sizes sizes) { return sizes.sdp_bn && integers(sizes); }
bool has_ew(Sizes sizes) { return sizes.sdp_ew && integers(sizes); }
bool has_sdp_lut(Sizes sizes) { return sizes.sdp_lut && integers(sizes); }
bool has_pdp(Sizes sizes) { return sizes.pdp && integers(sizes); }
bool has_cdp(Sizes sizes) { return sizes.cdp && integers(sizes); }

// ---- layers that use them

bool is_float(std::uint32_t type) { return type == 2; }

bool converts(Sizes, Now now) {
    namespace r = regs::cdma;
    return now.get<r::D_CVT_CFG>().CVT_EN() != 0 &&
           !is_float(now.get<r::D_MISC_CFG>().PROC_PRECISION());
}
bool subtracts_mean(Sizes sizes, Now now) {
    namespace r = regs::cdma;
    return sizes.image && converts(sizes, now) &&
           now.get<r::D_DATAIN_FORMAT>().DATAIN_FORMAT() != 0 &&
           now.get<r::D_MEAN_FORMAT>().MEAN_FORMAT() != 0;
}
bool offset_alone(Sizes sizes, Now now) {
    return converts(sizes, now) && !subtracts_mean(sizes, now);
}
bool pads_pixels(Sizes, Now now) {
    namespace r = regs::cdma;
    return now.get<r::D_DATAIN_FORMAT>().DATAIN_FORMAT() != 0 &&
           now.get<r::D_ZERO_PADDING>().raw != 0;
}
bool pads_features(Sizes, Now now) {
    namespace r = regs::csc;
    return now.get<r::D_DATAIN_FORMAT>().DATAIN_FORMAT() == 0 &&
           now.get<r::D_ZERO_PADDING>().raw != 0;
}
bool is_winograd(Sizes, Now now) {
    namespace r = regs::csc;
    return now.get<r::D_MISC_CFG>().CONV_MODE() != 0 &&
           !is_float(now.get<r::D_MISC_CFG>().PROC_PRECISION());
}

bool in_integers(Now now) {
    return !is_float(now.get<regs::sdp::D_DATA_FORMAT>().PROC_PRECISION());
}
/// An X stage; CFG as in BS.
bool x_alu(Now now, std::uint32_t cfg) { return in_integers(now) && (now.word(cfg) & 3u) == 0; }
bool x_mul(Now now, std::uint32_t cfg) { return in_integers(now) && (now.word(cfg) & 0x11u) == 0; }
bool bs_alu(Sizes, Now now) { return x_alu(now, regs::sdp::D_DP_BS_CFG::kAddress); }
bool bn_alu(Sizes, Now now) { return x_alu(now, regs::sdp::D_DP_BN_CFG::kAddress); }
bool bs_mul(Sizes, Now now) { return x_mul(now, regs::sdp::D_DP_BS_CFG::kAddress); }
bool bn_mul(Sizes, Now now) { return x_mul(now, regs::sdp::D_DP_BN_CFG::kAddress); }
bool bs_alu_value(Sizes sizes, Now now) {
    return bs_alu(sizes, now) && now.get<regs::sdp::D_DP_BS_ALU_CFG>().BS_ALU_SRC() == 0;
}
bool bn_alu_value(Sizes sizes, Now now) {
    return bn_alu(sizes, now) && now.get<regs::sdp::D_DP_BN_ALU_CFG>().BN_ALU_SRC() == 0;
}
bool bs_mul_value(Sizes sizes, Now now) {
    return bs_mul(sizes, now) && now.get<regs::sdp::D_DP_BS_MUL_CFG>().BS_MUL_SRC() == 0;
}
bool bn_mul_value(Sizes sizes, Now now) {
    return bn_mul(sizes, now) && now.get<regs::sdp::D_DP_BN_MUL_CFG>().BN_MUL_SRC() == 0;
}
bool ew_alu(Sizes, Now now) { return x_alu(now, regs::sdp::D_DP_EW_CFG::kAddress); }
bool ew_mul(Sizes, Now now) { return x_mul(now, regs::sdp::D_DP_EW_CFG::kAddress); }
bool ew_alu_value(Sizes sizes, Now now) {
    return ew_alu(sizes, now) && now.get<regs::sdp::D_DP_EW_ALU_CFG>().EW_ALU_SRC() == 0;
}
bool ew_mul_value(Sizes sizes, Now now) {
    return ew_mul(sizes, now) && now.get<regs::sdp::D_DP_EW_MUL_CFG>().EW_MUL_SRC() == 0;
}
bool ew_alu_cvt(Sizes sizes, Now now) {
    const auto cfg = now.get<regs::sdp::D_DP_EW_ALU_CFG>();
    return ew_alu(sizes, now) && cfg.EW_ALU_SRC() != 0 && cfg.EW_ALU_CVT_BYPASS() == 0;
}
bool ew_mul_cvt(Sizes sizes, Now now) {
    const auto cfg = now.get<regs::sdp::D_DP_EW_MUL_CFG>();
    return ew_mul(sizes, now) && cfg.EW_MUL_SRC() != 0 && cfg.EW_MUL_CVT_BYPASS() == 0;
}
bool sdp_table(Sizes, Now now) {
    return in_integers(now) && (now.get<regs::sdp::D_DP_EW_CFG>().raw & 0x41u) == 0;
}
bool sdp_any(Sizes, Now now) { return in_integers(now); }

bool pools(Now now, std::uint32_t method) {
    namespace r = regs::pdp;
    return now.get<r::D_OPERATION_MODE_CFG>().POOLING_METHOD() == method &&
           !is_float(now.get<r::D_DATA_FORMAT>().INPUT_DATA());
}
bool averages(Sizes, Now now) { return pools(now, 0); }
bool averages_padded(Sizes, Now now) {
    return pools(now, 0) && now.get<regs::pdp::D_POOLING_PADDING_CFG>().raw != 0;
}

bool cdp_integers(Sizes, Now now) {
    return !is_float(now.get<regs::cdp::D_DATA_FORMAT>().INPUT_DATA_TYPE());
}

bool has_image(Sizes sizes) { return sizes.image && integers(sizes); }
bool has_winograd(Sizes sizes) { return sizes.winograd && integers(sizes); }

namespace cdma = regs::cdma;
namespace csc = regs::csc;
namespace sdp = regs::sdp;
namespace pdp = regs::pdp;
namespace cdp = regs::cdp;

const std::vector<SeenParameter> kParameters = {
    {"CDMA", "convertor offset", cdma::D_CVT_OFFSET::kAddress, 0, 16, kAny, integers, offset_alone,
     last_bit},
    {"CDMA", "convertor scale", cdma::D_CVT_SCALE::kAddress, 0, 16, kAny, integers, converts,
     last_bit},
    {"CDMA",
     "convertor shift",
     cdma::D_CVT_CFG::kAddress,
     4,
     6,
     {0, 1, 8, 16, 24, 32},
     integers,
     converts,
     shift_right},
    {"CDMA", "pixel mean", cdma::D_MEAN_GLOBAL_0::kAddress, 0, 16, kAny, has_image, subtracts_mean,
     last_bit},
    {"CDMA", "pad value of pixels", cdma::D_ZERO_PADDING_VALUE::kAddress, 0, 16, kAny, has_image,
     pads_pixels, last_bit},
    {"CSC", "pad value", csc::D_ZERO_PADDING_VALUE::kAddress, 0, 16, kAny, always, pads_features,
     last_bit},
    {"CSC",
     "Winograd truncate",
     csc::D_PRA_CFG::kAddress,
     0,
     2,
     {0, 1, 2},
     has_winograd,
     is_winograd,
     other_of_three},

    {"SDP",
     "BS ALU shift",
     sdp::D_DP_BS_ALU_CFG::kAddress,
     8,
     6,
     {0, 1, 8, 16, 32, 48},
     has_bs,
     bs_alu,
     shift_left},
    {"SDP", "BS ALU operand", sdp::D_DP_BS_ALU_SRC_VALUE::kAddress, 0, 16, kAny, has_bs,
     bs_alu_value, last_bit},
    {"SDP", "BS multiplier operand", sdp::D_DP_BS_MUL_SRC_VALUE::kAddress, 0, 16, kAny, has_bs,
     bs_mul_value, last_bit},
    {"SDP", "BS multiplier shift", sdp::D_DP_BS_MUL_CFG::kAddress, 8, 6, kShifts, has_bs, bs_mul,
     shift_right},
    {"SDP",
     "BN ALU shift",
     sdp::D_DP_BN_ALU_CFG::kAddress,
     8,
     6,
     {0, 1, 8, 16, 32, 48},
     has_bn,
     bn_alu,
     shift_left},
    {"SDP", "BN ALU operand", sdp::D_DP_BN_ALU_SRC_VALUE::kAddress, 0, 16, kAny, has_bn,
     bn_alu_value, last_bit},
    {"SDP", "BN multiplier operand", sdp::D_DP_BN_MUL_SRC_VALUE::kAddress, 0, 16, kAny, has_bn,
     bn_mul_value, last_bit},
    {"SDP", "BN multiplier shift", sdp::D_DP_BN_MUL_CFG::kAddress, 8, 6, kShifts, has_bn, bn_mul,
     shift_right},

    {"SDP", "EW ALU operand", sdp::D_DP_EW_ALU_SRC_VALUE::kAddress, 0, 32, kAny, has_ew,
     ew_alu_value, last_bit},
    {"SDP", "EW ALU convertor offset", sdp::D_DP_EW_ALU_CVT_OFFSET_VALUE::kAddress, 0, 32, kAny,
     has_ew, ew_alu_cvt, last_bit},
    {"SDP", "EW ALU convertor scale", sdp::D_DP_EW_ALU_CVT_SCALE_VALUE::kAddress, 0, 16, kAny,
     has_ew, ew_alu_cvt, last_bit},
    {"SDP", "EW ALU convertor shift", sdp::D_DP_EW_ALU_CVT_TRUNCATE_VALUE::kAddress, 0, 6, kShifts,
     has_ew, ew_alu_cvt, shift_right},
    {"SDP", "EW multiplier operand", sdp::D_DP_EW_MUL_SRC_VALUE::kAddress, 0, 32, kAny, has_ew,
     ew_mul_value, last_bit},
    {"SDP", "EW multiplier convertor offset", sdp::D_DP_EW_MUL_CVT_OFFSET_VALUE::kAddress, 0, 32,
     kAny, has_ew, ew_mul_cvt, last_bit},
    {"SDP", "EW multiplier convertor scale", sdp::D_DP_EW_MUL_CVT_SCALE_VALUE::kAddress, 0, 16,
     kAny, has_ew, ew_mul_cvt, last_bit},
    {"SDP", "EW multiplier convertor shift", sdp::D_DP_EW_MUL_CVT_TRUNCATE_VALUE::kAddress, 0, 6,
     kShifts, has_ew, ew_mul_cvt, shift_right},
    {"SDP",
     "EW truncate",
     sdp::D_DP_EW_TRUNCATE_VALUE::kAddress,
     0,
     10,
     {0, 1, 8, 16, 32, 64},
     has_ew,
     ew_mul,
     shift_right},
    {"SDP", "table LE start", sdp::S_LUT_LE_START::kAddress, 0, 32, kAny, has_sdp_lut, sdp_table,
     inverse},
    {"SDP", "table LE end", sdp::S_LUT_LE_END::kAddress, 0, 32, kAny, has_sdp_lut, sdp_table,
     inverse},
    {"SDP", "table LO start", sdp::S_LUT_LO_START::kAddress, 0, 32, kAny, has_sdp_lut, sdp_table,
     inverse},
    {"SDP", "table LO end", sdp::S_LUT_LO_END::kAddress, 0, 32, kAny, has_sdp_lut, sdp_table,
     inverse},
    {"SDP", "slope below LE", sdp::S_LUT_LE_SLOPE_SCALE::kAddress, 0, 16, kAny, has_sdp_lut,
     sdp_table, last_bit},
    {"SDP", "slope above LE", sdp::S_LUT_LE_SLOPE_SCALE::kAddress, 16, 16, kAny, has_sdp_lut,
     sdp_table, last_bit},
    {"SDP", "slope below LO", sdp::S_LUT_LO_SLOPE_SCALE::kAddress, 0, 16, kAny, has_sdp_lut,
     sdp_table, last_bit},
    {"SDP", "slope above LO", sdp::S_LUT_LO_SLOPE_SCALE::kAddress, 16, 16, kAny, has_sdp_lut,
     sdp_table, last_bit},
    {"SDP", "slope shift below LE", sdp::S_LUT_LE_SLOPE_SHIFT::kAddress, 0, 5, kAny, has_sdp_lut,
     sdp_table, last_bit},
    {"SDP", "slope shift above LE", sdp::S_LUT_LE_SLOPE_SHIFT::kAddress, 5, 5, kAny, has_sdp_lut,
     sdp_table, last_bit},
    {"SDP", "slope shift below LO", sdp::S_LUT_LO_SLOPE_SHIFT::kAddress, 0, 5, kAny, has_sdp_lut,
     sdp_table, last_bit},
    {"SDP", "slope shift above LO", sdp::S_LUT_LO_SLOPE_SHIFT::kAddress, 5, 5, kAny, has_sdp_lut,
     sdp_table, last_bit},

    {"SDP", "output convertor offset", sdp::D_CVT_OFFSET::kAddress, 0, 32, kAny, integers, sdp_any,
     last_bit},
    {"SDP", "output convertor scale", sdp::D_CVT_SCALE::kAddress, 0, 16, kAny, integers, sdp_any,
     last_bit},
    {"SDP", "output convertor shift", sdp::D_CVT_SHIFT::kAddress, 0, 6, kShifts, integers, sdp_any,
     shift_right},

    {"PDP", "1 / width", pdp::D_RECIP_KERNEL_WIDTH::kAddress, 0, 17, kAny, has_pdp, averages,
     last_bit},
    {"PDP", "1 / height", pdp::D_RECIP_KERNEL_HEIGHT::kAddress, 0, 17, kAny, has_pdp, averages,
     last_bit},
    {"PDP", "pad value times 1", pdp::D_POOLING_PADDING_VALUE_1_CFG::kAddress, 0, 19, kAny, has_pdp,
     averages_padded, last_bit},
    {"PDP", "pad value times 2", pdp::D_POOLING_PADDING_VALUE_2_CFG::kAddress, 0, 19, kAny, has_pdp,
     averages_padded, last_bit},
    {"PDP", "pad value times 4", pdp::D_POOLING_PADDING_VALUE_4_CFG::kAddress, 0, 19, kAny, has_pdp,
     averages_padded, last_bit},
    {"PDP", "pad value times 7", pdp::D_POOLING_PADDING_VALUE_7_CFG::kAddress, 0, 19, kAny, has_pdp,
     averages_padded, last_bit},

    {"CDP", "input convertor offset", cdp::D_DATIN_OFFSET::kAddress, 0, 16, kAny, has_cdp,
     cdp_integers, last_bit},
    {"CDP", "input convertor scale", cdp::D_DATIN_SCALE::kAddress, 0, 16, kAny, has_cdp,
     cdp_integers, last_bit},
    {"CDP",
     "input convertor shift",
     cdp::D_DATIN_SHIFTER::kAddress,
     0,
     5,
     {0, 1, 8, 16},
     has_cdp,
     cdp_integers,
     last_bit},
    {"CDP", "output convertor offset", cdp::D_DATOUT_OFFSET::kAddress, 0, 25, kAny, has_cdp,
     cdp_integers, last_bit},
    {"CDP", "output convertor scale", cdp::D_DATOUT_SCALE::kAddress, 0, 16, kAny, has_cdp,
     cdp_integers, last_bit},
    {"CDP", "output convertor shift", cdp::D_DATOUT_SHIFTER::kAddress, 0, 6, kShifts, has_cdp,
     cdp_integers, shift_right},
    {"CDP", "table LE start", cdp::S_LUT_LE_START_LOW::kAddress, 0, 32, kAny, has_cdp, cdp_integers,
     inverse},
    {"CDP", "table LE end", cdp::S_LUT_LE_END_LOW::kAddress, 0, 32, kAny, has_cdp, cdp_integers,
     inverse},
    {"CDP", "table LO start", cdp::S_LUT_LO_START_LOW::kAddress, 0, 32, kAny, has_cdp, cdp_integers,
     inverse},
    {"CDP", "table LO end", cdp::S_LUT_LO_END_LOW::kAddress, 0, 32, kAny, has_cdp, cdp_integers,
     inverse},
    {"CDP", "slope below LE", cdp::S_LUT_LE_SLOPE_SCALE::kAddress, 0, 16, kAny, has_cdp,
     cdp_integers, last_bit},
    {"CDP", "slope above LE", cdp::S_LUT_LE_SLOPE_SCALE::kAddress, 16, 16, kAny, has_cdp,
     cdp_integers, last_bit},
    {"CDP", "slope below LO", cdp::S_LUT_LO_SLOPE_SCALE::kAddress, 0, 16, kAny, has_cdp,
     cdp_integers, last_bit},
    {"CDP", "slope above LO", cdp::S_LUT_LO_SLOPE_SCALE::kAddress, 16, 16, kAny, has_cdp,
     cdp_integers, last_bit},
    {"CDP", "slope shift below LE", cdp::S_LUT_LE_SLOPE_SHIFT::kAddress, 0, 5, kAny, has_cdp,
     cdp_integers, last_bit},
    {"CDP", "slope shift above LE", cdp::S_LUT_LE_SLOPE_SHIFT::kAddress, 5, 5, kAny, has_cdp,
     cdp_integers, last_bit},
    {"CDP", "slope shift below LO", cdp::S_LUT_LO_SLOPE_SHIFT::kAddress, 0, 5, kAny, has_cdp,
     cdp_integers, last_bit},
    {"CDP", "slope shift above LO", cdp::S_LUT_LO_SLOPE_SHIFT::kAddress, 5, 5, kAny, has_cdp,
     cdp_integers, last_bit},
};

}  // namespace

const std::vector<SeenParameter>& seen_parameters() { return kParameters; }

}  // namespace macrame::dla::stimulus
