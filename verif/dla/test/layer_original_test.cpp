/// Programs that the original hardware fails: what the layer checker says of them, that the golden
/// model runs them, and random programs without any.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "verif/common/run/console.hpp"
#include "verif/common/text.hpp"
#include "verif/dla/model/device.hpp"
#include "verif/dla/run/platform.hpp"
#include "verif/dla/stimulus/coverage.hpp"
#include "verif/dla/stimulus/random_layers.hpp"
#include "verif/dla/test/layer_cases.hpp"
#include "verif/dla/test/published_sizes.hpp"
#include "verif/dla/trace/cfg_reader.hpp"
#include "verif/dla/trace/dla_registers.hpp"
#include "verif/dla/trace/player.hpp"

namespace macrame {
namespace {

namespace fs = std::filesystem;
namespace sdp = dla_regs::sdp;
using dla::model::Architecture;
using dla::model::Finding;
using dla::model::LayerFollower;

using Names = std::set<std::string>;

// ---- reads

/// Rules that reads of these registers break.
Names rules_of_reads(LayerFollower& follower, const std::vector<std::uint32_t>& addresses) {
    Names out;
    for (const std::uint32_t address : addresses) {
        for (const Finding& f : follower.read(address)) {
            EXPECT_EQ(f.level, dla::model::Level::info);
            out.insert(f.rule);
        }
    }
    return out;
}

TEST(OriginalHardware, ATableIsNotReadDirectlyBehindItsAddress) {
    constexpr auto kCfg = dla_regs::cdp::S_LUT_ACCESS_CFG::kAddress;
    constexpr auto kData = dla_regs::cdp::S_LUT_ACCESS_DATA::kAddress;
    constexpr auto kStatus = dla_regs::cdp::S_STATUS::kAddress;
    const Names hint = {"original-table-read"};
    LayerFollower follower(dla::layer_cases::full_sizes());
    follower.write(kCfg, 5);
    EXPECT_EQ(rules_of_reads(follower, {kData}), hint);
    EXPECT_EQ(rules_of_reads(follower, {kData}), Names{}) << "the second read is right";
    follower.write(kCfg, 5);
    EXPECT_EQ(rules_of_reads(follower, {kStatus, kData}), Names{});
    follower.write(kCfg, 5, false);
    EXPECT_EQ(rules_of_reads(follower, {kData}), Names{}) << "the write was not posted";
    follower.write(sdp::S_LUT_ACCESS_CFG::kAddress, 5);
    EXPECT_EQ(rules_of_reads(follower, {kData}), Names{}) << "another unit";
    follower.write(sdp::S_LUT_ACCESS_CFG::kAddress, 5);
    EXPECT_EQ(rules_of_reads(follower, {sdp::S_LUT_ACCESS_DATA::kAddress}), hint);
    Architecture small;
    LayerFollower without(small);
    without.write(sdp::S_LUT_ACCESS_CFG::kAddress, 5);
    EXPECT_EQ(rules_of_reads(without, {sdp::S_LUT_ACCESS_DATA::kAddress}), Names{}) << "no table";
}

/// An SDP layer from memory to memory in a group.
void run_sdp(LayerFollower& follower, std::uint32_t group, bool counts) {
    namespace rdma = dla_regs::sdp_rdma;
    follower.write(rdma::S_POINTER::kAddress, group);
    follower.write(rdma::D_FEATURE_MODE_CFG::kAddress, 0);
    follower.write(rdma::D_OP_ENABLE::kAddress, 1);
    follower.write(sdp::S_POINTER::kAddress, group);
    follower.write(sdp::D_PERF_ENABLE::kAddress, sdp::D_PERF_ENABLE(0).PERF_SAT_EN(counts).raw);
    follower.write(sdp::D_OP_ENABLE::kAddress, 1);
}

TEST(OriginalHardware, ALayerThatDoesNotCountReadsAnOldCount) {
    constexpr auto kCount = sdp::D_PERF_OUT_SATURATION::kAddress;
    LayerFollower follower(dla::layer_cases::full_sizes());
    run_sdp(follower, 0, false);
    EXPECT_EQ(rules_of_reads(follower, {kCount}), Names{}) << "nobody has counted";
    run_sdp(follower, 1, true);
    EXPECT_EQ(rules_of_reads(follower, {kCount}), Names{});
    run_sdp(follower, 0, false);
    EXPECT_EQ(rules_of_reads(follower, {kCount}), Names{"original-saturation"});
    follower.write(sdp::S_POINTER::kAddress, 1);
    EXPECT_EQ(rules_of_reads(follower, {kCount}), Names{})
        << "the layer of the other group counted";
    EXPECT_EQ(follower.layers(), 3);
}

// ---- programs

/// Names of the rules about the original hardware that a program meets; nothing else may be found.
Names hints(const Architecture& sizes, const dla::trace::Trace& program) {
    Names out;
    for (const dla::run::BrokenRule& rule :
         dla::run::make_platform("test", sizes).check_rules(program)) {
        EXPECT_TRUE(rule.info || rule.warning) << rule.text;
        if (rule.info) out.insert(rule.text.substr(0, rule.text.find(':')));
    }
    return out;
}

Architecture nv_small() { return dla::published::configs().front().sizes; }

/// The program of a file of the conformance folder; without commands if that is not there.
dla::trace::Trace original_fails(const std::string& name) {
    const char* path = std::getenv("MACRAME_CONFORMANCE");
    const fs::path file =
        fs::path(path == nullptr ? "" : path) / "original_fails" / (name + ".cfg");
    if (!fs::is_regular_file(file)) return {};
    const auto read = dla::trace::read_cfg(file.string(), dla::trace::dla_registers());
    EXPECT_TRUE(read.ok()) << file;
    return read.program;
}

#define NEEDS(program)                                                              \
    if ((program).commands.empty()) {                                               \
        GTEST_SKIP() << "SKIPPED: MACRAME_CONFORMANCE does not name such a folder"; \
    }

TEST(OriginalHardware, EveryProgramThatItFailsHasItsHint) {
    const struct {
        const char* name;
        Names hints;
    } programs[] = {
        {"a_weight_tail", {"original-weight-tail"}},
        {"a2_tail_leak_40_layers", {"original-idle-release", "original-lost-weights"}},
        {"b_gated_release", {"original-idle-release"}},
        {"b2_kept_then_moved", {"original-lost-weights", "original-moved-weights"}},
        {"b2_control_no_reuse", {}},
        {"c_lut_readback", {"original-table-read"}},
        {"d_mcif_weight_0", {"original-port-weight"}},
        {"s_saturation_stale", {"original-saturation"}},
    };
    for (const auto& p : programs) {
        const dla::trace::Trace program = original_fails(p.name);
        NEEDS(program);
        EXPECT_EQ(hints(nv_small(), program), p.hints) << p.name;
    }
}

/// Plays a program on the golden model; what its register reads return.
std::vector<std::uint32_t> play(const dla::trace::Trace& program, verif::Memory& memory) {
    verif::Memory other("sec_mem");
    dla::model::Device device(nv_small(), memory, &other);
    const dla::trace::PlayResult result = dla::trace::play(program, device, memory, other);
    EXPECT_TRUE(result.passed) << program.name;
    std::vector<std::uint32_t> out;
    for (const dla::trace::RegisterRead& read : result.reads)
        out.push_back(read.value);
    return out;
}

TEST(OriginalHardware, TheModelReadsTheRightTableEntries) {
    const dla::trace::Trace program = original_fails("c_lut_readback");
    NEEDS(program);
    verif::Memory memory("pri_mem");
    EXPECT_EQ(play(program, memory), (std::vector<std::uint32_t>{0x105, 0x106, 0x107, 0x111, 0x112,
                                                                 0x113, 0x128, 0x129, 0x12a}));
}

TEST(OriginalHardware, TheModelCountsSaturationPerLayer) {
    const dla::trace::Trace program = original_fails("s_saturation_stale");
    NEEDS(program);
    verif::Memory memory("pri_mem");
    const std::vector<std::uint32_t> reads = play(program, memory);
    EXPECT_EQ(reads, (std::vector<std::uint32_t>{8, 0}));
}

/// All data and weights are 1: a result is the number of products, at most 127.
TEST(OriginalHardware, TheModelComputesWithTheWeightsOfEachLayer) {
    const struct {
        const char* name;
        std::uint8_t result;
    } programs[] = {{"a_weight_tail", 8},
                    {"a2_tail_leak_40_layers", 8},
                    {"b_gated_release", 127},
                    {"b2_kept_then_moved", 127},
                    {"b2_control_no_reuse", 127}};
    for (const auto& p : programs) {
        const dla::trace::Trace program = original_fails(p.name);
        NEEDS(program);
        verif::Memory memory("pri_mem");
        play(program, memory);
        EXPECT_EQ(memory.peek(0xa0000000), p.result) << p.name;
        EXPECT_EQ(memory.peek(0xa0001000), p.result) << p.name;
    }
}

// ---- random programs

TEST(OriginalHardware, SafeRandomProgramsHaveNoHint) {
    constexpr std::uint64_t kPrograms = LONG_TESTS ? 300 : 40;
    for (const dla::published::Config& config : dla::published::configs()) {
        const auto platform = dla::run::make_platform(config.name, config.sizes);
        dla::stimulus::Coverage coverage(config.sizes), usual(config.sizes);
        int failing = 0;
        for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) {
            const dla::trace::Trace program = platform.random_program(seed, true);
            EXPECT_EQ(hints(config.sizes, program), Names{}) << config.name << ", seed " << seed;
            coverage.play(program);
            const dla::trace::Trace other = platform.random_program(seed, false);
            failing += hints(config.sizes, other).empty() ? 0 : 1;
            usual.play(other);
        }
        // The others have something to avoid, and not much of the machine is avoided with it.
        EXPECT_GT(failing, static_cast<int>(kPrograms) / 4) << config.name;
        const auto hit = [](const dla::stimulus::Coverage& c) {
            return c.bins().all().size() - c.bins().holes().size();
        };
        verif::run::print(std::string(config.name) + ": safe programs hit " +
                          coverage.bins().summary() + ", others " + usual.bins().summary() + "; " +
                          verif::text::shortest(failing) + " of " +
                          verif::text::shortest(kPrograms) + " others have a hint\n");
        EXPECT_GT(hit(coverage) * 100, hit(usual) * 95) << config.name;
    }
}

}  // namespace
}  // namespace macrame
