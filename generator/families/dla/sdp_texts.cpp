#include "families/dla/sdp_texts.hpp"

#include <fmt/format.h>

#include <string>

#include "families/dla/texts.hpp"

namespace macrame::dla {
namespace {

/// A port of dla_sdp_issue and dla_sdp_pack.
constexpr const char* kTilesPort =
    "input  wire         tiles,         // 4 lines of 2 columns after each other";

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

/// dla_sdp_issue counts pixels.
text::Scope issue_texts(const Config& config, const Derived& derived, const SdpTypes& t) {
    const bool batch = config.batch_enable, winograd = config.winograd_enable;
    const bool plain = !batch && !winograd;
    const int beats = sdp_beats(derived), ew_beats = sdp_ew_beats(config, derived);
    return {
        {"issue_mode_ports",
         lines({when(t.mixed(),
                     "input  wire         wide,          // 16 bits: an atom has half as "
                     "many elements"),
                when(batch,
                     "input  wire [4:0]   batches,       // less 1: so many words at each "
                     "place"),
                when(winograd, kTilesPort),
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
    };
}

/// dla_sdp_pack places their atoms.
text::Scope pack_texts(const Config& config, const Derived& derived, const SdpTypes& t) {
    const bool batch = config.batch_enable, winograd = config.winograd_enable;
    const int beats = sdp_beats(derived);
    return {
        {"plain_pack", !t.mixed() && !batch && !winograd},
        {"pack_batch_port",
         when(batch, fmt::format("input  wire [{:2}:0]  batch_stride,",
                                 derived.addr_w - clog2(derived.atom_bytes) - 1))},
        {"pack_mode_ports",
         lines({when(t.mixed(),
                     "input  wire         wide,          // elements have 16 bits, else "
                     "only the low 8 count\n"
                     "input  wire         pairs,         // a pixel has an atom in two "
                     "surfaces"),
                when(winograd, kTilesPort)})},
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
        {"atom_full", !t.mixed()  ? "in_atom_last"
                      : beats > 2 ? "(wide ? half_last : in_atom_last)"
                                  : "(wide || in_atom_last)"},
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

}  // namespace

SdpTypes sdp_types(const Derived& derived) {
    return {derived.int8 != 0, derived.int16 != 0, derived.fp16 != 0};
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
    out.merge(issue_texts(config, derived, t));
    out.merge(pack_texts(config, derived, t));
    out.merge(sdp_stage_texts(config, derived));
    return out;
}

}  // namespace macrame::dla
