#include <algorithm>

#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

text::Scope cdp_rdma_scope(const Config& config, const Derived& derived) {
    const int beats = derived.atom_bytes / config.cdp_throughput;
    const int atoms = (config.primary_memif_latency * config.cdp_throughput + derived.atom_bytes - 1) /
                      derived.atom_bytes;
    return {
        {"atom_lsb", clog2(derived.atom_bytes)},
        {"cdp_beats", beats},
        // Atoms in flight: the whole memory latency; 32 cost no more LUT RAM than 16.
        {"cdp_fifo_depth", 1 << clog2(std::clamp(atoms, 32, 512))},
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
    };
    return unit;
}

}  // namespace macrame::dla
