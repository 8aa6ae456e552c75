#include "row_words.hpp"

namespace macrame::dla {

using namespace rows;

const RegisterMap& pdp_registers() {
    static const RegisterMap map{
        "PDP", "pooling unit", 0xb000, v1_base(0xd000), {
        s_status(),
        s_pointer(),
        d_op_enable(0x008),
        {"D_DATA_CUBE_IN_WIDTH", 0x00c, pingpong, {
            {"CUBE_IN_WIDTH", 12, 0, rw, plain, 0x0, "input width minus 1 (non-split layers)"},
        }},
        {"D_DATA_CUBE_IN_HEIGHT", 0x010, pingpong, {
            {"CUBE_IN_HEIGHT", 12, 0, rw, plain, 0x0, "input height minus 1"},
        }},
        {"D_DATA_CUBE_IN_CHANNEL", 0x014, pingpong, {
            {"CUBE_IN_CHANNEL", 12, 0, rw, plain, 0x0, "input channels minus 1"},
        }},
        {"D_DATA_CUBE_OUT_WIDTH", 0x018, pingpong, {
            {"CUBE_OUT_WIDTH", 12, 0, rw, plain, 0x0, "output width minus 1"},
        }},
        {"D_DATA_CUBE_OUT_HEIGHT", 0x01c, pingpong, {
            {"CUBE_OUT_HEIGHT", 12, 0, rw, plain, 0x0, "output height minus 1"},
        }},
        {"D_DATA_CUBE_OUT_CHANNEL", 0x020, pingpong, {
            {"CUBE_OUT_CHANNEL", 12, 0, rw, plain, 0x0, "output channels minus 1"},
        }},
        {"D_OPERATION_MODE_CFG", 0x024, pingpong, {
            {"POOLING_METHOD", 1, 0, rw, plain, 0x0, "pooling reduction",
             {"POOLING_METHOD_AVERAGE", "POOLING_METHOD_MAX", "POOLING_METHOD_MIN"}},
            {"FLYING_MODE", 4, 4, rw, plain, 0x0, "input from SDP stream or from PDP_RDMA",
             {"ON_FLYING", "OFF_FLYING"}},
            {"SPLIT_NUM", 15, 8, rw, plain, 0x0,
             "vertical strips the cube is processed in, minus 1"},
        }},
        {"D_NAN_FLUSH_TO_ZERO", 0x028, pingpong, {
            {"NAN_TO_ZERO", 0, 0, rw, plain, 0x0, "fp16 only: treat NaN inputs as 0",
             {"DISABLE", "ENABLE"}},
        }},
        {"D_PARTIAL_WIDTH_IN", 0x02c, pingpong, {
            {"PARTIAL_WIDTH_IN_FIRST", 9, 0, rw, plain, 0x0, "input width of first strip minus 1"},
            {"PARTIAL_WIDTH_IN_LAST", 19, 10, rw, plain, 0x0, "input width of last strip minus 1"},
            {"PARTIAL_WIDTH_IN_MID", 29, 20, rw, plain, 0x0,
             "input width of each middle strip minus 1"},
        }},
        {"D_PARTIAL_WIDTH_OUT", 0x030, pingpong, {
            {"PARTIAL_WIDTH_OUT_FIRST", 9, 0, rw, plain, 0x0,
             "output width of first strip minus 1"},
            {"PARTIAL_WIDTH_OUT_LAST", 19, 10, rw, plain, 0x0,
             "output width of last strip minus 1"},
            {"PARTIAL_WIDTH_OUT_MID", 29, 20, rw, plain, 0x0,
             "output width of each middle strip minus 1"},
        }},
        {"D_POOLING_KERNEL_CFG", 0x034, pingpong, {
            {"KERNEL_WIDTH", 3, 0, rw, plain, 0x0, "window width minus 1 (1..8)",
             {"KERNEL_WIDTH_1", "KERNEL_WIDTH_2", "KERNEL_WIDTH_3", "KERNEL_WIDTH_4",
              "KERNEL_WIDTH_5", "KERNEL_WIDTH_6", "KERNEL_WIDTH_7", "KERNEL_WIDTH_8"}},
            {"KERNEL_HEIGHT", 11, 8, rw, plain, 0x0, "window height minus 1 (1..8)",
             {"KERNEL_HEIGHT_1", "KERNEL_HEIGHT_2", "KERNEL_HEIGHT_3", "KERNEL_HEIGHT_4",
              "KERNEL_HEIGHT_5", "KERNEL_HEIGHT_6", "KERNEL_HEIGHT_7", "KERNEL_HEIGHT_8"}},
            {"KERNEL_STRIDE_WIDTH", 19, 16, rw, plain, 0x0, "horizontal stride minus 1"},
            {"KERNEL_STRIDE_HEIGHT", 23, 20, rw, plain, 0x0, "vertical stride minus 1"},
        }},
        {"D_RECIP_KERNEL_WIDTH", 0x038, pingpong, {
            {"RECIP_KERNEL_WIDTH", 16, 0, rw, plain, 0x0,
             "1/width: round-down of 65536/width for ints, fp17 value for fp16"},
        }},
        {"D_RECIP_KERNEL_HEIGHT", 0x03c, pingpong, {
            {"RECIP_KERNEL_HEIGHT", 16, 0, rw, plain, 0x0,
             "1/height: round-down of 65536/height for ints, fp17 value for fp16"},
        }},
        {"D_POOLING_PADDING_CFG", 0x040, pingpong, {
            {"PAD_LEFT", 2, 0, rw, plain, 0x0, "left padding in elements"},
            {"PAD_TOP", 6, 4, rw, plain, 0x0, "top padding in lines"},
            {"PAD_RIGHT", 10, 8, rw, plain, 0x0, "right padding in elements"},
            {"PAD_BOTTOM", 14, 12, rw, plain, 0x0, "bottom padding in lines"},
        }},
        {"D_POOLING_PADDING_VALUE_1_CFG", 0x044, pingpong, {
            {"PAD_VALUE_1X", 18, 0, rw, plain, 0x0,
             "average pooling: sum contributed by 1 padded position(s), signed 19b (1 x pad "
             "value)"},
        }},
        {"D_POOLING_PADDING_VALUE_2_CFG", 0x048, pingpong, {
            {"PAD_VALUE_2X", 18, 0, rw, plain, 0x0,
             "average pooling: sum contributed by 2 padded position(s), signed 19b (2 x pad "
             "value)"},
        }},
        {"D_POOLING_PADDING_VALUE_3_CFG", 0x04c, pingpong, {
            {"PAD_VALUE_3X", 18, 0, rw, plain, 0x0,
             "average pooling: sum contributed by 3 padded position(s), signed 19b (3 x pad "
             "value)"},
        }},
        {"D_POOLING_PADDING_VALUE_4_CFG", 0x050, pingpong, {
            {"PAD_VALUE_4X", 18, 0, rw, plain, 0x0,
             "average pooling: sum contributed by 4 padded position(s), signed 19b (4 x pad "
             "value)"},
        }},
        {"D_POOLING_PADDING_VALUE_5_CFG", 0x054, pingpong, {
            {"PAD_VALUE_5X", 18, 0, rw, plain, 0x0,
             "average pooling: sum contributed by 5 padded position(s), signed 19b (5 x pad "
             "value)"},
        }},
        {"D_POOLING_PADDING_VALUE_6_CFG", 0x058, pingpong, {
            {"PAD_VALUE_6X", 18, 0, rw, plain, 0x0,
             "average pooling: sum contributed by 6 padded position(s), signed 19b (6 x pad "
             "value)"},
        }},
        {"D_POOLING_PADDING_VALUE_7_CFG", 0x05c, pingpong, {
            {"PAD_VALUE_7X", 18, 0, rw, plain, 0x0,
             "average pooling: sum contributed by 7 padded position(s), signed 19b (7 x pad "
             "value)"},
        }},
        {"D_SRC_BASE_ADDR_LOW", 0x060, pingpong, {
            {"SRC_BASE_ADDR_LOW", 31, 0, rw, plain, 0x0,
             "unused copy of the source address", {}, v1_bits(31, 5)},
        }},
        {"D_SRC_BASE_ADDR_HIGH", 0x064, pingpong, {
            {"SRC_BASE_ADDR_HIGH", 31, 0, rw, plain, 0x0, "unused copy of the source address"},
        }},
        {"D_SRC_LINE_STRIDE", 0x068, pingpong, {
            {"SRC_LINE_STRIDE", 31, 0, rw, plain, 0x0,
             "copy of the source line pitch", {}, v1_bits(31, 5)},
        }},
        {"D_SRC_SURFACE_STRIDE", 0x06c, pingpong, {
            {"SRC_SURFACE_STRIDE", 31, 0, rw, plain, 0x0,
             "copy of the source surface pitch", {}, v1_bits(31, 5)},
        }},
        {"D_DST_BASE_ADDR_LOW", 0x070, pingpong, {
            {"DST_BASE_ADDR_LOW", 31, 0, rw, plain, 0x0,
             "destination cube address 31:0", {}, v1_bits(31, 5)},
        }},
        {"D_DST_BASE_ADDR_HIGH", 0x074, pingpong, {
            {"DST_BASE_ADDR_HIGH", 31, 0, rw, plain, 0x0, "destination cube address 63:32"},
        }},
        {"D_DST_LINE_STRIDE", 0x078, pingpong, {
            {"DST_LINE_STRIDE", 31, 0, rw, plain, 0x0,
             "destination line pitch in bytes", {}, v1_bits(31, 5)},
        }},
        {"D_DST_SURFACE_STRIDE", 0x07c, pingpong, {
            {"DST_SURFACE_STRIDE", 31, 0, rw, plain, 0x0,
             "destination surface pitch in bytes", {}, v1_bits(31, 5)},
        }},
        {"D_DST_RAM_CFG", 0x080, pingpong, {
            {"DST_RAM_TYPE", 0, 0, rw, plain, 0x0, "memory port for the destination", {"CV", "MC"}},
        }},
        {"D_DATA_FORMAT", 0x084, pingpong, {
            {"INPUT_DATA", 1, 0, rw, plain, 0x0, "element type", {"INT8", "INT16", "FP16"}},
        }},
        counter_word("D_INF_INPUT_NUM", 0x088, "INF_INPUT_NUM", "infinities in the fp16 input"),
        counter_word("D_NAN_INPUT_NUM", 0x08c, "NAN_INPUT_NUM", "NaN elements in the fp16 input"),
        counter_word("D_NAN_OUTPUT_NUM", 0x090, "NAN_OUTPUT_NUM",
                     "NaN elements in the fp16 output"),
        {"D_PERF_ENABLE", 0x094, pingpong, {
            {"DMA_EN", 0, 0, rw, plain, 0x0,
             "enable the DMA stall (and CDMA latency) counters for this layer",
             {"DISABLE", "ENABLE"}},
        }},
        counter_word("D_PERF_WRITE_STALL", 0x098, "PERF_WRITE_STALL",
                     "cycles the write request waited for ready"),
        {"D_CYA", 0x09c, pingpong, {
            {"CYA", 31, 0, rw, plain, 0x0, "spare bits, no function; keep 0"},
        }},
    }};
    return map;
}

}  // namespace macrame::dla
