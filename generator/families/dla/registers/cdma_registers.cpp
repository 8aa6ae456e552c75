#include "row_words.hpp"

namespace macrame::dla {

using namespace rows;

const RegisterMap& cdma_registers() {
    static const RegisterMap map{
        "CDMA", "convolution DMA: fetches data and weights into CBUF", 0x3000, v1_base(0x5000), {
        s_status(),
        s_pointer(),
        {"S_ARBITER", 0x008, single, {
            {"ARB_WEIGHT", 3, 0, rw, plain, 0xf,
             "share of the weight stream in the weight-vs-WMB round robin (uses value+1)"},
            {"ARB_WMB", 19, 16, rw, plain, 0x3,
             "share of the WMB stream in the weight-vs-WMB round robin (uses value+1)"},
        }},
        {"S_CBUF_FLUSH_STATUS", 0x00c, single, {
            {"FLUSH_DONE", 0, 0, ro, status, 0x0,
             "1 once the convolution buffer has been zeroed after reset; must be 1 before "
             "first CDMA enable"},
        }},
        d_op_enable(0x010),
        {"D_MISC_CFG", 0x014, pingpong, {
            {"CONV_MODE", 0, 0, rw, plain, 0x0, "direct (also image) or Winograd convolution",
             {"DIRECT", "WINOGRAD"}},
            {"IN_PRECISION", 9, 8, rw, plain, 0x1, "element type fetched from memory",
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
        {"D_DATAIN_FORMAT", 0x018, pingpong, {
            {"DATAIN_FORMAT", 0, 0, rw, plain, 0x0, "feature cube or image pixels",
             {"FEATURE", "PIXEL"}},
            {"PIXEL_FORMAT", 13, 8, rw, plain, 0xc, "image layout code",
             {"T_R8", "T_R10", "T_R12", "T_R16", "T_R16_I", "T_R16_F", "T_A16B16G16R16",
              "T_X16B16G16R16", "T_A16B16G16R16_F", "T_A16Y16U16V16", "T_V16U16Y16A16",
              "T_A16Y16U16V16_F", "T_A8B8G8R8", "T_A8R8G8B8", "T_B8G8R8A8", "T_R8G8B8A8",
              "T_X8B8G8R8", "T_X8R8G8B8", "T_B8G8R8X8", "T_R8G8B8X8", "T_A2B10G10R10",
              "T_A2R10G10B10", "T_B10G10R10A2", "T_R10G10B10A2", "T_A2Y10U10V10",
              "T_V10U10Y10A2", "T_A8Y8U8V8", "T_V8U8Y8A8", "T_Y8___U8V8_N444",
              "T_Y8___V8U8_N444", "T_Y10___U10V10_N444", "T_Y10___V10U10_N444",
              "T_Y12___U12V12_N444", "T_Y12___V12U12_N444", "T_Y16___U16V16_N444",
              "T_Y16___V16U16_N444"}},
            {"PIXEL_MAPPING", 16, 16, rw, plain, 0x0,
             "image surface layout; only pitch linear is legal",
             {"PITCH_LINEAR", "RESERVED_LINEAR"}},
            {"PIXEL_SIGN_OVERRIDE", 20, 20, rw, plain, 0x0,
             "treat integer pixels as unsigned/signed when the input converter is on",
             {"UNSIGNED_INT", "SIGNED_INT"}},
        }},
        {"D_DATAIN_SIZE_0", 0x01c, pingpong, {
            {"DATAIN_WIDTH", 12, 0, rw, plain, 0x0, "input cube width minus 1"},
            {"DATAIN_HEIGHT", 28, 16, rw, plain, 0x0, "input cube height minus 1"},
        }},
        {"D_DATAIN_SIZE_1", 0x020, pingpong, {
            {"DATAIN_CHANNEL", 12, 0, rw, plain, 0x0, "input cube channels minus 1"},
        }},
        {"D_DATAIN_SIZE_EXT_0", 0x024, pingpong, {
            {"DATAIN_WIDTH_EXT", 12, 0, rw, plain, 0x0,
             "Winograd only: padded width divided by x stride, minus 1"},
            {"DATAIN_HEIGHT_EXT", 28, 16, rw, plain, 0x0,
             "Winograd only: padded height divided by y stride, minus 1"},
        }},
        {"D_PIXEL_OFFSET", 0x028, pingpong, {
            {"PIXEL_X_OFFSET", 4, 0, rw, plain, 0x0,
             "pixels between the aligned start address and the first used pixel"},
            {"PIXEL_Y_OFFSET", 18, 16, rw, plain, 0x0, "line offset; must be 0 for pitch linear"},
        }},
        {"D_DAIN_RAM_TYPE", 0x02c, pingpong, {
            {"DATAIN_RAM_TYPE", 0, 0, rw, plain, 0x0, "which memory port the input is read from",
             {"CVIF", "MCIF"}},
        }},
        {"D_DAIN_ADDR_HIGH_0", 0x030, pingpong, {
            {"DATAIN_ADDR_HIGH_0", 31, 0, rw, plain, 0x0, "input start address 63:32"},
        }},
        {"D_DAIN_ADDR_LOW_0", 0x034, pingpong, {
            {"DATAIN_ADDR_LOW_0", 31, 0, rw, plain, 0x0,
             "input start address 31:0", {}, v1_bits(31, 5)},
        }},
        {"D_DAIN_ADDR_HIGH_1", 0x038, pingpong, {
            {"DATAIN_ADDR_HIGH_1", 31, 0, rw, plain, 0x0, "chroma (UV) plane address 63:32"},
        }},
        {"D_DAIN_ADDR_LOW_1", 0x03c, pingpong, {
            {"DATAIN_ADDR_LOW_1", 31, 0, rw, plain, 0x0,
             "chroma (UV) plane address 31:0", {}, v1_bits(31, 5)},
        }},
        {"D_LINE_STRIDE", 0x040, pingpong, {
            {"LINE_STRIDE", 31, 0, rw, plain, 0x0,
             "bytes from one input line to the next", {}, v1_bits(31, 5)},
        }},
        {"D_LINE_UV_STRIDE", 0x044, pingpong, {
            {"UV_LINE_STRIDE", 31, 0, rw, plain, 0x0,
             "bytes from one UV-plane line to the next", {}, v1_bits(31, 5)},
        }},
        {"D_SURF_STRIDE", 0x048, pingpong, {
            {"SURF_STRIDE", 31, 0, rw, plain, 0x0,
             "bytes from one input surface to the next", {}, v1_bits(31, 5)},
        }},
        {"D_DAIN_MAP", 0x04c, pingpong, {
            {"LINE_PACKED", 0, 0, rw, plain, 0x0, "1 when line pitch equals the bytes in a line",
             {"FALSE", "TRUE"}},
            {"SURF_PACKED", 16, 16, rw, plain, 0x0,
             "1 when surface pitch equals line pitch times height",
             {"FALSE", "TRUE"}},
        }},
        {"D_RESERVED_X_CFG", 0x050, pingpong, {
            {"RSV_PER_LINE", 9, 0, rw, plain, 0x0, "unused"},
            {"RSV_PER_UV_LINE", 25, 16, rw, plain, 0x0, "unused"},
        }},
        {"D_RESERVED_Y_CFG", 0x054, pingpong, {
            {"RSV_HEIGHT", 2, 0, rw, plain, 0x0, "unused"},
            {"RSV_Y_INDEX", 20, 16, rw, plain, 0x0, "unused"},
        }},
        {"D_BATCH_NUMBER", 0x058, pingpong, {
            {"BATCHES", 4, 0, rw, plain, 0x0, "batch count minus 1"},
        }},
        {"D_BATCH_STRIDE", 0x05c, pingpong, {
            {"BATCH_STRIDE", 31, 0, rw, plain, 0x0,
             "bytes between start addresses of consecutive batch cubes", {}, v1_bits(31, 5)},
        }},
        {"D_ENTRY_PER_SLICE", 0x060, pingpong, {
            {"ENTRIES", 13, 0, rw, plain, 0x0,
             "CBUF entries per input slice, minus 1", {}, v1_bits(11, 0)},
        }},
        {"D_FETCH_GRAIN", 0x064, pingpong, {
            {"GRAINS", 11, 0, rw, plain, 0x0,
             "fetch only when this many slices (value+1) of CBUF space are free"},
        }},
        {"D_WEIGHT_FORMAT", 0x068, pingpong, {
            {"WEIGHT_FORMAT", 0, 0, rw, plain, 0x0,
             "plain or compressed (needs WMB and WGS) weights",
             {"UNCOMPRESSED", "COMPRESSED"}},
        }},
        {"D_WEIGHT_SIZE_0", 0x06c, pingpong, {
            {"BYTE_PER_KERNEL", 17, 0, rw, plain, 0x0, "bytes of one kernel minus 1"},
        }},
        {"D_WEIGHT_SIZE_1", 0x070, pingpong, {
            {"WEIGHT_KERNEL", 12, 0, rw, plain, 0x0, "kernel count minus 1"},
        }},
        {"D_WEIGHT_RAM_TYPE", 0x074, pingpong, {
            {"WEIGHT_RAM_TYPE", 0, 0, rw, plain, 0x0, "memory port for weights, WMB and WGS",
             {"CVIF", "MCIF"}},
        }},
        {"D_WEIGHT_ADDR_HIGH", 0x078, pingpong, {
            {"WEIGHT_ADDR_HIGH", 31, 0, rw, plain, 0x0, "weight start address 63:32"},
        }},
        {"D_WEIGHT_ADDR_LOW", 0x07c, pingpong, {
            {"WEIGHT_ADDR_LOW", 31, 0, rw, plain, 0x0,
             "weight start address 31:0", {}, v1_bits(31, 5)},
        }},
        {"D_WEIGHT_BYTES", 0x080, pingpong, {
            {"WEIGHT_BYTES", 31, 0, rw, plain, 0x0,
             "total weight bytes (uncompressed count; multiple of 128 in "
             "v1)", {}, v1_bits(31, 7)},
        }},
        {"D_WGS_ADDR_HIGH", 0x084, pingpong, {
            {"WGS_ADDR_HIGH", 31, 0, rw, plain, 0x0, "WGS start address 63:32"},
        }},
        {"D_WGS_ADDR_LOW", 0x088, pingpong, {
            {"WGS_ADDR_LOW", 31, 0, rw, plain, 0x0, "WGS start address 31:0", {}, v1_bits(31, 5)},
        }},
        {"D_WMB_ADDR_HIGH", 0x08c, pingpong, {
            {"WMB_ADDR_HIGH", 31, 0, rw, plain, 0x0, "WMB start address 63:32"},
        }},
        {"D_WMB_ADDR_LOW", 0x090, pingpong, {
            {"WMB_ADDR_LOW", 31, 0, rw, plain, 0x0, "WMB start address 31:0", {}, v1_bits(31, 5)},
        }},
        {"D_WMB_BYTES", 0x094, pingpong, {
            {"WMB_BYTES", 27, 0, rw, plain, 0x0,
             "total WMB bytes (multiple of 128 in v1)", {}, v1_bits(27, 7)},
        }},
        {"D_MEAN_FORMAT", 0x098, pingpong, {
            {"MEAN_FORMAT", 0, 0, rw, plain, 0x0, "subtract per-component mean from pixels",
             {"DISABLE", "ENABLE"}},
        }},
        {"D_MEAN_GLOBAL_0", 0x09c, pingpong, {
            {"MEAN_RY", 15, 0, rw, plain, 0x0, "signed mean of component 0 (R or Y)"},
            {"MEAN_GU", 31, 16, rw, plain, 0x0, "signed mean of component 1 (G or U)"},
        }},
        {"D_MEAN_GLOBAL_1", 0x0a0, pingpong, {
            {"MEAN_BV", 15, 0, rw, plain, 0x0, "signed mean of component 2 (B or V)"},
            {"MEAN_AX", 31, 16, rw, plain, 0x0, "signed mean of component 3 (A or X)"},
        }},
        {"D_CVT_CFG", 0x0a4, pingpong, {
            {"CVT_EN", 0, 0, rw, plain, 0x0, "enable the input converter", {"DISABLE", "ENABLE"}},
            {"CVT_TRUNCATE", 9, 4, rw, plain, 0x0, "converter right shift, unsigned"},
        }},
        {"D_CVT_OFFSET", 0x0a8, pingpong, {
            {"CVT_OFFSET", 15, 0, rw, plain, 0x0,
             "converter offset, signed 16 (subtracted before scaling)"},
        }},
        {"D_CVT_SCALE", 0x0ac, pingpong, {
            {"CVT_SCALE", 15, 0, rw, plain, 0x0, "converter multiplier, signed 16"},
        }},
        {"D_CONV_STRIDE", 0x0b0, pingpong, {
            {"CONV_X_STRIDE", 2, 0, rw, plain, 0x0, "horizontal stride minus 1"},
            {"CONV_Y_STRIDE", 18, 16, rw, plain, 0x0, "vertical stride minus 1"},
        }},
        {"D_ZERO_PADDING", 0x0b4, pingpong, {
            {"PAD_LEFT", 4, 0, rw, plain, 0x0, "left padding in elements"},
            {"PAD_RIGHT", 13, 8, rw, plain, 0x0, "right padding in elements"},
            {"PAD_TOP", 20, 16, rw, plain, 0x0, "top padding in lines"},
            {"PAD_BOTTOM", 29, 24, rw, plain, 0x0, "bottom padding in lines"},
        }},
        {"D_ZERO_PADDING_VALUE", 0x0b8, pingpong, {
            {"PAD_VALUE", 15, 0, rw, plain, 0x0,
             "padding value before the input converter; low byte for int8"},
        }},
        {"D_BANK", 0x0bc, pingpong, {
            {"DATA_BANK", 4, 0, rw, plain, 0x0,
             "CBUF banks for input data, minus 1", {}, v1_bits(3, 0)},
            {"WEIGHT_BANK", 20, 16, rw, plain, 0x0,
             "CBUF banks for weights, minus 1", {}, v1_bits(19, 16)},
        }},
        {"D_NAN_FLUSH_TO_ZERO", 0x0c0, pingpong, {
            {"NAN_TO_ZERO", 0, 0, rw, plain, 0x0, "fp16 only: treat NaN inputs as 0",
             {"DISABLE", "ENABLE"}},
        }},
        counter_word("D_NAN_INPUT_DATA_NUM", 0x0c4, "NAN_DATA_NUM",
                     "NaN elements seen in the fp16 input cube"),
        counter_word("D_NAN_INPUT_WEIGHT_NUM", 0x0c8, "NAN_WEIGHT_NUM",
                     "NaN elements seen in fp16 weights"),
        counter_word("D_INF_INPUT_DATA_NUM", 0x0cc, "INF_DATA_NUM",
                     "infinities seen in the fp16 input cube"),
        counter_word("D_INF_INPUT_WEIGHT_NUM", 0x0d0, "INF_WEIGHT_NUM",
                     "infinities seen in fp16 weights"),
        {"D_PERF_ENABLE", 0x0d4, pingpong, {
            {"DMA_EN", 0, 0, rw, plain, 0x0,
             "enable the DMA stall (and CDMA latency) counters for this layer"},
        }},
        counter_word("D_PERF_DAT_READ_STALL", 0x0d8, "DAT_RD_STALL",
                     "cycles a feature/pixel read request waited for ready"),
        counter_word("D_PERF_WT_READ_STALL", 0x0dc, "WT_RD_STALL",
                     "cycles a weight read request waited for ready"),
        counter_word("D_PERF_DAT_READ_LATENCY", 0x0e0, "DAT_RD_LATENCY",
                     "accumulated cycles with feature/pixel reads outstanding"),
        counter_word("D_PERF_WT_READ_LATENCY", 0x0e4, "WT_RD_LATENCY",
                     "accumulated cycles with weight-channel reads outstanding"),
        {"D_CYA", 0x0e8, pingpong, {
            {"CYA", 31, 0, rw, plain, 0x0, "spare bits, no function; keep 0"},
        }},
    }};
    return map;
}

}  // namespace macrame::dla
