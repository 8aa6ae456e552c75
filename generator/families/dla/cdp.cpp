#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

bool no_int8(const Config& config) { return !has_type(config, "INT8"); }
bool no_integers(const Config& config) { return no_int8(config) && !has_type(config, "INT16"); }

/// Stages of the datapath in floating point: to the square, the sum behind the window, the table
/// and the product.
constexpr int kFpIn = 5, kFpSum = 25, kFpOut = 34;

text::Scope cdp_scope(const Config& config, const Derived& derived) {
    const bool types16 = derived.types16 != 0, both = has_both_widths(config);
    // Elements of 16 bits beside others of 8 are in every other lane.
    const int lanes = types16 && !both ? config.cdp_throughput / 2 : config.cdp_throughput;
    const int lanes16 = config.cdp_throughput / 2;
    const int beats = derived.atom_bytes / config.cdp_throughput;
    const int prefix = clog2(lanes);  // steps of the sums inside a beat
    const int step = both ? 2 : 1;
    const int ahead = (4 * step + lanes - 1) / lanes;
    const int stages = types16 ? 20 : 19;  // from the sum to the result
    const bool mixed_fp = derived.fp16 != 0 && has_integers16(config);
    const int fp_near = types16 ? (4 + lanes16 - 1) / lanes16 : 0;  // beats to the 4th neighbour
    const int fp_cycles = kFpIn + fp_near + 2 + kFpSum + kFpOut;
    // From the reservation of an atom to the memory interface and back.
    const int integer_cycles = 5 + prefix + ahead + 2 + stages;
    const int cycles = (derived.fp16 != 0 ? fp_cycles : integer_cycles) + 2 + 1;
    return {
        {"atom_lsb", clog2(derived.atom_bytes)},
        {"cdp_beats", beats},
        // The window reaches 4 elements ahead; the sum before it ends 5 elements behind.
        {"cdp_ahead", ahead},
        {"cdp_behind", (5 * step + lanes - 1) / lanes},
        {"cdp_lanes", lanes},
        {"lanes16", lanes16},
        {"lane_step", step},
        {"v_w", types16 ? 17 : 9},
        {"square_w", types16 ? 33 : 17},
        {"p_w", types16 ? 36 : 20},
        {"x_w", types16 ? 38 : 22},
        {"fp_near", fp_near},
        {"integers", has_integers16(config)},
        {"mixed_fp", mixed_fp},
        {"mixed", has_mixed_types(config)},
        {"cdp_stages", stages},
        {"cdp_prefix", prefix},
        {"cdp_cycles", cycles - 3},
        {"cdp_cycles16", integer_cycles},
        {"cdp_cycles_fp", fp_cycles},
        {"cdp_out_depth", (cycles + beats - 1) / beats + 2},
        {"cdp_clear", kLutClearCycles},
        {"tables", text::List{"le", "lo"}},
    };
}

}  // namespace

const Unit& cdp_unit() {
    static const Unit unit{
        "cdp",
        "local response normalisation across channels",
        [](const Config& config) { return config.cdp_enable; },
        {"dla_cdp.v", "dla_cdp_in_lane.v", "dla_cdp_window.v", "dla_cdp_lut_lane.v",
         "dla_cdp_out_lane.v", "dla_cdp_pack.v", "dla_cdp_count.v"},
        {"clkgate", "fifo_sync", "fp_add", "fp_from_fixed", "fp_mul", "fp_narrow", "fp_widen",
         "mult_pipe", "round_shift_pipe", "skid_buffer", "sram_1r1w", "sram_dist_1r1w"},
        // The registers of the tables have the names of those of SDP, but ranges are wider.
        {{"cdp",
          {"S_LUT_ACCESS_CFG.LUT_TABLE_ID",
           "S_LUT_ACCESS_CFG.LUT_ACCESS_TYPE",
           "S_LUT_CFG.LUT_LE_FUNCTION",
           "S_LUT_CFG.LUT_UFLOW_PRIORITY",
           "S_LUT_CFG.LUT_OFLOW_PRIORITY",
           "S_LUT_CFG.LUT_HYBRID_PRIORITY",
           "S_LUT_INFO.LUT_LE_INDEX_OFFSET",
           "S_LUT_INFO.LUT_LE_INDEX_SELECT",
           "S_LUT_INFO.LUT_LO_INDEX_SELECT",
           "S_LUT_LE_START_LOW.LUT_LE_START_LOW",
           "S_LUT_LE_START_HIGH.LUT_LE_START_HIGH",
           "S_LUT_LE_END_LOW.LUT_LE_END_LOW",
           "S_LUT_LE_END_HIGH.LUT_LE_END_HIGH",
           "S_LUT_LO_START_LOW.LUT_LO_START_LOW",
           "S_LUT_LO_START_HIGH.LUT_LO_START_HIGH",
           "S_LUT_LO_END_LOW.LUT_LO_END_LOW",
           "S_LUT_LO_END_HIGH.LUT_LO_END_HIGH",
           "S_LUT_LE_SLOPE_SCALE.LUT_LE_SLOPE_UFLOW_SCALE",
           "S_LUT_LE_SLOPE_SCALE.LUT_LE_SLOPE_OFLOW_SCALE",
           "S_LUT_LE_SLOPE_SHIFT.LUT_LE_SLOPE_UFLOW_SHIFT",
           "S_LUT_LE_SLOPE_SHIFT.LUT_LE_SLOPE_OFLOW_SHIFT",
           "S_LUT_LO_SLOPE_SCALE.LUT_LO_SLOPE_UFLOW_SCALE",
           "S_LUT_LO_SLOPE_SCALE.LUT_LO_SLOPE_OFLOW_SCALE",
           "S_LUT_LO_SLOPE_SHIFT.LUT_LO_SLOPE_UFLOW_SHIFT",
           "S_LUT_LO_SLOPE_SHIFT.LUT_LO_SLOPE_OFLOW_SHIFT",
           "D_FUNC_BYPASS.SQSUM_BYPASS",
           "D_FUNC_BYPASS.MUL_BYPASS",
           "D_DST_BASE_ADDR_LOW.DST_BASE_ADDR_LOW",
           "D_DST_BASE_ADDR_HIGH.DST_BASE_ADDR_HIGH",
           "D_DST_LINE_STRIDE.DST_LINE_STRIDE",
           "D_DST_SURFACE_STRIDE.DST_SURFACE_STRIDE",
           "D_LRN_CFG.NORMALZ_LEN",
           "D_DATIN_OFFSET.DATIN_OFFSET",
           "D_DATIN_SCALE.DATIN_SCALE",
           "D_DATIN_SHIFTER.DATIN_SHIFTER",
           "D_DATOUT_OFFSET.DATOUT_OFFSET",
           "D_DATOUT_SCALE.DATOUT_SCALE",
           "D_DATOUT_SHIFTER.DATOUT_SHIFTER",
           "D_PERF_ENABLE.DMA_EN"},
          {"S_LUT_ACCESS_CFG.LUT_ADDR", "D_PERF_WRITE_STALL.PERF_WRITE_STALL",
           "D_PERF_LUT_UFLOW.PERF_LUT_UFLOW", "D_PERF_LUT_OFLOW.PERF_LUT_OFLOW",
           "D_PERF_LUT_HYBRID.PERF_LUT_HYBRID", "D_PERF_LUT_LE_HIT.PERF_LUT_LE_HIT",
           "D_PERF_LUT_LO_HIT.PERF_LUT_LO_HIT"},
          {}}},
        cdp_scope,
        {{has_types16, {"dla_cdp_tables.v"}, {}, {"D_OUT_SATURATION.OUT_SATURATION"}},
         {has_mixed_types, {}, {"D_DATA_FORMAT.INPUT_DATA_TYPE"}},
         {has_integers16,
          {"dla_cdp_wide.v", "dla_cdp_in_wide.v", "dla_cdp_lut_wide.v", "dla_cdp_out_wide.v"}},
         {has_fp16,
          {"dla_cdp_fp.v", "dla_cdp_fp_window.v", "dla_cdp_fp_lut.v", "dla_cdp_nans.v"},
          {"D_NAN_FLUSH_TO_ZERO.NAN_TO_ZERO"},
          {"D_NAN_INPUT_NUM.NAN_INPUT_NUM", "D_INF_INPUT_NUM.INF_INPUT_NUM",
           "D_NAN_OUTPUT_NUM.NAN_OUTPUT_NUM"}},
         {no_int8,
          {},
          {},
          {},
          {},
          {"dla_cdp_in_lane.v", "dla_cdp_lut_lane.v", "dla_cdp_out_lane.v"}},
         {no_integers, {}, {}, {}, {}, {"dla_cdp_window.v"}}},
    };
    return unit;
}

}  // namespace macrame::dla
