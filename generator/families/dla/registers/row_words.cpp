#include "row_words.hpp"

namespace macrame::dla::rows {

Register s_status() {
    return {"S_STATUS", 0x0, single, {
        {"STATUS_0", 1, 0, ro, status, 0x0,
         "state of register group 0: idle / executing / enabled and waiting for the other "
         "group",
         {"IDLE", "RUNNING", "PENDING"}},
        {"STATUS_1", 17, 16, ro, status, 0x0,
         "state of register group 1: idle / executing / enabled and waiting for the other "
         "group",
         {"IDLE", "RUNNING", "PENDING"}},
    }};
}

Register s_pointer() {
    return {"S_POINTER", 0x4, single, {
        {"PRODUCER", 0, 0, rw, plain, 0x0,
         "group that CSB accesses to D_ registers hit; software owned",
         {"GROUP_0", "GROUP_1"}},
        {"CONSUMER", 16, 16, ro, status, 0x0,
         "group the datapath uses or will use next; flips once per finished layer",
         {"GROUP_0", "GROUP_1"}},
    }};
}

Register d_op_enable(std::uint32_t offset) {
    return {"D_OP_ENABLE", offset, pingpong, {
        {"OP_EN", 0, 0, rw, cleared_by_hw, 0x0,
         "write 1 = group fully programmed, run it; hardware clears at layer end; writing 0 "
         "has no effect once set",
         {"DISABLE", "ENABLE"}},
    }};
}

Register counter_word(std::string_view name, std::uint32_t offset, std::string_view field,
                      std::string_view doc) {
    return {name, offset, pingpong, {{field, 31, 0, ro, counter, 0x0, doc}}};
}

}  // namespace macrame::dla::rows
