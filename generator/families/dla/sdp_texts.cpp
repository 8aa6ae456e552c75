#include "families/dla/sdp_texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "families/dla/texts.hpp"

namespace macrame::dla {
namespace {

/// Register stages of the datapath.
constexpr int kXStages = 8, kArithmeticStages = 12, kLutStages = 15, kOutStages = 5;
/// The same of layers that compute in fp16.
constexpr int kFpInStages = 1, kFpXStages = 9, kFpArithmeticStages = 9, kFpLutStages = 26;

/// Wires of the layer's types and orders in dla_sdp, and their fields in the register file. What a
/// configuration does not have acts as the widest type that it has.
text::Scope layer_texts(const Config& config, const SdpTypes& t) {
    const bool three = t.int8 && t.int16 && t.fp16;
    const bool batch = config.batch_enable, winograd = config.winograd_enable;
    const auto fp = [&](const std::string& field) {
        return three ? field + "[1]" : t.int8 ? "|" + field : field + " != 2'd1";
    };
    const std::string out_fp = three    ? "out[1] || (proc_fp && !out[0])"
                               : t.int8 ? "(|out) || proc_fp"
                                        : fp("out");
    return {
        {"type_wires",
         lines({when(t.wide(), "// ---- element types and orders of the layer"),
                when(t.choice(), "wire [1:0]  proc, out;"),
                when(t.mixed(),
                     "wire        proc_wide = |proc;\n"
                     "wire        out_wide  = (|out) || proc_wide;"),
                when(t.fp_choice(), "wire        proc_fp   = " + fp("proc") +
                                        ";\nwire        out_fp    = " + out_fp + ";"),
                when(t.fp16, "wire        nan_to_zero, perf_nan_en;\nwire [31:0] nans;")})},
        {"order_wires", lines({when(batch, "wire [4:0]  batches;\nwire [31:0] batch_bytes;"),
                               when(winograd, "wire        tiles;")})},
        {"type_fields", lines({when(t.choice(),
                                    ".d_data_format_proc_precision           (proc),\n"
                                    ".d_data_format_out_precision            (out),"),
                               when(t.fp16,
                                    ".d_feature_mode_cfg_nan_to_zero         (nan_to_zero),\n"
                                    ".d_perf_enable_perf_nan_inf_count_en    (perf_nan_en),\n"
                                    ".d_status_nan_output_num                (nans),")})},
        {"order_fields",
         lines({when(batch,
                     ".d_feature_mode_cfg_batch_number        (batches),\n"
                     ".d_dst_batch_stride                     (batch_bytes),"),
                when(winograd, ".d_feature_mode_cfg_winograd            (tiles),")})},
        {"order_flags",
         lines({when(batch, "wire batch_last;"), when(winograd, "wire row_last, tile_last;")})},
    };
}

/// Comments of dla_sdp and pins of what it consists of.
text::Scope top_texts(const Config& config, const Derived& derived, const SdpTypes& t) {
    const bool batch = config.batch_enable, winograd = config.winograd_enable;
    const bool ew = config.sdp_ew_enable, lut = config.sdp_lut_enable;
    const SdpStages stages = sdp_stages(config, t);
    const int ew_beats = sdp_ew_beats(config, derived);
    const std::string ew_more =
        when(ew, fmt::format(", {} more with EW", stages.ew + ew_beats - 1));
    const std::string extra = when(batch, "batch_last, ") + when(winograd, "row_last, tile_last, ");
    return {
        {"ew_rate_doc",
         when(ew, fmt::format("// A layer that uses EW runs at {} element(s) per cycle.",
                              config.sdp_ew_throughput))},
        {"latency_doc",
         t.fp16 ? fmt::format("at most {}; X1 and\n// X2 take 1 each if they are bypassed{}",
                              stages.front() + stages.out + 2, ew_more)
                : fmt::format("{}{};\n// X1 and X2 take 7 less each if they are bypassed",
                              stages.x1 + stages.x2 + 7, ew_more)},
        {"to_pdp_doc",
         config.pdp_enable
             ? "the results go to sdp2pdp_data and are not written; the interrupt follows the\n"
               "// last element."
             : "there is no PDP, the results are dropped and the layer ends normally."},
        {"lut_tables", lut ? text::List{"le", "lo"} : text::List{}},
        {"issue_surfaces", t.mixed()  ? "proc_wide ? channel[12:LSB-1] : {1'b0, channel[12:LSB]}"
                           : t.wide() ? "channel[12:LSB-1]"
                                      : "channel[12:LSB]"},
        {"issue_modes",
         lines({when(t.mixed(), ".wide         (proc_wide),"),
                when(batch, ".batches      (batches),"), when(winograd, ".tiles        (tiles),"),
                when(ew_beats > 1, ".ew_on        (ew_on),")})},
        {"issue_flags",
         lines({when(batch, ".batch_last   (batch_last),"), when(winograd,
                                                                 ".row_last     (row_last),\n"
                                                                 ".tile_last    (tile_last),")})},
        {"operand_pins", lines({when(t.mixed(),
                                     ".wide        (proc_wide),\n"
                                     ".atom_last   (atom_last),"),
                                when(batch, ".batch_last  (batch_last),")})},
        {"in_fp_pin", when(t.ints(), ".fp          (proc_fp),")},
        {"x_fp_pins", lines({when(t.fp_choice(), ".fp            (proc_fp),"),
                             when(t.fp16, ".flush         (nan_to_zero),")})},
        {"ew_ram_clk_pin", when(lut, ".ram_clk        (clk),")},
        {"ew_fp_pins", lines({when(t.fp_choice(), ".fp             (proc_fp),"),
                              when(t.fp16, ".flush          (nan_to_zero),")})},
        {"ew_slope_shift_pins", when(t.ints(),
                                     ".le_shift       (le_shift),\n"
                                     ".lo_shift       (lo_shift),")},
        {"c_modes",
         lines({when(t.ints(),
                     ".offset      (cvt_offset),\n"
                     ".scale       (cvt_scale),\n"
                     ".shift       (cvt_shift),"),
                when(ew, ".raw         (eql),"),
                when(t.mixed() && (t.int16 || ew), ".out_wide    (out_wide),"),
                when(t.fp_choice(), ".proc_fp     (proc_fp),\n.out_fp      (out_fp),")})},
        {"c_nan_pins", when(t.fp16,
                            ".nan_count_en (perf_nan_en && !drop),\n"
                            ".nans_q      (nans),")},
        {"out_modes", lines({when(batch, ".batch_bytes      (batch_bytes),"),
                             when(t.mixed(),
                                  ".wide             (out_wide),\n"
                                  ".pairs            (out_wide && !proc_wide),"),
                             when(winograd, ".tiles            (tiles),")})},
        {"tag_doc", extra + "atom_last, line_last, surf_last, layer_last"},
        {"tag_extra",
         when(!extra.empty(), extra.substr(0, extra.size() - 1) + "\n" + std::string(20, ' '))},
        {"tag_w", 4 + (batch ? 1 : 0) + (winograd ? 2 : 0)},
        {"unused_shifts",
         when(!t.ints(),
              lines({"bs_alu_shift,", "bn_alu_shift,", "cvt_offset, cvt_scale, cvt_shift,",
                     when(ew,
                          "ew_alu_cvt_bypass, ew_alu_cvt_offset, ew_alu_cvt_scale, "
                          "ew_alu_cvt_shift,\n"
                          "ew_mul_cvt_bypass, ew_mul_cvt_offset, ew_mul_cvt_scale, "
                          "ew_mul_cvt_shift,\n"
                          "ew_truncate,"),
                     when(lut, "le_shift, lo_shift,")}))},
    };
}

/// dla_sdp_issue counts pixels, dla_sdp_pack places their atoms.
text::Scope order_texts(const Config& config, const Derived& derived, const SdpTypes& t) {
    const bool batch = config.batch_enable, winograd = config.winograd_enable;
    const bool plain = !batch && !winograd;
    const int beats = sdp_beats(derived), ew_beats = sdp_ew_beats(config, derived);
    const std::string tiles_port = when(
        winograd, "input  wire         tiles,         // 4 lines of 2 columns after each other");
    return {
        {"issue_mode_ports",
         lines({when(t.mixed(),
                     "input  wire         wide,          // 16 bits: an atom has half as "
                     "many elements"),
                when(batch,
                     "input  wire [4:0]   batches,       // less 1: so many words at each "
                     "place"),
                tiles_port,
                when(ew_beats > 1,
                     fmt::format("input  wire         ew_on,         // a word takes {} cycles",
                                 ew_beats))})},
        {"issue_flag_ports",
         lines({when(batch, "output wire         batch_last,    // the last batch at this place"),
                when(winograd,
                     "output wire         row_last,      // last column of a tile\n"
                     "output wire         tile_last,     // and the last line of it")})},
        {"of_4_lines", when(winograd, ", of 4 lines with tiles")},
        {"line_last",
         "last_col_q" + when(winograd, " && tile_last") + when(batch, " && batch_last")},
        {"surf_last", plain ? "last_col_q && last_line_q" : "line_last && last_line_q"},
        {"layer_last",
         plain ? "last_col_q && last_line_q && last_surf_q" : "surf_last && last_surf_q"},
        {"next_place_wire", when(batch, "wire next_place = take && atom_last;")},
        {"next_pixel", batch ? "next_place && batch_last" : "take && atom_last"},
        {"atom_last", !t.mixed()  ? "&beat_q"
                      : beats > 2 ? "(&beat_q[BEAT_W-2:0]) && (beat_q[BEAT_W-1] || wide)"
                                  : "beat_q || wide"},
        {"next_column", winograd ? "next_tile" : "next_pixel"},
        {"width", winograd ? "columns" : "width"},
        {"height", winograd ? "lines" : "height"},
        {"plain_pack", !t.mixed() && plain},
        {"pack_batch_port",
         when(batch, fmt::format("input  wire [{:2}:0]  batch_stride,",
                                 derived.addr_w - clog2(derived.atom_bytes) - 1))},
        {"pack_mode_ports",
         lines({when(t.mixed(),
                     "input  wire         wide,          // elements have 16 bits, else "
                     "only the low 8 count\n"
                     "input  wire         pairs,         // a pixel has an atom in two "
                     "surfaces"),
                tiles_port})},
        {"pack_flag_ports",
         lines({when(batch, "input  wire         in_batch_last, // last batch of the pixel"),
                when(winograd,
                     "input  wire         in_row_last,   // last column of a tile\n"
                     "input  wire         in_tile_last,  // and its last line")})},
        {"pack_beat", t.mixed()
                          ? fmt::format("localparam LANES  = {};", derived.sdp_lanes)
                          : when(beats > 1, fmt::format("localparam BEAT   = {};",
                                                        derived.lane_bits * derived.sdp_lanes))},
        {"mixed_pixel", t.mixed() ? "pixel" : "atom"},
        {"atom_full", t.mixed() ? "(wide ? half_last : in_atom_last)" : "in_atom_last"},
        {"and_not_first_q", when(t.mixed(), " && !first_q")},
        {"pack_places",
         lines({when(t.mixed(),
                     "reg  [ADDR_W-1:0] pixel_q;                // atom of this pixel in the first "
                     "surface\n"
                     "wire [ADDR_W-1:0] pixel = pairs ? pixel_q : addr_q;\n"
                     "wire [ADDR_W-1:0] next_surf = packed_cube ? one : surf_stride;"),
                when(batch,
                     "reg  [ADDR_W-1:0] place_q;                // the same of the first "
                     "batch\n"
                     "reg               batch_last_q;"),
                when(winograd,
                     "reg  [ADDR_W-1:0] row_q;                  // first atom of this "
                     "line of the tile\n"
                     "reg  [ADDR_W-1:0] tile_q;                 // first atom of the "
                     "tile\n"
                     "reg               row_last_q, tile_last_q;")})},
        {"pixel", t.mixed() ? "pixel" : "addr_q"},
        {"next_from", batch       ? "place_q"
                      : t.mixed() ? "pixel"
                                  : "addr_q"},
        {"pack_surf_step", t.mixed() ? "pairs ? {next_surf[ADDR_W-2:0], 1'b0} : next_surf"
                                     : "packed_cube ? one : surf_stride"},
        {"pack_line_step",
         winograd ? "tiles ? {line_stride[ADDR_W-3:0], 2'b00} : line_stride" : "line_stride"},
        {"pack_moves", lines({when(t.mixed(), "if (moved) pixel_q <= next;"),
                              when(batch, "if (moved && (start || batch_last_q)) place_q <= next;"),
                              when(winograd,
                                   "if (moved && (start || row_last_q)) row_q <= next;\n"
                                   "if (moved && (start || tile_last_q)) tile_q <= next;")})},
        {"pack_flags", lines({when(t.mixed(), "first_q      <= !in_atom_last;"),
                              when(batch, "batch_last_q <= in_batch_last;"),
                              when(winograd,
                                   "row_last_q   <= in_row_last;\n"
                                   "tile_last_q  <= in_tile_last;")})},
    };
}

/// The X stages.
text::Scope x_texts(const Derived& derived, const SdpTypes& t) {
    const bool choice = t.fp_choice();
    const std::string of_fp = fmt::format(
        "{}; {} element(s) per cycle; nothing waits.\n"
        "// A tag goes along with each word. The registers hold while a layer runs, "
        "what is decoded from\n"
        "// them is ready in the cycle behind its start. Reset: no word; data has none.",
        t.ints() ? "8, of fp32 9, bypassed 1" : "9, bypassed 1", derived.sdp_lanes);
    const std::string of_ints = fmt::format(
        "8, bypassed 1; {} element(s) per cycle; nothing waits. A tag goes along with\n"
        "// each word. The registers hold while a layer runs, what is decoded from "
        "them is ready in the\n"
        "// cycle behind its start. Reset: no word; data has none.",
        derived.sdp_lanes);
    return {
        {"x_contract", t.fp16 ? of_fp : of_ints},
        {"x_fp_ports",
         lines({when(choice,
                     "input  wire         fp,            // elements are fp32, operands "
                     "fp16"),
                when(t.fp16,
                     "input  wire         flush,         // operands that are NaN count "
                     "as 0")})},
        {"x_algo_doc", !t.fp16    ? "and 3 sum"
                       : t.ints() ? "sum, 3 unequal, of integers sum"
                                  : "sum, 3 unequal"},
        {"x_alu_shift_port", when(t.ints(), "input  wire [5:0]   alu_shift,")},
        {"x_mul_shift_port", when(t.ints(), "input  wire [5:0]   mul_shift,")},
        {"x_depth", t.fp16 ? kFpXStages : kXStages},
        {"x_load", choice   ? "{valid_q[7] && fp, valid_q[6:1], valid_q[0] && !bypass, in_valid}"
                   : t.fp16 ? "{valid_q[7:1], valid_q[0] && !bypass, in_valid}"
                            : "{valid_q[6:1], valid_q[0] && !bypass, in_valid}"},
        {"x_end_valid", choice   ? "fp ? valid_q[8] : valid_q[7]"
                        : t.fp16 ? "valid_q[8]"
                                 : "valid_q[7]"},
        {"x_end_tag", choice   ? "fp ? tag_q[17:16] : tag_q[15:14]"
                      : t.fp16 ? "tag_q[17:16]"
                               : "tag_q[15:14]"},
        {"x_int_regs", when(t.ints(), "subtract_q, least_q, ")},
        {"x_fp_bypass", when(!t.ints(), ".bypass      (bypass),")},
        {"x_fp_data", t.ints() ? "fp_data" : "out_data[32*i +: 32]"},
        {"x_fp_load", t.ints() ? "load & {9{fp}}" : "load"},
        {"x_int_load", t.fp16 ? "{load[7:1] & {7{!fp}}, load[0]}" : "load"},
        {"x_int_data", t.fp16 ? "int_data" : "out_data[32*i +: 32]"},
        {"x_alu_operand", t.fp16 ? "alu_operand" : "alu_src ? operand_alu[16*i +: 16] : alu_value"},
        {"x_mul_operand", t.fp16 ? "mul_operand" : "mul_src ? operand_mul[16*i +: 16] : mul_value"},
    };
}

/// The output convertor.
text::Scope convertor_texts(const Config& config, const Derived& derived, const SdpTypes& t) {
    const bool raw = config.sdp_ew_enable, choice = t.fp_choice();
    const bool out_wide = t.mixed() && (t.int16 || raw);
    const std::string latency = std::string("2 from fp32") + when(t.int16, ", 4 to int16") +
                                when(t.ints(), "; 5 from integers, 7 to fp16");
    const std::string byte = "{{8{byte_out[7]}}, byte_out}";
    return {
        {"c_contract",
         t.fp16 ? fmt::format("{}; {} element(s) per\n// cycle; nothing waits. Reset: no word; "
                              "data has none",
                              latency, derived.sdp_lanes)
                : fmt::format("5, {} element(s) per cycle; nothing waits. Reset: no word; data has "
                              "none",
                              derived.sdp_lanes)},
        {"c_mode_ports",
         lines({when(t.ints(),
                     "input  wire [31:0]  offset,\n"
                     "input  wire [15:0]  scale,\n"
                     "input  wire [5:0]   shift,"),
                when(raw, fmt::format("input  wire         raw,           // the low {} bits pass",
                                      derived.lane_bits)),
                when(out_wide, "input  wire         out_wide,      // results have 16 bits"),
                when(choice,
                     "input  wire         proc_fp,       // elements are fp32, else "
                     "integers\n"
                     "input  wire         out_fp,        // results are fp16")})},
        {"c_nan_count_port", when(t.fp16, "input  wire         nan_count_en,")},
        {"c_nans_port", when(t.fp16, "output reg  [31:0]  nans_q,")},
        {"c_out_nan", when(t.fp16, "wire [LANES-1:0] out_nan;")},
        {"c_stages", choice    ? 7
                     : !t.fp16 ? 5
                               : 2},
        {"c_fp_stages", t.int16 ? 4 : 2},
        {"c_fp_stages_doc", t.int16 ? "four register stages" : "two register stages"},
        {"c_fp_latency_doc", t.int16 ? "2, to int16 4" : "2"},
        {"c_fp_doc", when(t.int16, " or int16")},
        {"c_int16_doc", when(t.int16, ", fp32 -> int16")},
        {"c_last_4_reg", when(t.int16, ", last_4_q")},
        {"c_last_4_term", when(t.int16, " || (last_4_q && valid_q[3])")},
        {"c_last_4_not", when(t.int16, " && !last_4_q")},
        {"c_last_4_load",
         when(t.int16, "last_4_q  <= proc_fp && " + when(raw, "!raw && ") + "!out_fp;")},
        {"c_raw_or", when(raw, "raw || ")},
        {"c_fp_not_raw", when(raw, " && !raw")},
        {"c_nan_mode", when(choice, " && from_fp_q")},
        {"c_fp_lane_modes",
         lines({when(raw, ".raw      (raw),"), when(t.int16, ".to_int   (last_4_q),")})},
        {"c_fp_data", t.ints() ? "fp_data" : "out_data[16*i +: 16]"},
        {"c_fp_sat", t.ints() ? "fp_sat" : "out_sat[i]"},
        {"c_fp_lane_ports",
         lines(
             {when(raw,
                   "input  wire         raw,           // the low 16 bits pass, behind 2 "
                   "stages"),
              when(t.int16, "input  wire         to_int,        // result is int16, else fp16")})},
        {"c_held", when(raw, "_q")},
        {"c_int_lane_modes",
         lines({when(raw, ".raw      (raw_q),"), when(out_wide, ".out_wide (out_wide),"),
                when(t.fp16, ".to_fp    (out_fp),")})},
        {"c_int_data", t.fp16     ? "int_data"
                       : t.wide() ? "out_data[16*i +: 16]"
                                  : "out_data[8*i +: 8]"},
        {"c_int_sat", t.fp16 ? "int_sat" : "out_sat[i]"},
        {"c_sat_port", t.wide() ? "sat  " : "sat_q"},
        {"c_lane", t.wide() ? "dla_sdp_c_int_lane" : "dla_sdp_c_lane"},
        {"c_ports",
         lines({when(raw,
                     "input  wire         raw,           // offset, shift are 0, scale is 1: "
                     "bits pass"),
                when(out_wide, "input  wire         out_wide,      // 16 bits, else int8"),
                when(t.fp16, "input  wire         to_fp,         // fp16")})},
        {"c_fp_picture", when(t.fp16, "//" + std::string(68, ' ') + "| to fp16, 2 stages | ->")},
        {"c_wrap", raw ? "raw" : "1'b0"},
        {"c_to_fp", raw ? "(to_fp && !raw)" : "to_fp"},
        {"c_stages_doc", t.fp16 ? "seven register stages" : "five register stages"},
        {"c_flag_doc", t.fp16 ? "; fp16: the largest" : "; no flag for fewer"},
        {"c_bits_doc", t.mixed() ? t.int16 ? "8 or 16" : "8" : "16"},
        {"c_out_doc", t.fp16 ? "      // signed, or fp16" : "      // signed"},
        {"c_raw_out",
         t.mixed() ? "out_wide ? wide[15:0] : {{8{wide[7]}}, wide[7:0]}" : "wide[15:0]"},
        {"c_int_out", !t.int16    ? byte
                      : t.mixed() ? "out_wide ? half_out : " + byte
                                  : "half_out"},
    };
}

/// Y.
text::Scope y_texts(const Config& config, const Derived& derived, const SdpTypes& t) {
    const bool lut = config.sdp_lut_enable, choice = t.fp_choice();
    const int stages = sdp_stages(config, t).ew, ew_beats = sdp_ew_beats(config, derived);
    const int ints = kArithmeticStages + (lut ? kLutStages : 0);
    const int fp = kFpArithmeticStages + (lut ? kFpLutStages : 0);
    const auto tap = [&](const char* word) {
        const auto at = [&](int stage) { return fmt::format("{}[{}]", word, stage); };
        const std::string plain = at(kFpArithmeticStages);
        const std::string table = lut ? fmt::format("lut_bypass ? {} : {}", plain, at(fp)) : plain;
        if (!choice) return table;
        return fmt::format("!fp ? {} : {}", at(ints), table);
    };
    const auto end = [](const char* when_at, int stage) {
        return fmt::format("if ({}) moving[{}] = 1'b0;", when_at, stage);
    };
    const char* const ends_early = choice && lut ? "fp && lut_bypass" : lut ? "lut_bypass" : "fp";
    const std::string fp_load = choice ? "fp_load" : "load";
    return {
        {"ew_arith_stages", kArithmeticStages},
        {"lut_stages", kLutStages},
        {"ew_stages", stages},
        {"fp_arith_stages", kFpArithmeticStages},
        {"fp_lut_stages", kFpLutStages},
        {"ew_contract",
         t.fp16 ? "behind the\n// last part: " + when(choice, fmt::format("integers {}, ", ints)) +
                      fmt::format("fp32 {}", kFpArithmeticStages) +
                      when(lut, fmt::format(", with the table {}", fp)) +
                      ".\n// Reset: no word, also no part of one; data has none"
                : fmt::format("{} cycles behind\n// the last part. Reset: no word, also no part of "
                              "one; data has none",
                              stages)},
        {"ew_ram_clk_port", when(lut, "input  wire         ram_clk,       // never stopped")},
        {"ew_fp_ports",
         lines({when(choice, "input  wire         fp,            // elements are fp32"),
                when(t.fp16,
                     "input  wire         flush,         // operands that are NaN count "
                     "as 0")})},
        {"ew_slope_shift_ports", when(t.ints(),
                                      "input  wire [9:0]   le_shift,\n"
                                      "input  wire [9:0]   lo_shift,")},
        {"ew_end_valid", tap("load")},
        {"ew_end_last", tap("lasts")},
        {"ew_moving", t.fp16 ? "moving" : "load[STAGES-1:0]"},
        {"ew_ends",
         lines({when(choice && ints < stages, end("!fp", ints)),
                when(kFpArithmeticStages < stages, end(ends_early, kFpArithmeticStages))})},
        {"ew_end", t.fp16 ? "end_valid" : "load[STAGES]"},
        {"ew_fp_wires",
         lines({when(t.fp16, "wire [32*LANES-1:0] fp_arithmetic;"),
                when(choice,
                     fmt::format("wire [{0}:0]         int_load = load[{0}:0] & {{{1}{{!fp}}}};\n"
                                 "wire [{2}:0]         fp_load  = load[{2}:0] & {{{3}{{fp}}}};",
                                 ints - 1, ints, fp - 1, fp))})},
        {"ew_fp_load", fp_load},
        {"ew_int_load", choice ? "int_load" : "load"},
        {"ew_around_lut", choice ? "(fp && lut_bypass)" : "lut_bypass"},
        {"ew_arithmetic", t.ints() ? "arithmetic" : "fp_arithmetic"},
        {"ew_found", t.fp16 ? "found" : "result"},
        {"ew_plain_result", choice   ? "fp ? fp_arithmetic : arithmetic"
                            : t.fp16 ? "fp_arithmetic"
                                     : "arithmetic"},
        {"lut_loads",
         lines({when(choice, fmt::format(".load       (int_load[{}:{}]),\n"
                                         ".fp         (fp),\n"
                                         ".fp_in_data (fp_arithmetic),",
                                         ints - 1, kArithmeticStages)),
                t.fp16 ? fmt::format(".fp_load    ({}[{}:{}]),", fp_load,
                                     kFpArithmeticStages + kFpLutStages - 1, kFpArithmeticStages)
                       : fmt::format(".load       (load[STAGES-1:{}]),", kArithmeticStages)})},
        {"lut_slope_shifts", when(t.ints(), ".le_shift   (le_shift),\n.lo_shift   (lo_shift),")},
        {"ew_kept", ew_beats == 2 ? "result" : "{result, kept_q[KEPT-1:32*LANES]}"},
        {"ew_unused_load", when(!t.fp16, "wire unused_load = &{1'b0, load[STAGES]};")},
        {"lut_indexes", choice ? "fp_index, int_index" : "index"},
        {"lut_re", choice ? "re" : "fp_load[9]"},
        {"lut_fp_index", choice ? "fp_index" : "index"},
        {"lut_fp_in", choice ? "fp_in_data[32*i +: 32]" : "in_data[32*i +: 32]"},
        {"lut_fp_out", choice ? "fp_data" : "out_data[32*i +: 32]"},
        {"lut_fp_under", choice ? "fp_events[3]" : "under[i]"},
        {"lut_fp_over", choice ? "fp_events[2]" : "over[i]"},
        {"lut_fp_le_hit", choice ? "fp_events[1]" : "le_hit[i]"},
        {"lut_fp_lo_hit", choice ? "fp_events[0]" : "lo_hit[i]"},
        {"lut_counted", !t.fp16  ? "load[6]"
                        : choice ? "(fp ? fp_load[9] : load[6])"
                                 : "fp_load[9]"},
    };
}

}  // namespace

SdpTypes sdp_types(const Derived& derived) {
    return {derived.int8 != 0, derived.int16 != 0, derived.fp16 != 0};
}

SdpStages sdp_stages(const Config& config, const SdpTypes& types) {
    const int x = types.fp16 ? kFpXStages : kXStages;
    const bool lut = config.sdp_lut_enable;
    const int ints = types.ints() ? kArithmeticStages + (lut ? kLutStages : 0) : 0;
    const int fp = types.fp16 ? kFpArithmeticStages + (lut ? kFpLutStages : 0) : 0;
    // X1 is an input register if the stage is absent.
    return {types.fp16 ? kFpInStages : 0, config.sdp_bs_enable ? x : 1,
            config.sdp_bn_enable ? x : 0, std::max(ints, fp),
            kOutStages + (types.fp_choice() ? 2 : 0)};
}

int sdp_beats(const Derived& derived) {
    return derived.atom_bytes / (derived.int8 != 0 ? 1 : 2) / derived.sdp_lanes;
}

int sdp_ew_beats(const Config& config, const Derived& derived) {
    return config.sdp_ew_enable ? derived.sdp_lanes / config.sdp_ew_throughput : 1;
}

text::Scope sdp_texts(const Config& config, const Derived& derived) {
    const SdpTypes t = sdp_types(derived);
    text::Scope out = {
        {"mixed", t.mixed()},
        {"ints", t.ints()},
        {"fp_choice", t.fp_choice()},
        {"elem_lsb", clog2(derived.atom_bytes) - (t.wide() ? 1 : 0)},
        {"beats", sdp_beats(derived)},
        {"ew_beats", sdp_ew_beats(config, derived)},
        {"issue_word", t.fp16 ? "word" : "src_data"},
        {"src_valid", t.fp16 ? "src_valid" : "take"},
        {"lane_pad", t.wide() ? "" : " "},
        {"in_widen", when(t.ints(), "fp && ") + "!flying"},
        {"in_flush", when(t.ints(), "fp && ") + "flush"},
    };
    out.merge(layer_texts(config, t));
    out.merge(top_texts(config, derived, t));
    out.merge(order_texts(config, derived, t));
    out.merge(x_texts(derived, t));
    out.merge(convertor_texts(config, derived, t));
    out.merge(y_texts(config, derived, t));
    return out;
}

}  // namespace macrame::dla
