#include <algorithm>

#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

constexpr int kUnitBytes = 32;  ///< of addresses, strides and sizes
constexpr int kRun = 8;         ///< units of a read request

text::Scope bdma_scope(const Config& config, const Derived& derived) {
    const int unit_atoms = kUnitBytes / derived.atom_bytes;
    const int sub_w = clog2(unit_atoms);
    const int depth = channel_depth(config, derived.atom_bytes, 2 * kRun * unit_atoms);
    return {
        {"atom_lsb", clog2(derived.atom_bytes)},
        {"bdma_unit_atoms", unit_atoms},
        {"bdma_sub_w", sub_w},
        {"bdma_depth", depth},
        {"bdma_notes", std::min(depth / unit_atoms, 64)},
    };
}

}  // namespace

const Unit& bdma_unit() {
    static const Unit unit{
        "bdma",
        "copies lines inside and between the memories",
        [](const Config& config) { return config.bdma_enable; },
        {"dla_bdma.v", "dla_bdma_copy.v"},
        {"clkgate", "fifo_sync", "sram_dist_1r1w"},
        {{"bdma",
          {"CFG_SRC_ADDR_LOW.V32", "CFG_SRC_ADDR_HIGH.V8", "CFG_DST_ADDR_LOW.V32",
           "CFG_DST_ADDR_HIGH.V8", "CFG_LINE.SIZE", "CFG_LINE_REPEAT.NUMBER", "CFG_SRC_LINE.STRIDE",
           "CFG_DST_LINE.STRIDE", "CFG_SURF_REPEAT.NUMBER", "CFG_SRC_SURF.STRIDE",
           "CFG_DST_SURF.STRIDE", "CFG_OP.EN", "CFG_LAUNCH0.GRP0_LAUNCH", "CFG_LAUNCH1.GRP1_LAUNCH",
           "CFG_STATUS.STALL_COUNT_EN"},
          {"STATUS.FREE_SLOT", "STATUS.IDLE", "STATUS.GRP0_BUSY", "STATUS.GRP1_BUSY",
           "STATUS_GRP0_READ_STALL.COUNT", "STATUS_GRP0_WRITE_STALL.COUNT",
           "STATUS_GRP1_READ_STALL.COUNT", "STATUS_GRP1_WRITE_STALL.COUNT"},
          {"CFG_OP", "CFG_LAUNCH0", "CFG_LAUNCH1"}}},
        bdma_scope,
    };
    return unit;
}

}  // namespace macrame::dla
