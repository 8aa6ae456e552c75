#include <algorithm>
#include <string>

#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

/// Texts that depend on the modes.
text::Scope mode_texts(bool contract, bool reshape) {
    const bool both = contract && reshape;
    const auto either = [&](const char* of_both, const char* of_contract, const char* of_reshape) {
        return both ? of_both : contract ? of_contract : of_reshape;
    };
    return {
        {"rubik_speed", reshape ? " in whole blocks" : ""},
        {"rubik_turn", reshape ? "dla_rubik_turn --> " : ""},
        {"rubik_merge_text", reshape ? ", of merge one per channel" : ""},
        {"rubik_unused", either("", "", ", mode")},
        {"rubik_split", both ? "!merge && !contract" : "!merge"},
        {"rubik_as_read", both ? "merge || contract" : "merge"},
        {"rubik_no_stride", reshape ? " || !contract" : ""},
        {"rubik_last_pixel", contract ? " && last_x_q && last_y_q" : ""},
        {"rubik_size", reshape ? "merge ? {RUN_W{1'b0}} : cols" : "cols"},
        {"rubik_first", reshape ? "src_first_q" : "src_q"},
        {"rubik_turns", both ? " && !contract" : ""},
        {"rubik_blocks_ready", reshape ? " && blocks_ready" : ""},
        {"rubik_store_valid",
         either("contract ? atom_valid : turned_valid", "atom_valid", "turned_valid")},
        {"rubik_store_data", either("contract ? atom : turned", "atom", "turned")},
        {"rubik_take",
         either("contract ? move : atom_valid && turn_ready", "move", "atom_valid && turn_ready")},
    };
}

/// Texts that depend on whether a layer chooses the size of its elements.
text::Scope element_texts(bool mix) {
    const auto high = [&](const std::string& size) {
        const std::string all = size + "[12:RUN_W]";
        return mix ? "sixteen ? " + size + "[12:RUN_W-1] : {1'b0, " + all + "}" : all;
    };
    const auto low = [&](const std::string& size) {
        const std::string all = size + "[RUN_W-1:0]";
        return mix ? "sixteen ? {1'b0, " + size + "[RUN_W-2:0]} : " + all : all;
    };
    return {
        {"rubik_blocks", high("width")},
        {"rubik_cols", low("width")},
        {"rubik_surfs", high("channel")},
        {"rubik_chans", low("channel")},
        {"rubik_full", mix ? "{!sixteen, {(RUN_W-1){1'b1}}}" : "{RUN_W{1'b1}}"},
        {"rubik_run_atoms", mix ? "sixteen ? RUN >> 1 : RUN" : "RUN"},
        {"rubik_shift", mix ? "(sixteen ? RUN_W - 1 : RUN_W)" : "RUN_W"},
    };
}

bool has_mix(const Config& config) { return has_type(config, "INT8") && has_wide_type(config); }

text::Scope rubik_scope(const Config& config, const Derived& derived) {
    // Elements of an atom, of the narrowest and of the widest type.
    const int elements = derived.atom_bytes / narrowest_bytes(config);
    const int fewest = derived.atom_bytes / widest_bytes(config);
    const int sub_w = clog2(32 / derived.atom_bytes);  // atoms of the unit of addresses
    const int depth = channel_depth(config, derived.atom_bytes, std::max(32, 2 * elements));
    const auto first_atom = [&](const std::string& addr) {
        const std::string units = addr + "[" + std::to_string(derived.addr_w - 1) + ":5]";
        return sub_w == 0 ? units : "{" + units + ", " + std::to_string(sub_w) + "'d0}";
    };
    text::Scope scope = {
        {"atom_lsb", clog2(derived.atom_bytes)},
        {"rubik_run_w", clog2(elements)},
        {"rubik_least_run_w", clog2(fewest)},
        {"rubik_depth", depth},
        {"rubik_notes", std::clamp(depth / 4, 16, 64)},
        {"rubik_sub_w", sub_w},
        {"rubik_src_first", first_atom("src_addr")},
        {"rubik_dst_first", first_atom("dst_addr")},
        {"rubik_lane", 8 * narrowest_bytes(config)},
        // Small blocks need more banks to hide the hand-over; they share the same LUT RAMs.
        {"rubik_banks", elements >= 32 ? 2 : 4},
    };
    scope.merge(mode_texts(config.rubik_contract_enable, config.rubik_reshape_enable));
    scope.merge(element_texts(has_mix(config)));
    return scope;
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
