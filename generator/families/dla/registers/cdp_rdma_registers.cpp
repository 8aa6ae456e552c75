#include "row_words.hpp"

namespace macrame::dla {

using namespace rows;

const RegisterMap& cdp_rdma_registers() {
    static const RegisterMap map{
        "CDP_RDMA", "read DMA of the cross-channel unit", 0xc000, v1_base(0xe000), {
        s_status(),
        s_pointer(),
        d_op_enable(0x008),
        {"D_DATA_CUBE_WIDTH", 0x00c, pingpong, {
            {"WIDTH", 12, 0, rw, plain, 0x0, "cube width minus 1 (1..8192)"},
        }},
        {"D_DATA_CUBE_HEIGHT", 0x010, pingpong, {
            {"HEIGHT", 12, 0, rw, plain, 0x0, "cube height minus 1 (1..8192)"},
        }},
        {"D_DATA_CUBE_CHANNEL", 0x014, pingpong, {
            {"CHANNEL", 12, 0, rw, plain, 0x0, "cube channels minus 1 (1..8192)"},
        }},
        {"D_SRC_BASE_ADDR_LOW", 0x018, pingpong, {
            {"SRC_BASE_ADDR_LOW", 31, 0, rw, plain, 0x0,
             "source cube address 31:0", {}, v1_bits(31, 5)},
        }},
        {"D_SRC_BASE_ADDR_HIGH", 0x01c, pingpong, {
            {"SRC_BASE_ADDR_HIGH", 31, 0, rw, plain, 0x0, "source cube address 63:32"},
        }},
        {"D_SRC_LINE_STRIDE", 0x020, pingpong, {
            {"SRC_LINE_STRIDE", 31, 0, rw, plain, 0x0,
             "source line pitch in bytes", {}, v1_bits(31, 5)},
        }},
        {"D_SRC_SURFACE_STRIDE", 0x024, pingpong, {
            {"SRC_SURFACE_STRIDE", 31, 0, rw, plain, 0x0,
             "source surface pitch in bytes", {}, v1_bits(31, 5)},
        }},
        {"D_SRC_DMA_CFG", 0x028, pingpong, {
            {"SRC_RAM_TYPE", 0, 0, rw, plain, 0x0, "memory port for the source", {"CV", "MC"}},
        }},
        {"D_SRC_COMPRESSION_EN", 0x02c, pingpong, {
            {"SRC_COMPRESSION_EN", 0, 0, ro, constant, 0x0, "constant 0", {"DISABLE", "ENABLE"}},
        }},
        {"D_OPERATION_MODE", 0x030, pingpong, {
            {"OPERATION_MODE", 1, 0, ro, constant, 0x0, "constant 0",
             {"READPHILE", "WRITEPHILE", "ORDINARY"}},
        }},
        {"D_DATA_FORMAT", 0x034, pingpong, {
            {"INPUT_DATA", 1, 0, rw, plain, 0x0, "element type", {"INT8", "INT16", "FP16"}},
        }},
        {"D_PERF_ENABLE", 0x038, pingpong, {
            {"DMA_EN", 0, 0, rw, plain, 0x0,
             "enable the DMA stall (and CDMA latency) counters for this layer",
             {"DISABLE", "ENABLE"}},
        }},
        counter_word("D_PERF_READ_STALL", 0x03c, "PERF_READ_STALL",
                     "cycles the read request waited for ready"),
        {"D_CYA", 0x040, pingpong, {
            {"CYA", 31, 0, rw, plain, 0x0, "spare bits, no function; keep 0"},
        }},
    }};
    return map;
}

}  // namespace macrame::dla
