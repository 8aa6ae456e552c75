#include <algorithm>

#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

/// Cycles of a sum in floating point (fp_add).
constexpr int kFpAddCycles = 5;

text::Scope pdp_scope(const Config& config, const Derived& derived) {
    const int groups = derived.atom_bytes / config.pdp_throughput;
    const bool types16 = derived.types16 != 0, int8 = derived.int8 != 0;
    // Stages of a datapath with floating point, counted from A; a step may begin as soon as that of
    // the element before is stored.
    const bool fp16 = derived.fp16 != 0;
    const int step = kFpAddCycles;
    const int skew = std::max(0, step + 1 - groups);
    const int b = 6 * skew + step + 1, c = b + step + 1, e = c + step + 2;
    const int latency = fp16 ? e + 13 + 2 : 10;  // of the slowest type
    const bool mixed_fp = fp16 && has_integers16(config);
    return {
        {"atom_lsb", clog2(derived.atom_bytes)},
        {"groups", groups},  // beats of an atom
        {"group_msb", clog2(groups) > 1 ? clog2(groups) - 1 : 0},
        {"pdp_latency", latency},
        // Atoms from the reservation of a place to the memory interface, and two.
        {"pdp_out_depth", (latency + 1 + groups - 1) / groups + 2},
        {"op_delay", step},
        {"skew", skew},
        {"stage_b", b},
        {"stage_c", c},
        {"stage_e", e},
        {"pads", text::List{1, 2, 3, 4, 5, 6, 7}},
        {"surf_w", surface_bits(derived)},
        {"sdp_bytes", derived.sdp_lanes * derived.lane_bits / 8},
        {"mixed", has_mixed_types(config)},
        {"integers", has_integers16(config)},
        {"mixed_fp", mixed_fp},
        // A lane has an element of the widest type: an int8 lane 14 bits in a row, two of them 28.
        {"lane_w", derived.lane_bits},
        {"pdp_lanes", 8 * config.pdp_throughput / derived.lane_bits},
        {"col_w", !types16 ? 14
                  : int8   ? 28
                           : 22},
        {"pad_w", types16 ? 19 : 14},
        {"e_pad_w", types16 ? 22 : 14},
    };
}

}  // namespace

const Unit& pdp_unit() {
    static const Unit unit{
        "pdp",
        "pooling: maximum, minimum or average over windows",
        [](const Config& config) { return config.pdp_enable; },
        {"dla_pdp.v", "dla_pdp_walk.v", "dla_pdp_turn.v", "dla_pdp_data.v", "dla_pdp_lane.v",
         "dla_pdp_op.v", "dla_pdp_write.v"},
        {"clkgate", "fifo_sync", "fp_add", "fp_mul", "fp_narrow", "fp_widen", "sram_1r1w",
         "sram_dist_1r1w"},
        {{"pdp",
          {"D_DATA_CUBE_IN_WIDTH.CUBE_IN_WIDTH",
           "D_DATA_CUBE_IN_HEIGHT.CUBE_IN_HEIGHT",
           "D_DATA_CUBE_IN_CHANNEL.CUBE_IN_CHANNEL",
           "D_DATA_CUBE_OUT_WIDTH.CUBE_OUT_WIDTH",
           "D_DATA_CUBE_OUT_HEIGHT.CUBE_OUT_HEIGHT",
           "D_OPERATION_MODE_CFG.POOLING_METHOD",
           "D_OPERATION_MODE_CFG.FLYING_MODE",
           "D_OPERATION_MODE_CFG.SPLIT_NUM",
           "D_PARTIAL_WIDTH_IN.PARTIAL_WIDTH_IN_FIRST",
           "D_PARTIAL_WIDTH_IN.PARTIAL_WIDTH_IN_LAST",
           "D_PARTIAL_WIDTH_IN.PARTIAL_WIDTH_IN_MID",
           "D_PARTIAL_WIDTH_OUT.PARTIAL_WIDTH_OUT_FIRST",
           "D_PARTIAL_WIDTH_OUT.PARTIAL_WIDTH_OUT_LAST",
           "D_PARTIAL_WIDTH_OUT.PARTIAL_WIDTH_OUT_MID",
           "D_POOLING_KERNEL_CFG.KERNEL_WIDTH",
           "D_POOLING_KERNEL_CFG.KERNEL_HEIGHT",
           "D_POOLING_KERNEL_CFG.KERNEL_STRIDE_WIDTH",
           "D_POOLING_KERNEL_CFG.KERNEL_STRIDE_HEIGHT",
           "D_RECIP_KERNEL_WIDTH.RECIP_KERNEL_WIDTH",
           "D_RECIP_KERNEL_HEIGHT.RECIP_KERNEL_HEIGHT",
           "D_POOLING_PADDING_CFG.PAD_LEFT",
           "D_POOLING_PADDING_CFG.PAD_TOP",
           "D_POOLING_PADDING_VALUE_1_CFG.PAD_VALUE_1X",
           "D_POOLING_PADDING_VALUE_2_CFG.PAD_VALUE_2X",
           "D_POOLING_PADDING_VALUE_3_CFG.PAD_VALUE_3X",
           "D_POOLING_PADDING_VALUE_4_CFG.PAD_VALUE_4X",
           "D_POOLING_PADDING_VALUE_5_CFG.PAD_VALUE_5X",
           "D_POOLING_PADDING_VALUE_6_CFG.PAD_VALUE_6X",
           "D_POOLING_PADDING_VALUE_7_CFG.PAD_VALUE_7X",
           "D_DST_BASE_ADDR_LOW.DST_BASE_ADDR_LOW",
           "D_DST_BASE_ADDR_HIGH.DST_BASE_ADDR_HIGH",
           "D_DST_LINE_STRIDE.DST_LINE_STRIDE",
           "D_DST_SURFACE_STRIDE.DST_SURFACE_STRIDE",
           "D_PERF_ENABLE.DMA_EN"},
          {"D_PERF_WRITE_STALL.PERF_WRITE_STALL"},
          {}}},
        pdp_scope,
        {{has_integers16, {"dla_pdp_scale.v"}},
         {has_mixed_types, {}, {"D_DATA_FORMAT.INPUT_DATA"}},
         {has_fp16,
          {"dla_pdp_average.v", "dla_pdp_count.v"},
          {"D_NAN_FLUSH_TO_ZERO.NAN_TO_ZERO"},
          {"D_INF_INPUT_NUM.INF_INPUT_NUM", "D_NAN_INPUT_NUM.NAN_INPUT_NUM",
           "D_NAN_OUTPUT_NUM.NAN_OUTPUT_NUM"}}},
    };
    return unit;
}

}  // namespace macrame::dla
