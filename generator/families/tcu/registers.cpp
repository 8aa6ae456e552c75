#include "families/tcu/registers.hpp"

#include "core/bits.hpp"

namespace macrame::tcu {

namespace {

using regs::Access;
using regs::Field;
using regs::Hw;
using regs::Kind;

constexpr auto kNotes =
    "The port s_axi is AXI4-Lite. Programs do not need these registers: what they configure, the "
    "instruction Configure writes.";

Field state(std::string_view name, int bit, std::string_view doc) {
    return {name, bit, bit, Access::ro, Hw::status, 0, doc};
}

}  // namespace

const regs::RegisterMap& control_registers() {
    static const regs::RegisterMap kMap{
        "CONTROL",
        "state, bus errors and soft reset",
        0,
        {},
        {
            {"STATUS",
             0x00,
             Kind::single,
             {state("IDLE", 0, "nothing is under way; stays 0 behind a bus error"),
              state("TIMEOUT", 1, "an instruction waits for too long"),
              state("TRACEPOINT", 2, "the program counter is the tracepoint"),
              state("INSTRUCTION_ERROR", 3,
                    "the next instruction breaks a rule; 0 without validate-instructions"),
              state(
                  "BUS_ERROR", 4,
                  "memory answered with an error, until a reset: nothing more is asked of memory, "
                  "no instruction is taken, and what memory holds is no result"),
              state("IN_RESET", 5,
                    "the soft reset has drained the buses: all units are in reset, instructions "
                    "that come are dropped"),
              state("IRQ", 6, "the interrupt pin")}},
            {"PROGRAM_COUNTER",
             0x04,
             Kind::single,
             {{"COUNT", 31, 0, Access::ro, Hw::status, 0, "of the next instruction"}}},
            {"BUS_ERROR_CAUSE",
             0x08,
             Kind::single,
             {state("WRITE", 0, "of the first error: 1 BRESP, 0 RRESP"),
              state("BANK", 1, "of the first error: the memory bank"),
              state("DECODE", 2, "of the first error: 1 DECERR, 0 SLVERR")}},
            {"BUS_ERROR_ADDRESS",
             0x0c,
             Kind::single,
             {{"ADDRESS", 31, 0, Access::ro, Hw::status, 0,
               "of the first error: the burst, in bytes, as the port has it"}}},
            {"RESET",
             0x10,
             Kind::single,
             {{"SOFT", 0, 0, Access::rw, Hw::plain, 0,
               "1: no new bursts, those under way end, then all units are in reset (IN_RESET) "
               "until "
               "0 is written"}}},
            {"IDENTITY",
             kIdentityOffset,
             Kind::single,
             {{"IDENTITY", 31, 0, Access::ro, Hw::status, 0,
               "of the programs that run here: TCU_IDENTITY of include/tcu_params.h"}}},
        }};
    return kMap;
}

const regs::RegisterSet& registers() {
    static const regs::RegisterSet kSet{"tcu", {&control_registers()}, kNotes, "TCU_", ""};
    return kSet;
}

int control_address_bits() {
    return clog2(static_cast<int>(control_registers().registers.back().offset) + 4);
}

}  // namespace macrame::tcu
