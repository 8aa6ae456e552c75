#include <algorithm>

#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

bool has_mix(const Config& config) { return has_type(config, "INT8") && has_types16(config); }

text::Scope rubik_scope(const Config& config, const Derived& derived) {
    // Elements of an atom, of the narrowest and of the widest type.
    const int elements = derived.atom_bytes / narrowest_bytes(config);
    const int fewest = derived.atom_bytes / widest_bytes(config);
    const int sub_w = clog2(32 / derived.atom_bytes);  // atoms of the unit of addresses
    const int depth = channel_depth(config, derived.atom_bytes, std::max(32, 2 * elements));
    return {
        {"atom_lsb", clog2(derived.atom_bytes)},
        {"rubik_run_w", clog2(elements)},
        {"rubik_least_run_w", clog2(fewest)},
        {"rubik_depth", depth},
        {"rubik_notes", std::clamp(depth / 4, 16, 64)},
        {"rubik_sub_w", sub_w},
        {"rubik_lane", 8 * narrowest_bytes(config)},
        // Small blocks need more banks to hide the hand-over; they share the same LUT RAMs.
        {"rubik_banks", elements >= 32 ? 2 : 4},
    };
}

bool has_contract(const Config& config) { return config.rubik_contract_enable; }
bool has_reshape(const Config& config) { return config.rubik_reshape_enable; }
}  // namespace

const Unit& rubik_unit() {
    static const Unit unit{
        "rubik",
        "moves elements of a cube: deconvolution, planes of channels",
        [](const Config& config) { return config.rubik_enable; },
        {"dla_rubik.v", "dla_rubik_walk.v"},
        {"clkgate", "fifo_sync", "sram_dist_1r1w"},
        {{"rubik",
          {"D_DATAIN_SIZE_0.DATAIN_WIDTH", "D_DATAIN_SIZE_0.DATAIN_HEIGHT",
           "D_DATAOUT_SIZE_1.DATAOUT_CHANNEL", "D_DAIN_ADDR_HIGH.DAIN_ADDR_HIGH",
           "D_DAIN_ADDR_LOW.DAIN_ADDR_LOW", "D_DAIN_LINE_STRIDE.DAIN_LINE_STRIDE",
           "D_DAIN_SURF_STRIDE.DAIN_SURF_STRIDE", "D_DAOUT_ADDR_HIGH.DAOUT_ADDR_HIGH",
           "D_DAOUT_ADDR_LOW.DAOUT_ADDR_LOW", "D_DAOUT_LINE_STRIDE.DAOUT_LINE_STRIDE",
           "D_DAOUT_SURF_STRIDE.DAOUT_SURF_STRIDE", "D_PERF_ENABLE.PERF_EN"},
          {"D_PERF_READ_STALL.RD_STALL_CNT", "D_PERF_WRITE_STALL.WR_STALL_CNT"},
          {}}},
        rubik_scope,
        {{has_contract,
          {},
          {"D_CONTRACT_STRIDE_0.CONTRACT_STRIDE_0", "D_DECONV_STRIDE.DECONV_X_STRIDE",
           "D_DECONV_STRIDE.DECONV_Y_STRIDE"}},
         {has_reshape,
          {"dla_rubik_turn.v"},
          {"D_MISC_CFG.RUBIK_MODE", "D_DAIN_PLANAR_STRIDE.DAIN_PLANAR_STRIDE",
           "D_DAOUT_PLANAR_STRIDE.DAOUT_PLANAR_STRIDE"}},
         {has_mix, {}, {"D_MISC_CFG.IN_PRECISION"}}},
    };
    return unit;
}

}  // namespace macrame::dla
