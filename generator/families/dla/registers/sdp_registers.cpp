#include "row_words.hpp"

namespace macrame::dla {

using namespace rows;

const RegisterMap& sdp_registers() {
    static const RegisterMap map{
        "SDP", "single-data-point processor: bias, scale, activation, convertor", 0x9000, v1_base(0xb000), {
        s_status(),
        s_pointer(),
        {"S_LUT_ACCESS_CFG", 0x008, single, {
            {"LUT_ADDR", 9, 0, rw, trigger, 0x0,
             "first table entry of an access burst; writing this register (re)loads the "
             "internal entry pointer"},
            {"LUT_TABLE_ID", 16, 16, rw, plain, 0x0, "table selected for access", {"LE", "LO"}},
            {"LUT_ACCESS_TYPE", 17, 17, rw, plain, 0x0, "direction of the following data accesses",
             {"READ", "WRITE"}},
        }},
        {"S_LUT_ACCESS_DATA", 0x00c, single, {
            {"LUT_DATA", 15, 0, rw, trigger_readback, 0x0,
             "entry data; each access moves the entry pointer on by one"},
        }},
        {"S_LUT_CFG", 0x010, single, {
            {"LUT_LE_FUNCTION", 0, 0, rw, plain, 0x0, "LE table index mode",
             {"EXPONENT", "LINEAR"}},
            {"LUT_UFLOW_PRIORITY", 4, 4, rw, plain, 0x0,
             "table whose result is used when both underflow",
             {"LE", "LO"}},
            {"LUT_OFLOW_PRIORITY", 5, 5, rw, plain, 0x0,
             "table whose result is used when both overflow",
             {"LE", "LO"}},
            {"LUT_HYBRID_PRIORITY", 6, 6, rw, plain, 0x0,
             "table used when both hit, or one underflows and the other overflows",
             {"LE", "LO"}},
        }},
        {"S_LUT_INFO", 0x014, single, {
            {"LUT_LE_INDEX_OFFSET", 7, 0, rw, plain, 0x0,
             "LE exponent-mode start exponent, signed"},
            {"LUT_LE_INDEX_SELECT", 15, 8, rw, plain, 0x0, "LE linear-mode index shift, signed"},
            {"LUT_LO_INDEX_SELECT", 23, 16, rw, plain, 0x0, "LO index shift, signed"},
        }},
        {"S_LUT_LE_START", 0x018, single, {
            {"LUT_LE_START", 31, 0, rw, plain, 0x0, "lower bound of LE coverage: int32 or fp32"},
        }},
        {"S_LUT_LE_END", 0x01c, single, {
            {"LUT_LE_END", 31, 0, rw, plain, 0x0, "upper bound of LE coverage: int32 or fp32"},
        }},
        {"S_LUT_LO_START", 0x020, single, {
            {"LUT_LO_START", 31, 0, rw, plain, 0x0, "lower bound of LO coverage: int32 or fp32"},
        }},
        {"S_LUT_LO_END", 0x024, single, {
            {"LUT_LO_END", 31, 0, rw, plain, 0x0, "upper bound of LO coverage: int32 or fp32"},
        }},
        {"S_LUT_LE_SLOPE_SCALE", 0x028, single, {
            {"LUT_LE_SLOPE_UFLOW_SCALE", 15, 0, rw, plain, 0x0,
             "slope numerator for extrapolating below LE (int16/fp16)"},
            {"LUT_LE_SLOPE_OFLOW_SCALE", 31, 16, rw, plain, 0x0,
             "slope numerator for extrapolating above LE (int16/fp16)"},
        }},
        {"S_LUT_LE_SLOPE_SHIFT", 0x02c, single, {
            {"LUT_LE_SLOPE_UFLOW_SHIFT", 4, 0, rw, plain, 0x0,
             "slope shift, signed 5b: positive = right, negative = left (int only)"},
            {"LUT_LE_SLOPE_OFLOW_SHIFT", 9, 5, rw, plain, 0x0,
             "slope shift, signed 5b: positive = right, negative = left (int only)"},
        }},
        {"S_LUT_LO_SLOPE_SCALE", 0x030, single, {
            {"LUT_LO_SLOPE_UFLOW_SCALE", 15, 0, rw, plain, 0x0,
             "slope numerator for extrapolating below LO (int16/fp16)"},
            {"LUT_LO_SLOPE_OFLOW_SCALE", 31, 16, rw, plain, 0x0,
             "slope numerator for extrapolating above LO (int16/fp16)"},
        }},
        {"S_LUT_LO_SLOPE_SHIFT", 0x034, single, {
            {"LUT_LO_SLOPE_UFLOW_SHIFT", 4, 0, rw, plain, 0x0,
             "slope shift, signed 5b: positive = right, negative = left (int only)"},
            {"LUT_LO_SLOPE_OFLOW_SHIFT", 9, 5, rw, plain, 0x0,
             "slope shift, signed 5b: positive = right, negative = left (int only)"},
        }},
        d_op_enable(0x038),
        {"D_DATA_CUBE_WIDTH", 0x03c, pingpong, {
            {"WIDTH", 12, 0, rw, plain, 0x0, "cube width minus 1 (1..8192)"},
        }},
        {"D_DATA_CUBE_HEIGHT", 0x040, pingpong, {
            {"HEIGHT", 12, 0, rw, plain, 0x0, "cube height minus 1 (1..8192)"},
        }},
        {"D_DATA_CUBE_CHANNEL", 0x044, pingpong, {
            {"CHANNEL", 12, 0, rw, plain, 0x0, "cube channels minus 1 (1..8192)"},
        }},
        {"D_DST_BASE_ADDR_LOW", 0x048, pingpong, {
            {"DST_BASE_ADDR_LOW", 31, 0, rw, plain, 0x0,
             "destination cube address 31:0", {}, v1_bits(31, 5)},
        }},
        {"D_DST_BASE_ADDR_HIGH", 0x04c, pingpong, {
            {"DST_BASE_ADDR_HIGH", 31, 0, rw, plain, 0x0, "destination cube address 63:32"},
        }},
        {"D_DST_LINE_STRIDE", 0x050, pingpong, {
            {"DST_LINE_STRIDE", 31, 0, rw, plain, 0x0,
             "destination line pitch in bytes", {}, v1_bits(31, 5)},
        }},
        {"D_DST_SURFACE_STRIDE", 0x054, pingpong, {
            {"DST_SURFACE_STRIDE", 31, 0, rw, plain, 0x0,
             "destination surface pitch in bytes", {}, v1_bits(31, 5)},
        }},
        {"D_DP_BS_CFG", 0x058, pingpong, {
            {"BS_BYPASS", 0, 0, rw, plain, 0x1, "1 bypasses the whole BS stage",
             {"NO", "YES"}, v1_reset(0x0)},
            {"BS_ALU_BYPASS", 1, 1, rw, plain, 0x1, "1 bypasses the BS ALU",
             {"NO", "YES"}, v1_reset(0x0)},
            {"BS_ALU_ALGO", 3, 2, rw, plain, 0x0, "BS ALU operation", {"MAX", "MIN", "SUM"}},
            {"BS_MUL_BYPASS", 4, 4, rw, plain, 0x1, "1 bypasses the BS multiplier",
             {"NO", "YES"}, v1_reset(0x0)},
            {"BS_MUL_PRELU", 5, 5, rw, plain, 0x1, "1: multiplier scales negative inputs only",
             {"NO", "YES"}, v1_reset(0x0)},
            {"BS_RELU_BYPASS", 6, 6, rw, plain, 0x1, "1 bypasses the BS ReLU",
             {"NO", "YES"}, v1_reset(0x0)},
        }},
        {"D_DP_BS_ALU_CFG", 0x05c, pingpong, {
            {"BS_ALU_SRC", 0, 0, rw, plain, 0x0, "ALU operand from register or memory",
             {"REG", "MEM"}},
            {"BS_ALU_SHIFT_VALUE", 13, 8, rw, plain, 0x0,
             "left shift applied to the ALU operand (unsigned 6b; int only)"},
        }},
        {"D_DP_BS_ALU_SRC_VALUE", 0x060, pingpong, {
            {"BS_ALU_OPERAND", 15, 0, rw, plain, 0x0, "register ALU operand: int16/fp16"},
        }},
        {"D_DP_BS_MUL_CFG", 0x064, pingpong, {
            {"BS_MUL_SRC", 0, 0, rw, plain, 0x0, "multiplier operand from register or memory",
             {"REG", "MEM"}},
            {"BS_MUL_SHIFT_VALUE", 15, 8, rw, plain, 0x0,
             "right shift after the multiplier stage (unsigned 8b; applies even if MUL is "
             "bypassed)"},
        }},
        {"D_DP_BS_MUL_SRC_VALUE", 0x068, pingpong, {
            {"BS_MUL_OPERAND", 15, 0, rw, plain, 0x0, "register multiplier operand: int16/fp16"},
        }},
        {"D_DP_BN_CFG", 0x06c, pingpong, {
            {"BN_BYPASS", 0, 0, rw, plain, 0x1, "1 bypasses the whole BN stage",
             {"NO", "YES"}, v1_reset(0x0)},
            {"BN_ALU_BYPASS", 1, 1, rw, plain, 0x1, "1 bypasses the BN ALU",
             {"NO", "YES"}, v1_reset(0x0)},
            {"BN_ALU_ALGO", 3, 2, rw, plain, 0x0, "BN ALU operation", {"MAX", "MIN", "SUM"}},
            {"BN_MUL_BYPASS", 4, 4, rw, plain, 0x1, "1 bypasses the BN multiplier",
             {"NO", "YES"}, v1_reset(0x0)},
            {"BN_MUL_PRELU", 5, 5, rw, plain, 0x0, "1: multiplier scales negative inputs only",
             {"NO", "YES"}},
            {"BN_RELU_BYPASS", 6, 6, rw, plain, 0x1, "1 bypasses the BN ReLU",
             {"NO", "YES"}, v1_reset(0x0)},
        }},
        {"D_DP_BN_ALU_CFG", 0x070, pingpong, {
            {"BN_ALU_SRC", 0, 0, rw, plain, 0x0, "ALU operand from register or memory",
             {"REG", "MEM"}},
            {"BN_ALU_SHIFT_VALUE", 13, 8, rw, plain, 0x0,
             "left shift applied to the ALU operand (unsigned 6b; int only)"},
        }},
        {"D_DP_BN_ALU_SRC_VALUE", 0x074, pingpong, {
            {"BN_ALU_OPERAND", 15, 0, rw, plain, 0x0, "register ALU operand: int16/fp16"},
        }},
        {"D_DP_BN_MUL_CFG", 0x078, pingpong, {
            {"BN_MUL_SRC", 0, 0, rw, plain, 0x0, "multiplier operand from register or memory",
             {"REG", "MEM"}},
            {"BN_MUL_SHIFT_VALUE", 15, 8, rw, plain, 0x0,
             "right shift after the multiplier stage (unsigned 8b; applies even if MUL is "
             "bypassed)"},
        }},
        {"D_DP_BN_MUL_SRC_VALUE", 0x07c, pingpong, {
            {"BN_MUL_OPERAND", 15, 0, rw, plain, 0x0, "register multiplier operand: int16/fp16"},
        }},
        {"D_DP_EW_CFG", 0x080, pingpong, {
            {"EW_BYPASS", 0, 0, rw, plain, 0x1, "1 bypasses the whole EW stage",
             {"NO", "YES"}, v1_reset(0x0)},
            {"EW_ALU_BYPASS", 1, 1, rw, plain, 0x1, "1 bypasses the EW ALU",
             {"NO", "YES"}, v1_reset(0x0)},
            {"EW_ALU_ALGO", 3, 2, rw, plain, 0x0, "Y ALU operation; EQL = compare mode",
             {"MAX", "MIN", "SUM", "EQL"}},
            {"EW_MUL_BYPASS", 4, 4, rw, plain, 0x1, "1 bypasses the EW multiplier",
             {"NO", "YES"}, v1_reset(0x0)},
            {"EW_MUL_PRELU", 5, 5, rw, plain, 0x0, "1: multiplier scales negative inputs only",
             {"NO", "YES"}},
            {"EW_LUT_BYPASS", 6, 6, rw, plain, 0x1, "1 bypasses the lookup table",
             {"NO", "YES"}, v1_reset(0x0)},
        }},
        {"D_DP_EW_ALU_CFG", 0x084, pingpong, {
            {"EW_ALU_SRC", 0, 0, rw, plain, 0x0, "ALU operand from register or memory",
             {"REG", "MEM"}},
            {"EW_ALU_CVT_BYPASS", 1, 1, rw, plain, 0x1,
             "1 bypasses the converter on the memory ALU operand",
             {"NO", "YES"}, v1_reset(0x0)},
        }},
        {"D_DP_EW_ALU_SRC_VALUE", 0x088, pingpong, {
            {"EW_ALU_OPERAND", 31, 0, rw, plain, 0x0, "register ALU operand: int32/fp32"},
        }},
        {"D_DP_EW_ALU_CVT_OFFSET_VALUE", 0x08c, pingpong, {
            {"EW_ALU_CVT_OFFSET", 31, 0, rw, plain, 0x0, "ALU operand converter offset, int32"},
        }},
        {"D_DP_EW_ALU_CVT_SCALE_VALUE", 0x090, pingpong, {
            {"EW_ALU_CVT_SCALE", 15, 0, rw, plain, 0x0, "ALU operand converter multiplier, int16"},
        }},
        {"D_DP_EW_ALU_CVT_TRUNCATE_VALUE", 0x094, pingpong, {
            {"EW_ALU_CVT_TRUNCATE", 5, 0, rw, plain, 0x0,
             "ALU operand converter right shift, unsigned 6b"},
        }},
        {"D_DP_EW_MUL_CFG", 0x098, pingpong, {
            {"EW_MUL_SRC", 0, 0, rw, plain, 0x0, "multiplier operand from register or memory",
             {"REG", "MEM"}},
            {"EW_MUL_CVT_BYPASS", 1, 1, rw, plain, 0x1,
             "1 bypasses the converter on the memory MUL operand",
             {"NO", "YES"}, v1_reset(0x0)},
        }},
        {"D_DP_EW_MUL_SRC_VALUE", 0x09c, pingpong, {
            {"EW_MUL_OPERAND", 31, 0, rw, plain, 0x0, "register multiplier operand: int32/fp32"},
        }},
        {"D_DP_EW_MUL_CVT_OFFSET_VALUE", 0x0a0, pingpong, {
            {"EW_MUL_CVT_OFFSET", 31, 0, rw, plain, 0x0, "MUL operand converter offset, int32"},
        }},
        {"D_DP_EW_MUL_CVT_SCALE_VALUE", 0x0a4, pingpong, {
            {"EW_MUL_CVT_SCALE", 15, 0, rw, plain, 0x0, "MUL operand converter multiplier, int16"},
        }},
        {"D_DP_EW_MUL_CVT_TRUNCATE_VALUE", 0x0a8, pingpong, {
            {"EW_MUL_CVT_TRUNCATE", 5, 0, rw, plain, 0x0,
             "MUL operand converter right shift, unsigned 6b"},
        }},
        {"D_DP_EW_TRUNCATE_VALUE", 0x0ac, pingpong, {
            {"EW_TRUNCATE", 9, 0, rw, plain, 0x0,
             "right shift after the Y multiplier, unsigned (int only)"},
        }},
        {"D_FEATURE_MODE_CFG", 0x0b0, pingpong, {
            {"FLYING_MODE", 0, 0, rw, plain, 0x0,
             "ON: main data comes from the accumulator; OFF: from SDP_RDMA",
             {"OFF", "ON"}},
            {"OUTPUT_DST", 1, 1, rw, plain, 0x0, "write results to memory or stream them to PDP",
             {"MEM", "PDP"}},
            {"WINOGRAD", 2, 2, rw, plain, 0x0,
             "1 when the layer is the tail of a Winograd convolution",
             {"OFF", "ON"}},
            {"NAN_TO_ZERO", 3, 3, rw, plain, 0x0, "fp16 only: treat NaN inputs as 0",
             {"DISABLE", "ENABLE"}},
            {"BATCH_NUMBER", 12, 8, rw, plain, 0x0, "batch count minus 1 (1..32)"},
        }},
        {"D_DST_DMA_CFG", 0x0b4, pingpong, {
            {"DST_RAM_TYPE", 0, 0, rw, plain, 0x0, "memory port for the destination", {"CV", "MC"}},
        }},
        {"D_DST_BATCH_STRIDE", 0x0b8, pingpong, {
            {"DST_BATCH_STRIDE", 31, 0, rw, plain, 0x0,
             "bytes between output cubes of consecutive batches", {}, v1_bits(31, 5)},
        }},
        {"D_DATA_FORMAT", 0x0bc, pingpong, {
            {"PROC_PRECISION", 1, 0, rw, plain, 0x0, "type the SDP pipeline computes in",
             {"INT8", "INT16", "FP16"}},
            {"OUT_PRECISION", 3, 2, rw, plain, 0x0, "element type SDP emits",
             {"INT8", "INT16", "FP16"}},
        }},
        {"D_CVT_OFFSET", 0x0c0, pingpong, {
            {"CVT_OFFSET", 31, 0, rw, plain, 0x0, "output converter offset, int32"},
        }},
        {"D_CVT_SCALE", 0x0c4, pingpong, {
            {"CVT_SCALE", 15, 0, rw, plain, 0x0, "output converter multiplier, int16"},
        }},
        {"D_CVT_SHIFT", 0x0c8, pingpong, {
            {"CVT_SHIFT", 5, 0, rw, plain, 0x0, "output converter right shift, unsigned 6b"},
        }},
        {"D_STATUS", 0x0cc, pingpong, {
            {"STATUS_UNEQUAL", 0, 0, ro, status, 0x0,
             "compare mode: 1 if any element pair differed"},
        }},
        counter_word("D_STATUS_NAN_INPUT_NUM", 0x0d0, "STATUS_NAN_INPUT_NUM",
                     "unused (input statistics live in SDP_RDMA)"),
        counter_word("D_STATUS_INF_INPUT_NUM", 0x0d4, "STATUS_INF_INPUT_NUM",
                     "unused (input statistics live in SDP_RDMA)"),
        counter_word("D_STATUS_NAN_OUTPUT_NUM", 0x0d8, "STATUS_NAN_OUTPUT_NUM",
                     "NaN elements in the fp16 output"),
        {"D_PERF_ENABLE", 0x0dc, pingpong, {
            {"PERF_DMA_EN", 0, 0, rw, plain, 0x0, "enable DMA stall counters", {"NO", "YES"}},
            {"PERF_LUT_EN", 1, 1, rw, plain, 0x0, "enable LUT hit/miss counters", {"NO", "YES"}},
            {"PERF_SAT_EN", 2, 2, rw, plain, 0x0, "enable output saturation counter",
             {"NO", "YES"}},
            {"PERF_NAN_INF_COUNT_EN", 3, 3, rw, plain, 0x0, "enable NaN/infinity counters",
             {"NO", "YES"}},
        }},
        counter_word("D_PERF_WDMA_WRITE_STALL", 0x0e0, "WDMA_STALL",
                     "cycles the write request waited for ready"),
        counter_word("D_PERF_LUT_UFLOW", 0x0e4, "LUT_UFLOW", "samples below both tables"),
        counter_word("D_PERF_LUT_OFLOW", 0x0e8, "LUT_OFLOW", "samples above both tables"),
        counter_word("D_PERF_OUT_SATURATION", 0x0ec, "OUT_SATURATION",
                     "output elements that saturated"),
        counter_word("D_PERF_LUT_HYBRID", 0x0f0, "LUT_HYBRID",
                     "samples inside both tables, or below one and above the other"),
        counter_word("D_PERF_LUT_LE_HIT", 0x0f4, "LUT_LE_HIT", "samples inside LE only"),
        counter_word("D_PERF_LUT_LO_HIT", 0x0f8, "LUT_LO_HIT", "samples inside LO only"),
    }};
    return map;
}

}  // namespace macrame::dla
