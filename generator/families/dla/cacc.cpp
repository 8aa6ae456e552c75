#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

/// "14'd0, " in front of bits that fill `width`; empty if they do.
std::string pad(int width, int bits) {
    return width > bits ? fmt::format("{}'d0, ", width - bits) : "";
}

/// What a layer may be, as a signal that goes with its beats through a bank.
struct Kind {
    std::string name;
    const char* doc;
    int w;
    std::string shift, value;
};

std::vector<Kind> kinds_of(const Derived& d, int stages) {
    std::vector<Kind> kinds;
    if (d.fp16 != 0 && (d.int8 != 0 || d.int16 != 0)) {
        kinds.push_back({"fp", "fp16", stages + 1, fmt::format("{{fp_q[{}:1], fp}}", stages),
                         d.int8 != 0 ? "mac_a2accu_kind[1]" : "mac_a2accu_kind[1:0] != 2'd1"});
    }
    if (d.int8 != 0 && d.int16 != 0) {
        kinds.push_back({"pair", "int8", 1, "pair", "mac_a2accu_kind[1:0] == 2'd0"});
    }
    return kinds;
}

text::List kinds_list(const std::vector<Kind>& kinds) {
    text::List list;
    for (const Kind& k : kinds) {
        list.push_back(text::Scope{{"name", k.name},
                                   {"port", fmt::format("{:<11}", k.name + ",")},
                                   {"pin", fmt::format("{:<8}", k.name)},
                                   {"flop", fmt::format("{:<10}", "in_" + k.name + "_q")},
                                   {"doc", k.doc},
                                   {"w", k.w},
                                   {"shift", k.shift},
                                   {"value", k.value}});
    }
    return list;
}

/// A cell: ports, saturation and waiting of integers.
text::Scope cell_scope(const std::vector<Kind>& kinds, int stages, bool saturates, bool int8,
                       int acc16_w, int state_w) {
    const std::string acc48 = state_w > 48 ? "acc[47:0]" : "acc";
    const auto only = [saturates](const std::string& line) {
        return saturates ? line : std::string();
    };
    std::string ports, later;
    for (const Kind& k : kinds) {
        ports += fmt::format(
            "{}input  wire [{}:1]   {},       "
            "// bit n: of what came n - 1 cycles ago: {}",
            ports.empty() ? "" : "\n", k.w, k.name, k.doc);
    }
    if (stages > 1 && !saturates) later = "if (step[1]) integer_q[2] <= integer_q[1];";
    if (stages > 2) {
        later += fmt::format(
            "{}for (s = 3; s <= {}; s = s + 1) begin\n"
            "    if (step[s-1]) integer_q[s] <= integer_q[s-1];\n"
            "end",
            later.empty() ? "" : "\n", stages);
    }
    return {
        {"kind_ports", ports},
        {"acc48", acc48},
        {"all16",
         only(fmt::format("wire [48:0] all16 = {{acc[47], {}}} + {{psum16[47], psum16}};", acc48))},
        {"sum16", saturates ? "all16[47:0]" : fmt::format("acc[{}:0] + psum16", acc16_w - 1)},
        {"over_reg", only("reg  [1:0]  over_q;             // above, below the range")},
        {"over_load",
         only(std::string("over_q       <= {all16[48] && !all16[47], !all16[48] && all16[47]}") +
              (int8 ? " & {2{!pair[1]}};" : ";"))},
        {"stage_index", stages > 2 ? "integer     s;" : ""},
        {"later_stages", later},
    };
}

/// What only configurations have in dla_cacc in which layers differ in type.
text::Scope type_scope(bool types, bool integers, bool mixed, bool int8) {
    const auto only = [](bool has, const std::string& line) { return has ? line : std::string(); };
    return {
        {"precision_wire", only(types, "wire [1:0] precision;")},
        {"precision_pin", only(types, ".d_misc_cfg_proc_precision  (precision),")},
        {"precision_reg", only(types, "reg  [1:0]        precision_q;")},
        {"fp_out", only(mixed, std::string("wire              fp_out    = ") +
                                   (int8 ? "precision_q[1];" : "precision_q != 2'd1;"))},
        {"fp_pin", only(mixed, ".fp    (fp_out),")},
        {"pair_out", only(int8, "wire              pair_out  = precision_q == 2'd0;")},
        {"sat_count_wire", only(integers, "wire [31:0] sat_count;")},
        {"sat_count", integers ? "(sat_count)" : "(32'd0)     // fp32 never saturates"},
    };
}

/// The kind of a beat, and the banks of positions: four with Winograd, for the results of a tile.
text::Scope bank_scope(const Config& config, const Derived& d, bool types) {
    const bool winograd = config.winograd_enable;
    const auto only = [](bool has, const std::string& line) { return has ? line : std::string(); };
    const std::string one = fmt::format("{}'d1", clog2(d.cacc_depth));
    // All types but int8 and fp16 alone need both bits of PROC_PRECISION.
    const char* unused = !types                        ? (winograd ? "[1:0];  // one type" : "")
                         : d.int8 != 0 && d.int16 == 0 ? "[0];    // no int16"
                                                       : "";
    return {
        {"kind_port",
         only(types || winograd,
              winograd ? "input  wire [2:0]    mac_a2accu_kind,    // CONV_MODE, "
                         "PROC_PRECISION"
                       : "input  wire [1:0]    mac_a2accu_kind,    // PROC_PRECISION")},
        {"unused_kind",
         only(*unused != 0, "wire unused_kind = &mac_a2accu_kind" + std::string(unused))},
        {"bank_plural", winograd ? "s" : ""},
        {"credit_doc", winograd ? ", a tile with four" : ""},
        {"place_doc", winograd ? ", a tile of Winograd takes four" : ""},
        {"tile_reg", only(winograd, "reg                in_tile_q;")},
        {"tile_size", only(winograd, fmt::format("wire [PTR_W-1:0]   size  = mac_a2accu_kind[2] ? "
                                                 "{}'d4 : {};",
                                                 clog2(d.cacc_depth), one))},
        {"place_size", winograd ? "size" : one},
        {"tile_load", only(winograd, "in_tile_q  <= mac_a2accu_kind[2];")},
        {"psums_w",
         fmt::format("{:<19}", fmt::format("{};", d.mac_results * d.cmac_cells * d.psum_w))},
        {"pushed_w", winograd ? 3 : 1},
        {"pushed_range", winograd ? "[2:0]         " : "              "},
        {"pushed_doc", std::string(winograd ? "positions that are" : "a position is") +
                           " new in the delivery RAM"},
        {"busy_pin", only(config.clock_gating, ".busy     (bank_busy),")},
        {"head_cells", 4},
    };
}

text::Scope cacc_scope(const Config& config, const Derived& d) {
    if (d.wide == 0) return {};
    const bool int8 = d.int8 != 0, int16 = d.int16 != 0, fp16 = d.fp16 != 0;
    const bool mixed = fp16 && (int8 || int16);
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
    const std::vector<Kind> kinds = kinds_of(d, stages);
    const bool saturates = int16 && need16 > 48;
    text::Scope out = {
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
        {"saturate16", saturates},
        {"several_types", has_mixed_types(config)},
        {"truncate", int8 || int16 ? "truncate" : "unused_truncate"},
        {"acc_kinds", kinds_list(kinds)},
        {"fp_gate", mixed ? " & fp[8:1]" : ""},
        {"integer_gate", mixed ? " & ~fp[8:1]" : ""},
        {"integer_sum", integer_sum},
        {"pad8", pad(state_w, 2 * d.acc_w)},
        {"pad16", pad(state_w, acc16_w)},
        {"sum_of", mixed  ? "fp[9] ? " + float_sum + " : " + waiting
                   : fp16 ? "fp_sum"
                          : waiting},
        {"cell_doc", int8            ? "or two of int8"
                     : fp16 && int16 ? "of 16 bits"
                     : fp16          ? "of fp16"
                                     : "of int16"},
        {"types_doc", has_mixed_types(config) ? " for any type" : ""},
        {"saturates16", saturates ? ", saturates" : ""},
        {"lanes_plural", d.sdp_lanes > 1 ? "s" : ""},
        {"result_doc", !fp16   ? "32 bits"
                       : mixed ? "32 bits or fp32"
                               : "fp32"},
    };
    out.merge(cell_scope(kinds, stages, saturates, int8, acc16_w, state_w));
    out.merge(type_scope(has_mixed_types(config), int8 || int16, mixed, int8));
    out.merge(bank_scope(config, d, has_mixed_types(config)));
    return out;
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
            {[](C c) { return c.winograd_enable; }, {"dla_cacc_banks.v"}},
            {has_mixed_types, {}, {"D_MISC_CFG.PROC_PRECISION"}},
        },
    };
    return unit;
}

}  // namespace macrame::dla
