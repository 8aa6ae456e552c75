/// Unit test of dla_cfgrom with the words of the reference ROM: every offset, and silence
/// otherwise.

#include <gtest/gtest.h>
#include <verilated.h>

#include <cstdint>

#include "Vdut.h"
#include "dla_regs.hpp"

namespace {

std::uint32_t access(Vdut& top, std::uint32_t word, bool valid, bool write) {
    top.csb2cfgrom_valid = valid;
    top.csb_write = write;
    top.csb_addr = static_cast<std::uint16_t>(word);
    top.clk = 0;
    top.eval();
    top.clk = 1;
    top.eval();
    return top.cfgrom2csb_rdata;
}

TEST(Cfgrom, ReferenceWords) {
    VerilatedContext context;
    Vdut top(&context);
    const dla_regs::RegisterTable table = dla_regs::table();
    for (std::uint32_t word = 0; word < 1024; ++word) {
        const dla_regs::RegisterInfo* reg = table.find(word * 4);
        EXPECT_EQ(access(top, word, true, false), reg == nullptr ? 0 : reg->reset) << word;
        EXPECT_EQ(access(top, word, true, true), 0u);
        EXPECT_EQ(access(top, word, false, false), 0u);
    }
}

}  // namespace
