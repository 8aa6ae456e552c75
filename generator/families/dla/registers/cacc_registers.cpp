#include "row_words.hpp"

namespace macrame::dla {

using namespace rows;

const RegisterMap& cacc_registers() {
    static const RegisterMap map{
        "CACC", "convolution accumulator", 0x7000, v1_base(0x9000), {
        s_status(),
        s_pointer(),
        d_op_enable(0x008),
        {"D_MISC_CFG", 0x00c, pingpong, {
            {"CONV_MODE", 0, 0, rw, plain, 0x0, "direct (also image) or Winograd convolution",
             {"DIRECT", "WINOGRAD"}},
            {"PROC_PRECISION", 13, 12, rw, plain, 0x1,
             "element type used by the convolution datapath",
             {"INT8", "INT16", "FP16"}},
        }},
        {"D_DATAOUT_SIZE_0", 0x010, pingpong, {
            {"DATAOUT_WIDTH", 12, 0, rw, plain, 0x0, "output width minus 1"},
            {"DATAOUT_HEIGHT", 28, 16, rw, plain, 0x0, "output height minus 1"},
        }},
        {"D_DATAOUT_SIZE_1", 0x014, pingpong, {
            {"DATAOUT_CHANNEL", 12, 0, rw, plain, 0x0, "output channels minus 1"},
        }},
        {"D_DATAOUT_ADDR", 0x018, pingpong, {
            {"DATAOUT_ADDR", 31, 0, rw, plain, 0x0,
             "low 32 bits of the output cube address (used for delivery "
             "ordering)", {}, v1_bits(31, 5)},
        }},
        {"D_BATCH_NUMBER", 0x01c, pingpong, {
            {"BATCHES", 4, 0, rw, plain, 0x0, "batch count minus 1"},
        }},
        {"D_LINE_STRIDE", 0x020, pingpong, {
            {"LINE_STRIDE", 23, 0, rw, plain, 0x0,
             "output line pitch in bytes (used for delivery ordering)", {}, v1_bits(23, 5)},
        }},
        {"D_SURF_STRIDE", 0x024, pingpong, {
            {"SURF_STRIDE", 23, 0, rw, plain, 0x0,
             "output surface pitch in bytes (used for delivery ordering)", {}, v1_bits(23, 5)},
        }},
        {"D_DATAOUT_MAP", 0x028, pingpong, {
            {"LINE_PACKED", 0, 0, rw, plain, 0x0, "1 when line pitch equals the bytes in a line",
             {"FALSE", "TRUE"}},
            {"SURF_PACKED", 16, 16, rw, plain, 0x0,
             "1 when surface pitch equals line pitch times height",
             {"FALSE", "TRUE"}},
        }},
        {"D_CLIP_CFG", 0x02c, pingpong, {
            {"CLIP_TRUNCATE", 4, 0, rw, plain, 0x0,
             "right shift before saturating the sum to 32 bits (0..16), unsigned"},
        }},
        counter_word("D_OUT_SATURATION", 0x030, "SAT_COUNT",
                     "accumulator outputs that saturated in this layer"),
        {"D_CYA", 0x034, pingpong, {
            {"CYA", 31, 0, rw, plain, 0x0, "spare bits, no function; keep 0"},
        }},
    }};
    return map;
}

}  // namespace macrame::dla
