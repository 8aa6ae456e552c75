#include <algorithm>
#include <string>

#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

/// Smallest power of two from `least` that is not below `words`.
int ring_depth(int words, int least) { return std::max(least, 1 << clog2(words)); }

/// Ports of the register file of EW and its table, and what is there.
text::List field_ports(const Config& config) {
    constexpr const char* kEw[][2] = {
        {"d_dp_ew_cfg_ew_bypass", "ew_bypass"},
        {"d_dp_ew_cfg_ew_alu_bypass", "ew_alu_bypass"},
        {"d_dp_ew_cfg_ew_alu_algo", "ew_alu_algo"},
        {"d_dp_ew_cfg_ew_mul_bypass", "ew_mul_bypass"},
        {"d_dp_ew_cfg_ew_mul_prelu", "ew_mul_prelu"},
        {"d_dp_ew_alu_cfg_ew_alu_src", "ew_alu_src"},
        {"d_dp_ew_alu_cfg_ew_alu_cvt_bypass", "ew_alu_cvt_bypass"},
        {"d_dp_ew_alu_src_value_ew_alu_operand", "ew_alu_value"},
        {"d_dp_ew_alu_cvt_offset_value_ew_alu_cvt_offset", "ew_alu_cvt_offset"},
        {"d_dp_ew_alu_cvt_scale_value_ew_alu_cvt_scale", "ew_alu_cvt_scale"},
        {"d_dp_ew_alu_cvt_truncate_value_ew_alu_cvt_truncate", "ew_alu_cvt_shift"},
        {"d_dp_ew_mul_cfg_ew_mul_src", "ew_mul_src"},
        {"d_dp_ew_mul_cfg_ew_mul_cvt_bypass", "ew_mul_cvt_bypass"},
        {"d_dp_ew_mul_src_value_ew_mul_operand", "ew_mul_value"},
        {"d_dp_ew_mul_cvt_offset_value_ew_mul_cvt_offset", "ew_mul_cvt_offset"},
        {"d_dp_ew_mul_cvt_scale_value_ew_mul_cvt_scale", "ew_mul_cvt_scale"},
        {"d_dp_ew_mul_cvt_truncate_value_ew_mul_cvt_truncate", "ew_mul_cvt_shift"},
        {"d_dp_ew_truncate_value_ew_truncate", "ew_truncate"},
    };
    constexpr const char* kLut[][2] = {
        {"d_dp_ew_cfg_ew_lut_bypass", "ew_lut_bypass"},
        {"s_lut_access_cfg_wr", "lut_cfg_wr"},
        {"s_lut_access_cfg_lut_addr", "lut_addr"},
        {"s_lut_access_cfg_lut_table_id", "lut_table"},
        {"s_lut_access_cfg_lut_access_type", "lut_direction"},
        {"s_lut_cfg_lut_le_function", "le_linear"},
        {"s_lut_cfg_lut_uflow_priority", "uflow_lo"},
        {"s_lut_cfg_lut_oflow_priority", "oflow_lo"},
        {"s_lut_cfg_lut_hybrid_priority", "hybrid_lo"},
        {"s_lut_info_lut_le_index_offset", "le_offset"},
        {"s_lut_info_lut_le_index_select", "le_select"},
        {"s_lut_info_lut_lo_index_select", "lo_select"},
        {"d_perf_enable_perf_lut_en", "perf_lut_en"},
        {"d_perf_lut_uflow", "lut_uflow"},
        {"d_perf_lut_oflow", "lut_oflow"},
        {"d_perf_lut_hybrid", "lut_hybrid"},
        {"d_perf_lut_le_hit", "lut_le_hit"},
        {"d_perf_lut_lo_hit", "lut_lo_hit"},
    };
    text::List out;
    const auto add = [&](const auto& rows) {
        for (const auto& [port, net] : rows)
            out.push_back(text::Scope{{"port", port}, {"net", net}});
    };
    if (config.sdp_ew_enable) add(kEw);
    if (config.sdp_lut_enable) add(kLut);
    return out;
}

/// Register stages of the datapath, of integers and of fp32.
constexpr int kXStages = 8, kArithmeticStages = 12, kLutStages = 15, kOutStages = 5;
constexpr int kFpInStages = 1, kFpXStages = 9, kFpArithmeticStages = 9, kFpLutStages = 26;

/// Element types of a configuration.
struct Types {
    bool int8, int16, fp16;
    bool ints() const { return int8 || int16; }
    bool mixed() const { return int8 && (int16 || fp16); }  ///< atoms of more or fewer elements
    bool fp_choice() const { return fp16 && ints(); }       ///< layers in integers or not
};

/// Register stages as far as the slowest element type goes.
struct Stages {
    int in, x1, x2, ew, out;
    int front() const { return in + x1 + x2; }
};

Stages stages_of(const Config& config, const Types& types) {
    const int x = types.fp16 ? kFpXStages : kXStages;
    const bool lut = config.sdp_lut_enable;
    const int ints = types.ints() ? kArithmeticStages + (lut ? kLutStages : 0) : 0;
    const int fp = types.fp16 ? kFpArithmeticStages + (lut ? kFpLutStages : 0) : 0;
    // X1 is an input register if the stage is absent.
    return {types.fp16 ? kFpInStages : 0, config.sdp_bs_enable ? x : 1,
            config.sdp_bn_enable ? x : 0, std::max(ints, fp),
            kOutStages + (types.fp_choice() ? 2 : 0)};
}

/// The stages X1 and X2 that there are, the letter of their operands, what is in front of them.
text::List x_stages(const Config& config) {
    text::List out;
    const auto add = [&](const char* s, const char* x, const char* name, const char* in,
                         const char* result) {
        out.push_back(text::Scope{{"s", s}, {"x", x}, {"name", name}, {"in", in}, {"out", result}});
    };
    if (config.sdp_bs_enable) add("bs", "b", "X1", "src", "x1");
    if (config.sdp_bn_enable) add("bn", "n", "X2", "x1", "x2");
    return out;
}

text::Scope sdp_scope(const Config& config, const Derived& derived) {
    const Types types{derived.int8 != 0, derived.int16 != 0, derived.fp16 != 0};
    const Stages stages = stages_of(config, types);
    // Words of an atom of the type with most elements; parts that a word has for EW.
    const int beats = derived.atom_bytes / (types.int8 ? 1 : 2) / derived.sdp_lanes;
    const int ew_beats = config.sdp_ew_enable ? derived.sdp_lanes / config.sdp_ew_throughput : 1;
    // Words between entry and the way of their place back: stages of C, the ring and its pointers.
    const int end = stages.out + 5;
    const int flight =
        std::max(stages.front() + end,
                 config.sdp_ew_enable ? (stages.front() + stages.ew + end) / ew_beats + 2 : 0);
    text::List operands, absent;
    // A record stays until its word is at the stage; four more are on the way.
    const auto add = [&](const char* x, const char* stage, int words) {
        operands.push_back(
            text::Scope{{"x", x}, {"stage", stage}, {"depth", ring_depth(words + 4, 2 * beats)}});
    };
    if (config.sdp_bs_enable) add("b", "X1 (BS)", stages.in);
    if (config.sdp_bn_enable) add("n", "X2 (BN)", stages.in + stages.x1);
    if (config.sdp_ew_enable) add("e", "Y (EW)", stages.front() / ew_beats + 1);
    if (!config.sdp_bs_enable) absent.push_back("bs");
    if (!config.sdp_bn_enable) absent.push_back("bn");
    return {
        {"mixed", types.mixed()},
        {"ints", types.ints()},
        {"fp_choice", types.fp_choice()},
        {"atom_lsb", clog2(derived.atom_bytes)},
        {"elem_lsb", clog2(derived.atom_bytes) - derived.types16},
        {"beats", beats},
        {"ew_beats", ew_beats},
        {"operands", operands},
        {"field_ports", field_ports(config)},
        {"lut_tables", config.sdp_lut_enable ? text::List{"le", "lo"} : text::List{}},
        {"stages", text::List{"bs", "bn"}},
        {"x_stages", x_stages(config)},
        {"absent_stages", absent},
        {"out_depth", ring_depth(flight, 8)},
        // From the input to the write of its atom.
        {"latency", types.fp16 ? stages.front() + stages.out + 2 : stages.x1 + stages.x2 + 7},
        {"ew_stages", stages.ew},
        {"ew_arith_stages", kArithmeticStages},
        {"fp_arith_stages", kFpArithmeticStages},
        {"lut_stages", kLutStages},
        {"fp_lut_stages", kFpLutStages},
        {"c_stages", !types.ints() ? 2 : stages.out},
        {"c_fp_stages", types.int16 ? 4 : 2},
    };
}

bool has_fp(const Config& c) { return has_type(c, "FP16"); }
bool has_ints(const Config& c) { return has_type(c, "INT8") || has_type(c, "INT16"); }
bool has_several_types(const Config& c) {
    return c.feature_data_types.find(',') != std::string::npos;
}
bool has_x(const Config& c) { return c.sdp_bs_enable || c.sdp_bn_enable; }

}  // namespace

const Unit& sdp_unit() {
    static const Unit unit{
        "sdp",
        "post-processes elements: bias, scale, activation, conversion to int8, write to memory",
        nullptr,
        {"dla_sdp.v", "dla_sdp_issue.v", "dla_sdp_c.v", "dla_sdp_out.v", "dla_sdp_pack.v",
         "dla_sdp_irq.v"},
        {"clkgate", "fifo_sync", "mult_pipe", "round_shift_pipe", "sram_1r1w", "sram_dist_1r1w",
         "fp_add", "fp_mul", "fp_max", "fp_widen", "fp_narrow", "fp_from_fixed", "fp16_to_int16"},
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
        {{[](const Config& c) { return !has_types16(c); }, {"dla_sdp_c_lane.v"}},
         {[](const Config& c) { return has_types16(c) && has_ints(c); }, {"dla_sdp_c_int_lane.v"}},
         {has_fp,
          {"dla_sdp_in.v", "dla_sdp_c_fp_lane.v"},
          {"D_FEATURE_MODE_CFG.NAN_TO_ZERO", "D_PERF_ENABLE.PERF_NAN_INF_COUNT_EN"},
          {"D_STATUS_NAN_OUTPUT_NUM.STATUS_NAN_OUTPUT_NUM"}},
         {has_several_types, {}, {"D_DATA_FORMAT.PROC_PRECISION", "D_DATA_FORMAT.OUT_PRECISION"}},
         {[](const Config& c) { return c.batch_enable; },
          {},
          {"D_FEATURE_MODE_CFG.BATCH_NUMBER", "D_DST_BATCH_STRIDE.DST_BATCH_STRIDE"}},
         {[](const Config& c) { return c.winograd_enable; }, {}, {"D_FEATURE_MODE_CFG.WINOGRAD"}},
         {[](const Config& c) { return c.sdp_ew_enable && has_ints(c); }, {"dla_sdp_ew_lane.v"}},
         {[](const Config& c) { return c.sdp_ew_enable && has_fp(c); }, {"dla_sdp_ew_fp_lane.v"}},
         {[](const Config& c) { return c.sdp_lut_enable && has_ints(c); },
          {"dla_sdp_lut_lane.v", "dla_sdp_lut_place.v"}},
         {[](const Config& c) { return c.sdp_lut_enable && has_fp(c); },
          {"dla_sdp_lut_fp_lane.v", "dla_sdp_lut_fp_place.v", "dla_sdp_lut_rams.v"}},
         {has_x, {"dla_sdp_x.v"}},
         {[](const Config& c) { return has_x(c) && has_ints(c); },
          {"dla_sdp_x_lane.v", "dla_sdp_x_scale.v"}},
         {[](const Config& c) { return has_x(c) && has_fp(c); }, {"dla_sdp_x_fp_lane.v"}},
         {[](const Config& c) { return c.sdp_bs_enable || c.sdp_bn_enable || c.sdp_ew_enable; },
          {"dla_sdp_operand.v"}},
         {[](const Config& c) { return c.sdp_ew_enable; },
          {"dla_sdp_ew.v"},
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
          {"dla_sdp_lut.v"},
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
