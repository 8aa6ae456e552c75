#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

text::Scope sdp_scope(const Config& config, const Derived& derived) {
    text::List operands;
    text::List absent;
    if (config.sdp_bs_enable) {
        operands.push_back(text::Scope{{"x", "b"}, {"stage", "X1 (BS)"}});
    } else {
        absent.push_back("bs");
    }
    if (config.sdp_bn_enable) {
        operands.push_back(text::Scope{{"x", "n"}, {"stage", "X2 (BN)"}});
    } else {
        absent.push_back("bn");
    }
    return {
        {"atom_lsb", clog2(derived.atom_bytes)},
        {"operands", operands},
        {"stages", text::List{"bs", "bn"}},
        {"absent_stages", absent},
        // X1 is an input register if the stage is absent.
        {"x1_stages", config.sdp_bs_enable ? 4 : 1},
        {"x2_stages", config.sdp_bn_enable ? 4 : 0},
    };
}

}  // namespace

const Unit& sdp_unit() {
    static const Unit unit{
        "sdp",
        "post-processes elements: bias, scale, activation, conversion to int8, write to memory",
        nullptr,
        {"dla_sdp.v", "dla_sdp_x.v", "dla_sdp_x_lane.v", "dla_sdp_c_lane.v", "dla_sdp_pack.v"},
        {"clkgate", "fifo_sync", "round_shift"},
        {{"sdp",
          {"D_DATA_CUBE_WIDTH.WIDTH", "D_DATA_CUBE_HEIGHT.HEIGHT", "D_DATA_CUBE_CHANNEL.CHANNEL",
           "D_DST_BASE_ADDR_LOW.DST_BASE_ADDR_LOW", "D_DST_BASE_ADDR_HIGH.DST_BASE_ADDR_HIGH",
           "D_DST_LINE_STRIDE.DST_LINE_STRIDE", "D_DST_SURFACE_STRIDE.DST_SURFACE_STRIDE",
           "D_DP_BS_CFG.BS_BYPASS", "D_DP_BS_CFG.BS_ALU_BYPASS", "D_DP_BS_CFG.BS_ALU_ALGO",
           "D_DP_BS_CFG.BS_MUL_BYPASS", "D_DP_BS_CFG.BS_MUL_PRELU", "D_DP_BS_CFG.BS_RELU_BYPASS",
           "D_DP_BS_ALU_CFG.BS_ALU_SRC", "D_DP_BS_ALU_CFG.BS_ALU_SHIFT_VALUE",
           "D_DP_BS_ALU_SRC_VALUE.BS_ALU_OPERAND", "D_DP_BS_MUL_CFG.BS_MUL_SRC",
           "D_DP_BS_MUL_CFG.BS_MUL_SHIFT_VALUE", "D_DP_BS_MUL_SRC_VALUE.BS_MUL_OPERAND",
           "D_DP_BN_CFG.BN_BYPASS", "D_DP_BN_CFG.BN_ALU_BYPASS", "D_DP_BN_CFG.BN_ALU_ALGO",
           "D_DP_BN_CFG.BN_MUL_BYPASS", "D_DP_BN_CFG.BN_MUL_PRELU", "D_DP_BN_CFG.BN_RELU_BYPASS",
           "D_DP_BN_ALU_CFG.BN_ALU_SRC", "D_DP_BN_ALU_CFG.BN_ALU_SHIFT_VALUE",
           "D_DP_BN_ALU_SRC_VALUE.BN_ALU_OPERAND", "D_DP_BN_MUL_CFG.BN_MUL_SRC",
           "D_DP_BN_MUL_CFG.BN_MUL_SHIFT_VALUE", "D_DP_BN_MUL_SRC_VALUE.BN_MUL_OPERAND",
           "D_FEATURE_MODE_CFG.FLYING_MODE", "D_FEATURE_MODE_CFG.OUTPUT_DST",
           "D_CVT_OFFSET.CVT_OFFSET", "D_CVT_SCALE.CVT_SCALE", "D_CVT_SHIFT.CVT_SHIFT",
           "D_PERF_ENABLE.PERF_DMA_EN", "D_PERF_ENABLE.PERF_SAT_EN"},
          {"D_STATUS.STATUS_UNEQUAL", "D_PERF_WDMA_WRITE_STALL.WDMA_STALL",
           "D_PERF_OUT_SATURATION.OUT_SATURATION"},
          {}}},
        sdp_scope,
    };
    return unit;
}

}  // namespace macrame::dla
