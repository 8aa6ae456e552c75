/// What of the family goes onto which board.

#include <gtest/gtest.h>

#include "fpga/project.hpp"
#include "fpga/support.hpp"
#include "support.hpp"

namespace macrame::tcu {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kUart[] = {"ulx3s-85f", "ecp5-evn", "arty-a7-100t"};
constexpr const char* kProcessor[] = {"pynq-z1",    "pynq-z2", "zedboard", "zybo-z7-20",
                                      "ultra96-v2", "kv260",   "zcu102",   "zcu104"};

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

/// A configuration for a small FPGA.
Config tiny() {
    Config config;
    config.data_type = "FP8BP4";
    config.array_size = 2;
    config.dram0_depth = config.dram1_depth = 128;
    config.local_depth = 64;
    config.accumulator_depth = 32;
    config.stride0_depth = config.stride1_depth = 2;
    config.axi_data_width = 32;
    config.queue_depth = 4;
    config.order_blocks = 0;
    config.transfer_depth = 2;
    config.weight_buffers = 2;
    return config;
}

TEST(TcuOnBoards, TinyOneOnIce40) {
    const std::string name = "ice40-hx8k-evn";
    EXPECT_EQ(refused(tiny(), name), Words{});
    EXPECT_EQ(refused(tiny(), name, 18), Words{});
    EXPECT_EQ(refused(tiny(), name, 7).size(), 1u);
    Config config = tiny();
    config.axi_data_width = 64;
    EXPECT_EQ(refused(config, name), Words{"artya7100t on " + name +
                                           ": axi-data-width = 64: want 32, as the way to its "
                                           "memory"});
    config = tiny();
    config.order_blocks = 16;
    EXPECT_EQ(refused(config, name).size(), 1u);
    config = tiny();
    config.array_size = 4;
    const Words reasons = refused(config, name);
    ASSERT_EQ(reasons.size(), 1u);
    EXPECT_NE(reasons[0].find("LUTs, the iCE40HX8K has 7680"), std::string::npos) << reasons[0];
}

TEST(TcuOnBoards, ArtyArchitecture) {
    for (const char* name : kUart)
        EXPECT_EQ(refused(narrow(), name), Words{}) << name;
    for (const char* name : kProcessor)
        EXPECT_EQ(refused({}, name), Words{}) << name;
}

TEST(TcuOnBoards, FourByFour) {
    Config config = narrow();
    config.array_size = 4;
    config.local_depth = 2048;
    config.accumulator_depth = 512;
    config.queue_depth = 256;
    for (const char* name : {"colorlight-i5", "colorlight-i9", "icesugar-pro", "orangecrab-25f"})
        EXPECT_EQ(refused(config, name), Words{}) << name;
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
    config = narrow();
    config.control_port = true;
    EXPECT_EQ(refused(config, "pynq-z1"), Words{});
    EXPECT_EQ(refused(config, "ulx3s-85f"),
              Words{"artya7100t on ulx3s-85f: control-port = true: want false, the host has "
                    "registers of the board"});
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

/// Sums of scripts/area.sh; LUTs with those of LUT RAM.
TEST(TcuOnBoards, NeedsWhatIsMeasured) {
    struct Row {
        std::string name;
        Config config;
        fpga::Resources xilinx, ecp5;
    };
    Config bytes = narrow(), halves, words, small = narrow(), middle, large, pairs;
    bytes.data_type = "FP8BP4";
    halves.data_type = "FP18BP10";
    words.data_type = "FP32BP16";
    halves.axi_data_width = words.axi_data_width = 256;
    middle.array_size = 16;
    middle.axi_data_width = 256;
    middle.dram0_depth = middle.dram1_depth = 2097152;
    middle.local_depth = 20480;
    middle.accumulator_depth = 4096;
    large.array_size = 32;
    large.axi_data_width = 512;
    large.dram0_depth = large.dram1_depth = 2097152;
    large.local_depth = 16384;
    large.accumulator_depth = 4096;
    large.weight_buffers = 2;
    pairs.array_vectors = 2;
    small.array_size = 4;
    small.local_depth = 4096;
    const Row rows[] = {
        {"pynqz1", {}, {10611, 72, 52}, {}},
        {"64-bit bus", narrow(), {}, {18013, 72, 103}},
        {"FP8BP4", bytes, {7840, 72, 32}, {15383, 72, 64}},
        {"FP18BP10", halves, {11276, 72, 54}, {}},
        {"FP32BP16", words, {20414, 288, 91}, {}},
        {"ultra96v2", middle, {22632, 272, 193}, {}},
        {"zcu104", large, {58035, 1056, 311}, {}},
        {"4 x 4", small, {}, {12986, 20, 48}},
        {"two vectors per cycle", pairs, {16485, 136, 53}, {}},
    };
    const auto compare = [](const Row& row, const char* name, const fpga::Resources& want) {
        if (want.luts == 0) return;
        const fpga::Resources found = family().boards->need(design_of(row.config), board(name));
        EXPECT_NEAR(found.luts, want.luts, want.luts / 10.0) << row.name << " on " << name;
        EXPECT_EQ(found.dsps, want.dsps) << row.name << " on " << name;
        EXPECT_EQ(found.brams, want.brams) << row.name << " on " << name;
    };
    for (const Row& row : rows) {
        compare(row, "zcu104", row.xilinx);
        compare(row, "ulx3s-85f", row.ecp5);
    }
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
        for (const emit::OutputFile& file : files.files()) {
            if (file.path == "README.md" && on.baud != 0) {
                EXPECT_NE(file.bytes.find("CONFIGURATION --program FILE\n"), std::string::npos);
            }
        }
    };
    for (const char* name : kUart)
        check(narrow(), name);
    for (const char* name : kProcessor)
        check({}, name);
    check(tiny(), "ice40-hx8k-evn");
}

}  // namespace
}  // namespace macrame::tcu
