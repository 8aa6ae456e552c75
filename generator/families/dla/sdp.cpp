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
    if (config.sdp_ew_enable) operands.push_back(text::Scope{{"x", "e"}, {"stage", "Y (EW)"}});
    const int ew_stages = config.sdp_lut_enable ? 15 : 6;
    return {
        {"atom_lsb", clog2(derived.atom_bytes)},
        {"operands", operands},
        {"stages", text::List{"bs", "bn"}},
        {"absent_stages", absent},
        // X1 is an input register if the stage is absent.
        {"x1_stages", config.sdp_bs_enable ? 4 : 1},
        {"x2_stages", config.sdp_bn_enable ? 4 : 0},
        {"ew_doc", config.sdp_ew_enable ? " Y (EW)," : ""},
        {"ew_stages", ew_stages},
        // Parts that a word has for EW.
        {"ew_beats", config.sdp_ew_enable ? derived.sdp_lanes / config.sdp_ew_throughput : 1},
        {"tables", text::List{"le", "lo"}},
    };
}

}  // namespace

const Unit& sdp_unit() {
    static const Unit unit{
        "sdp",
        "post-processes elements: bias, scale, activation, conversion to int8, write to memory",
        nullptr,
        {"dla_sdp.v", "dla_sdp_c_lane.v", "dla_sdp_pack.v"},
        {"clkgate", "fifo_sync", "round_shift", "sram_1r1w"},
        {{"sdp",
          {"D_DATA_CUBE_WIDTH.WIDTH",
           "D_DATA_CUBE_HEIGHT.HEIGHT",
           "D_DATA_CUBE_CHANNEL.CHANNEL",
           "D_DST_BASE_ADDR_LOW.DST_BASE_ADDR_LOW",
           "D_DST_BASE_ADDR_HIGH.DST_BASE_ADDR_HIGH",
           "D_DST_LINE_STRIDE.DST_LINE_STRIDE",
           "D_DST_SURFACE_STRIDE.DST_SURFACE_STRIDE",
           "D_DP_BS_CFG.BS_BYPASS",
           "D_DP_BS_CFG.BS_ALU_BYPASS",
           "D_DP_BS_CFG.BS_ALU_ALGO",
           "D_DP_BS_CFG.BS_MUL_BYPASS",
           "D_DP_BS_CFG.BS_MUL_PRELU",
           "D_DP_BS_CFG.BS_RELU_BYPASS",
           "D_DP_BS_ALU_CFG.BS_ALU_SRC",
           "D_DP_BS_ALU_CFG.BS_ALU_SHIFT_VALUE",
           "D_DP_BS_ALU_SRC_VALUE.BS_ALU_OPERAND",
           "D_DP_BS_MUL_CFG.BS_MUL_SRC",
           "D_DP_BS_MUL_CFG.BS_MUL_SHIFT_VALUE",
           "D_DP_BS_MUL_SRC_VALUE.BS_MUL_OPERAND",
           "D_DP_BN_CFG.BN_BYPASS",
           "D_DP_BN_CFG.BN_ALU_BYPASS",
           "D_DP_BN_CFG.BN_ALU_ALGO",
           "D_DP_BN_CFG.BN_MUL_BYPASS",
           "D_DP_BN_CFG.BN_MUL_PRELU",
           "D_DP_BN_CFG.BN_RELU_BYPASS",
           "D_DP_BN_ALU_CFG.BN_ALU_SRC",
           "D_DP_BN_ALU_CFG.BN_ALU_SHIFT_VALUE",
           "D_DP_BN_ALU_SRC_VALUE.BN_ALU_OPERAND",
           "D_DP_BN_MUL_CFG.BN_MUL_SRC",
           "D_DP_BN_MUL_CFG.BN_MUL_SHIFT_VALUE",
           "D_DP_BN_MUL_SRC_VALUE.BN_MUL_OPERAND",
           "D_FEATURE_MODE_CFG.FLYING_MODE",
           "D_FEATURE_MODE_CFG.OUTPUT_DST",
           "D_CVT_OFFSET.CVT_OFFSET",
           "D_CVT_SCALE.CVT_SCALE",
           "D_CVT_SHIFT.CVT_SHIFT",
           "D_PERF_ENABLE.PERF_DMA_EN",
           "D_PERF_ENABLE.PERF_SAT_EN"},
          {"D_STATUS.STATUS_UNEQUAL", "D_PERF_WDMA_WRITE_STALL.WDMA_STALL",
           "D_PERF_OUT_SATURATION.OUT_SATURATION"},
          {}}},
        sdp_scope,
        {{[](const Config& c) { return c.sdp_bs_enable || c.sdp_bn_enable; },
          {"dla_sdp_x.v", "dla_sdp_x_lane.v"}},
         {[](const Config& c) { return c.sdp_ew_enable; },
          {"dla_sdp_ew.v", "dla_sdp_ew_lane.v"},
          {"D_DP_EW_CFG.EW_BYPASS", "D_DP_EW_CFG.EW_ALU_BYPASS", "D_DP_EW_CFG.EW_ALU_ALGO",
           "D_DP_EW_CFG.EW_MUL_BYPASS", "D_DP_EW_CFG.EW_MUL_PRELU", "D_DP_EW_ALU_CFG.EW_ALU_SRC",
           "D_DP_EW_ALU_CFG.EW_ALU_CVT_BYPASS", "D_DP_EW_ALU_SRC_VALUE.EW_ALU_OPERAND",
           "D_DP_EW_ALU_CVT_OFFSET_VALUE.EW_ALU_CVT_OFFSET",
           "D_DP_EW_ALU_CVT_SCALE_VALUE.EW_ALU_CVT_SCALE",
           "D_DP_EW_ALU_CVT_TRUNCATE_VALUE.EW_ALU_CVT_TRUNCATE", "D_DP_EW_MUL_CFG.EW_MUL_SRC",
           "D_DP_EW_MUL_CFG.EW_MUL_CVT_BYPASS", "D_DP_EW_MUL_SRC_VALUE.EW_MUL_OPERAND",
           "D_DP_EW_MUL_CVT_OFFSET_VALUE.EW_MUL_CVT_OFFSET",
           "D_DP_EW_MUL_CVT_SCALE_VALUE.EW_MUL_CVT_SCALE",
           "D_DP_EW_MUL_CVT_TRUNCATE_VALUE.EW_MUL_CVT_TRUNCATE",
           "D_DP_EW_TRUNCATE_VALUE.EW_TRUNCATE"}},
         {[](const Config& c) { return c.sdp_lut_enable; },
          {"dla_sdp_lut_lane.v", "dla_sdp_lut_place.v"},
          {"D_DP_EW_CFG.EW_LUT_BYPASS",
           "D_PERF_ENABLE.PERF_LUT_EN",
           "S_LUT_ACCESS_CFG.LUT_ADDR",
           "S_LUT_ACCESS_CFG.LUT_TABLE_ID",
           "S_LUT_ACCESS_CFG.LUT_ACCESS_TYPE",
           "S_LUT_CFG.LUT_LE_FUNCTION",
           "S_LUT_CFG.LUT_UFLOW_PRIORITY",
           "S_LUT_CFG.LUT_OFLOW_PRIORITY",
           "S_LUT_CFG.LUT_HYBRID_PRIORITY",
           "S_LUT_INFO.LUT_LE_INDEX_OFFSET",
           "S_LUT_INFO.LUT_LE_INDEX_SELECT",
           "S_LUT_INFO.LUT_LO_INDEX_SELECT",
           "S_LUT_LE_START.LUT_LE_START",
           "S_LUT_LE_END.LUT_LE_END",
           "S_LUT_LO_START.LUT_LO_START",
           "S_LUT_LO_END.LUT_LO_END",
           "S_LUT_LE_SLOPE_SCALE.LUT_LE_SLOPE_UFLOW_SCALE",
           "S_LUT_LE_SLOPE_SCALE.LUT_LE_SLOPE_OFLOW_SCALE",
           "S_LUT_LE_SLOPE_SHIFT.LUT_LE_SLOPE_UFLOW_SHIFT",
           "S_LUT_LE_SLOPE_SHIFT.LUT_LE_SLOPE_OFLOW_SHIFT",
           "S_LUT_LO_SLOPE_SCALE.LUT_LO_SLOPE_UFLOW_SCALE",
           "S_LUT_LO_SLOPE_SCALE.LUT_LO_SLOPE_OFLOW_SCALE",
           "S_LUT_LO_SLOPE_SHIFT.LUT_LO_SLOPE_UFLOW_SHIFT",
           "S_LUT_LO_SLOPE_SHIFT.LUT_LO_SLOPE_OFLOW_SHIFT"},
          {"D_PERF_LUT_UFLOW.LUT_UFLOW", "D_PERF_LUT_OFLOW.LUT_OFLOW",
           "D_PERF_LUT_HYBRID.LUT_HYBRID", "D_PERF_LUT_LE_HIT.LUT_LE_HIT",
           "D_PERF_LUT_LO_HIT.LUT_LO_HIT"},
          {"S_LUT_ACCESS_CFG"}}},
    };
    return unit;
}

}  // namespace macrame::dla
