#include <algorithm>

#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

text::Scope cacc_scope(const Config& config, const Derived& d) {
    const bool int8 = d.int8 != 0, int16 = d.int16 != 0, fp16 = d.fp16 != 0;
    const bool integers = int8 || int16, mixed = fp16 && integers;
    if (d.types16 == 0) return {{"mixed", mixed}, {"integers", integers}};
    const int cells = 2 * d.cmac_cells;
    // A kernel that fits CBUF, or 48 bits, which saturate.
    const int need16 = 31 + clog2(d.cbuf_bytes / 2);
    const int raw_w = fp16 ? 48 : std::min(need16, 48);
    return {{"cells", cells},
            // An accumulator: two of int8, or one of 16 bits, which is also what is rounded.
            {"state_w", std::max(int8 ? 2 * d.acc_w : 0, raw_w)},
            {"raw_w", raw_w},
            {"rows", d.cacc_depth / d.mac_results},
            {"row_w", clog2(d.cacc_depth / d.mac_results)},
            {"beat_w", std::max(clog2(d.atomic_k / d.sdp_lanes), 1)},
            {"add_stages", d.cacc_min_stripe - 2},
            {"fadd_stages", 8},
            {"mixed", mixed},
            {"integers", integers},
            {"saturate16", int16 && need16 > 48},
            {"several_types", has_mixed_types(config)}};
}

}  // namespace

const Unit& cacc_unit() {
    using C = const Config&;
    static const Unit unit{
        "cacc",
        "accumulates partial sums per output position, rounds them and hands them to SDP",
        nullptr,
        {"dla_cacc.v"},
        {"sram_dist_1r1w", "fifo_sync", "clkgate", "reg_copy"},
        {{"cacc", {"D_CLIP_CFG.CLIP_TRUNCATE"}, {"D_OUT_SATURATION.SAT_COUNT"}, {}}},
        cacc_scope,
        {
            {has_types16, {"dla_cacc_bank.v", "dla_cacc_cell.v"}},
            {has_fp16, {"dla_cacc_fadd.v", "dla_cacc_fp32.v"}},
            {[](C c) { return has_type(c, "INT8") || has_type(c, "INT16"); }, {"dla_cacc_round.v"}},
            {[](C c) { return c.winograd_enable; }, {"dla_cacc_banks.v"}},
            {has_mixed_types, {}, {"D_MISC_CFG.PROC_PRECISION"}},
        },
    };
    return unit;
}

}  // namespace macrame::dla
