#include "row_words.hpp"

namespace macrame::dla {

using namespace rows;

const RegisterMap& pdp_rdma_registers() {
    static const RegisterMap map{
        "PDP_RDMA", "read DMA of the pooling unit", 0xa000, v1_base(0xc000), {
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
        {"D_FLYING_MODE", 0x018, pingpong, {
            {"FLYING_MODE", 0, 0, rw, plain, 0x0, "input source select (redundant copy)",
             {"ON_FLYING", "OFF_FLYING"}},
        }},
        {"D_SRC_BASE_ADDR_LOW", 0x01c, pingpong, {
            {"SRC_BASE_ADDR_LOW", 31, 0, rw, plain, 0x0,
             "source cube address 31:0", {}, v1_bits(31, 5)},
        }},
        {"D_SRC_BASE_ADDR_HIGH", 0x020, pingpong, {
            {"SRC_BASE_ADDR_HIGH", 31, 0, rw, plain, 0x0, "source cube address 63:32"},
        }},
        {"D_SRC_LINE_STRIDE", 0x024, pingpong, {
            {"SRC_LINE_STRIDE", 31, 0, rw, plain, 0x0,
             "source line pitch in bytes", {}, v1_bits(31, 5)},
        }},
        {"D_SRC_SURFACE_STRIDE", 0x028, pingpong, {
            {"SRC_SURFACE_STRIDE", 31, 0, rw, plain, 0x0,
             "source surface pitch in bytes", {}, v1_bits(31, 5)},
        }},
        {"D_SRC_RAM_CFG", 0x02c, pingpong, {
            {"SRC_RAM_TYPE", 0, 0, rw, plain, 0x0, "memory port for the source", {"CV", "MC"}},
        }},
        {"D_DATA_FORMAT", 0x030, pingpong, {
            {"INPUT_DATA", 1, 0, rw, plain, 0x0, "element type", {"INT8", "INT16", "FP16"}},
        }},
        {"D_OPERATION_MODE_CFG", 0x034, pingpong, {
            {"SPLIT_NUM", 7, 0, rw, plain, 0x0,
             "vertical strips the cube is processed in, minus 1"},
        }},
        {"D_POOLING_KERNEL_CFG", 0x038, pingpong, {
            {"KERNEL_WIDTH", 3, 0, rw, plain, 0x0, "window width minus 1 (1..8)",
             {"KERNEL_WIDTH_1", "KERNEL_WIDTH_2", "KERNEL_WIDTH_3", "KERNEL_WIDTH_4",
              "KERNEL_WIDTH_5", "KERNEL_WIDTH_6", "KERNEL_WIDTH_7", "KERNEL_WIDTH_8"}},
            {"KERNEL_STRIDE_WIDTH", 7, 4, rw, plain, 0x0, "horizontal stride minus 1"},
        }},
        {"D_POOLING_PADDING_CFG", 0x03c, pingpong, {
            {"PAD_WIDTH", 3, 0, rw, plain, 0x0, "left padding in elements"},
        }},
        {"D_PARTIAL_WIDTH_IN", 0x040, pingpong, {
            {"PARTIAL_WIDTH_IN_FIRST", 9, 0, rw, plain, 0x0, "input width of first strip minus 1"},
            {"PARTIAL_WIDTH_IN_LAST", 19, 10, rw, plain, 0x0, "input width of last strip minus 1"},
            {"PARTIAL_WIDTH_IN_MID", 29, 20, rw, plain, 0x0,
             "input width of each middle strip minus 1"},
        }},
        {"D_PERF_ENABLE", 0x044, pingpong, {
            {"DMA_EN", 0, 0, rw, plain, 0x0,
             "enable the DMA stall (and CDMA latency) counters for this layer",
             {"DISABLE", "ENABLE"}},
        }},
        counter_word("D_PERF_READ_STALL", 0x048, "PERF_READ_STALL",
                     "cycles the read request waited for ready"),
        {"D_CYA", 0x04c, pingpong, {
            {"CYA", 31, 0, rw, plain, 0x0, "spare bits, no function; keep 0"},
        }},
    }};
    return map;
}

}  // namespace macrame::dla
