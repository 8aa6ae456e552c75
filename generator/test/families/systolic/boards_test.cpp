/// What of the family goes onto which board.

#include <gtest/gtest.h>

#include "fpga/project.hpp"
#include "fpga/support.hpp"
#include "support.hpp"

namespace macrame::systolic {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kUart[] = {"ulx3s-85f", "ecp5-evn", "arty-a7-100t"};
/// With room for an array of 4 x 4.
constexpr const char* kSmaller[] = {"colorlight-i5", "colorlight-i9", "icesugar-pro",
                                    "orangecrab-25f"};
constexpr const char* kProcessor[] = {"pynq-z1", "pynq-z2", "ultra96-v2", "zcu104"};
constexpr const char* kSmall = "ice40-hx8k-evn";

fpga::Board board(const std::string& name) {
    Diags diags;
    for (const fpga::Board& row : fpga::boards(emit::Assets(), diags)) {
        if (row.name == name) return row;
    }
    ADD_FAILURE() << name;
    return {};
}

Design design_of(const Config& config) { return {family(), "mine", config}; }

Words refused(const Config& config, const std::string& name) {
    const fpga::Board on = board(name);
    return texts(fpga::refusal(fpga::on_board(design_of(config), on), on, {}));
}

/// A square array on a bus of 64 bits.
Config square(int size) {
    Config config;
    config.rows = config.cols = size;
    config.axi_data_width = 64;
    return config;
}

/// With scales of 18 bits.
Config narrow(Config config) {
    config.requantise = kPlainScales;
    return config;
}

/// A configuration for a small FPGA.
Config tiny() {
    Config config = square(2);
    config.weight_width = 4;
    config.out_width = 16;
    config.obuf_entries = 512;
    config.queue_depth = 1;
    config.token_depth = 2;
    config.address_width = 16;
    config.axi_data_width = 32;
    config.requantise = kNoScales;
    return config;
}

TEST(SystolicOnBoards, EightByEight) {
    for (const char* name : kUart)
        EXPECT_EQ(refused(square(8), name), Words{}) << name;
    for (const std::string name : kProcessor)
        EXPECT_EQ(refused(square(8), name),
                  Words{"mine on " + name +
                        ": the family systolic is not built for boards with a processor"});
}

TEST(SystolicOnBoards, WhatNoSystemServes) {
    Config config = square(8);
    config.axi_data_width = 128;
    EXPECT_EQ(refused(config, "ulx3s-85f"),
              Words{"mine on ulx3s-85f: axi-data-width = 128: want 64, as the way to its memory"});
    config = tiny();
    config.axi_data_width = 64;
    EXPECT_EQ(refused(config, kSmall).back(),
              "mine on ice40-hx8k-evn: axi-data-width = 64: want 32, as the way to its memory");
    config = tiny();
    config.queue_depth = 2;
    EXPECT_EQ(refused(config, kSmall),
              Words{"mine on ice40-hx8k-evn: queue-depth = 2: want 1, there is no RAM for queues"});
    config = tiny();
    config.out_width = 32;
    config.requantise = kPlainScales;
    EXPECT_EQ(refused(config, kSmall).back(),
              "mine on ice40-hx8k-evn: requantise = true: want false, there are no multipliers for "
              "scales");
}

TEST(SystolicOnBoards, TooLarge) {
    EXPECT_EQ(refused(square(16), "ulx3s-85f"),
              Words{"mine on ulx3s-85f: needs about 308 multipliers, the LFE5U-85F has 156"});
    EXPECT_EQ(refused(tiny(), kSmall), Words{});
    Config config = tiny();
    config.rows = config.cols = 4;
    const Words reasons = refused(config, kSmall);
    ASSERT_FALSE(reasons.empty());
    EXPECT_NE(reasons[0].find("LUTs, the iCE40HX8K has 7680"), std::string::npos) << reasons[0];
    config = tiny();
    config.obuf_entries = 2048;
    EXPECT_EQ(refused(config, kSmall),
              Words{"mine on ice40-hx8k-evn: needs about 42 block RAMs, the iCE40HX8K has 32"});
}

/// Sums of scripts/area.sh; LUTs with those of LUT RAM.
TEST(SystolicOnBoards, NeedsWhatIsMeasured) {
    struct Row {
        std::string name;
        Config config;
        fpga::Resources xilinx, ecp5;
    };
    Config plain = square(8);
    plain.requantise = kNoScales;
    const Row rows[] = {
        {"4 x 4, 18 bits", narrow(square(4)), {9607, 32, 9}, {15751, 32, 18}},
        {"8 x 8", square(8), {14912, 108, 17}, {28177, 108, 34}},
        {"8 x 8, 18 bits", narrow(square(8)), {13672, 92, 17}, {24733, 92, 34}},
        {"8 x 8 without scales", plain, {9660, 68, 17}, {18772, 68, 34}},
        {"16 x 16, 18 bits", narrow(square(16)), {19458, 292, 33}, {40612, 292, 66}},
    };
    const auto compare = [](const Row& row, const char* name, const fpga::Resources& want) {
        const fpga::Resources found = family().boards->need(design_of(row.config), board(name));
        EXPECT_NEAR(found.luts, want.luts, want.luts / 10.0) << row.name << " on " << name;
        EXPECT_EQ(found.dsps, want.dsps) << row.name << " on " << name;
        EXPECT_EQ(found.brams, want.brams) << row.name << " on " << name;
    };
    for (const Row& row : rows) {
        compare(row, "arty-a7-100t", row.xilinx);
        compare(row, "ulx3s-85f", row.ecp5);
    }
}

TEST(SystolicOnBoards, FourByFour) {
    Config config = square(4);
    config.requantise = kNoScales;
    for (const char* name : kSmaller)
        EXPECT_EQ(refused(config, name), Words{}) << name;
    EXPECT_FALSE(refused(square(8), "colorlight-i5").empty());
}

TEST(SystolicOnBoards, WantsALineToTheHost) {
    EXPECT_EQ(refused(tiny(), "icebreaker").front(),
              "mine on icebreaker: it has no serial line: want host.baud and pins of the board");
}

TEST(SystolicOnBoards, EveryProjectIsInOrder) {
    const auto check = [](const Config& config, const char* name) {
        Diags diags;
        const fpga::Board on = board(name);
        const emit::OutputSet files =
            fpga::project(design_of(config), on, {}, emit::Assets(), diags);
        for (const Diag& diag : files.check())
            diags.push_back(diag);
        for (const Diag& diag : diags)
            ADD_FAILURE() << name << ": " << diag.text;
    };
    for (const char* name : kUart)
        check(square(8), name);
    for (const char* name : kSmaller)
        check(square(4), name);
    check(tiny(), kSmall);
}

}  // namespace
}  // namespace macrame::systolic
