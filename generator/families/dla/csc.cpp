#include <fmt/format.h>

#include <string>

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
text::Scope mix_scope(bool mix, bool image) {
    const auto only = [mix](const char* line) { return mix ? line : ""; };
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
        {"pos_pins", image ? only(".step_odd        (step_odd),\n.odd_q           (odd),\n"
                                  ".int8            (int8),")
                           : only(".step_odd        (step_odd),\n.odd_q           (odd),")},
        {"window_pin", only(".int8        (int8),")},
        {"half_part", mix ? "? x[0] : odd" : "&& x[0]"},
        {"cell_ok", mix ? "cell_ok" : "kernel_ok"},
        {"tail_kernels", mix ? "tail_cells" : "kernel"},
    };
}

text::Scope csc_scope(const Config& config, const Derived& derived) {
    const bool wide = has_wide_type(config), mix = has_both_widths(config);
    const bool image = config.image_enable;
    text::Scope out = {
        {"types", text::Scope{{"wide", wide ? 1 : 0},
                              {"mix", mix ? 1 : 0},
                              {"lane_bits", derived.lane_bits},
                              // A line of pixels of 16 bits may have 64 KiB.
                              {"x_more", wide && image ? 1 : 0}}},
        {"cells", 2 * derived.cmac_cells},
        {"min_step", 11},
        {"byte_w", wide ? "BYTE_W" : "LANE_W"},
        {"byte_w_param",
         wide ? fmt::format("localparam BYTE_W = {};           // a byte of an entry",
                            clog2(derived.entry_bytes))
              : ""},
        {"row_bytes", mix    ? "int8 ? {1'b0, lanes} : {lanes, 1'b1}"
                      : wide ? "{step_tail_q ? channel : {LANE_W{1'b1}}, 1'b1}"
                             : "step_tail_q ? channel : {LANE_W{1'b1}}"},
        {"place", mix ? "place" : "pos_x_q"},
    };
    out.merge(cfg_scope(wide, mix, image, derived.atoms_per_entry > 1));
    out.merge(mix_scope(mix, image));
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
         {[](C c) { return !has_wide_type(c); }, {"dla_csc_wl.v"}},
         {has_wide_type, {"csc_wide/dla_csc_wide_wl.v"}},
         {[](C c) { return has_wide_type(c) && !has_both_widths(c); },
          {"csc_wide/dla_csc_wide_kernel.v"}},
         {has_both_widths, {"csc_mix/dla_csc_mix_kernel.v"}, {"D_MISC_CFG.PROC_PRECISION"}}},
    };
    return unit;
}

}  // namespace macrame::dla
