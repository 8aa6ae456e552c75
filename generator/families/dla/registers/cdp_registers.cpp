#include "row_words.hpp"

namespace macrame::dla {

using namespace rows;

const RegisterMap& cdp_registers() {
    static const RegisterMap map{
        "CDP", "cross-channel unit (local response normalisation)", 0xd000, v1_base(0xf000), {
        s_status(),
        s_pointer(),
        {"S_LUT_ACCESS_CFG", 0x008, single, {
            {"LUT_ADDR", 9, 0, rw, trigger_readback, 0x0,
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
        {"S_LUT_LE_START_LOW", 0x018, single, {
            {"LUT_LE_START_LOW", 31, 0, rw, plain, 0x0,
             "lower bound of LE coverage, bits 31:0 of a signed value (22b int8 / 38b int16 / "
             "fp32)"},
        }},
        {"S_LUT_LE_START_HIGH", 0x01c, single, {
            {"LUT_LE_START_HIGH", 5, 0, rw, plain, 0x0, "lower bound of LE coverage, bits 37:32"},
        }},
        {"S_LUT_LE_END_LOW", 0x020, single, {
            {"LUT_LE_END_LOW", 31, 0, rw, plain, 0x0,
             "upper bound of LE coverage, bits 31:0 of a signed value (22b int8 / 38b int16 / "
             "fp32)"},
        }},
        {"S_LUT_LE_END_HIGH", 0x024, single, {
            {"LUT_LE_END_HIGH", 5, 0, rw, plain, 0x0, "upper bound of LE coverage, bits 37:32"},
        }},
        {"S_LUT_LO_START_LOW", 0x028, single, {
            {"LUT_LO_START_LOW", 31, 0, rw, plain, 0x0,
             "lower bound of LO coverage, bits 31:0 of a signed value (22b int8 / 38b int16 / "
             "fp32)"},
        }},
        {"S_LUT_LO_START_HIGH", 0x02c, single, {
            {"LUT_LO_START_HIGH", 5, 0, rw, plain, 0x0, "lower bound of LO coverage, bits 37:32"},
        }},
        {"S_LUT_LO_END_LOW", 0x030, single, {
            {"LUT_LO_END_LOW", 31, 0, rw, plain, 0x0,
             "upper bound of LO coverage, bits 31:0 of a signed value (22b int8 / 38b int16 / "
             "fp32)"},
        }},
        {"S_LUT_LO_END_HIGH", 0x034, single, {
            {"LUT_LO_END_HIGH", 5, 0, rw, plain, 0x0, "upper bound of LO coverage, bits 37:32"},
        }},
        {"S_LUT_LE_SLOPE_SCALE", 0x038, single, {
            {"LUT_LE_SLOPE_UFLOW_SCALE", 15, 0, rw, plain, 0x0,
             "slope numerator for extrapolating below LE (int16/fp16)"},
            {"LUT_LE_SLOPE_OFLOW_SCALE", 31, 16, rw, plain, 0x0,
             "slope numerator for extrapolating above LE (int16/fp16)"},
        }},
        {"S_LUT_LE_SLOPE_SHIFT", 0x03c, single, {
            {"LUT_LE_SLOPE_UFLOW_SHIFT", 4, 0, rw, plain, 0x0,
             "slope shift, signed 5b: positive = right, negative = left (int only)"},
            {"LUT_LE_SLOPE_OFLOW_SHIFT", 9, 5, rw, plain, 0x0,
             "slope shift, signed 5b: positive = right, negative = left (int only)"},
        }},
        {"S_LUT_LO_SLOPE_SCALE", 0x040, single, {
            {"LUT_LO_SLOPE_UFLOW_SCALE", 15, 0, rw, plain, 0x0,
             "slope numerator for extrapolating below LO (int16/fp16)"},
            {"LUT_LO_SLOPE_OFLOW_SCALE", 31, 16, rw, plain, 0x0,
             "slope numerator for extrapolating above LO (int16/fp16)"},
        }},
        {"S_LUT_LO_SLOPE_SHIFT", 0x044, single, {
            {"LUT_LO_SLOPE_UFLOW_SHIFT", 4, 0, rw, plain, 0x0,
             "slope shift, signed 5b: positive = right, negative = left (int only)"},
            {"LUT_LO_SLOPE_OFLOW_SHIFT", 9, 5, rw, plain, 0x0,
             "slope shift, signed 5b: positive = right, negative = left (int only)"},
        }},
        d_op_enable(0x048),
        {"D_FUNC_BYPASS", 0x04c, pingpong, {
            {"SQSUM_BYPASS", 0, 0, rw, plain, 0x0,
             "1 bypasses the square-and-sum (LUT sees the converted sample)",
             {"DISABLE", "ENABLE"}},
            {"MUL_BYPASS", 1, 1, rw, plain, 0x0, "1 bypasses the multiply of sample by LUT result",
             {"DISABLE", "ENABLE"}},
        }},
        {"D_DST_BASE_ADDR_LOW", 0x050, pingpong, {
            {"DST_BASE_ADDR_LOW", 31, 0, rw, plain, 0x0,
             "destination cube address 31:0", {}, v1_bits(31, 5)},
        }},
        {"D_DST_BASE_ADDR_HIGH", 0x054, pingpong, {
            {"DST_BASE_ADDR_HIGH", 31, 0, rw, plain, 0x0, "destination cube address 63:32"},
        }},
        {"D_DST_LINE_STRIDE", 0x058, pingpong, {
            {"DST_LINE_STRIDE", 31, 0, rw, plain, 0x0,
             "destination line pitch in bytes", {}, v1_bits(31, 5)},
        }},
        {"D_DST_SURFACE_STRIDE", 0x05c, pingpong, {
            {"DST_SURFACE_STRIDE", 31, 0, rw, plain, 0x0,
             "destination surface pitch in bytes", {}, v1_bits(31, 5)},
        }},
        {"D_DST_DMA_CFG", 0x060, pingpong, {
            {"DST_RAM_TYPE", 0, 0, rw, plain, 0x0, "memory port for the destination", {"CV", "MC"}},
        }},
        {"D_DST_COMPRESSION_EN", 0x064, pingpong, {
            {"DST_COMPRESSION_EN", 0, 0, ro, constant, 0x0, "constant 0", {"DISABLE", "ENABLE"}},
        }},
        {"D_DATA_FORMAT", 0x068, pingpong, {
            {"INPUT_DATA_TYPE", 1, 0, rw, plain, 0x1, "element type", {"INT8", "INT16", "FP16"}},
        }},
        {"D_NAN_FLUSH_TO_ZERO", 0x06c, pingpong, {
            {"NAN_TO_ZERO", 0, 0, rw, plain, 0x0, "fp16 only: treat NaN inputs as 0",
             {"DISABLE", "ENABLE"}},
        }},
        {"D_LRN_CFG", 0x070, pingpong, {
            {"NORMALZ_LEN", 1, 0, rw, plain, 0x0, "channel window length: 3/5/7/9",
             {"LEN3", "LEN5", "LEN7", "LEN9"}},
        }},
        {"D_DATIN_OFFSET", 0x074, pingpong, {
            {"DATIN_OFFSET", 15, 0, rw, plain, 0x0, "input converter offset, signed"},
        }},
        {"D_DATIN_SCALE", 0x078, pingpong, {
            {"DATIN_SCALE", 15, 0, rw, plain, 0x1, "input converter multiplier, signed"},
        }},
        {"D_DATIN_SHIFTER", 0x07c, pingpong, {
            {"DATIN_SHIFTER", 4, 0, rw, plain, 0x0, "input converter right shift, unsigned"},
        }},
        {"D_DATOUT_OFFSET", 0x080, pingpong, {
            {"DATOUT_OFFSET", 31, 0, rw, plain, 0x0, "output converter offset, signed"},
        }},
        {"D_DATOUT_SCALE", 0x084, pingpong, {
            {"DATOUT_SCALE", 15, 0, rw, plain, 0x1, "output converter multiplier, signed"},
        }},
        {"D_DATOUT_SHIFTER", 0x088, pingpong, {
            {"DATOUT_SHIFTER", 5, 0, rw, plain, 0x0, "output converter right shift, unsigned"},
        }},
        counter_word("D_NAN_INPUT_NUM", 0x08c, "NAN_INPUT_NUM", "NaN elements in the fp16 input"),
        counter_word("D_INF_INPUT_NUM", 0x090, "INF_INPUT_NUM", "infinities in the fp16 input"),
        counter_word("D_NAN_OUTPUT_NUM", 0x094, "NAN_OUTPUT_NUM",
                     "NaN elements in the fp16 output"),
        counter_word("D_OUT_SATURATION", 0x098, "OUT_SATURATION", "output elements that saturated"),
        {"D_PERF_ENABLE", 0x09c, pingpong, {
            {"DMA_EN", 0, 0, rw, plain, 0x0,
             "enable the DMA stall (and CDMA latency) counters for this layer",
             {"DISABLE", "ENABLE"}},
            {"LUT_EN", 1, 1, rw, plain, 0x0,
             "LUT counter enable (reference counters run regardless)",
             {"DISABLE", "ENABLE"}},
        }},
        counter_word("D_PERF_WRITE_STALL", 0x0a0, "PERF_WRITE_STALL",
                     "cycles the write request waited for ready"),
        counter_word("D_PERF_LUT_UFLOW", 0x0a4, "PERF_LUT_UFLOW", "samples below both tables"),
        counter_word("D_PERF_LUT_OFLOW", 0x0a8, "PERF_LUT_OFLOW", "samples above both tables"),
        counter_word("D_PERF_LUT_HYBRID", 0x0ac, "PERF_LUT_HYBRID",
                     "samples inside both tables, or below one and above the other"),
        counter_word("D_PERF_LUT_LE_HIT", 0x0b0, "PERF_LUT_LE_HIT", "samples inside LE only"),
        counter_word("D_PERF_LUT_LO_HIT", 0x0b4, "PERF_LUT_LO_HIT", "samples inside LO only"),
        {"D_CYA", 0x0b8, pingpong, {
            {"CYA", 31, 0, rw, plain, 0x0, "spare bits, no function; keep 0"},
        }},
    }};
    return map;
}

}  // namespace macrame::dla
