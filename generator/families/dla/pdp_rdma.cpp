#include <algorithm>

#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

text::Scope pdp_rdma_scope(const Config& config, const Derived& derived) {
    return {
        {"atom_lsb", clog2(derived.atom_bytes)},
        {"surf_w", surface_bits(derived)},
        {"groups", derived.atom_bytes / config.pdp_throughput},  // beats of an atom
        // Requests as long as the memory interface can serve them in one transaction.
        {"rdma_chunk", std::clamp(derived.mcif_burst_atoms, 1, 4)},
    };
}

}  // namespace

const Unit& pdp_rdma_unit() {
    static const Unit unit{
        "pdp_rdma",
        "reads the input cube of an offline PDP layer from memory",
        [](const Config& config) { return config.pdp_enable; },
        {"dla_pdp_rdma.v"},
        {"clkgate", "fifo_sync", "sram_dist_1r1w"},
        {{"pdp_rdma",
          {"D_DATA_CUBE_IN_WIDTH.CUBE_IN_WIDTH", "D_DATA_CUBE_IN_HEIGHT.CUBE_IN_HEIGHT",
           "D_DATA_CUBE_IN_CHANNEL.CUBE_IN_CHANNEL", "D_SRC_BASE_ADDR_LOW.SRC_BASE_ADDR_LOW",
           "D_SRC_BASE_ADDR_HIGH.SRC_BASE_ADDR_HIGH", "D_SRC_LINE_STRIDE.SRC_LINE_STRIDE",
           "D_SRC_SURFACE_STRIDE.SRC_SURFACE_STRIDE", "D_OPERATION_MODE_CFG.SPLIT_NUM",
           "D_POOLING_KERNEL_CFG.KERNEL_WIDTH", "D_POOLING_KERNEL_CFG.KERNEL_STRIDE_WIDTH",
           "D_PARTIAL_WIDTH_IN.PARTIAL_WIDTH_IN_FIRST", "D_PARTIAL_WIDTH_IN.PARTIAL_WIDTH_IN_LAST",
           "D_PARTIAL_WIDTH_IN.PARTIAL_WIDTH_IN_MID", "D_PERF_ENABLE.DMA_EN"},
          {"D_PERF_READ_STALL.PERF_READ_STALL"},
          {}}},
        pdp_rdma_scope,
        {{has_both_widths, {}, {"D_DATA_FORMAT.INPUT_DATA"}}},
    };
    return unit;
}

}  // namespace macrame::dla
