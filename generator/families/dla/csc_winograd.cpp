#include "families/dla/csc_winograd.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

/// Cycles from the entry of a tile to its elements behind the pre-addition.
constexpr int kTileCycles = 2, kIntegerCycles = 3, kFloatCycles = 13;

/// What the texts depend on.
struct Tiles {
    bool there = false;
    bool integers = false, fp16 = false, several = false;  ///< both
    bool mix = false, wide = false, image = false, batch = false, masks = false;
    int integer_skew = 0, float_skew = 0;  ///< cycles that a tile takes longer than other beats
    int lane_bits = 8;
    int left_bits = 21;  ///< of a count of positions

    int skew() const { return fp16 ? float_skew : integer_skew; }
    /// `text` with Winograd, else `other`.
    std::string only(const std::string& text, const std::string& other = "") const {
        return there ? text : other;
    }
    /// `text` if the pre-addition rounds.
    std::string rounded(const std::string& text) const { return integers ? text : ""; }
    std::string by_type(const std::string& on_fp, const std::string& on_integers) const {
        return several ? fmt::format("fp ? {} : {}", on_fp, on_integers)
                       : (fp16 ? on_fp : on_integers);
    }
};

Tiles tiles_of(const Config& config, const Derived& derived) {
    Tiles t;
    t.there = config.winograd_enable;
    t.fp16 = derived.fp16 != 0;
    t.integers = derived.int8 != 0 || derived.int16 != 0;
    t.several = t.fp16 && t.integers;
    t.wide = has_wide_type(config);
    t.mix = has_both_widths(config);
    t.image = config.image_enable;
    t.batch = config.batch_enable;
    t.masks = config.weight_compression_enable;
    t.lane_bits = derived.lane_bits;
    t.left_bits = 21 + 5 * t.batch;
    // Other beats take 3 cycles behind their entry, in a mix 4.
    const int other = 2 + t.mix;
    t.integer_skew = kTileCycles + kIntegerCycles - other;
    t.float_skew = kTileCycles + kFloatCycles - other;
    return t;
}

/// Registers.
text::Scope cfg_scope(const Tiles& t) {
    const char* fp = t.several ? "\noutput reg                        fp_q," : "";
    return {
        {"channel_w", t.only("[16:0]", "[12:0]")},
        {"channel_doc", t.only("          // of a tile: 16 times as many")},
        {"depth", t.only("depth", "channel")},
        {"columns", t.only("winograd ? {2'd0, out_width[12:2]} : out_width", "out_width")},
        {"no_tap", t.only(" & {5{!winograd}}")},
        {"y_step",
         t.only("winograd ? 15'd4 : {12'd0, stride_y} + 15'd1", "{12'd0, stride_y} + 15'd1")},
        {"not_winograd", t.only(" && !winograd")},
        {"block_columns",
         t.only("(winograd ? {21'd0, width[12:2]} : {19'd0, width})", "{19'd0, width}")},
        {"winograd_ports",
         t.only(std::string("output reg                        winograd_q,") + fp +
                t.rounded("\noutput reg  [1:0]                 truncate_q,"))},
        {"winograd_wires",
         t.only("wire        winograd;\n"
                "wire [1:0]  truncate;\n" +
                std::string(t.several && !t.mix ? "wire [1:0]  precision;\n"
                                                  "wire        unused_precision = precision[0];\n"
                                                : "") +
                "// A tile is a kernel tap of 16 times as many channels.\n"
                "wire [16:0] depth = winograd ? {channel[12:2], 6'h3f} : {4'd0, channel};" +
                (t.integers ? "" : "\nwire        unused_truncate = &{1'b0, truncate};"))},
        {"winograd_reg_pins",
         t.only(std::string(t.several && !t.mix
                                ? ".d_misc_cfg_proc_precision              (precision),\n"
                                : "") +
                ".d_misc_cfg_conv_mode                   (winograd),\n"
                ".d_pra_cfg_pra_truncate                 (truncate),")},
        {"winograd_load", t.only(std::string("winograd_q        <= winograd;") +
                                 (t.several ? "\nfp_q              <= precision[1];" : "") +
                                 t.rounded("\ntruncate_q        <= truncate;"))},
    };
}

/// Steps, and the positions of a step: tiles in fours.
text::Scope steps_scope(const Tiles& t) {
    const std::string left = "left_q[LEN_W-1:SHORT_W]";
    const char* byte_w = t.wide ? "BYTE_W" : "LANE_W";
    return {
        {"winograd_doc",
         t.only(
             "// Winograd: a position is a quarter of a tile, a short stripe twice as long.\n//")},
        {"sg_winograd_port", t.only("input  wire                       winograd,")},
        {"sg_winograd_pin", t.only(".winograd      (winograd),")},
        {"short_left",
         t.only("\n                && ({left_q[LEN_W-1:SHORT_W+1], left_q[SHORT_W] && "
                "!winograd}\n"
                "                    == {(LEN_W-SHORT_W){1'b0}})",
                " && (" + left + " == {(LEN_W-SHORT_W){1'b0}})")},
        {"stripe_length", t.only("{{(LEN_W-SHORT_W-1){!short_now}}, !short_now || winograd,\n"
                                 "                                    {SHORT_W{1'b1}}}",
                                 "{{(LEN_W-SHORT_W){!short_now}}, {SHORT_W{1'b1}}}")},
        {"short_stripe",
         t.only(
             fmt::format("{{{{({0}-SHORT_W-1){{1'b0}}}}, winograd, !winograd}}", t.left_bits - 1),
             fmt::format("{{{{({0}-SHORT_W){{1'b0}}}}, 1'b1}}", t.left_bits - 1))},
        {"pos_winograd_port", t.only("input  wire                       winograd,")},
        {"pos_winograd_pin", t.only(".winograd        (winograd),")},
        {"step_x_low", t.only(fmt::format("step_x_q[{}-1:1], step_x_q[0] || right", byte_w),
                              fmt::format("step_x_q[{}-1:0]", byte_w))},
        {"step_y_high", t.only("step_y_q[9:3], step_y_q[2] || lower", "step_y_q[9:2]")},
    };
}

/// Data on their way to CMAC.
text::Scope data_scope(const Tiles& t, int latency) {
    const auto tap = [](const char* name, const char* at) {
        return fmt::format(
            "wire [4:0] {0:<7} = {{valid_q[{1}], swap_q[{1}],\n"
            "                      first_q[{1}], last_q[{1}], end_q[{1}]}};",
            name, at);
    };
    const std::string taps =
        tap("tile", "TILE-2") + (t.several ? "\n" + tap("fp_tile", "FP_TILE-2") : "");
    const char* fp_port = t.several ? "\ninput  wire                       fp," : "";
    const char* fp_pin = t.several ? "\n.fp              (fp)," : "";
    std::string cycles = fmt::format("localparam TILE    = MAC + {};           // of a tile",
                                     t.integers ? t.integer_skew : t.float_skew);
    if (t.several)
        cycles += fmt::format("\nlocalparam FP_TILE = MAC + {};          // of fp16", t.float_skew);
    const std::string last = t.several ? "FP_TILE" : "TILE";
    text::Scope out = {
        {"dl_winograd_ports",
         t.only(std::string("input  wire                       winograd,") + fp_port +
                t.rounded("\ninput  wire [1:0]                 truncate,"))},
        {"dl_winograd_cfg", t.only(std::string(".winograd        (winograd),") + fp_pin +
                                   t.rounded("\n.truncate        (truncate),"))},
        {"dl_skew_param", t.only(cycles)},
        {"dl_out", t.only(last, "MAC")},
        {"flag_top", t.only(last + "-2", "MAC-1")},
        {"flag_shift", t.only(last + "-3", "MAC-2")},
        {"dl_stay", t.only(fmt::format("// A beat that has left goes no further.\n"
                                       "wire [{}-3:0] stay = {{{}{{(TILE-MAC){{winograd}}}},\n"
                                       "                           {{(MAC-2){{1'b1}}}}}};",
                                       last, t.several ? "{(FP_TILE-TILE){fp}}, " : ""))},
        {"dl_valid_along", t.only("valid_q[" + last + "-3:0] & stay", "valid_q[MAC-3:0]")},
        {"dl_valid", t.only("leave[4]", "valid_q[MAC-2]")},
        {"dl_swap", t.only("leave[3]", "swap_q[MAC-2]")},
        {"dl_lanes", t.only("winograd ? tile_lanes : lanes", "lanes")},
        {"mac_flag", text::Scope{{"first", t.only("flags_q[2]", "first_q[MAC-1]")},
                                 {"last", t.only("flags_q[1]", "last_q[MAC-1]")},
                                 {"end", t.only("flags_q[0]", "end_q[MAC-1]")}}},
        {"dl_tile_taps", taps},
        {"dl_leave",
         t.several ? "!winograd ? direct : fp ? fp_tile : tile" : "winograd ? tile : direct"},
        {"tile_int8_pins", t.mix ? ".int8      (int8),\n.load_odd  (odd_q[DATA-1])," : ""},
        {"tile_fp_pin", t.several ? ".fp        (fp)," : ""},
        {"tile_truncate_pin", t.rounded(".truncate  (truncate),")},
        {"close_done", t.only("close_done", "CLOSE_DONE")},
        {"close_tiles",
         t.only(fmt::format(
             "wire       [4:0] close_done = winograd ? {} : CLOSE_DONE;   // tiles are later",
             t.several ? fmt::format("(fp ? 5'd{} : 5'd{})", latency - 1 + t.float_skew,
                                     std::max(9, latency - 1 + t.integer_skew))
                       : fmt::format("5'd{}", std::max(9, latency - 1 + t.skew()))))},
    };
    out.merge(
        {{"dl_tile_wires", t.only(fmt::format("wire [{}*LANES-1:0] tile_lanes;", t.lane_bits))}});
    return out;
}

/// Layer control: room in CACC, registers.
text::Scope top_scope(const Tiles& t) {
    return {
        {"tile_end_doc",
         t.only(t.several
                    ? fmt::format("// Layers of Winograd end {} cycles later, those of fp16 {}.",
                                  t.integer_skew, t.float_skew)
                    : fmt::format("// Layers of Winograd end {} cycles later.", t.skew()))},
        {"channel_name", t.only("", "channel, ")},
        {"channel_wire", t.only("wire [16:0]       channel;")},
        {"top_winograd_wires", t.only(std::string("wire              winograd;") +
                                      (t.several ? "\nwire              fp;" : "") +
                                      t.rounded("\nwire [1:0]        truncate;"))},
        {"top_winograd_cfg", t.only(std::string(".winograd_q        (winograd),") +
                                    (t.several ? "\n.fp_q              (fp)," : "") +
                                    t.rounded("\n.truncate_q        (truncate),"))},
        {"prev_winograd", t.only("reg              prev_winograd_q;")},
        {"prev_winograd_reset", t.only("prev_winograd_q    <= 1'b0;")},
        {"prev_winograd_load", t.only("if (start) prev_winograd_q <= winograd;")},
        {"same_input", t.only("(image == prev_image_q) && (winograd == prev_winograd_q)",
                              "(image == prev_image_q)")},
        {"credit_change",
         t.only("cacc2csc_credit || credit_take", "cacc2csc_credit != credit_take")},
        {"credit_next",
         t.only("credit_q + {{(CRED_W-1){1'b0}}, cacc2csc_credit}\n"
                "                        - {{(CRED_W-3){1'b0}}, credit_take && winograd, 1'b0,\n"
                "                           credit_take && !winograd};   // a tile takes four",
                "credit_q + {{(CRED_W-1){credit_take}}, 1'b1};   // - 1 or + 1")},
        {"credit_there", t.only("winograd ? |credit_q[CRED_W-1:2] : |credit_q", "|credit_q")},
        {"wl_winograd_cfg", t.only(std::string(".winograd        (winograd),") +
                                   (t.several ? "\n.fp              (fp)," : ""))},
    };
}

/// Inside dla_csc_tile, dla_csc_pra and dla_csc_skew.
text::Scope tile_scope(const Tiles& t) {
    const auto saturated = [](int bits, int lane) {
        // The sign, as often as the lane has it; then the largest or smallest number.
        return fmt::format("{{{{{}{{less[W+2]}}}}, {{{}{{!less[W+2]}}}}}}", lane - bits + 1,
                           bits - 1);
    };
    const auto fits = [](int bits) {
        return fmt::format("less[W+2:{0}] == {{(W+3-{0}){{less[W+2]}}}}", bits - 1);
    };
    const std::string limit =
        t.mix ? "fits = int8 ? " + fits(8) + "\n            : " + fits(16) +
                    ";\nout[W*k +: W] = fits ? less[W-1:0] :\n"
                    "                int8 ? " +
                    saturated(8, 16) + "\n                     : " + saturated(16, 16) + ";"
              : "fits = " + fits(t.lane_bits) + ";\nout[W*k +: W] = fits ? less[W-1:0] : " +
                    saturated(t.lane_bits, t.lane_bits) + ";";
    return {
        {"tile_latency_doc",
         t.several ? fmt::format("{} cycles to CMAC, of fp16 {}.", kTileCycles + kIntegerCycles,
                                 kTileCycles + kFloatCycles)
                   : fmt::format("{} cycles to CMAC.",
                                 kTileCycles + (t.fp16 ? kFloatCycles : kIntegerCycles))},
        {"tile_int8_port", t.mix ? "input  wire                       int8," : ""},
        {"pra_int8_port", t.mix ? "input  wire           int8," : ""},
        {"tile_fp_port", t.several ? "input  wire                       fp," : ""},
        {"tile_truncate_port", t.rounded("input  wire [1:0]                 truncate,       // "
                                         "bits that integers lose, 3 is 2")},
        {"tile_odd_port",
         t.mix ? "input  wire                       load_odd,       // second block of its entry"
               : ""},
        {"tile_valid_bits", t.fp16 ? kFloatCycles : kIntegerCycles},
        {"integer_tiles", t.several ? " & {3{!fp}}" : ""},
        {"fp_tiles", t.several ? " & {13{fp}}" : ""},
        {"pra_int8_pin", t.mix ? ".int8     (int8)," : ""},
        {"tile_out", t.by_type("fp_sums[W*p +: W]", "sums[W*p +: W]")},
        {"pra_limit", limit},
        {"skew", t.skew()},
        {"skew_doc", t.several ? fmt::format("{} cycles, of fp16 {}, of other layers 0",
                                             t.integer_skew, t.float_skew)
                               : fmt::format("{} cycles, of other layers 0", t.skew())},
        {"skew_fp_port", t.several ? "input  wire         fp," : ""},
        {"skew_valid", t.by_type("valid_q[N*V-1 -: V]",
                                 t.several ? fmt::format("valid_q[{}*V-1 -: V]", t.integer_skew)
                                           : "valid_q[N*V-1 -: V]")},
        {"skew_data", t.by_type("data_q[N*D-1 -: D]",
                                t.several ? fmt::format("data_q[{}*D-1 -: D]", t.integer_skew)
                                          : "data_q[N*D-1 -: D]")},
    };
}

/// Delay of the weight loader: what its first cycle says to those behind it.
text::Scope skew_scope(const Tiles& t, const Derived& derived) {
    std::vector<std::pair<std::string, std::string>> data;
    const auto bit = [&](const char* name) { data.emplace_back(name, ""); };
    const std::string offset = t.wide ? "[BYTE_W-1:0] " : "[LANE_W-1:0] ";
    if (t.masks) {
        for (const char* name : {"group_end", "layer_end", "load_head", "load_two", "load_tail",
                                 "load_row_end", "load_cell_end", "crossing", "partial"})
            bit(name);
        data.emplace_back("load_mask", "[BYTES-1:0] ");
    } else {
        for (const char* name : {"group_end_q", "layer_end_q", "head_q", "crossing"})
            bit(name);
        if (derived.atoms_per_entry > 1) bit("partial");
        if (t.image) bit("kernel_ok");
        if (t.wide) bit("tail_q");
        if (t.mix) bit("two");
        if (t.mix && t.image) bit("cell_ok");
    }
    data.emplace_back("offset_q", offset);
    std::string wires, in, out;
    std::size_t in_line = 0, out_line = 0;
    // A list in lines of at most 60 columns behind the opening brace.
    const auto append = [](std::string& list, std::size_t& line, const std::string& name) {
        if (!list.empty()) list += line + name.size() > 60 ? ",\n             " : ", ";
        line = line + name.size() > 60 ? name.size() : line + name.size() + 2;
        list += name;
    };
    for (const auto& [name, range] : data) {
        wires += fmt::format("{}wire {:<13}skew_{};", wires.empty() ? "" : "\n", range, name);
        append(in, in_line, name);
        append(out, out_line, "skew_" + name);
    }
    const std::string suffix = t.masks ? "" : "_q";
    const auto group = [&](const std::string& skew) {
        return skew + "group_end" + suffix + " && !" + skew + "layer_end" + suffix +
               (skew.empty() ? " && !skip_rls" : "\n                           && !skip_rls");
    };
    const int bits = static_cast<int>(data.size()) - 1 - t.masks;
    const std::string width =
        fmt::format("{} + {}", bits, t.wide ? "BYTE_W" : "LANE_W") + (t.masks ? " + BYTES" : "");
    return {
        {"skew_", t.only("skew_")},
        {"skew_read", t.only("skew_read", "go && read")},
        {"wl_winograd_ports",
         t.only(
             std::string("input  wire                       winograd,       // data are later\n") +
             (t.several ? "input  wire                       fp," : ""))},
        {"release_group", t.only("skew_rewind && " + group("skew_"), "rewind && " + group(""))},
        {"load_kind",
         t.only("skew_load_head, skew_load_two,\n"
                "                 skew_load_tail, skew_load_row_end, skew_load_cell_end",
                "load_head, load_two, load_tail, load_row_end,\n"
                "                 load_cell_end")},
        {"skew_wires", wires},
        {"skew_width", width},
        {"skew_in", in},
        {"skew_out", out},
        {"skew_fp_pin", t.several ? ".fp        (fp)," : ""},
    };
}

}  // namespace

text::Scope csc_winograd_scope(const Config& config, const Derived& derived) {
    const Tiles tiles = tiles_of(config, derived);
    text::Scope out = cfg_scope(tiles);
    out.merge(steps_scope(tiles));
    out.merge(data_scope(tiles, derived.csc_latency));
    out.merge(top_scope(tiles));
    out.merge(tile_scope(tiles));
    out.merge(skew_scope(tiles, derived));
    return out;
}

}  // namespace macrame::dla
