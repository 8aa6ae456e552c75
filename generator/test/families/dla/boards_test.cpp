/// What of the family goes onto which board.

#include <gtest/gtest.h>

#include "fpga/project.hpp"
#include "fpga/support.hpp"
#include "support.hpp"

namespace macrame::dla {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kBoards[] = {"ulx3s-85f", "ecp5-evn", "arty-a7-100t", "pynq-z1",
                                   "pynq-z2",   "zedboard", "zybo-z7-20",   "ultra96-v2",
                                   "kv260",     "zcu102",   "zcu104"};

fpga::Board board(const std::string& name) {
    Diags diags;
    for (const fpga::Board& row : fpga::boards(emit::Assets(), diags)) {
        if (row.name == name) return row;
    }
    ADD_FAILURE() << name;
    return {};
}

Words refused(const Config& config, const std::string& name, int mhz = 0) {
    Words out;
    const fpga::Board on = board(name);
    for (const Diag& diag : fpga::refusal(fpga::on_board(design(config), on), on, {mhz}))
        out.push_back(diag.text);
    return out;
}

TEST(OnBoards, NvSmall) {
    for (const char* name : kBoards)
        EXPECT_EQ(refused({}, name), Words{}) << name;
}

Config preset(const std::string& name) {
    Request request;
    request.preset = name;
    Diags diags;
    const Settings settings = resolve(request, emit::Assets(), diags);
    EXPECT_TRUE(diags.empty()) << name;
    return config_of(settings);
}

/// What area.sh counts.
TEST(OnBoards, NeedsAreThoseMeasured) {
    Config smallest;
    smallest.sdp_bs_enable = smallest.sdp_bn_enable = smallest.pdp_enable = smallest.cdp_enable =
        smallest.image_enable = false;
    Config ew;
    ew.sdp_ew_enable = true;
    ew.sdp_ew_throughput = 1;
    struct Row {
        std::string name;
        Config config;
        fpga::Resources xilinx, ecp5;
    };
    const Row rows[] = {
        {"nv_small", {}, {19302, 58, 37}, {39075, 92, 76}},
        {"EW", ew, {20942, 66, 37}, {43170, 100, 76}},
        {"smallest", smallest, {10006, 43, 32}, {19459, 75, 66}},
        {"nv_small_256", preset("nv_small_256"), {30712, 154, 133}, {63810, 284, 268}},
        {"nv_medium_512", preset("nv_medium_512"), {43867, 324, 140}, {}},
    };
    const auto compare = [](const Row& row, const char* name, const fpga::Resources& want) {
        if (want.luts == 0) return;
        const fpga::Resources found = family().boards->need(design(row.config), board(name));
        EXPECT_NEAR(found.luts, want.luts, want.luts / 20.0) << row.name << " on " << name;
        EXPECT_EQ(found.dsps, want.dsps) << row.name << " on " << name;
        EXPECT_EQ(found.brams, want.brams) << row.name << " on " << name;
    };
    for (const Row& row : rows) {
        compare(row, "pynq-z1", row.xilinx);
        compare(row, "ulx3s-85f", row.ecp5);
    }
}

TEST(OnBoards, TooLarge) {
    EXPECT_EQ(
        refused({}, "icebreaker"),
        Words({"nv_small on icebreaker: it has no serial line: want host.baud and pins of the "
               "board",
               "nv_small on icebreaker: needs about 38520 LUTs, the iCE40UP5K has 5280",
               "nv_small on icebreaker: needs about 92 multipliers, the iCE40UP5K has 8",
               "nv_small on icebreaker: needs about 524 block RAMs, the iCE40UP5K has 30"}));
    Config config;
    config.mac_atomic_k_size = config.memory_atomic_size = 32;
    EXPECT_EQ(refused(config, "ulx3s-85f").back(),
              "nv_small on ulx3s-85f: needs about 308 multipliers, the LFE5U-85F has 156");
}

TEST(OnBoards, WhatNoSystemServes) {
    Config config;
    config.primary_memif_width = 128;
    config.clock_gating = true;
    EXPECT_EQ(
        refused(config, "ecp5-evn"),
        Words({"nv_small on ecp5-evn: clock-gating = true: want false, an FPGA gates no clocks",
               "nv_small on ecp5-evn: primary-memif-width = 128: want 64, as the way to its "
               "memory"}));
    config = {};
    config.control_bus = "apb4";
    EXPECT_EQ(refused(config, "ulx3s-85f"),
              Words{"nv_small on ulx3s-85f: control-bus = apb4: want csb, as what is around it has "
                    "it"});
    EXPECT_EQ(refused(config, "pynq-z1"),
              Words{"nv_small on pynq-z1: control-bus = apb4: want axi4-lite, as its processor has "
                    "it"});
    config = {};
    config.memory_bus = "axi4";
    EXPECT_EQ(refused(config, "pynq-z1"),
              Words{"nv_small on pynq-z1: memory-bus = axi4: want axi3, as its processor has it"});
    EXPECT_EQ(refused(config, "zcu104"), Words{});
    config.bus_clock = "own";
    EXPECT_EQ(refused(config, "zcu104"),
              Words{"nv_small on zcu104: bus-clock = own: want core, the board has one clock"});
    config = {};
    config.mem_address_width = 40;
    EXPECT_EQ(refused(config, "zcu104"), Words{});
    for (const std::string name : {"pynq-z1", "ulx3s-85f"})
        EXPECT_EQ(refused(config, name),
                  Words{"nv_small on " + name +
                        ": mem-address-width = 40: want 32, as the way to its memory"});
}

TEST(OnBoards, WidthOfTheMemoryPort) {
    const auto width = [](const Config& config, const char* name) {
        const Design on = fpga::on_board(design(config), board(name));
        return std::any_cast<const Config&>(on.config).memory_bus_width;
    };
    Config config;
    EXPECT_EQ(width(config, "pynq-z1"), 0);
    EXPECT_EQ(width(config, "ulx3s-85f"), 0);
    config.primary_memif_width = 128;
    EXPECT_EQ(width(config, "pynq-z1"), 64);
    EXPECT_EQ(width(config, "zcu104"), 0);
    EXPECT_EQ(width(config, "ulx3s-85f"), 0);
    EXPECT_EQ(refused(config, "pynq-z1"), Words{});
    config.primary_memif_width = 512;
    EXPECT_EQ(width(config, "zcu104"), 128);
    EXPECT_EQ(refused(config, "zcu104"), Words{});
    config.primary_memif_max_burst_length = 4;
    EXPECT_EQ(refused(config, "zcu104"), Words{});
    EXPECT_EQ(
        refused(config, "pynq-z1"),
        Words{"nv_small on pynq-z1: memory-bus-width = 64: want a wider bus or shorter bursts: "
              "AXI3 has 16 beats, here are 32"});
    config = {};
    config.memory_bus = "axi4";
    config.memory_bus_width = 256;
    EXPECT_EQ(refused(config, "zcu104"),
              Words{"nv_small on zcu104: memory-bus-width = 256: want 64 or 128, as the way to its "
                    "memory"});
}

TEST(OnBoards, Clock) {
    EXPECT_EQ(refused({}, "ulx3s-85f", 80), Words{});
    EXPECT_EQ(refused({}, "ulx3s-85f", 77),
              Words{"nv_small on ulx3s-85f: mhz = 77: want a frequency that can be made from 25 "
                    "MHz"});
    EXPECT_EQ(refused({}, "ulx3s-85f", 100),
              Words{"nv_small on ulx3s-85f: mhz = 100: want at most 90, the SDRAM runs at it"});
}

TEST(OnBoards, EveryProjectIsInOrder) {
    for (const char* name : kBoards) {
        Diags diags;
        const fpga::Board on = board(name);
        const emit::OutputSet files =
            fpga::project(fpga::on_board(design(), on), on, {}, emit::Assets(), diags);
        for (const Diag& diag : files.check())
            diags.push_back(diag);
        for (const Diag& diag : diags)
            ADD_FAILURE() << name << ": " << diag.text;
        for (const emit::OutputFile& file : files.files()) {
            if (file.path == "README.md" && on.baud != 0) {
                EXPECT_NE(file.bytes.find("CONFIGURATION --trace FOLDER\n"), std::string::npos);
            }
        }
    }
}

TEST(OnBoards, ConfigurationsAreToldApart) {
    Config other;
    other.cbuf_bank_number = 16;
    EXPECT_NE(fpga::design_id(design()), fpga::design_id(design(other)));
    EXPECT_EQ(fpga::design_id(design()), fpga::design_id(design()));
}

}  // namespace
}  // namespace macrame::dla
