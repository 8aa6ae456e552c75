#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "families/dla/derived.hpp"
#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

bool takes_pixels(const Config& config) { return config.image_enable; }
/// Integers that the convertor takes.
bool has_integers(const Config& config) {
    return has_type(config, "INT8") || has_type(config, "INT16");
}
/// Cubes of fp16 alone pass as they are.
bool converts(const Config& config) { return has_integers(config) || takes_pixels(config); }

/// Types of elements: what the templates say of them. In designs of int8 alone it is nothing.
text::Scope types_scope(const Config& config, const Derived& derived) {
    const bool mix = has_both_widths(config), fp16 = has_fp16(config), wide = has_wide_type(config);
    const bool several = has_mixed_types(config);
    const bool integers = has_integers(config);
    const char* surfaces = mix    ? "int8 ? {1'b0, channel[12:LSB]} : channel[12:LSB-1]"
                           : wide ? "channel[12:LSB-1]"
                                  : "channel[12:LSB]";
    std::string layer;
    if (mix) layer += "wire int8     = proc_precision == 2'd0;\n";
    if (fp16) {
        layer +=
            "wire in_fp16  = in_precision[1];\n"
            "wire dat_counts, wt_counts;     // counters of special numbers are not yet done\n";
    }
    if (fp16) {
        layer += several ? "wire out_fp16 = proc_precision[1];\n" : "wire out_fp16 = 1'b1;\n";
    }
    if (mix) {
        layer +=
            "wire [17:0] group_atoms = int8 ? byte_per_kernel : {1'b0, byte_per_kernel[17:1]};\n";
    } else if (wide) {
        layer += "wire [17:0] group_atoms = {1'b0, byte_per_kernel[17:1]};\n";
    }
    const std::string both = "cvt_en && !in_fp16";
    return {
        {"types", text::Scope{{"wide", derived.wide},
                              {"mix", mix ? 1 : 0},
                              {"fp16", derived.fp16},
                              {"masks", config.weight_compression_enable ? 1 : 0},
                              {"winograd", config.winograd_enable ? 1 : 0},
                              {"px_bytes", wide ? 8 : 4},
                              {"px_last_w", wide ? 3 : 2},
                              {"features", integers ? 1 : 0},
                              {"convert", converts(config) ? 1 : 0},
                              {"words", integers ? derived.atom_bytes / 2 : 4}}},
        {"element_types", wide ? "" : "Int8"},
        {"pixel_types", wide ? "8- and 16-bit" : "8-bit"},
        {"pixel_cycles", fp16   ? "five"
                         : wide ? "three"
                                : "two"},
        {"types_of_layer", layer},
        {"surfaces", surfaces},
        {"group", wide ? "group_atoms" : "byte_per_kernel"},
        {"group_of", wide ? "elements" : "bytes"},
        {"dat_counting", fp16 ? " || dat_counts" : ""},
        {"wt_counting", fp16 ? " || wt_counts" : ""},
        {"pad_value", wide ? "pad_value" : "pad_value[7:0]"},
        {"unused_types", std::string(fp16 ? "in_precision[0]," : "") +
                             (fp16 && several && !mix ? " proc_precision[0]," : "") +
                             (wide && !mix ? " byte_per_kernel[0]," : "")},
        {"unused_padding", wide ? "" : " pad_value[15:8],"},
        {"wt_data", fp16 ? "wt_plain" : "mcif2cdma_wt_rd_rsp_data"},
        {"plain_data",
         fp16 ? "rsp_wmb ? mcif2cdma_wt_rd_rsp_data : wt_plain" : "mcif2cdma_wt_rd_rsp_data"},
        {"convert", fp16 ? both : "cvt_en"},
        {"rsp_late", !converts(config) ? "1'b0"
                     : fp16            ? both
                                       : "cvt_en"},
        {"to_8", mix ? "int8" : "1'b0"},
        {"to_17", fp16 ? "out_fp16 && !in_fp16" : "1'b0"},
        {"chunk_0", derived.atom_bytes == 8 ? "single" : "single[{place_0[LSB-1:3], 6'd0} +: 64]"},
        {"chunk_1", derived.atom_bytes == 8 ? "atom" : "atom[{place_1[LSB-1:3], 6'd0} +: 64]"},
    };
}

/// What the image sides of int8 alone and of 16-bit types call differently.
text::Scope image_scope(bool wide) {
    return {
        {"next_unit", wide ? "unit_q + {{(UNIT_W-1){1'b0}}, 1'b1}" : "unit_q + 13'd1"},
        {"line_flush", wide ? "flush" : "px_flush"},
        {"luma_end", wide ? "luma_end" : "(&at_q)"},
        {"px_last", wide ? "last" : "in_last"},
    };
}

/// Ports, pins and words that only some configurations with 16-bit types have.
text::Scope wide_scope(const Config& config) {
    const bool mix = has_both_widths(config), integers = has_integers(config);
    const bool image = config.image_enable;
    const auto hold = [waits = !config.secondary_memif_enable](const char* line) {
        return waits ? line : "";
    };
    return {
        {"int8_port",
         mix ? "input  wire                       int8,           // elements in CBUF, else 16 bits"
             : ""},
        {"int8_pin", mix ? ".int8      (int8)," : ""},
        {"out_fp16_port",
         has_fp16(config) ? "input  wire                       out_fp16,       // elements in CBUF"
                          : ""},
        {"hold_port", hold("input  wire                       hold,         // nothing moves")},
        {"pack_hold_port",
         hold("input  wire                       hold,           // nothing moves")},
        {"wt_wr_next_port",
         hold("input  wire                       wt_wr_next,     // a weight in the next cycle")},
        {"wait_doc", hold("// CBUF takes a weight or an atom of pixels: pixels wait in the cycle "
                          "before the weight's write.")},
        {"hold_doc",
         image ? hold("// `hold` stops all of it; an atom at the output stays there.") : ""},
        {"float_doc",
         has_fp16(config) ? "// Behind the lanes of pixels integers become fp16." : ""},
        {"hold_pin", hold(".hold      (hold),")},
        {"img_hold_pin", hold(".hold           (hold),")},
        {"offset_port",
         integers ? "input  wire [15:0]                offset,       // signed" : ""},
        {"minus_offset",
         integers ? "wire [16:0] minus_offset = 17'd0 - {offset[15], offset};" : ""},
        {"cvt_image_port",
         integers ? "input  wire                       image,        // pixels" : ""},
        {"cube", mix ? "to_8 ? {{9{in[7]}}, in[7:0]} : {in[15], in}" : "{in[15], in}"},
        {"cvt_to_17", image ? "to_17" : "1'b0"},
        {"is_unsigned_pin", image ? ".is_unsigned  (1'b0)," : ""},
    };
}

/// Registers of the convertor, where there is one.
text::Scope convertor_scope(const Config& config) {
    return {
        {"cvt_fields", converts(config) ? "wire        cvt_en, perf_en;\n"
                                          "wire [5:0]  cvt_truncate;\n"
                                          "wire [15:0] cvt_offset, cvt_scale;"
                                        : "wire        perf_en;"},
        {"cvt_reg_pins", converts(config) ? ".d_cvt_cfg_cvt_en                    (cvt_en),\n"
                                            ".d_cvt_cfg_cvt_truncate              (cvt_truncate),\n"
                                            ".d_cvt_offset                        (cvt_offset),\n"
                                            ".d_cvt_scale                         (cvt_scale),"
                                          : ""},
    };
}

/// What only configurations with several inputs per layer have: a line of each, then the next.
text::Scope batch_scope(const Config& config, const Derived& derived) {
    const auto only = [batch = config.batch_enable](const std::string& line,
                                                    const char* other = "") {
        return batch ? line : other;
    };
    const int addr_w = derived.addr_w - clog2(derived.atom_bytes);
    return {
        {"batch_fields", only("wire [4:0]  batches;\nwire [31:0] batch_stride;")},
        {"batch_reg_pins", only(".d_batch_number_batches              (batches),\n"
                                ".d_batch_stride                      (batch_stride),")},
        {"batch_step", only("wire [63:0]       batch_step  = {32'd0, batch_stride};")},
        {"batch_pins", only(".batches       (batches),\n"
                            ".batch_stride  (batch_step[ADDR_W-1:LSB]),")},
        {"unused_batch", only("batch_step,")},
        {"batch_ports",
         only("input  wire [4:0]                 batches,\n" +
              fmt::format("input  wire [{:2}:0]                batch_stride,", addr_w - 1))},
        {"batch_regs",
         only("reg  [4:0]         batch_left_q;   // inputs after this one\n"
              "reg  [ADDR_W-1:0]  batch_addr_q;   // first surface of its line\n"
              "wire last_batch = batch_left_q == 5'd0;\n"
              "wire [ADDR_W-1:0] next_step = last_batch ? line_stride : batch_stride;\n"
              "wire [ADDR_W-1:0] next_base = last_batch ? line_addr_q : batch_addr_q;")},
        {"last_batch_and", only("last_batch && ")},
        {"and_last_batch", only(" && last_batch")},
        {"next_stride", only("next_step", "line_stride")},
        {"next_base", only("next_base", "line_addr_q")},
        {"batch_next", only("if (last_surf) begin\n"
                            "    batch_addr_q <= addr_next;\n"
                            "    batch_left_q <= last_batch ? batches : batch_left_q - 5'd1;\n"
                            "end")},
        {"batch_start", only("batch_addr_q <= base;\nbatch_left_q <= batches;")},
    };
}

/// Registers and pins of element types; what weights wait for.
text::Scope pins_scope(const Config& config) {
    const bool fp16 = has_fp16(config), image = config.image_enable;
    const bool masks = config.weight_compression_enable, winograd = config.winograd_enable;
    const bool two = config.secondary_memif_enable;
    const auto when = [](bool has, const char* line) { return std::string(has ? line : ""); };
    const std::string pixels = winograd ? "dat_waits" : "image && img_pending";
    const std::string data = "cdma_dat2mcif_rd_req_valid" +
                             when(image, winograd ? " || dat_waits" : " || (image && img_pending)");
    const bool waits = image && !two;
    return {
        {"proc_field", when(has_mixed_types(config), "wire [1:0]  proc_precision;")},
        {"proc_reg_pin",
         when(has_mixed_types(config), ".d_misc_cfg_proc_precision           (proc_precision),")},
        {"fp16_fields", when(fp16,
                             "wire [1:0]  in_precision;\n"
                             "wire        nan_to_zero;\n"
                             "wire [31:0] nan_data, inf_data, nan_weights, inf_weights;")},
        {"fp16_reg_pins", when(fp16,
                               ".d_misc_cfg_in_precision             (in_precision),\n"
                               ".d_nan_flush_to_zero_nan_to_zero     (nan_to_zero),\n"
                               ".d_nan_input_data_num_nan_data_num   (nan_data),\n"
                               ".d_inf_input_data_num_inf_data_num   (inf_data),\n"
                               ".d_nan_input_weight_num_nan_weight_num (nan_weights),\n"
                               ".d_inf_input_weight_num_inf_weight_num (inf_weights),")},
        {"int8_in_pin", when(has_both_widths(config), ".int8           (int8),")},
        {"in_fp16_pin", when(fp16, ".in_fp16        (in_fp16),")},
        {"out_fp16_pin", when(fp16, ".out_fp16       (out_fp16),")},
        {"special_pins", when(fp16,
                              ".nan_to_zero    (nan_to_zero),\n"
                              ".clear          (start),\n"
                              ".counting       (dat_counts),\n"
                              ".nan_count      (nan_data),\n"
                              ".inf_count      (inf_data),")},
        {"yield_pins", ".yield_to      (" +
                           (two ? "same_memory && " + (image ? "(" + data + ")" : data) : data) +
                           ")," + when(waits, ("\n.pixels        (" + pixels + "),").c_str())},
        {"wmb_turn_pins", when(waits,
                               ".other_sent    (wt_req_valid && wt_req_ready),\n"
                               ".wr_next       (wmb_wr_next),")},
        {"wt_turn_pins", when(waits && masks,
                              ".other_sent    (wmb_req_valid && wmb_req_ready),\n"
                              ".wr_next       (weights_next),") +
                             when(waits && !masks, ".wr_next       (wt_wr_next),")},
    };
}

/// Bits of a wire from `low` on, as many as an entry of CBUF has: a plane that fits has no more.
std::string cbuf_number(const char* wire, int low, int bits, const Derived& derived) {
    const int more = derived.cbuf_addr_w - bits;
    const std::string part =
        low == 0 && more >= 0
            ? wire
            : fmt::format("{}[{}:{}]", wire, low + std::min(bits, derived.cbuf_addr_w) - 1, low);
    return more > 0 ? fmt::format("{{{{(CBUF_W-{}){{1'b0}}}}, {}}}", bits, part) : part;
}

/// What only configurations with Winograd have: words around the module that makes tiles.
text::Scope winograd_scope(const Config& config, const Derived& derived) {
    const auto only = [winograd = config.winograd_enable](const char* line,
                                                          const char* other = "") {
        return winograd ? line : other;
    };
    const auto held = [waits = !config.secondary_memif_enable](const char* line,
                                                               const char* other = "") {
        return waits ? line : other;
    };
    return {
        {"winograd_doc",
         only("// Winograd: the same rate, where padding counts as pixels; rows of tiles "
              "follow 7 cycles\n"
              "// behind the last of their pixels.")},
        {"winograd_fields", only("wire        winograd;\n"
                                 "wire [12:0] ext_width, ext_height;\n"
                                 "wire [2:0]  stride_x, stride_y;\n"
                                 "wire [4:0]  pad_top;")},
        {"winograd_reg_pins", only(".d_misc_cfg_conv_mode                (winograd),\n"
                                   ".d_datain_size_ext_0_datain_width_ext (ext_width),\n"
                                   ".d_datain_size_ext_0_datain_height_ext (ext_height),\n"
                                   ".d_conv_stride_conv_x_stride         (stride_x),\n"
                                   ".d_conv_stride_conv_y_stride         (stride_y),\n"
                                   ".d_zero_padding_pad_top              (pad_top),")},
        {"ctrl_winograd_port", only("input  wire                       winograd,")},
        {"ctrl_winograd_pin", only(".winograd             (winograd),")},
        {"prev_winograd", only("reg              prev_winograd_q;")},
        {"prev_winograd_reset", only("prev_winograd_q    <= 1'b0;")},
        {"prev_winograd_load", only("prev_winograd_q    <= winograd;")},
        {"same_input",
         only("(image == prev_image_q) && (winograd == prev_winograd_q)", "image == prev_image_q")},
        {"dat_less_1", only("dat_less_1_q", "slice_less_1")},
        {"or_winograd", only(" || winograd")},
        {"not_winograd", only(" && !winograd")},
        {"or_tile_take", only("tile_take || ")},
        {"or_tile_busy", only("tile_busy || ")},
        {"or_tile_end", only("tile_end || ")},
        {"or_tile_load", only("tile_req_load || ")},
        {"or_tile_next", only("winograd ? tile_req_next : ")},
        {"or_tile_req_valid", only("tile_req_valid || ")},
        {"tile_ending", only(" || tile_ending")},
        {"tile_dat_pins", only(".winograd      (winograd),\n"
                               ".tile_req_size (tile_req_size),\n"
                               ".slice         (slice),\n"
                               ".tile_place    (tile_place),\n"
                               ".tile_entry    (tile_entry),\n"
                               ".tile_row      (tile_row),")},
        {"tile_size", only("else if (winograd && img_req_load) size_q <= {8'd0, tile_req_size};")},
        {"tile_slice", only("assign slice   = slice_q;")},
        {"wr_index", only("(winograd ? tile_row : index)", "index")},
        {"tile_entry", only("end else if (winograd) begin\n"
                            "    entry_q <= tile_place ? tile_entry : slice_q;\n"
                            "    block_q <= slice_q;")},
        {"or_tile_outstanding", only("winograd ? tile_outstanding : ")},
        {"dat_updt", only("dat_updt", "cdma2csc_dat_updt")},
        {"in_wr", only("in_wr", "cdma2cbuf_dat_wr")},
        {"dat_waits",
         only("wire              dat_waits = tile_pending || (image && img_pending);")},
        {"tile_pad",
         has_both_widths(config) ? "int8 ? {2{pad_value[7:0]}} : pad_value" : "pad_value"},
        {"tile_hold_pin", held(".wt_wr_next    (wt_wr_next),")},
        {"tile_hold",
         held("wire               hold = got_q && wt_wr_next;   // CBUF takes one atom")},
        {"tile_move", held("if (!hold) begin\n"
                           "    read_q      <= run_q;\n"
                           "    read_last_q <= group_end;\n"
                           "    got_q       <= read_q;\n"
                           "end",
                           "read_q      <= run_q;\n"
                           "read_last_q <= group_end;\n"
                           "got_q       <= read_q;")},
        {"ext_groups", cbuf_number("ext_width", 2, 11, derived)},
        {"tile_surfaces",
         cbuf_number("surfaces", 0, 13 - clog2(derived.atom_bytes) + has_wide_type(config),
                     derived)},
        // Two groups of 32 atoms, and what memory has on its way.
        {"tile_depth", std::max(128, channel_depth(config, config.memory_atomic_size, 128))},
    };
}

text::Scope cdma_scope(const Config& config, const Derived& derived) {
    // Pixels wait for weights where both have one way into CBUF.
    const bool waits = config.image_enable && !config.secondary_memif_enable;
    const bool masks = config.weight_compression_enable, pairs = derived.wt_atoms > 1;
    text::Scope out = types_scope(config, derived);
    out.merge(wide_scope(config));
    out.merge(image_scope(has_wide_type(config)));
    out.merge(convertor_scope(config));
    out.merge(batch_scope(config, derived));
    out.merge(winograd_scope(config, derived));
    out.merge(pins_scope(config));
    out.merge({
        {"not_held", waits ? " && !hold" : ""},
        {"if_not_held", waits ? " if (!hold)" : ""},
        {"wt", wt_scope(derived)},
        {"atom_lsb", clog2(derived.atom_bytes)},
        // At least 8 atoms, and 128 bytes: the unit in which weight streams are padded.
        {"wt_req_atoms", std::max(8, 128 / derived.atom_bytes)},
        {"wt_in_valid", masks || pairs ? "rsp_valid" : "in_valid"},
        {"wt_range", pairs ? "[1:0]" : "     "},
        {"wt_range_doc", pairs ? "atoms of a pair, " : ""},
        {"wt_sel_doc", pairs ? "an aligned pair, or its low atom" : "one-hot atom of the entry"},
        {"wt_two", pairs ? "reg                two_q;          // two atoms are written" : ""},
        {"wt_last", pairs ? "{{(OUT_W-2){1'b0}}, two_q, !two_q}" : "{{(OUT_W-1){1'b0}}, 1'b1}"},
        {"wt_written", pairs ? "{{(OUT_W-2){1'b0}}, wr_valid_q && two_q, wr_valid_q && !two_q}"
                             : "{{(OUT_W-1){1'b0}}, wr_valid_q}"},
        {"and_not_masks", masks ? " && !rsp_wmb" : ""},
        {"cvt_words", !config.image_enable ? "4"
                      : has_fp16(config)   ? "4, pixels five more"
                                           : "4, pixels three more"},
        {"wmb_fetching", masks ? " || wmb_busy" : ""},
        {"wmb_coming", masks ? " || wmb_outstanding" : ""},
        // Requests of weights and masks under way: half of them may be for one entry only.
        {"wt_requests", std::max(16, derived.img_fifo_depth / 4)},
    });
    return out;
}

}  // namespace

const Unit& cdma_unit() {
    using C = const Config&;
    static const Unit unit{
        "cdma",
        "fetches the input cube and the weights of a layer into CBUF, converting data on the way",
        nullptr,
        {"dla_cdma.v", "dla_cdma_ctrl.v", "dla_cdma_dat.v", "dla_cdma_wt.v", "dla_cdma_space.v",
         "dla_cdma_perf.v"},
        {"clkgate", "fp_from_fixed", "reg_copy", "fifo_sync", "sram_dist_1r1w", "sram_1r1w"},
        {{"cdma",
          {"D_MISC_CFG.DATA_REUSE", "D_MISC_CFG.WEIGHT_REUSE", "D_MISC_CFG.SKIP_DATA_RLS",
           "D_MISC_CFG.SKIP_WEIGHT_RLS", "D_DATAIN_SIZE_0.DATAIN_WIDTH",
           "D_DATAIN_SIZE_0.DATAIN_HEIGHT", "D_DATAIN_SIZE_1.DATAIN_CHANNEL",
           "D_DAIN_ADDR_HIGH_0.DATAIN_ADDR_HIGH_0", "D_DAIN_ADDR_LOW_0.DATAIN_ADDR_LOW_0",
           "D_LINE_STRIDE.LINE_STRIDE", "D_SURF_STRIDE.SURF_STRIDE", "D_ENTRY_PER_SLICE.ENTRIES",
           "D_WEIGHT_SIZE_0.BYTE_PER_KERNEL", "D_WEIGHT_ADDR_HIGH.WEIGHT_ADDR_HIGH",
           "D_WEIGHT_ADDR_LOW.WEIGHT_ADDR_LOW", "D_WEIGHT_BYTES.WEIGHT_BYTES", "D_BANK.DATA_BANK",
           "D_BANK.WEIGHT_BANK", "D_PERF_ENABLE.DMA_EN"},
          {"S_CBUF_FLUSH_STATUS.FLUSH_DONE", "D_PERF_DAT_READ_STALL.DAT_RD_STALL",
           "D_PERF_WT_READ_STALL.WT_RD_STALL", "D_PERF_DAT_READ_LATENCY.DAT_RD_LATENCY",
           "D_PERF_WT_READ_LATENCY.WT_RD_LATENCY"},
          {}}},
        cdma_scope,
        {{[](C c) { return !has_wide_type(c); }, {"dla_cdma_cvt.v"}},
         {[](C c) { return has_type(c, "INT8"); }, {"dla_cdma_cvt_lane.v"}},
         {[](C c) { return !has_wide_type(c) && takes_pixels(c); },
          {"dla_cdma_in.v", "dla_cdma_img.v", "dla_cdma_cvt_px.v", "dla_cdma_pack.v"}},
         {has_wide_type, {"cdma_wide/dla_cdma_wide_in.v"}},
         {has_mixed_types, {}, {"D_MISC_CFG.PROC_PRECISION"}},
         {[](C c) { return has_wide_type(c) && converts(c); },
          {"cdma_wide/dla_cdma_wide_cvt.v", "dla_cdma_cvt_word.v"}},
         {[](C c) { return has_wide_type(c) && takes_pixels(c); },
          {"cdma_wide/dla_cdma_wide_img.v", "cdma_wide/dla_cdma_wide_pack.v"}},
         {converts,
          {},
          {"D_CVT_CFG.CVT_EN", "D_CVT_CFG.CVT_TRUNCATE", "D_CVT_OFFSET.CVT_OFFSET",
           "D_CVT_SCALE.CVT_SCALE"}},
         {has_fp16,
          {"dla_cdma_nan.v"},
          {"D_MISC_CFG.IN_PRECISION", "D_NAN_FLUSH_TO_ZERO.NAN_TO_ZERO"},
          {"D_NAN_INPUT_DATA_NUM.NAN_DATA_NUM", "D_NAN_INPUT_WEIGHT_NUM.NAN_WEIGHT_NUM",
           "D_INF_INPUT_DATA_NUM.INF_DATA_NUM", "D_INF_INPUT_WEIGHT_NUM.INF_WEIGHT_NUM"}},
         {[](C c) { return c.batch_enable; },
          {},
          {"D_BATCH_NUMBER.BATCHES", "D_BATCH_STRIDE.BATCH_STRIDE"}},
         {[](C c) { return c.winograd_enable; },
          {"dla_cdma_tile.v", "dla_cdma_tile_req.v", "dla_cdma_tile_order.v"},
          {"D_MISC_CFG.CONV_MODE", "D_DATAIN_SIZE_EXT_0.DATAIN_WIDTH_EXT",
           "D_DATAIN_SIZE_EXT_0.DATAIN_HEIGHT_EXT", "D_CONV_STRIDE.CONV_X_STRIDE",
           "D_CONV_STRIDE.CONV_Y_STRIDE", "D_ZERO_PADDING.PAD_TOP"}},
         {[](C c) { return wt_atoms(c) > 1; }, {"dla_cdma_pairs.v"}},
         {[](C c) { return c.weight_compression_enable; },
          {"dla_cdma_wt_order.v"},
          {"D_WEIGHT_FORMAT.WEIGHT_FORMAT", "D_WMB_ADDR_HIGH.WMB_ADDR_HIGH",
           "D_WMB_ADDR_LOW.WMB_ADDR_LOW", "D_WMB_BYTES.WMB_BYTES"}},
         {takes_pixels,
          {},
          {"D_DATAIN_FORMAT.DATAIN_FORMAT", "D_DATAIN_FORMAT.PIXEL_FORMAT",
           "D_DATAIN_FORMAT.PIXEL_SIGN_OVERRIDE", "D_PIXEL_OFFSET.PIXEL_X_OFFSET",
           "D_DAIN_ADDR_HIGH_1.DATAIN_ADDR_HIGH_1", "D_DAIN_ADDR_LOW_1.DATAIN_ADDR_LOW_1",
           "D_LINE_UV_STRIDE.UV_LINE_STRIDE", "D_MEAN_FORMAT.MEAN_FORMAT",
           "D_MEAN_GLOBAL_0.MEAN_RY", "D_MEAN_GLOBAL_0.MEAN_GU", "D_MEAN_GLOBAL_1.MEAN_BV",
           "D_MEAN_GLOBAL_1.MEAN_AX", "D_ZERO_PADDING.PAD_LEFT", "D_ZERO_PADDING.PAD_RIGHT",
           "D_ZERO_PADDING_VALUE.PAD_VALUE"}}},
    };
    return unit;
}

}  // namespace macrame::dla
