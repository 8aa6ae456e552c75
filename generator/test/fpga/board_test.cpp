/// Boards: their files, clocks, what does not go onto them.

#include "fpga/board.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fpga/pll.hpp"

namespace macrame::fpga {
namespace {

std::vector<Board> all() {
    Diags diags;
    std::vector<Board> out = boards(emit::Assets(), diags);
    for (const Diag& diag : diags)
        ADD_FAILURE() << diag.text;
    return out;
}

TEST(Boards, FilesAreWhole) {
    const std::vector<Board> list = all();
    EXPECT_GE(list.size(), 9u);
    for (const Board& board : list) {
        SCOPED_TRACE(board.name);
        EXPECT_LE(board.doc.size(), 80u);
        EXPECT_TRUE(board.flow == "ecp5" || board.flow == "vivado" || board.flow == "ice40");
        EXPECT_GT(board.luts, 0);
        EXPECT_EQ(board.has_processor(), board.clock_mhz == 0);
        std::set<std::string> sites;
        for (const Pin& pin : board.pins) {
            for (const std::string& site : pin.sites)
                EXPECT_TRUE(sites.insert(site).second) << site << " is two pins";
            EXPECT_FALSE(pin.io.empty()) << pin.port;
        }
        if (board.baud == 0) continue;
        for (const char* port : {"clk", "reset", "uart_rx", "uart_tx", "led"}) {
            EXPECT_TRUE(std::any_of(board.pins.begin(), board.pins.end(), [&](const Pin& pin) {
                return pin.port == port;
            })) << port;
        }
    }
}

TEST(Clocks, Ecp5) {
    const auto pll = ecp5_pll(25, 60);
    ASSERT_TRUE(pll.has_value());
    EXPECT_EQ(25 * pll->feedback, 60 * pll->input);
    EXPECT_EQ(pll->output, 10);
    for (const int mhz : {25, 50, 75, 80, 100, 125}) {
        const auto other = ecp5_pll(25, mhz);
        ASSERT_TRUE(other.has_value()) << mhz;
        EXPECT_EQ(25 * other->feedback, mhz * other->input);
        EXPECT_GE(mhz * other->output, 400);
        EXPECT_LE(mhz * other->output, 800);
    }
    EXPECT_FALSE(ecp5_pll(25, 77).has_value());  // the phase detector would be too slow
}

TEST(Clocks, Ice40) {
    for (const int mhz : {12, 15, 18, 24, 30, 48}) {
        const auto made = ice40_pll(12, mhz);
        ASSERT_TRUE(made.has_value()) << mhz;
        EXPECT_EQ(12 * made->feedback, mhz << made->shift);
        EXPECT_GE(mhz << made->shift, 533);
        EXPECT_LE(mhz << made->shift, 1066);
        EXPECT_LE(made->feedback, 128);
    }
    EXPECT_FALSE(ice40_pll(12, 7).has_value());  // the oscillator would be too slow
    EXPECT_FALSE(ice40_pll(9, 12).has_value());  // the phase detector, too
}

TEST(Clocks, Mmcm) {
    for (const int mhz : {50, 75, 80, 100, 125}) {
        const auto made = mmcm(100, mhz);
        ASSERT_TRUE(made.has_value()) << mhz;
        EXPECT_EQ(100 * made->feedback, mhz * made->output * made->input);
    }
}

}  // namespace
}  // namespace macrame::fpga
