#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

/// What a layer may be, as a signal that goes through the array with its beats.
struct Kind {
    const char* name;
    std::string value;      ///< from the registers
    std::vector<int> taps;  ///< cycles behind the beat, each one before a cell uses it
};

std::vector<Kind> kinds_of(const Config& config, const Derived& d) {
    const int word = d.cmac_latency - 2;
    std::vector<Kind> kinds;
    if (d.fp16 != 0 && (d.int8 != 0 || d.int16 != 0)) {
        kinds.push_back({"fp", d.int8 != 0 ? "precision[1]" : "precision != 2'd1", {6, 7, word}});
    }
    if (d.int8 != 0) {
        kinds.push_back({"pair", "precision == 2'd0", {word}});
        if (d.fp16 != 0) kinds.back().taps = {6, 7, 8, word};
    }
    if (config.winograd_enable) {
        const int rows = d.fp16 != 0 ? 10 : 3;
        kinds.push_back({"tile", "conv_mode", {rows, rows + 1}});
    }
    return kinds;
}

/// Names of the kinds for the templates.
text::Scope kinds_scope(const std::vector<Kind>& kinds) {
    text::List rows;
    std::string inputs, copies;
    int count = 0;
    for (const Kind& kind : kinds) {
        std::string tapped, ages;
        for (const int tap : kind.taps) {
            tapped = fmt::format("{}_q[{}]{}", kind.name, tap, tapped.empty() ? "" : ", ") + tapped;
            ages += (ages.empty() ? "" : ", ") + std::to_string(tap);
        }
        rows.push_back(text::Scope{{"name", kind.name},
                                   {"value", kind.value},
                                   {"taps", kind.taps.back()},
                                   {"w", static_cast<int>(kind.taps.size())},
                                   {"tapped", "{" + tapped + "}"},
                                   {"ages", ages}});
        inputs += std::string(kind.name) + "_in, ";
        copies += std::string(kind.name) + ", ";
        count += static_cast<int>(kind.taps.size());
    }
    return {{"has_kinds", !kinds.empty()},
            {"kinds", rows},
            {"kind_inputs", inputs},
            {"kind_copies", copies},
            {"copies", count}};
}

/// "int8, int16 and fp16".
std::string types_doc(const Derived& d) {
    std::vector<std::string> types;
    if (d.int8 != 0) types.push_back("int8");
    if (d.int16 != 0) types.push_back("int16");
    if (d.fp16 != 0) types.push_back("fp16");
    std::string doc = types.front();
    for (std::size_t i = 1; i < types.size(); ++i)
        doc += (i + 1 == types.size() ? " and " : ", ") + types[i];
    return doc;
}

constexpr const char* kMulPicture =
    "//\n"
    "//     weights --> shadow of a cell --> quads of 4 lanes --> tree --> word --> mac2accu_data\n"
    "//     data    --> flop ------------->\n"
    "//";
constexpr const char* kCsaPicture =
    "//\n"
    "//                  --> signs, exponents ---> cell:   alignment -----+\n"
    "//                  |                                               v\n"
    "//     operand -----+-> mantissas, integers, 5 cycles later ----> quads of 4 lanes --> tree\n"
    "//     (weights,    |                                                               |\n"
    "//      data)       +-> first NaN ---------------------------------------------> word --> "
    "CACC\n"
    "//";

/// What a word to CACC is.
std::string word_doc(bool int8, bool fp16) {
    std::string doc;
    if (fp16) doc += "fp16: exponent and 38 bits.";
    if (int8) doc += std::string(doc.empty() ? "" : " ") + "int8: two kernels.";
    return doc.empty() ? "Sign extended." : doc;
}

std::string results_doc(const Config& config) {
    return config.winograd_enable ? "  // result 0 of all cells, result 1, ..." : "";
}

/// What a configuration computes.
struct Types {
    bool int8, fp16, mixed;  ///< mixed: fp16 and integers
    bool tile;               ///< Winograd
};

/// The sum of four lanes of a cell, or a part of it.
struct Field {
    const char* name;
    int w;
};

/// Lines of those of these texts whose condition holds.
std::string lines_of(std::initializer_list<std::pair<bool, std::string>> lines) {
    std::string out;
    for (const auto& [has, line] : lines) {
        if (has) out += (out.empty() ? "" : "\n") + line;
    }
    return out;
}

/// Products of a cell by multipliers: with int8 a weight may be two.
text::Scope mul_scope(const Types& types) {
    const auto only = [&types](const char* line) { return types.int8 ? line : ""; };
    return {
        {"take_pair_port", only("input  wire         take_pair,      // with take: int8")},
        {"take_pair_pin", only(".pair    (take_pair),")},
        {"sum_kind_pins",
         lines_of({{types.tile, ".tile   (tile),"}, {types.int8, ".pair   (pair),"}})},
        {"load_pair_port",
         only("input  wire         pair,       // with load: each weight is two of int8")},
        {"load_pair_pin", only(".pair     (pair),")},
        {"dot_sum_port", types.int8 ? "// a0 * w0 + a1 * w1 + 32767; int8: of w1 in the upper 17 "
                                      "bits, of w0 in the lower 16\n"
                                      "output wire [32:0]  sum"
                                    : "output wire [32:0]  sum         // a0 * w0 + a1 * w1"},
        {"factor_w", types.int8 ? 25 : 16},
        {"factor0", types.int8 ? "factor(weights[15:0],  pair)" : "weights[15:0]"},
        {"factor1", types.int8 ? "factor(weights[31:16], pair)" : "weights[31:16]"},
        {"dot_bias", only(" + BIAS")},
    };
}

/// What goes with the beats through the quads of carry-save rows.
text::Scope quad_scope(const Types& types) {
    return {
        {"quad_kind_ports",
         lines_of({{types.mixed, "input  wire [1:0]   fp,      // of a beat: fp16; rows, shift"},
                   {types.int8,
                    "input  wire [2:0]   pair,       // of a beat: int8; rows, shift, "
                    "products"}})},
        {"digit_fp_input", types.mixed ? ", input is_fp" : ""},
        {"digit_fp", types.mixed ? ", is_fp" : ""},
        {"rows_fp", types.mixed ? ", fp" : ""},
        {"lane_weight", types.mixed ? "weight" : "{2'd0, weight}"},
        {"pair_split", types.int8 ? "w[7] && !pair" : "w[7]"},
        {"lane_fp_pins", types.mixed ? ".fp       (fp[0]),\n.fp_shift (fp[1])," : ""},
    };
}

/// The sum of the quads and the word to CACC.
text::Scope sum_scope(const Types& types, const std::vector<Field>& fields, int quads, int sum_w,
                      int psum_w) {
    std::string ports = lines_of(
        {{types.tile,
          "input  wire [1:0]   tile,           // of a beat: Winograd; levels of the tree"},
         {types.int8, "input  wire         pair,           // of a beat: int8; word"},
         {types.mixed, "input  wire         fp,          // of a beat: fp16; word"},
         {types.fp16,
          "input  wire [3:0]   largest,        // as in dla_cmac_word\n"
          "input  wire [10:0]  nan,\n"
          "input  wire         is_nan,"}});
    std::string pins = lines_of({{types.mixed, ".fp   (fp),"},
                                 {types.fp16,
                                  ".largest (largest),\n"
                                  ".nan     (nan),\n"
                                  ".is_nan  (is_nan),"},
                                 {types.int8, ".pair    (pair),"}});
    for (const Field& f : fields) {
        ports += fmt::format("{}input  wire [{}:0] {},", ports.empty() ? "" : "\n", quads * f.w - 1,
                             f.name);
        pins += fmt::format("{}.{} ({}_sum[r]),", pins.empty() ? "" : "\n", f.name, f.name);
    }
    const auto extended = [](const char* name, int w, int to) {
        return to == w ? std::string(name)
                       : fmt::format("{{{{{}{{{}[{}]}}}}, {}}}", to - w, name, w - 1, name);
    };
    // Sums of int8 have sum_w - 16 bits, places for them half a word.
    const auto sign = [&](const char* name) {
        const int more = psum_w / 2 - (sum_w - 16);
        return more > 0 ? fmt::format("{{{}{{{}[{}]}}}}, ", more, name, sum_w - 17) : "";
    };
    const std::string nan_word =
        "psum[43:38] <= {largest, 2'd0};\n"
        "if (is_nan) psum <= {6'd63, nan, 27'd0};";
    const std::string mixed_word =
        "if (fp) begin\n"
        "    psum[43:38] <= {largest, 2'd0};\n"
        "    if (is_nan) psum <= {6'd63, nan, 27'd0};\n"
        "end";
    return {
        {"sum_ports", ports},
        {"word_pins", pins},
        {"word_ports",
         lines_of({{types.mixed, "input  wire         fp,      // fp16"},
                   {types.fp16,
                    "input  wire [3:0]   largest,    // exponent of the sum in steps of 4\n"
                    "input  wire [10:0]  nan,        // sign, fraction of the first NaN\n"
                    "input  wire         is_nan,     // there is one"}})},
        {"word", extended("sum", sum_w, psum_w)},
        {"pair_word", types.int8 ? fmt::format("if (pair) psum <= {{{0}high, {1}low[{2}:0]}};",
                                               sign("high"), sign("low"), sum_w - 17)
                                 : ""},
        {"fp_word", types.mixed  ? mixed_word
                    : types.fp16 ? nan_word
                                 : ""},
    };
}

text::Scope cmac_scope(const Config& config, const Derived& d) {
    const bool int8 = d.int8 != 0, fp16 = d.fp16 != 0;
    text::Scope out{{"sums", mac_link(config, d)}};
    if (d.wide == 0) return out;
    const int quads = d.atomic_c / 4, levels = cmac_levels(d);
    const int low_w = fp16 ? 21 : 18;
    const int sum_w = 34 + clog2(quads);
    const Types types{int8, fp16, fp16 && (int8 || d.int16 != 0), config.winograd_enable};
    const std::vector<Field> fields =
        int8 ? std::vector<Field>{{"low", low_w}, {"high", 18}} : std::vector<Field>{{"sum", 34}};
    text::List field_list;
    for (const Field& f : fields)
        field_list.push_back(text::Scope{{"name", f.name}, {"w", f.w}});
    out.merge({
        {"quads", quads},
        {"rows", std::max(quads / 4, 1)},
        {"levels", levels},
        {"levels_doc", levels == 1 ? "One cycle." : "Two cycles."},
        {"sum_cycles", levels == 1 ? "Two" : "Three"},
        {"results", d.mac_results},
        {"mixed", types.mixed},
        {"mant_w", int8 || d.int16 != 0 ? 16 : 14},
        {"low_w", low_w},
        {"sum_w", sum_w},
        {"fields", field_list},
        {"nan_stage", d.cmac_latency - 2},
        {"types_doc", types_doc(d)},
        {"picture", fp16 ? kCsaPicture : kMulPicture},
        {"word_doc", word_doc(int8, fp16)},
        {"mant_doc", int8 || d.int16 != 0 ? "16 bits" : "14 bits"},
        {"on_doc", int8 || d.int16 != 0 ? ", or an integer" : ""},
        {"results_doc", results_doc(config)},
        {"mode_wire",
         config.winograd_enable ? "wire       conv_mode;               // 1: Winograd" : ""},
        {"mode_pin", config.winograd_enable ? ".d_misc_cfg_conv_mode      (conv_mode)," : ""},
        {"kind", config.winograd_enable ? "conv_mode, precision" : "precision"},
        {"kind_doc", config.winograd_enable ? "CONV_MODE, PROC_PRECISION" : "PROC_PRECISION"},
        {"integers_doc", int8 || d.int16 != 0 ? ", integers" : ""},
        {"pair_doc", int8 ? " (int8: of two)" : ""},
        {"wt_busy", fp16 ? fmt::format(" || wt_valid_q != {}'d0", d.cmac_latency - 2) : ""},
    });
    out.merge(kinds_scope(kinds_of(config, d)));
    out.merge(mul_scope(types));
    out.merge(quad_scope(types));
    out.merge(sum_scope(types, fields, quads, sum_w, d.psum_w));
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
        {},
        {"clkgate", "reg_copy"},
        {{"cmac", {}, {}, {}, "cmac_a"}},  // both halves have one register file
        cmac_scope,
        {
            {[](C c) { return !has_wide_type(c); },
             {"dla_cmac.v", "dla_cmac_pair.v", "dla_cmac_dot.v"}},
            {has_wide_type, {"cmac_wide/dla_cmac_wide.v", "dla_cmac_shadow.v"}},
            {[](C c) { return has_wide_type(c) && !has_fp16(c); },
             {"dla_cmac_cell_mul.v", "dla_cmac_quad_mul.v", "dla_cmac_dot16.v"}},
            {has_fp16,
             {"dla_cmac_operand.v", "dla_cmac_nan.v", "dla_cmac_cell_csa.v", "dla_cmac_align.v",
              "dla_cmac_quad_csa.v", "dla_cmac_lane.v"}},
            {has_wide_type, {"dla_cmac_sum.v", "dla_cmac_word.v"}},
            {[](C c) { return has_wide_type(c) && !c.winograd_enable; }, {"dla_cmac_tree.v"}},
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
