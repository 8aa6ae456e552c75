#include "row_words.hpp"

namespace macrame::dla {

using namespace rows;

const RegisterMap& sdp_rdma_registers() {
    static const RegisterMap map{
        "SDP_RDMA", "read DMA of the single-data-point processor", 0x8000, v1_base(0xa000), {
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
        {"D_BRDMA_CFG", 0x028, pingpong, {
            {"BRDMA_DISABLE", 0, 0, rw, plain, 0x1,
             "1 turns the X1 (BS) operand read DMA off (required when operands come from "
             "registers)",
             {"NO", "YES"}, v1_reset(0x0)},
            {"BRDMA_DATA_USE", 2, 1, rw, plain, 0x0,
             "operand stream feeds multiplier, ALU or both (pairs ALU,MUL)",
             {"MUL", "ALU", "BOTH"}},
            {"BRDMA_DATA_SIZE", 3, 3, rw, plain, 0x0, "bytes per operand component",
             {"ONE_BYTE", "TWO_BYTE"}},
            {"BRDMA_DATA_MODE", 4, 4, rw, plain, 0x0, "one operand per channel or per element",
             {"PER_KERNEL", "PER_ELEMENT"}},
            {"BRDMA_RAM_TYPE", 5, 5, rw, plain, 0x0, "memory port for the X1 (BS) operands",
             {"CV", "MC"}},
        }},
        {"D_BS_BASE_ADDR_LOW", 0x02c, pingpong, {
            {"BS_BASE_ADDR_LOW", 31, 0, rw, plain, 0x0,
             "BS operand address 31:0", {}, v1_bits(31, 5)},
        }},
        {"D_BS_BASE_ADDR_HIGH", 0x030, pingpong, {
            {"BS_BASE_ADDR_HIGH", 31, 0, rw, plain, 0x0, "BS operand address 63:32"},
        }},
        {"D_BS_LINE_STRIDE", 0x034, pingpong, {
            {"BS_LINE_STRIDE", 31, 0, rw, plain, 0x0,
             "BS operand line pitch in bytes", {}, v1_bits(31, 5)},
        }},
        {"D_BS_SURFACE_STRIDE", 0x038, pingpong, {
            {"BS_SURFACE_STRIDE", 31, 0, rw, plain, 0x0,
             "BS operand surface pitch in bytes", {}, v1_bits(31, 5)},
        }},
        {"D_BS_BATCH_STRIDE", 0x03c, pingpong, {
            {"BS_BATCH_STRIDE", 31, 0, rw, plain, 0x0,
             "BS operand pitch between batches in bytes", {}, v1_bits(31, 5)},
        }},
        {"D_NRDMA_CFG", 0x040, pingpong, {
            {"NRDMA_DISABLE", 0, 0, rw, plain, 0x1,
             "1 turns the X2 (BN) operand read DMA off (required when operands come from "
             "registers)",
             {"NO", "YES"}, v1_reset(0x0)},
            {"NRDMA_DATA_USE", 2, 1, rw, plain, 0x0,
             "operand stream feeds multiplier, ALU or both (pairs ALU,MUL)",
             {"MUL", "ALU", "BOTH"}},
            {"NRDMA_DATA_SIZE", 3, 3, rw, plain, 0x0, "bytes per operand component",
             {"ONE_BYTE", "TWO_BYTE"}},
            {"NRDMA_DATA_MODE", 4, 4, rw, plain, 0x0, "one operand per channel or per element",
             {"PER_KERNEL", "PER_ELEMENT"}},
            {"NRDMA_RAM_TYPE", 5, 5, rw, plain, 0x0, "memory port for the X2 (BN) operands",
             {"CV", "MC"}},
        }},
        {"D_BN_BASE_ADDR_LOW", 0x044, pingpong, {
            {"BN_BASE_ADDR_LOW", 31, 0, rw, plain, 0x0,
             "BN operand address 31:0", {}, v1_bits(31, 5)},
        }},
        {"D_BN_BASE_ADDR_HIGH", 0x048, pingpong, {
            {"BN_BASE_ADDR_HIGH", 31, 0, rw, plain, 0x0, "BN operand address 63:32"},
        }},
        {"D_BN_LINE_STRIDE", 0x04c, pingpong, {
            {"BN_LINE_STRIDE", 31, 0, rw, plain, 0x0,
             "BN operand line pitch in bytes", {}, v1_bits(31, 5)},
        }},
        {"D_BN_SURFACE_STRIDE", 0x050, pingpong, {
            {"BN_SURFACE_STRIDE", 31, 0, rw, plain, 0x0,
             "BN operand surface pitch in bytes", {}, v1_bits(31, 5)},
        }},
        {"D_BN_BATCH_STRIDE", 0x054, pingpong, {
            {"BN_BATCH_STRIDE", 31, 0, rw, plain, 0x0,
             "BN operand pitch between batches in bytes", {}, v1_bits(31, 5)},
        }},
        {"D_ERDMA_CFG", 0x058, pingpong, {
            {"ERDMA_DISABLE", 0, 0, rw, plain, 0x1,
             "1 turns the Y (EW) operand read DMA off (required when operands come from "
             "registers)",
             {"NO", "YES"}, v1_reset(0x0)},
            {"ERDMA_DATA_USE", 2, 1, rw, plain, 0x0,
             "operand stream feeds multiplier, ALU or both (pairs ALU,MUL)",
             {"MUL", "ALU", "BOTH"}},
            {"ERDMA_DATA_SIZE", 3, 3, rw, plain, 0x0, "bytes per operand component",
             {"ONE_BYTE", "TWO_BYTE"}},
            {"ERDMA_DATA_MODE", 4, 4, rw, plain, 0x0, "one operand per channel or per element",
             {"PER_KERNEL", "PER_ELEMENT"}},
            {"ERDMA_RAM_TYPE", 5, 5, rw, plain, 0x0, "memory port for the Y (EW) operands",
             {"CV", "MC"}},
        }},
        {"D_EW_BASE_ADDR_LOW", 0x05c, pingpong, {
            {"EW_BASE_ADDR_LOW", 31, 0, rw, plain, 0x0,
             "EW operand address 31:0", {}, v1_bits(31, 5)},
        }},
        {"D_EW_BASE_ADDR_HIGH", 0x060, pingpong, {
            {"EW_BASE_ADDR_HIGH", 31, 0, rw, plain, 0x0, "EW operand address 63:32"},
        }},
        {"D_EW_LINE_STRIDE", 0x064, pingpong, {
            {"EW_LINE_STRIDE", 31, 0, rw, plain, 0x0,
             "EW operand line pitch in bytes", {}, v1_bits(31, 5)},
        }},
        {"D_EW_SURFACE_STRIDE", 0x068, pingpong, {
            {"EW_SURFACE_STRIDE", 31, 0, rw, plain, 0x0,
             "EW operand surface pitch in bytes", {}, v1_bits(31, 5)},
        }},
        {"D_EW_BATCH_STRIDE", 0x06c, pingpong, {
            {"EW_BATCH_STRIDE", 31, 0, rw, plain, 0x0,
             "EW operand pitch between batches in bytes", {}, v1_bits(31, 5)},
        }},
        {"D_FEATURE_MODE_CFG", 0x070, pingpong, {
            {"FLYING_MODE", 0, 0, rw, plain, 0x0,
             "ON: main data comes from the accumulator, main read DMA unused",
             {"OFF", "ON"}},
            {"WINOGRAD", 1, 1, rw, plain, 0x0,
             "1 when the layer is the tail of a Winograd convolution",
             {"OFF", "ON"}},
            {"IN_PRECISION", 3, 2, rw, plain, 0x1, "element type of the main source cube",
             {"INT8", "INT16", "FP16"}},
            {"PROC_PRECISION", 5, 4, rw, plain, 0x1, "type the SDP pipeline computes in",
             {"INT8", "INT16", "FP16"}},
            {"OUT_PRECISION", 7, 6, rw, plain, 0x0, "element type SDP emits",
             {"INT8", "INT16", "FP16"}},
            {"BATCH_NUMBER", 12, 8, rw, plain, 0x0, "batch count minus 1 (1..32)"},
        }},
        {"D_SRC_DMA_CFG", 0x074, pingpong, {
            {"SRC_RAM_TYPE", 0, 0, rw, plain, 0x0, "memory port for the source", {"CV", "MC"}},
        }},
        counter_word("D_STATUS_NAN_INPUT_NUM", 0x078, "STATUS_NAN_INPUT_NUM",
                     "NaN elements in the fp16 input"),
        counter_word("D_STATUS_INF_INPUT_NUM", 0x07c, "STATUS_INF_INPUT_NUM",
                     "infinities in the fp16 input"),
        {"D_PERF_ENABLE", 0x080, pingpong, {
            {"PERF_DMA_EN", 0, 0, rw, plain, 0x0, "enable DMA stall counters", {"NO", "YES"}},
            {"PERF_NAN_INF_COUNT_EN", 1, 1, rw, plain, 0x0, "enable NaN/infinity counters",
             {"NO", "YES"}},
        }},
        counter_word("D_PERF_MRDMA_READ_STALL", 0x084, "MRDMA_STALL",
                     "cycles the main read request waited for ready"),
        counter_word("D_PERF_BRDMA_READ_STALL", 0x088, "BRDMA_STALL",
                     "cycles the X1 (BS) operand read request waited for ready"),
        counter_word("D_PERF_NRDMA_READ_STALL", 0x08c, "NRDMA_STALL",
                     "cycles the X2 (BN) operand read request waited for ready"),
        counter_word("D_PERF_ERDMA_READ_STALL", 0x090, "ERDMA_STALL",
                     "cycles the Y (EW) operand read request waited for ready"),
    }};
    return map;
}

}  // namespace macrame::dla
