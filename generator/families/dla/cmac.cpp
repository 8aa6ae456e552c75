#include <fmt/format.h>

#include <algorithm>
#include <string>

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

text::Scope cmac_scope(const Config& config, const Derived& d) {
    const bool int8 = d.int8 != 0, fp16 = d.fp16 != 0;
    text::Scope out{{"sums", mac_link(config, d)}};
    if (d.wide == 0) return out;
    const int quads = d.atomic_c / 4, levels = cmac_levels(d);
    const int low_w = fp16 ? 21 : 18;
    text::List fields;
    if (int8) {
        fields = {text::Scope{{"name", "low"}, {"w", low_w}},
                  text::Scope{{"name", "high"}, {"w", 18}}};
    } else {
        fields = {text::Scope{{"name", "sum"}, {"w", 34}}};
    }
    out.merge({
        {"quads", quads},
        {"rows", std::max(quads / 4, 1)},
        {"levels", levels},
        {"levels_doc", levels == 1 ? "One cycle." : "Two cycles."},
        {"sum_cycles", levels == 1 ? "Two" : "Three"},
        {"results", d.mac_results},
        {"mixed", fp16 && (int8 || d.int16 != 0)},
        {"mant_w", int8 || d.int16 != 0 ? 16 : 14},
        {"low_w", low_w},
        {"sum_w", 34 + clog2(quads)},
        {"fields", fields},
        {"nan_stage", d.cmac_latency - 2},
        {"types_doc", types_doc(d)},
        {"picture", fp16 ? kCsaPicture : kMulPicture},
        {"word_doc", word_doc(int8, fp16)},
        {"mant_doc", int8 || d.int16 != 0 ? "16 bits" : "14 bits"},
        {"on_doc", int8 || d.int16 != 0 ? ", or an integer" : ""},
        {"results_doc", results_doc(config)},
        {"integers_doc", int8 || d.int16 != 0 ? ", integers" : ""},
        {"pair_doc", int8 ? " (int8: of two)" : ""},
        {"wt_busy", fp16 ? fmt::format(" || wt_valid_q != {}'d0", d.cmac_latency - 2) : ""},
    });
    out.merge(kinds_scope(kinds_of(config, d)));
    return out;
}

}  // namespace

bool has_mac_kinds(const Config& config) {
    return has_mixed_types(config) || config.winograd_enable;
}

text::Scope mac_link(const Config& config, const Derived& derived) {
    text::List kind;
    if (has_mac_kinds(config)) kind.push_back("kind");
    return {{"results", derived.mac_results}, {"kind", kind}};
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
            {[](C c) { return has_mac_kinds(c); },
             {},
             {"D_MISC_CFG.CONV_MODE", "D_MISC_CFG.PROC_PRECISION"}},
            {[](C c) { return c.retiming_enable; }, {"dla_cmac_retimed.v"}},
        },
        {"cmac_a", "cmac_b"},
    };
    return unit;
}

}  // namespace macrame::dla
