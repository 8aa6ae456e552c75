#include "row_words.hpp"

namespace macrame::dla {

using namespace rows;

namespace {

std::vector<Register> memif_rows() {
    return {
        {"CFG_RD_WEIGHT_0", 0x000, single, {
            {"RD_WEIGHT_BDMA", 7, 0, rw, plain, 0x1,
             "read-arbiter weight of the bridge DMA client; 0 = least service"},
            {"RD_WEIGHT_SDP", 15, 8, rw, plain, 0x1,
             "read-arbiter weight of the SDP main client; 0 = least service"},
            {"RD_WEIGHT_PDP", 23, 16, rw, plain, 0x1,
             "read-arbiter weight of the PDP client; 0 = least service"},
            {"RD_WEIGHT_CDP", 31, 24, rw, plain, 0x1,
             "read-arbiter weight of the CDP client; 0 = least service"},
        }},
        {"CFG_RD_WEIGHT_1", 0x004, single, {
            {"RD_WEIGHT_SDP_B", 7, 0, rw, plain, 0x1,
             "read-arbiter weight of the SDP X1 (BS) operand client; 0 = least service"},
            {"RD_WEIGHT_SDP_N", 15, 8, rw, plain, 0x1,
             "read-arbiter weight of the SDP X2 (BN) operand client; 0 = least service"},
            {"RD_WEIGHT_SDP_E", 23, 16, rw, plain, 0x1,
             "read-arbiter weight of the SDP Y (EW) operand client; 0 = least service"},
            {"RD_WEIGHT_CDMA_DAT", 31, 24, rw, plain, 0x1,
             "read-arbiter weight of the CDMA feature/pixel client; 0 = least service"},
        }},
        {"CFG_RD_WEIGHT_2", 0x008, single, {
            {"RD_WEIGHT_CDMA_WT", 7, 0, rw, plain, 0x1,
             "read-arbiter weight of the CDMA weight client; 0 = least service"},
            {"RD_WEIGHT_RBK", 15, 8, rw, plain, 0x1,
             "read-arbiter weight of the Rubik client; 0 = least service"},
            {"RD_WEIGHT_RSV_1", 23, 16, rw, plain, 0x1,
             "read-arbiter weight of the ROW client; unused without one"},
            {"RD_WEIGHT_RSV_0", 31, 24, rw, plain, 0x1, "unused"},
        }},
        {"CFG_WR_WEIGHT_0", 0x00c, single, {
            {"WR_WEIGHT_BDMA", 7, 0, rw, plain, 0x1,
             "write-arbiter weight of the bridge DMA client; 0 = least service"},
            {"WR_WEIGHT_SDP", 15, 8, rw, plain, 0x1,
             "write-arbiter weight of the SDP main client; 0 = least service"},
            {"WR_WEIGHT_PDP", 23, 16, rw, plain, 0x1,
             "write-arbiter weight of the PDP client; 0 = least service"},
            {"WR_WEIGHT_CDP", 31, 24, rw, plain, 0x1,
             "write-arbiter weight of the CDP client; 0 = least service"},
        }},
        {"CFG_WR_WEIGHT_1", 0x010, single, {
            {"WR_WEIGHT_RBK", 7, 0, rw, plain, 0x1,
             "write-arbiter weight of the Rubik client; 0 = least service"},
            {"WR_WEIGHT_RSV_2", 15, 8, rw, plain, 0x1,
             "write-arbiter weight of the ROW client; unused without one"},
            {"WR_WEIGHT_RSV_1", 23, 16, rw, plain, 0x1, "unused"},
            {"WR_WEIGHT_RSV_0", 31, 24, rw, plain, 0x1, "unused"},
        }},
        {"CFG_OUTSTANDING_CNT", 0x014, single, {
            {"RD_OS_CNT", 7, 0, rw, plain, 0xff,
             "limit on outstanding read data beats; request held while count would exceed "
             "value+1, unless nothing is outstanding (a burst may be longer)"},
            {"WR_OS_CNT", 15, 8, rw, plain, 0xff,
             "limit on outstanding write data beats; request held while count would exceed "
             "value+1"},
        }},
        {"STATUS", 0x018, single, {
            {"IDLE", 8, 8, ro, status, 0x1, "1 = no outstanding transaction on the port",
             {"NO", "YES"}},
        }},
    };
}

}  // namespace

const RegisterMap& mcif_registers() {
    static const RegisterMap map{"MCIF", "primary memory interface",
                                 0x2000, v1_base(0x2000), memif_rows()};
    return map;
}

const RegisterMap& cvif_registers() {
    static const RegisterMap map{"CVIF", "secondary memory interface",
                                 0xf000, v1_base(0x3000), memif_rows()};
    return map;
}

}  // namespace macrame::dla
