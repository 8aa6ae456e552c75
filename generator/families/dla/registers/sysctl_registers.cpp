#include "row_words.hpp"

namespace macrame::dla {

using namespace rows;

/// A page that the NVDLA documents reserve: the last one that 16 bits of word address reach.
const RegisterMap& sysctl_registers() {
    static const RegisterMap map{"SYSCTL", "system top: errors of the memory bus, reset of the core",
                                 0x3f000, v1_base(0x3f000), {
        {"S_ERROR_STATUS", 0x000, single, {
            {"ERROR", 0, 0, ro, status, 0x0,
             "1 = memory has answered with an error; the other fields and the address are those of "
             "the first one",
             {"NO", "YES"}},
            {"WRITE", 1, 1, ro, status, 0x0, "what failed", {"READ", "WRITE"}},
            {"DECODE", 2, 2, ro, status, 0x0, "the answer", {"SLVERR", "DECERR"}},
            {"PORT", 3, 3, ro, status, 0x0, "memory port", {"PRIMARY", "SECONDARY"}},
            {"CLIENT", 7, 4, ro, status, 0x0, "unit that has asked",
             {"BDMA", "SDP", "PDP", "CDP", "RUBIK", "SDP_B", "SDP_N", "SDP_E", "CDMA_DAT",
              "CDMA_WT", "ROW"}},
            {"COUNT", 31, 16, ro, status, 0x0, "answers with an error, 0xffff = that many or more"},
        }},
        {"S_ERROR_ADDR_LOW", 0x004, single, {
            {"ERROR_ADDR_LOW", 31, 0, ro, status, 0x0,
             "byte address of the first error: of the beat that was read, of the transaction that "
             "was written"},
        }},
        {"S_ERROR_ADDR_HIGH", 0x008, single, {
            {"ERROR_ADDR_HIGH", 31, 0, ro, status, 0x0, "upper half of the address"},
        }},
        {"S_ERROR_CLEAR", 0x00c, single, {
            {"CLEAR", 0, 0, wo, trigger, 0x0, "a write of any value forgets all errors"},
        }},
        {"S_INTR_MASK", 0x010, single, {
            {"ERROR", 0, 0, rw, plain, 0x0, "1 = S_ERROR_STATUS.ERROR does not interrupt"},
        }},
        {"S_RESET", 0x014, single, {
            {"RESET", 0, 0, wo, trigger, 0x0,
             "a write of any value resets the core alone; transactions on their way end first"},
        }},
        {"S_IDENTITY", 0x018, single, {
            {"IDENTITY", 31, 0, ro, status, 0x0,
             "of the programs that run here: DLA_IDENTITY of include/dla_params.h"},
        }},
    }};
    return map;
}

}  // namespace macrame::dla
