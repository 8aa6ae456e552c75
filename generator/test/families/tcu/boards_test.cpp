/// What of the family goes onto which board.

#include <gtest/gtest.h>

#include "fpga/project.hpp"
#include "fpga/support.hpp"
#include "support.hpp"

namespace macrame::tcu {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kUart[] = {"ulx3s-85f", "ecp5-evn", "arty-a7-100t"};
constexpr const char* kProcessor[] = {"pynq-z1", "pynq-z2", "ultra96-v2", "zcu104"};

fpga::Board board(const std::string& name) {
    Diags diags;
    for (const fpga::Board& row : fpga::boards(emit::Assets(), diags)) {
        if (row.name == name) return row;
    }
    ADD_FAILURE() << name;
    return {};
}

Design design_of(const Config& config) { return {family(), "artya7100t", config}; }

Words refused(const Config& config, const std::string& name, int mhz = 0) {
    Words out;
    const fpga::Board on = board(name);
    const Design design = design_of(config);
    for (const Diag& diag : fpga::refusal(fpga::on_board(design, on), on, {mhz}))
        out.push_back(diag.text);
    return out;
}

Config narrow() {
    Config config;
    config.axi_data_width = 64;
    return config;
}

TEST(TcuOnBoards, ArtyArchitecture) {
    for (const char* name : kUart)
        EXPECT_EQ(refused(narrow(), name), Words{}) << name;
    for (const char* name : kProcessor)
        EXPECT_EQ(refused({}, name), Words{}) << name;
}

TEST(TcuOnBoards, SmallOneOnCmod) {
    Config config = narrow();
    config.array_size = 4;
    config.local_depth = config.accumulator_depth = 2048;
    config.dram0_depth = config.dram1_depth = 4096;
    config.queue_depth = 256;
    EXPECT_EQ(refused(config, "cmod-a7-35t"), Words{});
    config.local_depth = 65536;
    const Words reasons = refused(config, "cmod-a7-35t");
    ASSERT_EQ(reasons.size(), 1u);
    EXPECT_NE(reasons[0].find("block RAMs, the xc7a35t has 50"), std::string::npos) << reasons[0];
}

TEST(TcuOnBoards, WhatNoSystemServes) {
    EXPECT_EQ(refused({}, "ulx3s-85f"),
              Words{"artya7100t on ulx3s-85f: axi-data-width = 128: want 64, as the way to its "
                    "memory"});
    Config config = narrow();
    config.sample_block_size = 16;
    config.status_port = true;
    for (const std::string name : {"ulx3s-85f", "pynq-z1"}) {
        EXPECT_EQ(refused(config, name),
                  Words({"artya7100t on " + name +
                             ": sample-block-size = 16: want 0, the board does not take samples",
                         "artya7100t on " + name +
                             ": status-port = true: want false, nothing on the board reads it"}));
    }
    config = {};
    config.array_size = 32;
    config.axi_data_width = 1024;
    EXPECT_EQ(refused(config, "zcu104").back(),
              "artya7100t on zcu104: axi-data-width = 1024: want at most 512, as the way to its "
              "memory");
}

TEST(TcuOnBoards, TooLarge) {
    Config config = narrow();
    config.array_size = 16;
    EXPECT_EQ(refused(config, "ulx3s-85f").back(),
              "artya7100t on ulx3s-85f: needs about 272 multipliers, the LFE5U-85F has 156");
    config = narrow();
    config.data_type = "FP32BP16";
    EXPECT_EQ(refused(config, "ulx3s-85f").back(),
              "artya7100t on ulx3s-85f: needs about 288 multipliers, the LFE5U-85F has 156");
}

TEST(TcuOnBoards, EveryProjectIsInOrder) {
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
        check(narrow(), name);
    for (const char* name : kProcessor)
        check({}, name);
}

}  // namespace
}  // namespace macrame::tcu
