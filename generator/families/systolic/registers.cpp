#include "families/systolic/registers.hpp"

namespace macrame::systolic {

namespace {

using regs::Access;
using regs::Hw;
using regs::Kind;
using regs::Register;

constexpr auto kNotes =
    "Addresses count from the parameter config-address, the C header's too. The bus has 16 bytes: "
    "registers in the same 16 bytes are read in one beat and are of the same moment. Other "
    "addresses are read as 0, writes to them are ignored.";

/// A bit that hardware sets and software clears.
regs::Field event(std::string_view name, int bit, std::string_view doc) {
    return {name, bit, bit, Access::w1c, Hw::status, 0, doc};
}

regs::Field enable(std::string_view name, int bit) {
    return {name, bit, bit, Access::rw, Hw::plain, 1, "1 = the bit of STATUS raises irq"};
}

Register counter(std::string_view name, std::uint32_t offset, std::string_view doc) {
    return {name, offset, Kind::single, {{"COUNT", 31, 0, Access::ro, Hw::status, 0, doc}}};
}

/// The machine, and what has happened since software cleared it.
Register status() {
    return {"STATUS",
            0x10,
            Kind::single,
            {{"BUSY", 0, 0, Access::ro, Hw::status, 0, "a program runs, or is being stopped"},
             event("DONE", 1,
                   "the program has ended, memory has all of its results; a start "
                   "clears it"),
             event("REFUSED", 2, "a start, or a write to the program, while busy was ignored"),
             event("FETCH_ERROR", 3,
                   "memory answered an instruction with an error; this, as the next three, stops "
                   "the program"),
             event("LOAD_ERROR", 4, "memory answered a LOAD with an error"),
             event("STORE_ERROR", 5, "memory answered a STORE with an error"),
             event("ILLEGAL", 6, "a word was no instruction"),
             event("STOPPED", 7,
                   "the machine is idle after an error or a RESET: instructions that had begun "
                   "have ended, the others are dropped, the results are not valid; a start clears "
                   "it")}};
}

}  // namespace

const regs::RegisterMap& control_registers() {
    static const regs::RegisterMap kMap{
        "CONTROL",
        "programs, status, interrupt and counters",
        0,
        {},
        {
            {"PROGRAM_ADDRESS",
             0x00,
             Kind::single,
             {{"ADDRESS", 31, 0, Access::rw, Hw::trigger, 0,
               "bytes, a multiple of 16; a write of all 8 bytes of PROGRAM_ADDRESS and "
               "PROGRAM_COUNT in one beat starts a program, other ones do not: narrow masters "
               "write both, in any order, then GO"}}},
            {"PROGRAM_COUNT",
             0x04,
             Kind::single,
             {{"COUNT", 15, 0, Access::rw, Hw::trigger, 0, "instructions; 0: it is done at once"}}},
            status(),
            {"INTERRUPT_ENABLE",
             0x14,
             Kind::single,
             {enable("DONE", 1), enable("REFUSED", 2), enable("FETCH_ERROR", 3),
              enable("LOAD_ERROR", 4), enable("STORE_ERROR", 5), enable("ILLEGAL", 6),
              enable("STOPPED", 7)}},
            counter("CYCLES_LOW", 0x20, "cycles in which the program, or the last one, ran"),
            counter("CYCLES_HIGH", 0x24, "upper half"),
            counter("LOAD_CYCLES", 0x30, "of them, LOAD had an instruction"),
            counter("GEMM_CYCLES", 0x34, "the same of GEMM"),
            counter("ALU_CYCLES", 0x38, "the same of ALU"),
            counter("STORE_CYCLES", 0x3c, "the same of STORE"),
            counter("LOAD_ENDED", 0x40, "instructions of LOAD that have ended"),
            counter("GEMM_ENDED", 0x44, "the same of GEMM"),
            counter("ALU_ENDED", 0x48, "the same of ALU"),
            counter("STORE_ENDED", 0x4c, "the same of STORE"),
            counter("LOAD_WAITS", 0x50,
                    "cycles in which LOAD had no instruction and the next one lacked tokens"),
            counter("GEMM_WAITS", 0x54, "the same of GEMM"),
            counter("ALU_WAITS", 0x58, "the same of ALU"),
            counter("STORE_WAITS", 0x5c, "the same of STORE"),
            {"GO",
             0x60,
             Kind::single,
             {{"GO", 0, 0, Access::wo, Hw::trigger, 0,
               "1 = starts the program of PROGRAM_ADDRESS and PROGRAM_COUNT"}}},
            {"RESET",
             0x64,
             Kind::single,
             {{"RESET", 0, 0, Access::rw, Hw::trigger, 0,
               "1 = stops the program: nothing begins, transactions on their way end; 1 until "
               "then, STATUS.STOPPED behind it, also if no program ran"}}},
            {"ERROR_SOURCE",
             0x68,
             Kind::single,
             {{"SOURCE",
               1,
               0,
               Access::ro,
               Hw::status,
               0,
               "what got the first answer with an error since the error bits of STATUS were 0",
               {"NONE", "FETCH", "LOAD", "STORE"}}}},
            {"ERROR_ADDRESS",
             0x6c,
             Kind::single,
             {{"ADDRESS", 31, 0, Access::ro, Hw::status, 0,
               "its byte address: of FETCH that of the beat, of LOAD and STORE that of the first "
               "byte of the instruction"}}},
            {"IDENTITY",
             kIdentityOffset,
             Kind::single,
             {{"IDENTITY", 31, 0, Access::ro, Hw::status, 0,
               "of the programs that run here: SYSTOLIC_IDENTITY of include/systolic_params.h"}}},
        }};
    return kMap;
}

const regs::RegisterSet& registers() {
    static const regs::RegisterSet kSet{
        "systolic", {&control_registers()}, kNotes, "SYSTOLIC_", ""};
    return kSet;
}

}  // namespace macrame::systolic
