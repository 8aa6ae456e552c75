#include <algorithm>

#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

text::Scope cdma_scope(const Config& config, const Derived& derived) {
    // Pixels wait for weights where both have one way into CBUF.
    const bool waits = config.image_enable && !config.secondary_memif_enable;
    return {
        {"not_held", waits ? " && !hold" : ""},
        {"if_not_held", waits ? " if (!hold)" : ""},
        {"atom_lsb", clog2(derived.atom_bytes)},
        // At least 8 atoms, and 128 bytes: the unit in which weight streams are padded.
        {"wt_req_atoms", std::max(8, 128 / derived.atom_bytes)},
    };
}

}  // namespace

const Unit& cdma_unit() {
    static const Unit unit{
        "cdma",
        "fetches the input cube and the weights of a layer into CBUF, converting data on the way",
        nullptr,
        {"dla_cdma.v", "dla_cdma_ctrl.v", "dla_cdma_dat.v", "dla_cdma_wt.v", "dla_cdma_cvt.v",
         "dla_cdma_cvt_lane.v", "dla_cdma_space.v", "dla_cdma_perf.v"},
        {"clkgate", "reg_copy"},
        {{"cdma",
          {"D_MISC_CFG.DATA_REUSE",
           "D_MISC_CFG.WEIGHT_REUSE",
           "D_MISC_CFG.SKIP_DATA_RLS",
           "D_MISC_CFG.SKIP_WEIGHT_RLS",
           "D_DATAIN_SIZE_0.DATAIN_WIDTH",
           "D_DATAIN_SIZE_0.DATAIN_HEIGHT",
           "D_DATAIN_SIZE_1.DATAIN_CHANNEL",
           "D_DAIN_ADDR_HIGH_0.DATAIN_ADDR_HIGH_0",
           "D_DAIN_ADDR_LOW_0.DATAIN_ADDR_LOW_0",
           "D_LINE_STRIDE.LINE_STRIDE",
           "D_SURF_STRIDE.SURF_STRIDE",
           "D_ENTRY_PER_SLICE.ENTRIES",
           "D_WEIGHT_SIZE_0.BYTE_PER_KERNEL",
           "D_WEIGHT_ADDR_HIGH.WEIGHT_ADDR_HIGH",
           "D_WEIGHT_ADDR_LOW.WEIGHT_ADDR_LOW",
           "D_WEIGHT_BYTES.WEIGHT_BYTES",
           "D_CVT_CFG.CVT_EN",
           "D_CVT_CFG.CVT_TRUNCATE",
           "D_CVT_OFFSET.CVT_OFFSET",
           "D_CVT_SCALE.CVT_SCALE",
           "D_BANK.DATA_BANK",
           "D_BANK.WEIGHT_BANK",
           "D_PERF_ENABLE.DMA_EN"},
          {"S_CBUF_FLUSH_STATUS.FLUSH_DONE", "D_PERF_DAT_READ_STALL.DAT_RD_STALL",
           "D_PERF_WT_READ_STALL.WT_RD_STALL", "D_PERF_DAT_READ_LATENCY.DAT_RD_LATENCY",
           "D_PERF_WT_READ_LATENCY.WT_RD_LATENCY"},
          {}}},
        cdma_scope,
        {{[](const Config& c) { return c.image_enable; },
          {"dla_cdma_in.v", "dla_cdma_img.v", "dla_cdma_cvt_px.v", "dla_cdma_pack.v"},
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
