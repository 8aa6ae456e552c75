#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

/// "14'd0, " in front of bits that fill `width`; empty if they do.
std::string pad(int width, int bits) {
    return width > bits ? fmt::format("{}'d0, ", width - bits) : "";
}

/// What a layer may be, as a signal that goes with its beats through a bank.
text::List kinds_of(const Derived& d, int stages) {
    text::List kinds;
    if (d.fp16 != 0 && (d.int8 != 0 || d.int16 != 0)) {
        kinds.push_back(text::Scope{
            {"name", "fp"},
            {"doc", "fp16"},
            {"w", stages + 1},
            {"shift", fmt::format("{{fp_q[{}:1], fp}}", stages)},
            {"value", d.int8 != 0 ? "mac_a2accu_kind[1]" : "mac_a2accu_kind[1:0] != 2'd1"}});
    }
    if (d.int8 != 0 && d.int16 != 0) {
        kinds.push_back(text::Scope{{"name", "pair"},
                                    {"doc", "int8"},
                                    {"w", 1},
                                    {"shift", "pair"},
                                    {"value", "mac_a2accu_kind[1:0] == 2'd0"}});
    }
    return kinds;
}

text::Scope cacc_scope(const Config& config, const Derived& d) {
    if (d.wide == 0) return {};
    const bool int8 = d.int8 != 0, int16 = d.int16 != 0, fp16 = d.fp16 != 0;
    const bool mixed = fp16 && (int8 || int16), winograd = config.winograd_enable;
    const int cells = 2 * d.cmac_cells, stages = d.cacc_min_stripe - 2;
    // A kernel that fits CBUF, or 48 bits, which saturate.
    const int need16 = 31 + clog2(d.cbuf_bytes / 2);
    const int acc16_w = fp16 ? 48 : std::min(need16, 48);
    const int state_w = std::max(int8 ? 2 * d.acc_w : 0, acc16_w);
    const int beats = d.atomic_k / d.sdp_lanes, wide_beats = cells / d.sdp_lanes;
    const int beat_w = std::max(clog2(beats), 1);
    const std::string last = fmt::format("{}'d{}", beat_w, wide_beats - 1);
    const std::string last8 = fmt::format("(pair_out ? {}'d{} : {})", beat_w, beats - 1, last);
    const std::string integer_sum = !int16 ? "sum8" : int8 ? "pair[1] ? sum8 : sum16" : "sum16";
    const std::string float_sum = "{" + pad(state_w, 48) + "fp_sum}";
    const std::string waiting = fmt::format("integer_q[{}]", stages);
    return {
        {"cells", cells},
        {"state_w", state_w},
        {"acc16_w", acc16_w},
        {"raw_w", acc16_w},
        {"rows", d.cacc_depth / d.mac_results},
        {"row_w", clog2(d.cacc_depth / d.mac_results)},
        {"beat_w", beat_w},
        {"last_beat", int8 ? last8 : last},
        {"add_stages", stages},
        {"fadd_stages", 8},
        {"mixed", mixed},
        {"integers", int8 || int16},
        {"saturate16", int16 && need16 > 48},
        {"several_types", has_mixed_types(config)},
        {"has_kinds", has_mac_kinds(config)},
        {"precision", has_mixed_types(config) ? "precision" : "unused_precision"},
        {"truncate", int8 || int16 ? "truncate" : "unused_truncate"},
        {"acc_kinds", kinds_of(d, stages)},
        {"fp_out", int8 ? "precision_q[1]" : "precision_q != 2'd1"},
        {"fp_gate", mixed ? " & fp[8:1]" : ""},
        {"integer_gate", mixed ? " & ~fp[8:1]" : ""},
        {"over_gate", int8 ? " & {2{!pair[1]}}" : ""},
        {"integer_sum", integer_sum},
        {"pad8", pad(state_w, 2 * d.acc_w)},
        {"pad16", pad(state_w, acc16_w)},
        {"sum_of", mixed  ? "fp[9] ? " + float_sum + " : " + waiting
                   : fp16 ? "fp_sum"
                          : waiting},
        {"cell_doc", int8 ? "or two of int8" : "of 16 bits"},
        {"saturates16", int16 && need16 > 48 ? ", saturates" : ""},
        {"bank_plural", winograd ? "s" : ""},
        {"lanes_plural", d.sdp_lanes > 1 ? "s" : ""},
        {"credit_doc", winograd ? ", a tile with four" : ""},
        {"place_doc", winograd ? ", a tile of Winograd takes four" : ""},
    };
}

}  // namespace

const Unit& cacc_unit() {
    using C = const Config&;
    static const Unit unit{
        "cacc",
        "accumulates partial sums per output position, rounds them and hands them to SDP",
        nullptr,
        {},
        {"sram_dist_1r1w", "fifo_sync", "clkgate", "reg_copy"},
        {{"cacc", {"D_CLIP_CFG.CLIP_TRUNCATE"}, {"D_OUT_SATURATION.SAT_COUNT"}, {}}},
        cacc_scope,
        {
            {[](C c) { return !has_wide_type(c); }, {"dla_cacc.v", "dla_cacc_round.v"}},
            {has_wide_type, {"cacc_wide/dla_cacc_wide.v", "dla_cacc_bank.v", "dla_cacc_cell.v"}},
            {has_fp16, {"dla_cacc_fadd.v", "dla_cacc_fp32.v"}},
            {[](C c) { return has_wide_type(c) && (has_type(c, "INT8") || has_type(c, "INT16")); },
             {"cacc_wide/dla_cacc_wide_round.v"}},
            {[](C c) { return has_wide_type(c) && has_mac_kinds(c); },
             {},
             {"D_MISC_CFG.CONV_MODE", "D_MISC_CFG.PROC_PRECISION"}},
        },
    };
    return unit;
}

}  // namespace macrame::dla
