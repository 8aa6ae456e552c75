#include "row_words.hpp"

namespace macrame::dla {

using namespace rows;

const RegisterMap& csc_registers() {
    static const RegisterMap map{
        "CSC", "convolution sequencer: reads CBUF, feeds the MAC array", 0x4000, v1_base(0x6000), {
        s_status(),
        s_pointer(),
        d_op_enable(0x008),
        {"D_MISC_CFG", 0x00c, pingpong, {
            {"CONV_MODE", 0, 0, rw, plain, 0x0, "direct (also image) or Winograd convolution",
             {"DIRECT", "WINOGRAD"}},
            {"IN_PRECISION", 9, 8, rw, plain, 0x1, "element type in the convolution buffer",
             {"INT8", "INT16", "FP16"}},
            {"PROC_PRECISION", 13, 12, rw, plain, 0x1,
             "element type used by the convolution datapath",
             {"INT8", "INT16", "FP16"}},
            {"DATA_REUSE", 16, 16, rw, plain, 0x0,
             "keep feature data left in CBUF by the previous layer (fetch only what is missing)",
             {"DISABLE", "ENABLE"}},
            {"WEIGHT_REUSE", 20, 20, rw, plain, 0x0,
             "keep weights left in CBUF by the previous layer (skip weight fetch)",
             {"DISABLE", "ENABLE"}},
            {"SKIP_DATA_RLS", 24, 24, rw, plain, 0x0, "do not free feature slices at layer end",
             {"DISABLE", "ENABLE"}},
            {"SKIP_WEIGHT_RLS", 28, 28, rw, plain, 0x0, "do not free weights at layer end",
             {"DISABLE", "ENABLE"}},
        }},
        {"D_DATAIN_FORMAT", 0x010, pingpong, {
            {"DATAIN_FORMAT", 0, 0, rw, plain, 0x0, "feature cube or image pixels",
             {"FEATURE", "PIXEL"}},
        }},
        {"D_DATAIN_SIZE_EXT_0", 0x014, pingpong, {
            {"DATAIN_WIDTH_EXT", 12, 0, rw, plain, 0x0, "input width as CSC sees it, minus 1"},
            {"DATAIN_HEIGHT_EXT", 28, 16, rw, plain, 0x0,
             "input height as CSC sees it (incl. reused slices), minus 1"},
        }},
        {"D_DATAIN_SIZE_EXT_1", 0x018, pingpong, {
            {"DATAIN_CHANNEL_EXT", 12, 0, rw, plain, 0x0,
             "input channels as CSC sees it (extended), minus 1"},
        }},
        {"D_BATCH_NUMBER", 0x01c, pingpong, {
            {"BATCHES", 4, 0, rw, plain, 0x0, "batch count minus 1"},
        }},
        {"D_POST_Y_EXTENSION", 0x020, pingpong, {
            {"Y_EXTENSION", 1, 0, rw, plain, 0x0,
             "image post-extension: lines merged = 2^value (0..2)"},
        }},
        {"D_ENTRY_PER_SLICE", 0x024, pingpong, {
            {"ENTRIES", 13, 0, rw, plain, 0x0,
             "CBUF entries per input slice, minus 1", {}, v1_bits(11, 0)},
        }},
        {"D_WEIGHT_FORMAT", 0x028, pingpong, {
            {"WEIGHT_FORMAT", 0, 0, rw, plain, 0x0,
             "plain or compressed (needs WMB and WGS) weights",
             {"UNCOMPRESSED", "COMPRESSED"}},
        }},
        {"D_WEIGHT_SIZE_EXT_0", 0x02c, pingpong, {
            {"WEIGHT_WIDTH_EXT", 4, 0, rw, plain, 0x0, "kernel width as CSC sees it, minus 1"},
            {"WEIGHT_HEIGHT_EXT", 20, 16, rw, plain, 0x0, "kernel height as CSC sees it, minus 1"},
        }},
        {"D_WEIGHT_SIZE_EXT_1", 0x030, pingpong, {
            {"WEIGHT_CHANNEL_EXT", 12, 0, rw, plain, 0x0,
             "kernel channels as CSC sees it, minus 1"},
            {"WEIGHT_KERNEL", 28, 16, rw, plain, 0x0, "kernel count minus 1"},
        }},
        {"D_WEIGHT_BYTES", 0x034, pingpong, {
            {"WEIGHT_BYTES", 31, 0, rw, plain, 0x0,
             "total weight bytes (uncompressed count; multiple of 128 in "
             "v1)", {}, v1_bits(31, 7)},
        }},
        {"D_WMB_BYTES", 0x038, pingpong, {
            {"WMB_BYTES", 27, 0, rw, plain, 0x0,
             "total WMB bytes (multiple of 128 in v1)", {}, v1_bits(27, 7)},
        }},
        {"D_DATAOUT_SIZE_0", 0x03c, pingpong, {
            {"DATAOUT_WIDTH", 12, 0, rw, plain, 0x0, "output width minus 1"},
            {"DATAOUT_HEIGHT", 28, 16, rw, plain, 0x0, "output height minus 1"},
        }},
        {"D_DATAOUT_SIZE_1", 0x040, pingpong, {
            {"DATAOUT_CHANNEL", 12, 0, rw, plain, 0x0, "output channels minus 1"},
        }},
        {"D_ATOMICS", 0x044, pingpong, {
            {"ATOMICS", 20, 0, rw, plain, 0x1,
             "output width times height, minus 1 (stripe planning)"},
        }},
        {"D_RELEASE", 0x048, pingpong, {
            {"RLS_SLICES", 11, 0, rw, plain, 0x1, "input slices freed at layer end, minus 1"},
        }},
        {"D_CONV_STRIDE_EXT", 0x04c, pingpong, {
            {"CONV_X_STRIDE_EXT", 2, 0, rw, plain, 0x0, "horizontal stride seen by CSC, minus 1"},
            {"CONV_Y_STRIDE_EXT", 18, 16, rw, plain, 0x0, "vertical stride seen by CSC, minus 1"},
        }},
        {"D_DILATION_EXT", 0x050, pingpong, {
            {"X_DILATION_EXT", 4, 0, rw, plain, 0x0, "horizontal dilation minus 1"},
            {"Y_DILATION_EXT", 20, 16, rw, plain, 0x0, "vertical dilation minus 1"},
        }},
        {"D_ZERO_PADDING", 0x054, pingpong, {
            {"PAD_LEFT", 4, 0, rw, plain, 0x0, "left padding in elements"},
            {"PAD_TOP", 20, 16, rw, plain, 0x0, "top padding in lines"},
        }},
        {"D_ZERO_PADDING_VALUE", 0x058, pingpong, {
            {"PAD_VALUE", 15, 0, rw, plain, 0x0,
             "padding value applied as is, signed; low byte for int8"},
        }},
        {"D_BANK", 0x05c, pingpong, {
            {"DATA_BANK", 4, 0, rw, plain, 0x0,
             "CBUF banks for input data, minus 1", {}, v1_bits(3, 0)},
            {"WEIGHT_BANK", 20, 16, rw, plain, 0x0,
             "CBUF banks for weights, minus 1", {}, v1_bits(19, 16)},
        }},
        {"D_PRA_CFG", 0x060, pingpong, {
            {"PRA_TRUNCATE", 1, 0, rw, plain, 0x0,
             "right shift after Winograd input transform (0..2)"},
        }},
        {"D_CYA", 0x064, pingpong, {
            {"CYA", 31, 0, rw, plain, 0x0, "spare bits, no function; keep 0"},
        }},
    }};
    return map;
}

}  // namespace macrame::dla
