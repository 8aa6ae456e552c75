#include <algorithm>

#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

text::Scope cmac_scope(const Config& config, const Derived& d) {
    const bool int8 = d.int8 != 0, fp16 = d.fp16 != 0, ints = int8 || d.int16 != 0;
    text::Scope out{{"sums", mac_link(config, d)}, {"mixed", fp16 && ints}};
    if (d.types16 == 0) return out;
    const int quads = d.atomic_c / 4;
    const int low_w = fp16 ? 21 : 18;
    const int sum_w = 34 + clog2(quads);
    // The sum of four lanes of a cell, with int8 in two parts.
    text::List fields;
    const auto add = [&](const char* name, int w) {
        fields.push_back(text::Scope{{"name", name}, {"w", w}});
    };
    if (int8) {
        add("low", low_w);
        add("high", 18);
    } else {
        add("sum", 34);
    }
    out.merge({{"quads", quads},
               {"rows", std::max(quads / 4, 1)},
               {"levels", cmac_levels(d)},
               {"results", d.mac_results},
               {"mant_w", ints ? 16 : 14},
               {"low_w", low_w},
               {"sum_w", sum_w},
               {"pair_more", std::max(d.psum_w / 2 - (sum_w - 16), 0)},
               {"fields", fields},
               {"nan_stage", d.cmac_latency - 2},
               {"tile_rows", fp16 ? 10 : 3}});
    return out;
}

}  // namespace

bool has_mac_kinds(const Config& config) {
    return has_mixed_types(config) || config.winograd_enable;
}

text::Scope mac_link(const Config& config, const Derived& derived) {
    text::List kind;
    if (has_mac_kinds(config)) kind.push_back("kind");
    return {{"results", derived.mac_results},
            {"kind", kind},
            {"kind_w", config.winograd_enable ? 3 : 2}};
}

const Unit& cmac_unit() {
    using C = const Config&;
    static const Unit unit{
        "cmac",
        "one half of the MAC array: signed 8 x 8 products summed over the channel lanes",
        nullptr,
        {"dla_cmac.v"},
        {"clkgate", "reg_copy"},
        {{"cmac", {}, {}, {}, "cmac_a"}},  // both halves have one register file
        cmac_scope,
        {
            {[](C c) { return !has_types16(c); }, {"dla_cmac_pair.v", "dla_cmac_dot.v"}},
            {has_types16, {"dla_cmac_shadow.v"}},
            {[](C c) { return has_types16(c) && !has_fp16(c); },
             {"dla_cmac_cell_mul.v", "dla_cmac_quad_mul.v", "dla_cmac_dot16.v"}},
            {has_fp16,
             {"dla_cmac_operand.v", "dla_cmac_nan.v", "dla_cmac_cell_csa.v", "dla_cmac_align.v",
              "dla_cmac_quad_csa.v", "dla_cmac_lane.v"}},
            {has_types16, {"dla_cmac_sum.v", "dla_cmac_word.v"}},
            {[](C c) { return has_types16(c) && !c.winograd_enable; }, {"dla_cmac_tree.v"}},
            {[](C c) { return c.winograd_enable; }, {"dla_cmac_tile.v"}},
            {has_mac_kinds, {}, {"D_MISC_CFG.PROC_PRECISION"}},
            {[](C c) { return c.winograd_enable; }, {}, {"D_MISC_CFG.CONV_MODE"}},
            {[](C c) { return c.retiming_enable; }, {"dla_cmac_retimed.v"}},
        },
        {"cmac_a", "cmac_b"},
    };
    return unit;
}

}  // namespace macrame::dla
