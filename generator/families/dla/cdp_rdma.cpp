#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

text::Scope cdp_rdma_scope(const Config& config, const Derived& derived) {
    return {
        {"atom_lsb", clog2(derived.atom_bytes)},
        {"cdp_beats", derived.atom_bytes / config.cdp_throughput},
    };
}

}  // namespace

const Unit& cdp_rdma_unit() {
    static const Unit unit{
        "cdp_rdma",
        "reads the cube of a CDP layer from memory",
        [](const Config& config) { return config.cdp_enable; },
        {"dla_cdp_rdma.v"},
        {"clkgate", "fifo_sync"},
        {{"cdp_rdma",
          {"D_DATA_CUBE_WIDTH.WIDTH", "D_DATA_CUBE_HEIGHT.HEIGHT", "D_DATA_CUBE_CHANNEL.CHANNEL",
           "D_SRC_BASE_ADDR_LOW.SRC_BASE_ADDR_LOW", "D_SRC_BASE_ADDR_HIGH.SRC_BASE_ADDR_HIGH",
           "D_SRC_LINE_STRIDE.SRC_LINE_STRIDE", "D_SRC_SURFACE_STRIDE.SRC_SURFACE_STRIDE",
           "D_PERF_ENABLE.DMA_EN"},
          {"D_PERF_READ_STALL.PERF_READ_STALL"},
          {}}},
        cdp_rdma_scope,
        {{has_both_widths, {}, {"D_DATA_FORMAT.INPUT_DATA"}}},
    };
    return unit;
}

}  // namespace macrame::dla
