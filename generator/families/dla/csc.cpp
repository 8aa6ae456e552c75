#include "families/dla/derived.hpp"
#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

/// Layers of int8 and of 16-bit elements: a cell has one kernel of these, two of int8.
bool is_mix(const Config& config) { return has_type(config, "INT8") && has_wide_type(config); }

text::Scope csc_scope(const Config& config, const Derived& derived) {
    const int mix = is_mix(config) ? 1 : 0;
    return {
        {"types", text::Scope{{"wide", derived.wide},
                              {"mix", mix},
                              {"lane_bits", derived.lane_bits},
                              // A line of pixels of 16 bits may have 64 KiB.
                              {"x_more", config.image_enable ? derived.wide : 0}}},
        {"cells", 2 * derived.cmac_cells},
        // Names of the weight loader.
        {"byte_w", derived.wide != 0 ? "BYTE_W" : "LANE_W"},
        {"bytes_n", derived.wide != 0 ? "BYTES" : "LANES"},
        {"bytes", derived.wide != 0 ? "bytes" : "bytes_q"},
        {"whole", derived.wide != 0 ? "whole" : "bytes"},
        {"cell_ok", mix != 0 ? "cell_ok" : "kernel_ok"},
        {"tail_kernels", mix != 0 ? "tail_cells" : "kernel"},
        {"min_step", 11},
    };
}

}  // namespace

const Unit& csc_unit() {
    static const Unit unit{
        "csc",
        "reads data and weights out of CBUF in the order in which the MAC array needs them",
        nullptr,
        {"dla_csc.v", "dla_csc_cfg.v", "dla_csc_lines.v", "dla_csc_steps.v", "dla_csc_sg.v",
         "dla_csc_dl.v", "dla_csc_pos.v", "dla_csc_wl.v", "dla_csc_entries.v"},
        {"fifo_sync", "sram_dist_1r1w", "clkgate", "reg_copy"},
        {{"csc",
          {"D_MISC_CFG.DATA_REUSE",
           "D_MISC_CFG.WEIGHT_REUSE",
           "D_MISC_CFG.SKIP_DATA_RLS",
           "D_MISC_CFG.SKIP_WEIGHT_RLS",
           "D_DATAIN_SIZE_EXT_0.DATAIN_WIDTH_EXT",
           "D_DATAIN_SIZE_EXT_0.DATAIN_HEIGHT_EXT",
           "D_ENTRY_PER_SLICE.ENTRIES",
           "D_WEIGHT_SIZE_EXT_0.WEIGHT_WIDTH_EXT",
           "D_WEIGHT_SIZE_EXT_0.WEIGHT_HEIGHT_EXT",
           "D_WEIGHT_SIZE_EXT_1.WEIGHT_CHANNEL_EXT",
           "D_WEIGHT_SIZE_EXT_1.WEIGHT_KERNEL",
           "D_WEIGHT_BYTES.WEIGHT_BYTES",
           "D_DATAOUT_SIZE_0.DATAOUT_WIDTH",
           "D_ATOMICS.ATOMICS",
           "D_RELEASE.RLS_SLICES",
           "D_CONV_STRIDE_EXT.CONV_X_STRIDE_EXT",
           "D_CONV_STRIDE_EXT.CONV_Y_STRIDE_EXT",
           "D_DILATION_EXT.X_DILATION_EXT",
           "D_DILATION_EXT.Y_DILATION_EXT",
           "D_ZERO_PADDING.PAD_LEFT",
           "D_ZERO_PADDING.PAD_TOP",
           "D_ZERO_PADDING_VALUE.PAD_VALUE",
           "D_BANK.DATA_BANK",
           "D_BANK.WEIGHT_BANK"},
          {},
          {}}},
        csc_scope,
        {{[](const Config& c) { return c.image_enable; },
          {"dla_csc_img.v", "dla_csc_window.v"},
          {"D_DATAIN_FORMAT.DATAIN_FORMAT", "D_DATAIN_SIZE_EXT_1.DATAIN_CHANNEL_EXT",
           "D_POST_Y_EXTENSION.Y_EXTENSION"}},
         {has_wide_type, {"dla_csc_kernel.v"}, {}},
         {is_mix, {}, {"D_MISC_CFG.PROC_PRECISION"}}},
    };
    return unit;
}

}  // namespace macrame::dla
