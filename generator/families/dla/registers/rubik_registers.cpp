#include "row_words.hpp"

namespace macrame::dla {

using namespace rows;

const RegisterMap& rubik_registers() {
    static const RegisterMap map{
        "RUBIK", "reshape engine", 0x11000, v1_base(0x10000), {
        s_status(),
        s_pointer(),
        d_op_enable(0x008),
        {"D_MISC_CFG", 0x00c, pingpong, {
            {"RUBIK_MODE", 1, 0, rw, plain, 0x0, "contract / split / merge",
             {"CONTRACT", "SPLIT", "MERGE"}},
            {"IN_PRECISION", 9, 8, rw, plain, 0x1, "element size class of the cube (1 or 2 bytes)",
             {"INT8", "INT16", "FP16"}},
        }},
        {"D_DAIN_RAM_TYPE", 0x010, pingpong, {
            {"DATAIN_RAM_TYPE", 0, 0, rw, plain, 0x0, "which memory port the input is read from",
             {"CVIF", "MCIF"}},
        }},
        {"D_DATAIN_SIZE_0", 0x014, pingpong, {
            {"DATAIN_WIDTH", 12, 0, rw, plain, 0x0, "input width minus 1"},
            {"DATAIN_HEIGHT", 28, 16, rw, plain, 0x0, "input cube height minus 1"},
        }},
        {"D_DATAIN_SIZE_1", 0x018, pingpong, {
            {"DATAIN_CHANNEL", 12, 0, rw, plain, 0x0, "input cube channels minus 1"},
        }},
        {"D_DAIN_ADDR_HIGH", 0x01c, pingpong, {
            {"DAIN_ADDR_HIGH", 31, 0, rw, plain, 0x0, "input address 63:32"},
        }},
        {"D_DAIN_ADDR_LOW", 0x020, pingpong, {
            {"DAIN_ADDR_LOW", 31, 5, rw, plain, 0x0, "input address 31:5"},
        }},
        {"D_DAIN_LINE_STRIDE", 0x024, pingpong, {
            {"DAIN_LINE_STRIDE", 31, 5, rw, plain, 0x0, "input line pitch bits 31:5"},
        }},
        {"D_DAIN_SURF_STRIDE", 0x028, pingpong, {
            {"DAIN_SURF_STRIDE", 31, 5, rw, plain, 0x0,
             "input surface pitch bits 31:5 (contract, split)"},
        }},
        {"D_DAIN_PLANAR_STRIDE", 0x02c, pingpong, {
            {"DAIN_PLANAR_STRIDE", 31, 5, rw, plain, 0x0, "input plane pitch bits 31:5 (merge)"},
        }},
        {"D_DAOUT_RAM_TYPE", 0x030, pingpong, {
            {"DATAOUT_RAM_TYPE", 0, 0, rw, plain, 0x0, "memory port for the output",
             {"CVIF", "MCIF"}},
        }},
        {"D_DATAOUT_SIZE_1", 0x034, pingpong, {
            {"DATAOUT_CHANNEL", 12, 0, rw, plain, 0x0, "output channels minus 1"},
        }},
        {"D_DAOUT_ADDR_HIGH", 0x038, pingpong, {
            {"DAOUT_ADDR_HIGH", 31, 0, rw, plain, 0x0, "output address 63:32"},
        }},
        {"D_DAOUT_ADDR_LOW", 0x03c, pingpong, {
            {"DAOUT_ADDR_LOW", 31, 5, rw, plain, 0x0, "output address 31:5"},
        }},
        {"D_DAOUT_LINE_STRIDE", 0x040, pingpong, {
            {"DAOUT_LINE_STRIDE", 31, 5, rw, plain, 0x0, "output line pitch bits 31:5"},
        }},
        {"D_CONTRACT_STRIDE_0", 0x044, pingpong, {
            {"CONTRACT_STRIDE_0", 31, 5, rw, plain, 0x0,
             "bits 31:5 of ceil(out_channels*bytes/32) * input surface pitch"},
        }},
        {"D_CONTRACT_STRIDE_1", 0x048, pingpong, {
            {"CONTRACT_STRIDE_1", 31, 5, rw, plain, 0x0,
             "bits 31:5 of y-stride * output line pitch"},
        }},
        {"D_DAOUT_SURF_STRIDE", 0x04c, pingpong, {
            {"DAOUT_SURF_STRIDE", 31, 5, rw, plain, 0x0,
             "output surface pitch bits 31:5 (contract, merge)"},
        }},
        {"D_DAOUT_PLANAR_STRIDE", 0x050, pingpong, {
            {"DAOUT_PLANAR_STRIDE", 31, 5, rw, plain, 0x0, "output plane pitch bits 31:5 (split)"},
        }},
        {"D_DECONV_STRIDE", 0x054, pingpong, {
            {"DECONV_X_STRIDE", 4, 0, rw, plain, 0x0, "x expansion minus 1 (contract)"},
            {"DECONV_Y_STRIDE", 20, 16, rw, plain, 0x0, "y expansion minus 1 (contract)"},
        }},
        {"D_PERF_ENABLE", 0x058, pingpong, {
            {"PERF_EN", 0, 0, rw, plain, 0x0, "enable stall counters"},
        }},
        counter_word("D_PERF_READ_STALL", 0x05c, "RD_STALL_CNT",
                     "cycles the read request waited for ready"),
        counter_word("D_PERF_WRITE_STALL", 0x060, "WR_STALL_CNT",
                     "cycles the write request waited for ready"),
    }};
    return map;
}

}  // namespace macrame::dla
