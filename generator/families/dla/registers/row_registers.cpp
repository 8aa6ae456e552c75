#include "row_words.hpp"

namespace macrame::dla {

using namespace rows;

const RegisterMap& row_registers() {
    static const RegisterMap map{
        "ROW", "softmax, layer norm and RMS norm over channels (of macrame)", 0x13000,
        v1_base(0x13000), {
        s_status(),
        s_pointer(),
        d_op_enable(0x008),
        {"D_MISC_CFG", 0x00c, pingpong, {
            {"ROW_MODE", 1, 0, rw, plain, 0x0, "what a row of channels becomes",
             {"SOFTMAX", "LAYER_NORM", "RMS_NORM"}},
            {"OPERAND_KEEP", 8, 8, rw, plain, 0x0,
             "1 keeps the operand records of the layer before, 0 reads them",
             {"DISABLE", "ENABLE"}},
        }},
        {"D_DATA_CUBE_WIDTH", 0x010, pingpong, {
            {"WIDTH", 12, 0, rw, plain, 0x0, "cube width minus 1"},
        }},
        {"D_DATA_CUBE_HEIGHT", 0x014, pingpong, {
            {"HEIGHT", 12, 0, rw, plain, 0x0, "cube height minus 1"},
        }},
        {"D_DATA_CUBE_CHANNEL", 0x018, pingpong, {
            {"CHANNEL", 12, 0, rw, plain, 0x0, "cube channels, the length of a row, minus 1"},
        }},
        {"D_SRC_DMA_CFG", 0x01c, pingpong, {
            {"SRC_RAM_TYPE", 0, 0, rw, plain, 0x0,
             "which memory port the cube and the operand records are read from",
             {"CVIF", "MCIF"}},
        }},
        {"D_SRC_BASE_ADDR_LOW", 0x020, pingpong, {
            {"SRC_BASE_ADDR_LOW", 31, 0, rw, plain, 0x0, "source cube address 31:0"},
        }},
        {"D_SRC_BASE_ADDR_HIGH", 0x024, pingpong, {
            {"SRC_BASE_ADDR_HIGH", 31, 0, rw, plain, 0x0, "source cube address 63:32"},
        }},
        {"D_SRC_LINE_STRIDE", 0x028, pingpong, {
            {"SRC_LINE_STRIDE", 31, 0, rw, plain, 0x0, "source line pitch in bytes"},
        }},
        {"D_SRC_SURFACE_STRIDE", 0x02c, pingpong, {
            {"SRC_SURFACE_STRIDE", 31, 0, rw, plain, 0x0, "source surface pitch in bytes"},
        }},
        {"D_OPERAND_ADDR_LOW", 0x030, pingpong, {
            {"OPERAND_ADDR_LOW", 31, 0, rw, plain, 0x0, "address 31:0 of the operand records"},
        }},
        {"D_OPERAND_ADDR_HIGH", 0x034, pingpong, {
            {"OPERAND_ADDR_HIGH", 31, 0, rw, plain, 0x0, "address 63:32 of the operand records"},
        }},
        {"D_DST_DMA_CFG", 0x038, pingpong, {
            {"DST_RAM_TYPE", 0, 0, rw, plain, 0x0, "memory port for the result",
             {"CVIF", "MCIF"}},
        }},
        {"D_DST_BASE_ADDR_LOW", 0x03c, pingpong, {
            {"DST_BASE_ADDR_LOW", 31, 0, rw, plain, 0x0, "destination cube address 31:0"},
        }},
        {"D_DST_BASE_ADDR_HIGH", 0x040, pingpong, {
            {"DST_BASE_ADDR_HIGH", 31, 0, rw, plain, 0x0, "destination cube address 63:32"},
        }},
        {"D_DST_LINE_STRIDE", 0x044, pingpong, {
            {"DST_LINE_STRIDE", 31, 0, rw, plain, 0x0, "destination line pitch in bytes"},
        }},
        {"D_DST_SURFACE_STRIDE", 0x048, pingpong, {
            {"DST_SURFACE_STRIDE", 31, 0, rw, plain, 0x0, "destination surface pitch in bytes"},
        }},
        {"D_DATIN_OFFSET", 0x04c, pingpong, {
            {"DATIN_OFFSET", 7, 0, rw, plain, 0x0,
             "signed, taken from every element: the zero point of an RMS norm"},
        }},
        {"D_DATOUT_OFFSET", 0x050, pingpong, {
            {"DATOUT_OFFSET", 7, 0, rw, plain, 0x0,
             "signed zero point of the result of a softmax; norms have it in their records"},
        }},
        {"D_DATOUT_SHIFTER", 0x054, pingpong, {
            {"DATOUT_SHIFTER", 5, 0, rw, plain, 0x0,
             "norms: 18 and the fraction bits of gamma over the scale of the result"},
        }},
        {"D_EPSILON", 0x058, pingpong, {
            {"EPSILON", 31, 0, rw, plain, 0x0,
             "norms: epsilon times the square of channels over scale, with 8 fraction bits, not 0"},
        }},
        {"D_PERF_ENABLE", 0x05c, pingpong, {
            {"DMA_EN", 0, 0, rw, plain, 0x0, "enable stall counters", {"DISABLE", "ENABLE"}},
        }},
        counter_word("D_PERF_READ_STALL", 0x060, "PERF_READ_STALL",
                     "cycles the read request waited for ready"),
        counter_word("D_PERF_WRITE_STALL", 0x064, "PERF_WRITE_STALL",
                     "cycles the write request waited for ready"),
    }};
    return map;
}

}  // namespace macrame::dla
