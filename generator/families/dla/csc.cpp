#include <fmt/format.h>

#include <string>

#include "families/dla/csc_winograd.hpp"
#include "families/dla/derived.hpp"
#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

/// What only configurations with elements of 16 bits have in dla_csc_cfg.
text::Scope cfg_scope(bool wide, bool mix, bool image, bool packed) {
    return {
        {"pad_range", wide ? "[15:0]" : "[7:0] "},
        {"pad_element", mix    ? "int8 ? {{8{pad_value[7]}}, pad_value[7:0]} : pad_value"
                        : wide ? "pad_value"
                               : "pad_value[7:0]"},
        {"int8_q_port",
         mix ? "output reg                        int8_q,             // else elements of 16 bits"
             : ""},
        {"int8_load", mix ? "int8_q            <= int8;" : ""},
        {"precision_wires",
         mix ? "wire [1:0]  precision;\nwire        int8 = precision == 2'd0;" : ""},
        {"precision_pin", mix ? ".d_misc_cfg_proc_precision              (precision)," : ""},
        {"last_byte", wide ? "last_byte" : "channel"},
        {"last_byte_wire",
         !wide || !packed
             ? ""
             : std::string("// Last byte of a pixel, the place of its atom in an entry.\n"
                           "wire [13:0]       last_byte = ") +
                   (mix ? "int8 ? {1'b0, channel} : " : "") + "{channel, 1'b1};"},
        {"x_bytes", wide ? "x_bytes" : "x_step"},
        {"x_bytes_wire", wide && image
                             ? std::string("wire [6:0] x_bytes = image") +
                                   (mix ? " && !int8" : "") + " ? {x_step, 1'b0} : {1'b0, x_step};"
                             : ""},
        {"unused_cfg", !wide    ? "pad_value[15:8], "
                       : packed ? "last_byte, "
                                : ""},
    };
}

/// What only configurations with int8 beside elements of 16 bits have: two channel blocks in an
/// entry, the second of which is the odd one.
text::Scope mix_scope(bool mix, bool image, const std::string& slot) {
    const auto only = [mix](const std::string& line) { return mix ? line : std::string(); };
    return {
        {"int8_port",
         only("input  wire                       int8,           // else elements of 16 bits")},
        {"image_int8_port", image ? only("input  wire                       int8,") : ""},
        {"wide_kernels", only(", half as many of 16 bits")},
        {"dl_odd_port",
         only(
             "output wire                       dl_odd,         // the second block of its entry")},
        {"step_odd_port",
         only("input  wire                       step_odd,       // second block of its entry")},
        {"odd_q_port",
         only("output reg                        odd_q,          // second block of its entry")},
        {"step_odd_wire", only("wire              step_odd;")},
        {"step_odd_reg", only("reg               step_odd_q;")},
        {"tap_odd_reg", only("reg               tap_odd_q;")},
        {"odd_wire", only("wire            odd;")},
        {"step_odd_load", only("step_odd_q   <= step_odd;")},
        {"tap_odd_load", only("tap_odd_q      <= step_odd_q;")},
        {"odd_load", only("odd_q      <= tap_odd_q;")},
        {"sg_pins", only(".int8          (int8),\n.odd_q         (step_odd),")},
        {"step_odd", only(", step_odd")},
        {"dl_odd", only(", dl_odd")},
        {"pos_pins", only(".step_odd        (step_odd),\n.odd_q           (" + slot + "odd)," +
                          (image ? "\n.int8            (int8)," : ""))},
        {"window_pin", only(".int8        (int8),")},
        {"half_part", mix ? "? x[0] : odd" : "&& x[0]"},
        {"cell_ok", mix ? "cell_ok" : "kernel_ok"},
        {"tail_kernels", mix ? "tail_cells" : "kernel"},
        {"load_bytes", mix ? "one ? {1'b0, lanes_q} : {lanes_q, 1'b1}" : "{lanes_q, 1'b1}"},
    };
}

/// Beats of a position: of its inputs, or the four tiles of a place.
struct Beats {
    bool batch = false, tiles = false;

    /// `line` with several inputs per layer, else `other`.
    std::string only(const std::string& line, const char* other = "") const {
        return batch ? line : other;
    }
    /// `line` with either of both, else `other`.
    std::string several(const std::string& line, const char* other = "") const {
        return batch || tiles ? line : other;
    }
};

/// What only configurations with several inputs per layer have: a position has a beat of each.
/// Stripes are counted in shares of a position, 2^batch_w of them, at least as many as inputs.
text::Scope batch_scope(const Beats& beats) {
    const auto only = [&](const std::string& line, const char* other = "") {
        return beats.only(line, other);
    };
    const auto several = [&](const std::string& line, const char* other = "") {
        return beats.several(line, other);
    };
    const bool batch = beats.batch, tiles = beats.tiles;
    return {
        {"batch_doc",
         only(
             "// Several inputs per layer: positions count as many times, as a power of two.\n//")},
        {"batch_ports",
         several("output reg  [4:0]                 batches_q,\n"
                 "output reg  [2:0]                 batch_w_q,          // log2, rounded up" +
                 only("\noutput reg  [12:0]                slices_q,\n"
                      "output reg  [14:0]                per_line_q,         // entries, not "
                      "minus one"))},
        {"batch_wires",
         only("wire [4:0]  batches;\n"
              "wire [5:0]  inputs  = {1'b0, batches} + 6'd1;\n"
              "wire [2:0]  batch_w = batches[4] ? 3'd5 : batches[3] ? 3'd4 : batches[2] ? 3'd3 :\n"
              "                      batches[1] ? 3'd2 : {2'd0, batches[0]};\n"
              "wire [18:0] slices  = ({6'd0, height} + 19'd1) * inputs;\n"
              "wire [17:0] freed   = ({6'd0, release_slices} + 18'd1) * inputs;\n"
              "wire [20:0] line_entries = ({7'd0, entries} + 21'd1) * inputs;\n"
              "wire        unused_products = &{1'b0, slices, freed, line_entries};")},
        {"batch_pin", only(".d_batch_number_batches                 (batches),")},
        {"batch_load", several(std::string("batches_q         <= ") +
                               (!tiles  ? "batches;\n"
                                : batch ? "winograd ? 5'd3 : batches;\n"
                                        : "{3'd0, {2{winograd}}};\n") +
                               "batch_w_q         <= " +
                               (!tiles  ? "batch_w;"
                                : batch ? "winograd ? 3'd4 : batch_w;   // quarters of tiles"
                                        : "{winograd, 2'd0};            // quarters of tiles") +
                               only("\nslices_q          <= slices[12:0] - 13'd1;\n"
                                    "per_line_q        <= line_entries[14:0];"))},
        {"positions", only("({5'd0, atomics} << batch_w) | ~({26{1'b1}} << batch_w)", "atomics")},
        {"release", only("freed[12:0]", "{1'b0, release_slices} + 13'd1")},
        {"dl_batch_ports",
         several(
             "input  wire [4:0]                 batches,        // inputs, minus one\n"
             "input  wire [2:0]                 batch_w,        // log2, rounded up\n" +
             only("input  wire [14:0]                per_line,       // entries of all inputs\n"))},
        {"dl_batch_pins", several(".batches         (batches),\n"
                                  ".batch_w         (batch_w)," +
                                  only("\n.per_slice       (per_slice[CBUF_W:0]),"))},
        {"top_batch_wires",
         several("wire [4:0]        batches;\nwire [2:0]        batch_w;" +
                 only("\nwire [12:0]       slices_less_1;\nwire [14:0]       per_line;"))},
        {"top_batch_cfg",
         several(".batches_q         (batches),\n.batch_w_q         (batch_w)," +
                 only("\n.slices_q          (slices_less_1),\n.per_line_q        (per_line),"))},
        {"slices_less_1", only("slices_less_1", "height")},
        {"dl_batch_cfg", several(".batches         (batches),\n.batch_w         (batch_w)," +
                                 only("\n.per_line        (per_line),"))},
    };
}

/// The same of the positions of a step.
text::Scope beat_scope(const Beats& beats, int cbuf_addr_w, const std::string& lent) {
    const auto only = [&](const std::string& line, const char* other = "") {
        return beats.only(line, other);
    };
    const auto several = [&](const std::string& line, const char* other = "") {
        return beats.several(line, other);
    };
    const bool tiles = beats.tiles;
    const std::string tile_regs =
        tiles ? "wire              lower = winograd && batch_q[0];   // tile of four\n"
                "wire              right = winograd && batch_q[1];\n"
              : "";
    return {
        {"pos_batch_ports",
         several(
             "input  wire [4:0]                 batches,        // inputs, minus one\n"
             "input  wire [2:0]                 batch_w,        // log2, rounded up\n" +
             only(fmt::format("input  wire [{:2}:0]                per_slice,      // entries\n",
                              cbuf_addr_w)))},
        {"pos_batch_regs",
         several(
             "reg  [4:0]        batch_q;         // input of this position\n" +
             only("reg  [CBUF_W:0]   batch_entry_q;   // of its line, behind that of input 0\n") +
             tile_regs +
             "wire              batch_end = batch_q == batches;\n"
             "wire [LEN_W-1:0]  length    = step_length >> batch_w;")},
        {"batch_end_and", several("batch_end && ")},
        {"step_positions", several("length", "step_length")},
        {"batch_end", several("batch_end", "1'b1")},
        {"pos_batch_load",
         several("if (start || send) begin\n"
                 "    batch_q       <= start || batch_end ? 5'd0 : batch_q + 5'd1;\n" +
                 only("    batch_entry_q <= start || batch_end ? {(CBUF_W+1){1'b0}}\n"
                      "                                        : batch_entry_q + per_slice;\n") +
                 "end")},
        {"send_position", several("(send && batch_end)", "send")},
        {"entry_of_input",
         only(tiles ? "step_entry_q + (winograd ? {(CBUF_W+1){1'b0}} : batch_entry_q)"
                    : "step_entry_q + batch_entry_q",
              "step_entry_q")},
        {"one_input", only(tiles ? "((winograd || (batches == 5'd0)) &&\n                      ("
                                 : "((batches == 5'd0) &&\n                      (")},
        {"one_input_end", only("))")},
        {"line_entries", only("line_entries", "per_slice")},
        {"line_entries_wire",
         only("wire [14:0]       line_entries = " + lent + " ? per_slice : per_line;")},
    };
}

/// The same position comes again after `least` cycles at the earliest: behind a stripe with fewer
/// beats there is a pause.
text::Scope pause_scope(int least, bool batch, bool tiles) {
    const auto only = [least](const std::string& line, const char* other = "") {
        return least > 1 ? line : other;
    };
    const int w = clog2(least);
    return {
        {"may_swap", only("wt_ready && !pause", "wt_ready")},
        {"pause_regs",
         only(fmt::format("reg  [{}:0]         pause_q;         // cycles behind this beat\n"
                          "reg  [{}:0]         left_of_pause_q;\n"
                          "wire              pause = |left_of_pause_q;",
                          w - 1, w - 1))},
        {"pause_count",
         only(fmt::format("always @(posedge clk or negedge rst_n) begin\n"
                          "    if (!rst_n)     left_of_pause_q <= {0}'d0;\n"
                          "    else if (beat)  left_of_pause_q <= pause_q;\n"
                          "    else if (pause) left_of_pause_q <= left_of_pause_q - {0}'d1;\n"
                          "end\n",
                          w))},
        {"pause_step_regs",
         only(fmt::format(
             "// A stripe with few beats: CACC needs time for their positions.\n"
             "localparam [LEN_W-1:0] LEAST = {0};    // minus one\n"
             "wire [LEN_W-1:0]  beats = {1};      // minus one\n"
             "wire [{2}:0]        missing = LEAST[{2}:0] - beats[{2}:0];\n"
             "reg  [{2}:0]        step_pause_q, tap_pause_q;",
             least - 1,
             std::string(tiles ? "winograd ? step_length >> 2 :\n                          " : "") +
                 (batch ? "(|batches) ? step_length >> 1 : step_length" : "step_length"),
             w - 1))},
        {"pause_step", only(fmt::format("step_pause_q <= beats < LEAST ? missing : {}'d0;", w))},
        {"pause_tap", only("tap_pause_q    <= step_pause_q;")},
        {"pause_slot", only("pause_q    <= tap_pause_q;")},
    };
}

/// What only configurations with compressed weights have. Weights that are expanded take `late`
/// cycles longer to CMAC, so what dla_csc_pos sends into the pipeline of data is delayed.
text::Scope masks_scope(bool masks, int cbuf_addr_w, bool image, bool mix) {
    const auto only = [masks](const std::string& line, const char* other = "") {
        return masks ? line : other;
    };
    const auto port = [cbuf_addr_w](const char* end) {
        return fmt::format("output reg  [{:2}:0]                mask_entries_q{}", cbuf_addr_w,
                           end);
    };
    const std::string slot = std::string(image ? "rows, row, crossing, " : "") +
                             (mix ? "odd, " : "") + "first, last, tail, x, entry";
    const std::string late_slot =
        std::string(image ? "slot_rows, slot_row, slot_crossing,\n" : "") +
        (mix ? "slot_odd, " : "") + "slot_first, slot_last, slot_tail, slot_x, slot_entry";
    const std::string width = fmt::format("{} + X_W + CBUF_W + 1", 3 + 5 * image + mix);
    return {
        {"masks_ports", only("output reg                        compressed_q,\n" + port(","))},
        {"masks_wires",
         only("wire        compressed;\n"
              "wire [27:0] wmb_bytes;\n"
              "wire [28-BYTE_W-1:0] mask_entries = wmb_bytes[27:BYTE_W] +\n"
              "                              {{(27-BYTE_W){1'b0}}, |wmb_bytes[BYTE_W-1:0]};\n"
              "wire        unused_masks = &{1'b0, mask_entries};")},
        {"masks_reg_pins", only(".d_weight_format                        (compressed),\n"
                                ".d_wmb_bytes                            (wmb_bytes),")},
        {"masks_load",
         only("compressed_q      <= compressed;\n"
              "mask_entries_q    <= mask_entries[CBUF_W:0] & {(CBUF_W+1){compressed}};")},
        {"top_masks_wires", only("wire              compressed;\nwire [CBUF_W:0]   mask_entries;")},
        {"top_masks_cfg",
         only(".compressed_q      (compressed),\n.mask_entries_q    (mask_entries),")},
        {"wl_masks_cfg", only(".compressed      (compressed),\n"
                              ".wmb_entries     (mask_entries),\n"
                              ".wmb_updt        (cdma2csc_wmb_updt),\n"
                              ".wmb_rls_valid   (csc2cdma_wmb_rls_valid),\n"
                              ".wmb_rls_entries (csc2cdma_wmb_rls_entries),")},
        {"wl_masks_cbuf", only(".wmb_rd_valid     (csc2cbuf_wmb_rd_valid),\n"
                               ".wmb_rd_row       (csc2cbuf_wmb_rd_row),\n"
                               ".wmb_rd_rsp_valid (cbuf2csc_wmb_rd_valid),\n"
                               ".wmb_rd_rsp_data  (cbuf2csc_wmb_rd_data),")},
        {"slot", only("slot_")},
        {"slot_width", width},
        {"slot_out", slot},
        {"slot_in", late_slot},
        {"late_", only("late_")},
        {"dl_late_wires",
         only("wire            slot_read, slot_beat, slot_first, slot_last, slot_tail;\n"
              "wire [X_W-1:0]  slot_x;\n"
              "wire [14:0]     slot_y;\n"
              "wire [CBUF_W:0] slot_entry;" +
              std::string(mix ? "\nwire            slot_odd;" : "") +
              (image ? "\nwire [1:0]      slot_rows, slot_row;\n"
                       "wire            slot_crossing;"
                     : ""))},
    };
}

/// What the parts that the three weight loaders share call their signals, and what they have only
/// where an entry has several atoms: there a group of kernels may begin within one.
text::Scope loader_scope(bool wide, bool masks, int atoms_per_entry) {
    const bool within = atoms_per_entry > 1;
    const std::string byte_w = wide ? "BYTE_W" : "LANE_W";
    return {
        {"byte_w", byte_w},
        {"byte_n", wide ? "BYTES" : "LANES"},
        {"bytes", wide ? "bytes" : "bytes_q"},
        {"whole", wide ? "whole" : "bytes"},
        {"group_end", masks ? "group_end" : "group_end_q"},
        {"weights_announced", masks ? "weights_announced" : "announced"},
        {"prime_regs",
         within ? "reg               prime_q;         // first read the entry in which the group "
                  "begins\nreg  [" +
                      byte_w + "-1:0] group_offset_q;"
                : ""},
        {"prime_or", within ? "prime_q || " : ""},
        {"assign_row_ok",
         within ? "assign row_ok = go && !prime_q;"
                : "assign row_ok = go;                         // groups begin with an entry"},
    };
}

text::Scope csc_scope(const Config& config, const Derived& derived) {
    const bool wide = has_wide_type(config), mix = has_both_widths(config);
    const bool image = config.image_enable, masks = config.weight_compression_enable;
    const int late = masks ? kExpandCycles : 0;
    const std::string lent = masks ? "late_multiply_q[LATE-1]" : "multiply";
    text::Scope out = {
        {"types", text::Scope{{"wide", wide ? 1 : 0},
                              {"mix", mix ? 1 : 0},
                              {"batch", config.batch_enable ? 1 : 0},
                              {"winograd", config.winograd_enable ? 1 : 0},
                              {"lane_bits", derived.lane_bits},
                              {"masks", masks ? 1 : 0},
                              {"late", late},
                              {"dl_latency", derived.csc_latency - late},
                              // A line of pixels of 16 bits may have 64 KiB.
                              {"x_more", wide && image ? 1 : 0}}},
        {"cells", 2 * derived.cmac_cells},
        {"byte_w_param",
         wide ? fmt::format("localparam BYTE_W = {};           // a byte of an entry",
                            clog2(derived.entry_bytes))
              : ""},
        {"row_bytes", mix    ? "int8 ? {1'b0, lanes} : {lanes, 1'b1}"
                      : wide ? "{step_tail_q ? channel : {LANE_W{1'b1}}, 1'b1}"
                             : "step_tail_q ? channel : {LANE_W{1'b1}}"},
        {"place", mix ? "place" : "pos_x_q"},
    };
    out.merge({{"lent", lent}, {"load_fifo", 16}, {"expand_early", derived.cbuf_rd_latency + 6}});
    out.merge(masks_scope(masks, derived.cbuf_addr_w, image, mix));
    out.merge(loader_scope(wide, masks, derived.atoms_per_entry));
    out.merge(cfg_scope(wide, mix, image, derived.atoms_per_entry > 1));
    out.merge(mix_scope(mix, image, masks ? "slot_" : ""));
    const bool tiles = config.winograd_enable;
    out.merge(pause_scope(derived.cacc_min_stripe, config.batch_enable, tiles));
    const Beats beats{config.batch_enable, tiles};
    out.merge(batch_scope(beats));
    out.merge(beat_scope(beats, derived.cbuf_addr_w, lent));
    out.merge(csc_winograd_scope(config, derived));
    return out;
}

}  // namespace

const Unit& csc_unit() {
    using C = const Config&;
    static const Unit unit{
        "csc",
        "reads data and weights out of CBUF in the order in which the MAC array needs them",
        nullptr,
        {"dla_csc.v", "dla_csc_cfg.v", "dla_csc_lines.v", "dla_csc_steps.v", "dla_csc_sg.v",
         "dla_csc_dl.v", "dla_csc_pos.v", "dla_csc_entries.v"},
        {"fifo_sync", "sram_dist_1r1w", "clkgate", "reg_copy"},
        {{"csc",
          {"D_MISC_CFG.DATA_REUSE",
           "D_MISC_CFG.WEIGHT_REUSE",
           "D_MISC_CFG.SKIP_DATA_RLS",
           "D_MISC_CFG.SKIP_WEIGHT_RLS",
           "D_DATAIN_SIZE_EXT_0.DATAIN_WIDTH_EXT",
           "D_DATAIN_SIZE_EXT_0.DATAIN_HEIGHT_EXT",
           "D_ENTRY_PER_SLICE.ENTRIES",
           "D_WEIGHT_SIZE_EXT_0.WEIGHT_WIDTH_EXT",
           "D_WEIGHT_SIZE_EXT_0.WEIGHT_HEIGHT_EXT",
           "D_WEIGHT_SIZE_EXT_1.WEIGHT_CHANNEL_EXT",
           "D_WEIGHT_SIZE_EXT_1.WEIGHT_KERNEL",
           "D_WEIGHT_BYTES.WEIGHT_BYTES",
           "D_DATAOUT_SIZE_0.DATAOUT_WIDTH",
           "D_ATOMICS.ATOMICS",
           "D_RELEASE.RLS_SLICES",
           "D_CONV_STRIDE_EXT.CONV_X_STRIDE_EXT",
           "D_CONV_STRIDE_EXT.CONV_Y_STRIDE_EXT",
           "D_DILATION_EXT.X_DILATION_EXT",
           "D_DILATION_EXT.Y_DILATION_EXT",
           "D_ZERO_PADDING.PAD_LEFT",
           "D_ZERO_PADDING.PAD_TOP",
           "D_ZERO_PADDING_VALUE.PAD_VALUE",
           "D_BANK.DATA_BANK",
           "D_BANK.WEIGHT_BANK"},
          {},
          {}}},
        csc_scope,
        {{[](const Config& c) { return c.image_enable; },
          {"dla_csc_img.v", "dla_csc_window.v"},
          {"D_DATAIN_FORMAT.DATAIN_FORMAT", "D_DATAIN_SIZE_EXT_1.DATAIN_CHANNEL_EXT",
           "D_POST_Y_EXTENSION.Y_EXTENSION"}},
         {[](C c) { return c.batch_enable; }, {}, {"D_BATCH_NUMBER.BATCHES"}},
         {[](C c) { return !has_wide_type(c); }, {"dla_csc_wl.v"}},
         {[](C c) { return has_wide_type(c) && !c.weight_compression_enable; },
          {"csc_wide/dla_csc_wide_wl.v"}},
         {[](C c) { return c.weight_compression_enable; },
          {"csc_masks/dla_csc_masks_wl.v", "dla_csc_masks.v", "dla_csc_expand.v"},
          {"D_WEIGHT_FORMAT.WEIGHT_FORMAT", "D_WMB_BYTES.WMB_BYTES"}},
         {[](C c) { return has_wide_type(c) && !has_both_widths(c); },
          {"csc_wide/dla_csc_wide_kernel.v"}},
         {has_both_widths, {"csc_mix/dla_csc_mix_kernel.v"}, {"D_MISC_CFG.PROC_PRECISION"}},
         {[](C c) { return c.winograd_enable; },
          {"dla_csc_tile.v", "dla_csc_skew.v"},
          {"D_MISC_CFG.CONV_MODE", "D_PRA_CFG.PRA_TRUNCATE"}},
         {[](C c) {
              return c.winograd_enable && !has_both_widths(c) && has_type(c, "INT16") &&
                     has_type(c, "FP16");
          },
          {},
          {"D_MISC_CFG.PROC_PRECISION"}},
         {[](C c) { return c.winograd_enable && (has_type(c, "INT8") || has_type(c, "INT16")); },
          {"dla_csc_pra.v"}},
         {[](C c) { return c.winograd_enable && has_type(c, "FP16"); }, {"dla_csc_pra_fp.v"}}},
    };
    return unit;
}

}  // namespace macrame::dla
