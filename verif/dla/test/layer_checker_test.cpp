/// Layer checker on whole programs: how layers are put together, what one leaves for the next, and
/// programs that must be legal.

#include "verif/dla/model/layer_checker.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "verif/dla/run/platform.hpp"
#include "verif/dla/run/simulate.hpp"
#include "verif/dla/stimulus/random_layers.hpp"
#include "verif/dla/test/layer_cases.hpp"
#include "verif/dla/test/layer_cases_movers.hpp"
#include "verif/dla/test/published_sizes.hpp"
#include "verif/dla/trace/cfg_reader.hpp"
#include "verif/dla/trace/dla_registers.hpp"
#include "verif/dla/trace/txn_reader.hpp"

namespace macrame {
namespace {

namespace fs = std::filesystem;
using dla::layer_cases::full_sizes;
using dla::model::Architecture;
using dla::model::Finding;
using dla::model::KeptInBuffer;
using dla::model::LayerFollower;
using dla::model::LayerRegisters;
using dla::model::Level;
using dla::published::Config;
using dla::published::configs;

using Names = std::vector<std::string>;

/// Rules that are broken; hints about the original hardware have a test of their own.
Names rules_of(const std::vector<Finding>& findings) {
    Names out;
    for (const Finding& f : findings) {
        if (f.level != Level::info) out.push_back(f.rule);
    }
    return out;
}

/// Writes all registers of a unit of `layer` into a group and enables it; the rules found broken.
Names enable(LayerFollower& follower, const LayerRegisters& layer, const std::string& name,
             std::uint32_t group = 0) {
    const dla_regs::RegisterTable table = dla_regs::table();
    const auto address = [&](const char* reg) { return table.find(name + "." + reg)->address; };
    EXPECT_TRUE(follower.write(address("S_POINTER"), group).empty());
    for (std::size_t i = 0; i < table.register_count; ++i) {
        const dla_regs::RegisterInfo& r = table.registers[i];
        if (r.unit != name || r.name == "S_POINTER" || r.name == "D_OP_ENABLE") continue;
        EXPECT_TRUE(follower.write(r.address, layer.word(r.address)).empty());
    }
    return rules_of(follower.write(address("D_OP_ENABLE"), 1));
}

/// All units of a convolution, CDMA last; the rules that it breaks.
Names run_conv(LayerFollower& follower, const LayerRegisters& layer, std::uint32_t group = 0) {
    for (const char* name : {"SDP_RDMA", "SDP", "CACC", "CMAC_A", "CMAC_B", "CSC"})
        EXPECT_EQ(enable(follower, layer, name, group), Names{}) << name;
    return enable(follower, layer, "CDMA", group);
}

LayerRegisters changed(LayerRegisters layer, const dla::layer_cases::Values& values) {
    dla::layer_cases::set(layer, values);
    return layer;
}

constexpr std::uint32_t kDataReuse = 0x10000, kSkipDataRelease = 0x1000000;

LayerRegisters with_flags(const LayerRegisters& layer, std::uint32_t flags) {
    return changed(layer, {{"CDMA.D_MISC_CFG", flags}, {"CSC.D_MISC_CFG", flags}});
}

TEST(LayerFollower, ChecksALayerWhenItsLastUnitIsEnabled) {
    LayerFollower follower(full_sizes());
    EXPECT_EQ(run_conv(follower, dla::layer_cases::conv_layer()), Names{});
    const LayerRegisters bad = changed(dla::layer_cases::conv_layer(), {{"CSC.D_ATOMICS", 7}});
    EXPECT_EQ(run_conv(follower, bad, 1), Names{"atomics"});
    EXPECT_EQ(follower.layers(), 2);
    EXPECT_TRUE(follower.finish().empty());
}

TEST(LayerFollower, KeepsTheGroupsApart) {
    LayerFollower follower(full_sizes());
    const LayerRegisters good = dla::layer_cases::pdp_layer();
    const LayerRegisters bad = changed(good, {{"PDP.D_DST_RAM_CFG", 0}});
    EXPECT_EQ(enable(follower, good, "PDP", 0), Names{});
    EXPECT_EQ(enable(follower, bad, "PDP", 1), Names{});
    EXPECT_EQ(enable(follower, good, "PDP_RDMA", 0), Names{});
    EXPECT_EQ(enable(follower, good, "PDP_RDMA", 1), Names{"memory-port"});
}

TEST(LayerFollower, UnitsBehindEachOtherAreOneLayer) {
    LayerFollower follower(full_sizes());
    const LayerRegisters layer = dla::layer_cases::sdp_pdp_layer();
    EXPECT_EQ(enable(follower, layer, "PDP"), Names{});
    EXPECT_EQ(enable(follower, layer, "SDP"), Names{});
    EXPECT_EQ(follower.layers(), 0);
    EXPECT_EQ(enable(follower, layer, "SDP_RDMA"), Names{});
    EXPECT_EQ(follower.layers(), 1);
}

TEST(LayerFollower, ChecksALayerOfRubikAtItsEnable) {
    LayerFollower follower(full_sizes());
    const LayerRegisters good = dla::layer_cases::contract_layer();
    EXPECT_EQ(enable(follower, good, "RUBIK", 0), Names{});
    const LayerRegisters bad = changed(good, {{"RUBIK.D_DATAIN_SIZE_1", 3}});
    EXPECT_EQ(enable(follower, bad, "RUBIK", 1), Names{"channels"});
    EXPECT_TRUE(follower.finish().empty());
}

TEST(LayerFollower, FollowsTheQueueOfBdma) {
    namespace r = dla_regs::bdma;
    dla::model::Architecture sizes = full_sizes();
    sizes.secondary = true;
    LayerFollower follower(sizes);
    const auto write = [&](const auto& reg) {
        Names names;
        for (const Finding& f : follower.write(reg.kAddress, reg.raw))
            names.push_back(f.rule);
        return names;
    };
    EXPECT_EQ(write(r::CFG_LAUNCH0(0)), Names{});
    EXPECT_EQ(write(r::CFG_LAUNCH0(1)), Names{"empty-launch"});
    EXPECT_EQ(write(r::CFG_CMD(3)), Names{});
    for (int i = 0; i < 20; ++i)
        EXPECT_EQ(write(r::CFG_OP(1)), Names{}) << i;
    EXPECT_EQ(write(r::CFG_OP(0)), Names{});
    EXPECT_EQ(write(r::CFG_OP(1)), Names{"full-queue"});
    EXPECT_EQ(write(r::CFG_LAUNCH1(1)), Names{});
    EXPECT_EQ(write(r::CFG_LAUNCH0(1)), Names{"empty-launch"});
    EXPECT_EQ(write(r::CFG_OP(1)), Names{});
    EXPECT_EQ(write(r::CFG_CMD(2)), Names{});  // another source
    EXPECT_EQ(write(r::CFG_OP(1)), Names{});
    EXPECT_EQ(write(r::CFG_CMD(1)), Names{});
    EXPECT_EQ(write(r::CFG_OP(1)), Names{"one-port"});
    EXPECT_EQ(write(r::CFG_LINE_REPEAT(1)), Names{});
    EXPECT_EQ(write(r::CFG_LAUNCH0(1)), Names{});
    EXPECT_EQ(write(r::CFG_OP(1)), Names{"line-stride"});
}

TEST(LayerFollower, UnitsWithoutPartnersAreTold) {
    LayerFollower follower(full_sizes());
    EXPECT_EQ(enable(follower, dla::layer_cases::cdp_layer(), "CDP"), Names{});
    const std::vector<Finding> found = follower.finish();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].text(),
              "incomplete: CDP.D_OP_ENABLE = 0x1: want all units of the layer enabled: it never "
              "starts  (NVDLA enable order)");
}

TEST(LayerFollower, ALateUnitIsToldAndTheLayerBeginsWithIt) {
    const LayerRegisters layer = dla::layer_cases::conv_layer();
    for (const char* late : {"CMAC_A", "CMAC_B", "CACC"}) {
        LayerFollower follower(full_sizes());
        for (const char* name : {"SDP_RDMA", "SDP", "CACC", "CMAC_A", "CMAC_B", "CSC", "CDMA"}) {
            if (name == std::string(late)) continue;
            EXPECT_EQ(enable(follower, layer, name), Names{}) << name;
        }
        EXPECT_EQ(follower.layers(), 0);
        EXPECT_EQ(enable(follower, layer, late), Names{"enable-order"});
        EXPECT_EQ(follower.layers(), 1);
        EXPECT_TRUE(follower.finish().empty());
    }
    // CDMA may come before CSC: it only brings the input.
    LayerFollower follower(full_sizes());
    for (const char* name : {"CDMA", "CACC", "CMAC_A", "CMAC_B", "SDP", "SDP_RDMA", "CSC"})
        EXPECT_EQ(enable(follower, layer, name), Names{}) << name;
    EXPECT_EQ(follower.layers(), 1);
}

TEST(LayerFollower, AUnitEnabledTooOftenIsLeftBehind) {
    LayerFollower follower(full_sizes());
    const LayerRegisters layer = dla::layer_cases::conv_layer();
    EXPECT_EQ(run_conv(follower, layer), Names{});
    EXPECT_EQ(enable(follower, layer, "CMAC_B", 1), Names{});
    const std::vector<Finding> found = follower.finish();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].text(),
              "incomplete: CMAC_B.D_OP_ENABLE = 0x1: want all units of the layer enabled: it never "
              "starts  (NVDLA enable order)");
}

TEST(LayerFollower, AReadDmaWithNothingToReadIsTold) {
    LayerFollower follower(full_sizes());
    const LayerRegisters layer =
        changed(dla::layer_cases::conv_layer(), {{"SDP_RDMA.D_BRDMA_CFG", 0x23}});
    EXPECT_EQ(enable(follower, layer, "SDP_RDMA"), Names{"idle-rdma"});
    EXPECT_TRUE(follower.finish().empty());
}

TEST(LayerFollower, ReservedBitsAreNotStored) {
    LayerFollower follower(full_sizes());
    const LayerRegisters layer =
        changed(dla::layer_cases::conv_layer(), {{"CSC.D_BANK", 0xFFE0FFE0}});
    EXPECT_EQ(run_conv(follower, layer), Names{});
}

TEST(LayerFollower, LinesKeptCountForTheNextLayer) {
    const LayerRegisters first =
        changed(dla::layer_cases::conv_layer(), {{"CSC.D_RELEASE", 2}});  // two of five lines stay
    const LayerRegisters again = with_flags(
        changed(first, {{"CDMA.D_DATAIN_SIZE_0", 0x20005}, {"CDMA.D_DAIN_MAP", 1}}), kDataReuse);
    LayerFollower follower(full_sizes());
    EXPECT_EQ(run_conv(follower, first), Names{});
    EXPECT_EQ(run_conv(follower, again, 1), Names{});
    EXPECT_EQ(run_conv(follower, with_flags(first, kDataReuse)), Names{"input-height"});
}

TEST(LayerFollower, AllLinesKeptAreNotFetched) {
    const LayerRegisters first = with_flags(dla::layer_cases::conv_layer(), kSkipDataRelease);
    const LayerRegisters again = changed(with_flags(dla::layer_cases::conv_layer(), kDataReuse),
                                         {{"CDMA.D_DATAIN_SIZE_0", 5},    // any height
                                          {"CDMA.D_DAIN_ADDR_LOW_0", 1},  // any address
                                          {"CDMA.D_LINE_STRIDE", 0},
                                          {"CDMA.D_DAIN_RAM_TYPE", 0}});
    LayerFollower follower(full_sizes());
    EXPECT_EQ(run_conv(follower, first), Names{});
    EXPECT_EQ(run_conv(follower, again, 1), Names{});
    // Now nothing is kept: the same registers fetch.
    EXPECT_NE(run_conv(follower, again), Names{});
}

TEST(LayerFollower, AChangeOfModeOrBanksDropsTheLines) {
    const LayerRegisters pixels = with_flags(dla::layer_cases::image_layer(), kSkipDataRelease);
    const LayerRegisters cube = with_flags(dla::layer_cases::conv_layer(), kDataReuse);
    LayerFollower follower(full_sizes());
    EXPECT_EQ(run_conv(follower, pixels), Names{});
    EXPECT_EQ(run_conv(follower, cube, 1), Names{"data-reuse"});  // only a warning: it fetches all
    const LayerRegisters kept = with_flags(dla::layer_cases::conv_layer(), kSkipDataRelease);
    EXPECT_EQ(run_conv(follower, kept), Names{});
    const LayerRegisters moved = changed(cube, {{"CDMA.D_BANK", 1}, {"CSC.D_BANK", 1}});
    EXPECT_EQ(run_conv(follower, moved, 1), Names{"data-reuse"});
}

// ---- programs

/// All findings of a program that are not warnings.
Names errors(const Architecture& sizes, const dla::trace::Trace& program) {
    LayerFollower follower(sizes);
    Names out;
    const auto take = [&](const std::vector<Finding>& findings) {
        for (const Finding& f : findings) {
            if (f.level == Level::error) out.push_back(f.text());
        }
    };
    for (const dla::trace::Command& c : program.commands) {
        if (c.op == dla::trace::Op::write) take(follower.write(c.addr, c.value));
    }
    take(follower.finish());
    return out;
}

TEST(LayerChecker, RandomProgramsAreLegal) {
    std::vector<Config> all = configs();
    all.push_back({"small buffer", {8, 8, 8, 8, 8, 128, 32}});
    all.push_back({"EW without table", all[0].sizes});
    all.back().sizes.sdp_ew = true;
    all.push_back({"no image, BS, BN, CDP", all[0].sizes});
    all.back().sizes.image = all.back().sizes.sdp_bs = all.back().sizes.sdp_bn = false;
    all.back().sizes.cdp = false;
    for (const Config& config : all) {
        for (std::uint64_t seed = 1; seed <= 100; ++seed) {
            EXPECT_EQ(errors(config.sizes, dla::stimulus::random_program(config.sizes, seed)),
                      Names{})
                << config.name << ", seed " << seed;
        }
    }
}

TEST(LayerChecker, RandomProgramsOfOtherTypesAndModesAreLegal) {
    for (const Config& config : dla::published::types16_configs()) {
        for (std::uint64_t seed = 1; seed <= 300; ++seed) {
            ASSERT_EQ(errors(config.sizes, dla::stimulus::random_program(config.sizes, seed)),
                      Names{})
                << config.name << ", seed " << seed;
        }
    }
}

/// The layer begins with its last unit, in the design and in the model: programs with late ones are
/// what compares the two.
TEST(LayerChecker, SomeRandomProgramsEnableTheirUnitsInAnyOrder) {
    const Config config = configs().front();
    const auto platform = dla::run::make_platform(config.name, config.sizes);
    int late = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        for (const dla::run::BrokenRule& rule :
             platform.check_rules(platform.random_program(seed, false))) {
            late += rule.text.rfind("enable-order: ", 0) == 0 ? 1 : 0;
        }
    }
    EXPECT_GE(late, 5);
}

/// What a configuration has not is refused: random programs of nv_large on nv_small, but for those
/// that happen to use nothing of it.
TEST(LayerChecker, ProgramsOfALargerConfigurationAreRefused) {
    const std::vector<Config> all = configs();
    int refused = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const dla::trace::Trace program = dla::stimulus::random_program(all.back().sizes, seed);
        refused += errors(all.front().sizes, program).empty() ? 0 : 1;
    }
    EXPECT_GE(refused, 18);
}

/// Traces in the folders of configurations without EW that use it.
bool needs_ew(const fs::path& path) {
    const std::string name = path.stem().string();
    return name.rfind("sdp_3x3x3", 0) == 0 && name.find("_ew_") != std::string::npos;
}

/// Writes every register of absent units on purpose.
bool enables_absent_units(const fs::path& path) { return path.stem() == "reg_absent_units"; }

TEST(LayerChecker, PublishedTracesAreLegal) {
    const char* path = std::getenv("MACRAME_CONFORMANCE");
    if (path == nullptr) GTEST_SKIP() << "SKIPPED: MACRAME_CONFORMANCE is not set";
    const dla::trace::RegisterTable registers = dla::trace::dla_registers();
    std::vector<Config> all = configs();
    all.push_back({"oracle/nv_small", all[0].sizes});
    for (const Config& config : all) {
        const fs::path folder = fs::path(path) / config.name;
        if (!fs::is_directory(folder)) continue;
        int played = 0;
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            if (entry.path().extension() != ".cfg") continue;
            const auto read = dla::trace::read_cfg(entry.path().string(), registers);
            ASSERT_TRUE(read.ok()) << entry.path();
            ++played;
            if (needs_ew(entry.path()) && !config.sizes.sdp_ew) {
                EXPECT_NE(errors(config.sizes, read.program), Names{}) << entry.path();
                Architecture sizes = config.sizes;
                sizes.sdp_ew = sizes.sdp_lut = true;
                EXPECT_EQ(errors(sizes, read.program), Names{}) << entry.path();
            } else if (enables_absent_units(entry.path())) {
                const Names found = errors(config.sizes, read.program);
                EXPECT_NE(found, Names{}) << entry.path();
                for (const std::string& name : found)
                    EXPECT_NE(name.find("RUBIK"), name.npos) << name;
            } else {
                EXPECT_EQ(errors(config.sizes, read.program), Names{}) << entry.path();
            }
        }
        EXPECT_GT(played, 0) << folder;
    }
}

/// The same for the map and the sizes of the first design: recorded traces and whole programs.
TEST(LayerChecker, ProgramsOfTheFullDesignAreLegal) {
    const char* path = std::getenv("MACRAME_CONFORMANCE");
    if (path == nullptr) GTEST_SKIP() << "SKIPPED: MACRAME_CONFORMANCE is not set";
    const dla::trace::RegisterTable registers = dla::trace::dla_registers("v1");
    int played = 0;
    for (const fs::path& folder :
         {fs::path(path) / "nv_full_v1", fs::path(path) / "oracle" / "v1" / "layers"}) {
        if (!fs::is_directory(folder)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            const std::string file = entry.path().string();
            const bool txn = entry.path().extension() == ".txn";
            if (!txn && entry.path().extension() != ".cfg") continue;
            const auto read = (txn ? dla::trace::read_txn : dla::trace::read_cfg)(file, registers);
            ASSERT_TRUE(read.ok()) << file << ": " << read.errors.front();
            ++played;
            EXPECT_EQ(errors(dla::published::nv_full(), dla::trace::in_map(read.program, "v1", "")),
                      Names{})
                << entry.path();
        }
    }
    EXPECT_GT(played, 0);
}

/// What a published driver writes for published and compiled networks.
TEST(LayerChecker, ProgramsOfAPublishedDriverAreLegal) {
    const char* path = std::getenv("MACRAME_CONFORMANCE");
    const fs::path folder = path != nullptr ? fs::path(path) / "loadables" : fs::path();
    if (!fs::is_directory(folder)) GTEST_SKIP() << "SKIPPED: no loadables in MACRAME_CONFORMANCE";
    int played = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string file = entry.path().string(), name = entry.path().stem().string();
        if (entry.path().extension() != ".cfg") continue;
        const bool small = name.find("small") != name.npos, large = name.find("large") != name.npos;
        const std::string_view map = small || large ? "" : "v1";
        const auto read = dla::trace::read_cfg(file, dla::trace::dla_registers(map));
        ASSERT_TRUE(read.ok()) << file << ": " << read.errors.front();
        const Architecture sizes = small   ? configs().front().sizes
                                   : large ? configs().back().sizes
                                           : dla::published::nv_full();
        EXPECT_EQ(errors(sizes, dla::trace::in_map(read.program, map, "")), Names{}) << file;
        ++played;
    }
    EXPECT_GT(played, 0);
}

// ---- the trace player

/// A trace file of a CDP layer with another value in a register.
std::string broken_trace(const std::string& name, std::uint32_t value) {
    const LayerRegisters layer = changed(dla::layer_cases::cdp_layer(), {{name, value}});
    const dla_regs::RegisterTable table = dla_regs::table();
    const std::string path = testing::TempDir() + "layer_checker.cfg";
    std::ofstream out(path);
    for (std::size_t i = 0; i < table.register_count; ++i) {
        const dla_regs::RegisterInfo& r = table.registers[i];
        const bool other = r.name == "S_POINTER" || r.name == "D_OP_ENABLE";
        if (!layer.has(r.unit) || other || layer.word(r.address) == r.reset) continue;
        out << "reg_write(NVDLA_" << r.unit << "." << r.name << "_0, " << layer.word(r.address)
            << ");\n";
    }
    out << "reg_write(NVDLA_CDP.D_OP_ENABLE_0, 1);\nreg_write(NVDLA_CDP_RDMA.D_OP_ENABLE_0, 1);\n"
        << "intr_notify(CDP_0, sync_id_0);\ncheck_nothing(sync_id_0);\n";
    return path;
}

/// Plays it on the golden model; returns what is printed. Without a name it looks into its table
/// with a select beyond the documented range.
std::string play_broken(bool strict, bool verbose, int& status,
                        const std::string& name = "CDP.S_LUT_INFO", std::uint32_t value = 0x1000) {
    dla::run::SimulateOptions options;
    options.traces = {broken_trace(name, value)};
    options.subject = dla::run::Subject::model;
    options.strict = strict;
    options.verbose = verbose;
    Architecture sizes;
    sizes.pdp = sizes.cdp = sizes.sdp_ew = sizes.sdp_lut = true;
    testing::internal::CaptureStdout();
    status = dla::run::simulate(options, dla::run::make_platform("test", sizes));
    return testing::internal::GetCapturedStdout();
}

TEST(LayerChecker, ThePlayerPrintsBrokenRulesAndRuns) {
    int status = -1;
    const std::string text = play_broken(false, false, status);
    EXPECT_EQ(status, 0) << text;
    EXPECT_NE(text.find("layer checker: errors 1, warnings 1 (--verbose shows them)\n"
                        "    error lut-le-select: CDP.S_LUT_INFO = 0x1000: want LE_INDEX_SELECT in "
                        "-6..15  (NVDLA limits)\n"),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find("lut-le-end"), std::string::npos) << text;
    EXPECT_NE(text.find("1 passed, 0 failed"), std::string::npos) << text;
    EXPECT_NE(play_broken(false, true, status).find("    warning lut-le-end: "), std::string::npos);
}

/// Hardware would cut the address: the place of the write is told.
TEST(LayerChecker, ALayerBeyondTheAddressesDoesNotRun) {
    int status = -1;
    const std::string text = play_broken(false, false, status, "CDP.D_DST_BASE_ADDR_HIGH", 1);
    EXPECT_NE(status, 0) << text;
    EXPECT_NE(text.find("layer_checker.cfg:"), std::string::npos) << text;
    EXPECT_NE(text.find(": address-width: CDP.D_DST_BASE_ADDR_HIGH = 0x1: want an address of 32 "
                        "bits  (NVDLA memory formats)\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("FAIL: not run"), std::string::npos) << text;
}

TEST(LayerChecker, StrictRefusesToRunWhatBreaksARule) {
    int status = -1;
    const std::string text = play_broken(true, false, status);
    EXPECT_NE(status, 0) << text;
    EXPECT_NE(text.find("error lut-le-select"), std::string::npos) << text;
    EXPECT_NE(text.find("FAIL: not run"), std::string::npos) << text;
    EXPECT_NE(text.find("0 passed, 1 failed"), std::string::npos) << text;
}

}  // namespace
}  // namespace macrame
