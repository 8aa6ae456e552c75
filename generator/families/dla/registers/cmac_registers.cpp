#include "row_words.hpp"

namespace macrame::dla {

using namespace rows;

namespace {

std::vector<Register> cmac_rows() {
    return {
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
    };
}

}  // namespace

const RegisterMap& cmac_a_registers() {
    static const RegisterMap map{"CMAC_A", "MAC array, lower half of the kernels",
                                 0x5000, v1_base(0x7000), cmac_rows()};
    return map;
}

const RegisterMap& cmac_b_registers() {
    static const RegisterMap map{"CMAC_B", "MAC array, upper half of the kernels",
                                 0x6000, v1_base(0x8000), cmac_rows()};
    return map;
}

}  // namespace macrame::dla
