#include "row_words.hpp"

namespace macrame::dla {

using namespace rows;

const RegisterMap& bdma_registers() {
    static const RegisterMap map{
        "BDMA", "memory-to-memory copy engine (command queue)", 0x10000, v1_base(0x4000), {
        {"CFG_SRC_ADDR_LOW", 0x000, queue, {
            {"V32", 31, 5, rw, plain, 0x0, "source address 31:5"},
        }},
        {"CFG_SRC_ADDR_HIGH", 0x004, queue, {
            {"V8", 31, 0, rw, plain, 0x0, "source address 63:32"},
        }},
        {"CFG_DST_ADDR_LOW", 0x008, queue, {
            {"V32", 31, 5, rw, plain, 0x0, "destination address 31:5"},
        }},
        {"CFG_DST_ADDR_HIGH", 0x00c, queue, {
            {"V8", 31, 0, rw, plain, 0x0, "destination address 63:32"},
        }},
        {"CFG_LINE", 0x010, queue, {
            {"SIZE", 12, 0, rw, plain, 0x0, "bytes per line / 32, minus 1"},
        }},
        {"CFG_CMD", 0x014, queue, {
            {"SRC_RAM_TYPE", 0, 0, rw, plain, 0x0, "source memory port", {"CVSRAM", "MC"}},
            {"DST_RAM_TYPE", 1, 1, rw, plain, 0x0, "destination memory port", {"CVSRAM", "MC"}},
        }},
        {"CFG_LINE_REPEAT", 0x018, queue, {
            {"NUMBER", 23, 0, rw, plain, 0x0, "lines per surface minus 1; bits 23:13 must be 0"},
        }},
        {"CFG_SRC_LINE", 0x01c, queue, {
            {"STRIDE", 31, 5, rw, plain, 0x0, "source line pitch bits 31:5"},
        }},
        {"CFG_DST_LINE", 0x020, queue, {
            {"STRIDE", 31, 5, rw, plain, 0x0, "destination line pitch bits 31:5"},
        }},
        {"CFG_SURF_REPEAT", 0x024, queue, {
            {"NUMBER", 23, 0, rw, plain, 0x0, "surfaces minus 1; bits 23:13 must be 0"},
        }},
        {"CFG_SRC_SURF", 0x028, queue, {
            {"STRIDE", 31, 5, rw, plain, 0x0, "source surface pitch bits 31:5"},
        }},
        {"CFG_DST_SURF", 0x02c, queue, {
            {"STRIDE", 31, 5, rw, plain, 0x0, "destination surface pitch bits 31:5"},
        }},
        {"CFG_OP", 0x030, queue, {
            {"EN", 0, 0, rw, trigger, 0x0,
             "write 1 pushes the current CFG_ values into the 20-entry command queue",
             {"DISABLE", "ENABLE"}},
        }},
        {"CFG_LAUNCH0", 0x034, single, {
            {"GRP0_LAUNCH", 0, 0, rw, trigger, 0x0,
             "write 1 starts all queued-but-unlaunched commands as group 0",
             {"NO", "YES"}},
        }},
        {"CFG_LAUNCH1", 0x038, single, {
            {"GRP1_LAUNCH", 0, 0, rw, trigger, 0x0,
             "write 1 starts all queued-but-unlaunched commands as group 1",
             {"NO", "YES"}},
        }},
        {"CFG_STATUS", 0x03c, single, {
            {"STALL_COUNT_EN", 0, 0, rw, plain, 0x0, "enable read/write stall counters",
             {"NO", "YES"}},
        }},
        {"STATUS", 0x040, single, {
            {"FREE_SLOT", 7, 0, ro, status, 0x14, "free command queue entries (20 when empty)"},
            {"IDLE", 8, 8, ro, status, 0x1, "1 = queue empty and no copy in progress",
             {"NO", "YES"}},
            {"GRP0_BUSY", 9, 9, ro, status, 0x0,
             "set by launch 0, cleared when that group finishes",
             {"NO", "YES"}},
            {"GRP1_BUSY", 10, 10, ro, status, 0x0,
             "set by launch 1, cleared when that group finishes",
             {"NO", "YES"}},
        }},
        {"STATUS_GRP0_READ_STALL", 0x044, single, {
            {"COUNT", 31, 0, ro, counter, 0x0,
             "read stall cycles of the last finished group 0; zeroed by its launch"},
        }},
        {"STATUS_GRP0_WRITE_STALL", 0x048, single, {
            {"COUNT", 31, 0, ro, counter, 0x0,
             "write stall cycles of the last finished group 0; zeroed by its launch"},
        }},
        {"STATUS_GRP1_READ_STALL", 0x04c, single, {
            {"COUNT", 31, 0, ro, counter, 0x0,
             "read stall cycles of the last finished group 1; zeroed by its launch"},
        }},
        {"STATUS_GRP1_WRITE_STALL", 0x050, single, {
            {"COUNT", 31, 0, ro, counter, 0x0,
             "write stall cycles of the last finished group 1; zeroed by its launch"},
        }},
    }};
    return map;
}

}  // namespace macrame::dla
