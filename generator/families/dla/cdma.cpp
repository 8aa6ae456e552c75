#include <algorithm>

#include "families/dla/derived.hpp"
#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

bool takes_pixels(const Config& config) { return config.image_enable; }
/// Integers that the convertor takes.
bool has_integers(const Config& config) {
    return has_type(config, "INT8") || has_type(config, "INT16");
}
/// Cubes of fp16 alone pass as they are.
bool converts(const Config& config) { return has_integers(config) || takes_pixels(config); }

/// What the templates ask about element types and modes.
text::Scope cdma_types(const Config& config, const Derived& derived) {
    const bool types16 = has_types16(config), integers = has_integers(config);
    return {{"mix", has_both_widths(config)},
            {"several", has_mixed_types(config)},
            {"fp16", derived.fp16},
            {"sparsity_masks", config.weight_compression_enable},
            {"winograd", config.winograd_enable},
            {"px_bytes", types16 ? 8 : 4},
            {"px_last_w", types16 ? 3 : 2},
            {"features", integers},
            {"convert", converts(config)},
            {"words", integers ? derived.atom_bytes / 2 : 4}};
}

text::Scope cdma_scope(const Config& config, const Derived& derived) {
    return {{"types", cdma_types(config, derived)},
            {"wt", wt_scope(derived)},
            {"atom_lsb", clog2(derived.atom_bytes)},
            // At least 8 atoms, and 128 bytes: the unit in which weight streams are padded.
            {"wt_req_atoms", std::max(8, 128 / derived.atom_bytes)},
            // Requests of weights and masks under way: half of them may be for one entry only.
            {"wt_requests", std::max(16, derived.img_fifo_depth / 4)},
            // Two groups of 32 atoms, and what memory has on its way.
            {"tile_depth", std::max(128, channel_depth(config, config.memory_atomic_size, 128))}};
}

}  // namespace

const Unit& cdma_unit() {
    using C = const Config&;
    static const Unit unit{
        "cdma",
        "fetches the input cube and the weights of a layer into CBUF, converting data on the way",
        nullptr,
        {"dla_cdma.v", "dla_cdma_ctrl.v", "dla_cdma_dat.v", "dla_cdma_wt.v", "dla_cdma_space.v",
         "dla_cdma_perf.v"},
        {"clkgate", "fp_from_fixed", "reg_copy", "fifo_sync", "sram_dist_1r1w", "sram_1r1w"},
        {{"cdma",
          {"D_MISC_CFG.DATA_REUSE", "D_MISC_CFG.WEIGHT_REUSE", "D_MISC_CFG.SKIP_DATA_RLS",
           "D_MISC_CFG.SKIP_WEIGHT_RLS", "D_DATAIN_SIZE_0.DATAIN_WIDTH",
           "D_DATAIN_SIZE_0.DATAIN_HEIGHT", "D_DATAIN_SIZE_1.DATAIN_CHANNEL",
           "D_DAIN_ADDR_HIGH_0.DATAIN_ADDR_HIGH_0", "D_DAIN_ADDR_LOW_0.DATAIN_ADDR_LOW_0",
           "D_LINE_STRIDE.LINE_STRIDE", "D_SURF_STRIDE.SURF_STRIDE", "D_ENTRY_PER_SLICE.ENTRIES",
           "D_WEIGHT_SIZE_0.BYTE_PER_KERNEL", "D_WEIGHT_ADDR_HIGH.WEIGHT_ADDR_HIGH",
           "D_WEIGHT_ADDR_LOW.WEIGHT_ADDR_LOW", "D_WEIGHT_BYTES.WEIGHT_BYTES", "D_BANK.DATA_BANK",
           "D_BANK.WEIGHT_BANK", "D_PERF_ENABLE.DMA_EN"},
          {"S_CBUF_FLUSH_STATUS.FLUSH_DONE", "D_PERF_DAT_READ_STALL.DAT_RD_STALL",
           "D_PERF_WT_READ_STALL.WT_RD_STALL", "D_PERF_DAT_READ_LATENCY.DAT_RD_LATENCY",
           "D_PERF_WT_READ_LATENCY.WT_RD_LATENCY"},
          {}}},
        cdma_scope,
        {{[](C c) { return !has_types16(c) || converts(c); }, {"dla_cdma_cvt.v"}},
         {[](C c) { return has_types16(c) || takes_pixels(c); }, {"dla_cdma_in.v"}},
         {[](C c) { return has_type(c, "INT8"); }, {"dla_cdma_cvt_lane.v"}},
         {takes_pixels, {"dla_cdma_img.v", "dla_cdma_pack.v"}},
         {[](C c) { return !has_types16(c) && takes_pixels(c); }, {"dla_cdma_cvt_px.v"}},
         {has_mixed_types, {}, {"D_MISC_CFG.PROC_PRECISION"}},
         {[](C c) { return has_types16(c) && converts(c); }, {"dla_cdma_cvt_word.v"}},
         {converts,
          {},
          {"D_CVT_CFG.CVT_EN", "D_CVT_CFG.CVT_TRUNCATE", "D_CVT_OFFSET.CVT_OFFSET",
           "D_CVT_SCALE.CVT_SCALE"}},
         {has_fp16,
          {"dla_cdma_nan.v"},
          {"D_MISC_CFG.IN_PRECISION", "D_NAN_FLUSH_TO_ZERO.NAN_TO_ZERO"},
          {"D_NAN_INPUT_DATA_NUM.NAN_DATA_NUM", "D_NAN_INPUT_WEIGHT_NUM.NAN_WEIGHT_NUM",
           "D_INF_INPUT_DATA_NUM.INF_DATA_NUM", "D_INF_INPUT_WEIGHT_NUM.INF_WEIGHT_NUM"}},
         {[](C c) { return c.batch_enable; },
          {},
          {"D_BATCH_NUMBER.BATCHES", "D_BATCH_STRIDE.BATCH_STRIDE"}},
         {[](C c) { return c.winograd_enable; },
          {"dla_cdma_tile.v", "dla_cdma_tile_req.v", "dla_cdma_tile_order.v"},
          {"D_MISC_CFG.CONV_MODE", "D_DATAIN_SIZE_EXT_0.DATAIN_WIDTH_EXT",
           "D_DATAIN_SIZE_EXT_0.DATAIN_HEIGHT_EXT", "D_CONV_STRIDE.CONV_X_STRIDE",
           "D_CONV_STRIDE.CONV_Y_STRIDE", "D_ZERO_PADDING.PAD_TOP"}},
         {[](C c) { return wt_atoms(c) > 1; }, {"dla_cdma_pairs.v"}},
         {[](C c) { return c.weight_compression_enable; },
          {"dla_cdma_wt_order.v"},
          {"D_WEIGHT_FORMAT.WEIGHT_FORMAT", "D_WMB_ADDR_HIGH.WMB_ADDR_HIGH",
           "D_WMB_ADDR_LOW.WMB_ADDR_LOW", "D_WMB_BYTES.WMB_BYTES"}},
         {takes_pixels,
          {},
          {"D_DATAIN_FORMAT.DATAIN_FORMAT", "D_DATAIN_FORMAT.PIXEL_FORMAT",
           "D_DATAIN_FORMAT.PIXEL_SIGN_OVERRIDE", "D_PIXEL_OFFSET.PIXEL_X_OFFSET",
           "D_DAIN_ADDR_HIGH_1.DATAIN_ADDR_HIGH_1", "D_DAIN_ADDR_LOW_1.DATAIN_ADDR_LOW_1",
           "D_LINE_UV_STRIDE.UV_LINE_STRIDE", "D_MEAN_FORMAT.MEAN_FORMAT",
           "D_MEAN_GLOBAL_0.MEAN_RY", "D_MEAN_GLOBAL_0.MEAN_GU", "D_MEAN_GLOBAL_1.MEAN_BV",
           "D_MEAN_GLOBAL_1.MEAN_AX", "D_ZERO_PADDING.PAD_LEFT", "D_ZERO_PADDING.PAD_RIGHT",
           "D_ZERO_PADDING_VALUE.PAD_VALUE"}}},
    };
    return unit;
}

}  // namespace macrame::dla
