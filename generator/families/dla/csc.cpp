#include "families/dla/derived.hpp"
#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

/// Cycles from the entry of a tile to its elements behind the pre-addition.
constexpr int kTileCycles = 2, kIntegerCycles = 3, kFloatCycles = 13;

/// What the templates ask about element types and modes.
text::Scope csc_types(const Config& config, const Derived& derived) {
    const bool types16 = has_types16(config), masks = config.weight_compression_enable;
    const bool integers = derived.int8 != 0 || derived.int16 != 0;
    const int late = masks ? kExpandCycles : 0;
    return {{"mix", has_both_widths(config)},
            {"integers", integers},
            // Tiles of both kinds.
            {"fp_and_int", config.winograd_enable && integers && derived.fp16 != 0},
            {"batch", config.batch_enable},
            {"winograd", config.winograd_enable},
            // A position has a beat of each input, or of the four tiles of a place.
            {"beats", config.batch_enable || config.winograd_enable},
            {"lane_bits", derived.lane_bits},
            {"sparsity_masks", masks},
            // Expanded weights take longer to CMAC, so what dla_csc_pos sends is delayed.
            {"late", late},
            {"dl_latency", derived.csc_latency - late},
            // A line of pixels of 16 bits may have 64 KiB.
            {"x_more", types16 && config.image_enable}};
}

/// Cycles that a tile takes longer than other beats, which take 3 behind their entry, in a mix 4.
text::Scope skew_of(const Config& config, const Derived& derived) {
    const int other = 2 + has_both_widths(config);
    const int integers = kTileCycles + kIntegerCycles - other;
    const int floats = kTileCycles + kFloatCycles - other;
    return {{"shortest", derived.int8 != 0 || derived.int16 != 0 ? integers : floats},
            {"longest", derived.fp16 != 0 ? floats : integers}};
}

text::Scope csc_scope(const Config& config, const Derived& derived) {
    return {{"types", csc_types(config, derived)},
            {"skew", skew_of(config, derived)},
            {"cells", 2 * derived.cmac_cells},
            {"load_fifo", 16},
            {"expand_early", derived.cbuf_rd_latency + 6}};
}

}  // namespace

const Unit& csc_unit() {
    using C = const Config&;
    static const Unit unit{
        "csc",
        "reads data and weights out of CBUF in the order in which the MAC array needs them",
        nullptr,
        {"dla_csc.v", "dla_csc_cfg.v", "dla_csc_lines.v", "dla_csc_steps.v", "dla_csc_sg.v",
         "dla_csc_dl.v", "dla_csc_pos.v", "dla_csc_entries.v", "dla_csc_wl.v"},
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
         {[](C c) { return c.batch_enable; }, {}, {"D_BATCH_NUMBER.BATCHES"}},
         {[](C c) { return has_types16(c); }, {"dla_csc_kernel.v"}},
         {[](C c) { return c.weight_compression_enable; },
          {"dla_csc_masks.v", "dla_csc_expand.v"},
          {"D_WEIGHT_FORMAT.WEIGHT_FORMAT", "D_WMB_BYTES.WMB_BYTES"}},
         {has_both_widths, {}, {"D_MISC_CFG.PROC_PRECISION"}},
         {[](C c) { return c.winograd_enable; },
          {"dla_csc_tile.v", "dla_csc_skew.v"},
          {"D_MISC_CFG.CONV_MODE", "D_PRA_CFG.PRA_TRUNCATE"}},
         {[](C c) {
              return c.winograd_enable && !has_both_widths(c) && has_type(c, "INT16") &&
                     has_type(c, "FP16");
          },
          {},
          {"D_MISC_CFG.PROC_PRECISION"}},
         {[](C c) { return c.winograd_enable && (has_type(c, "INT8") || has_type(c, "INT16")); },
          {"dla_csc_pra.v"}},
         {[](C c) { return c.winograd_enable && has_type(c, "FP16"); }, {"dla_csc_pra_fp.v"}}},
    };
    return unit;
}

}  // namespace macrame::dla
