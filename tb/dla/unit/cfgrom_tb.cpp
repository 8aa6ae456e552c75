/// Unit test of dla_cfgrom: every offset against the model, and silence otherwise.

#include <gtest/gtest.h>
#include <verilated.h>

#include <cstdint>

#include "Vdut.h"
#include "dla_params.hpp"
#include "tb/common/random_state.hpp"
#include "verif/dla/model/cfgrom.hpp"

namespace {

std::uint32_t access(Vdut& top, std::uint32_t word, bool valid, bool write) {
    for (const bool now : {valid, false}) {
        top.csb2cfgrom_valid = now;
        top.csb_write = write;
        top.csb_addr = static_cast<std::uint16_t>(word);
        top.clk = 0;
        top.eval();
        top.clk = 1;
        top.eval();
    }
    return top.cfgrom2csb_rdata;
}

TEST(Cfgrom, WordsOfTheModel) {
    macrame::tb::RandomState context(1);
    Vdut top(&context);
    const macrame::dla::model::Cfgrom model(
        macrame::dla::model::architecture_of(dla_params::sizes));
    for (std::uint32_t word = 0; word < 1024; ++word) {
        EXPECT_EQ(access(top, word, true, false), model.read(word * 4)) << word;
        EXPECT_EQ(access(top, word, true, true), 0u);
        EXPECT_EQ(access(top, word, false, false), 0u);
    }
}

}  // namespace
