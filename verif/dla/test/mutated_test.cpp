/// Random programs with another value in one register field, and the judgement of their runs.

#include "verif/dla/run/mutated.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "verif/dla/model/device.hpp"
#include "verif/dla/run/platform.hpp"
#include "verif/dla/stimulus/mutation.hpp"

namespace macrame::dla::run {
namespace {

using verif::run::Outcome;
using verif::run::Verdict;

model::Architecture all_units() {
    model::Architecture sizes;
    sizes.pdp = sizes.cdp = sizes.sdp_ew = sizes.sdp_lut = true;
    sizes.bdma = sizes.rubik_contract = sizes.rubik_reshape = sizes.secondary = true;
    return sizes;
}

/// The number of register writes that differ.
std::size_t differences(const trace::Trace& a, const trace::Trace& b) {
    std::size_t out = 0;
    for (std::size_t i = 0; i < a.commands.size(); ++i)
        out +=
            a.commands[i].addr != b.commands[i].addr || a.commands[i].value != b.commands[i].value;
    return out;
}

TEST(Mutation, SameSeedSameProgramAndAnyUnit) {
    std::set<std::string> units;
    for (std::uint64_t seed = 1; seed <= 120; ++seed) {
        const auto one = stimulus::mutated_program(all_units(), "all", seed);
        ASSERT_NE(one.text, "");
        units.insert(one.text.substr(0, one.text.find('.')));
        const auto again = stimulus::mutated_program(all_units(), "all", seed);
        ASSERT_EQ(again.text, one.text);
        ASSERT_EQ(differences(one.program, again.program), 0u);
    }
    EXPECT_EQ(units,
              (std::set<std::string>{"BDMA", "CACC", "CDMA", "CDP", "CDP_RDMA", "CMAC_A", "CMAC_B",
                                     "CSC", "PDP", "PDP_RDMA", "RUBIK", "SDP", "SDP_RDMA"}));
}

TEST(Mutation, OfTheUnitsAskedFor) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        const std::string text = stimulus::mutated_program(all_units(), "PDP,CDP_RDMA", seed).text;
        EXPECT_TRUE(text.rfind("PDP.D_", 0) == 0 || text.rfind("CDP_RDMA.D_", 0) == 0) << text;
        EXPECT_NE(text.find(" is 0x"), text.npos) << text;
        EXPECT_EQ(text.find("D_OP_ENABLE"), text.npos) << text;
    }
    model::Architecture small;
    EXPECT_EQ(stimulus::mutated_program(small, "RUBIK", 1).text, "");
}

/// A platform whose "design" is a golden model of these sizes.
Platform platform(const model::Architecture& design) {
    Platform out = make_platform("test", all_units());
    out.make_rtl = [design](verif::Memory& primary, verif::Memory& secondary,
                            const SimulateOptions&) {
        DeviceUnderTest dut;
        dut.device = std::make_unique<model::Device>(design, primary, &secondary);
        return dut;
    };
    return out;
}

Outcome run(const Platform& on, std::uint64_t seed, const std::string& units = "all") {
    SimulateOptions options;
    options.mutate = units;
    options.verbose = true;
    return run_mutated("seed", options, on, {}, seed);
}

TEST(Mutated, TwoModelsDoTheSame) {
    const Platform same = platform(all_units());
    std::set<std::string> reasons;
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        const Outcome outcome = run(same, seed);
        reasons.insert(outcome.row.reason);
        EXPECT_NE(outcome.row.verdict, Verdict::failed)
            << seed << ": " << outcome.row.failures.front() << " " << outcome.notes.front();
    }
    EXPECT_EQ(reasons.count("same"), 1u);
    EXPECT_EQ(reasons.count("model stops"), 1u);
}

/// A design without a stage that the model has.
TEST(Mutated, ADesignThatDoesSomethingElseFails) {
    model::Architecture other = all_units();
    other.sdp_bn = false;
    const Platform differs = platform(other);
    std::size_t failed = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const Outcome outcome = run(differs, seed, "PDP");
        failed += outcome.row.reason == "different" && !outcome.row.failures.empty();
    }
    EXPECT_GT(failed, 5u);
}

/// Layers that nothing keeps apart have results that no model can know.
TEST(Mutated, ADesignThatDependsOnTimingPasses) {
    Platform slow = platform(all_units());
    slow.make_rtl = [](verif::Memory& primary, verif::Memory& secondary,
                       const SimulateOptions& options) {
        model::Architecture sizes = all_units();
        sizes.sdp_bn = options.latency == 200;
        DeviceUnderTest dut;
        dut.device = std::make_unique<model::Device>(sizes, primary, &secondary);
        return dut;
    };
    std::size_t seen = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const Outcome outcome = run(slow, seed, "PDP");
        EXPECT_NE(outcome.row.verdict, Verdict::failed) << seed;
        seen += outcome.row.reason == "different with other timing, too";
    }
    EXPECT_GT(seen, 5u);
}

/// A design that moves nothing for so many cycles behind a write.
class Quiet : public model::Device {
public:
    Quiet(verif::Memory& primary, verif::Memory& secondary, std::uint64_t cycles)
        : Device(all_units(), primary, &secondary), cycles_(cycles) {}
    void csb_write(std::uint32_t byte_addr, std::uint32_t data, bool posted) override {
        Device::csb_write(byte_addr, data, posted);
        since_write_ = 0;
    }
    void advance(int n) override {
        const auto count = static_cast<std::uint64_t>(n);
        if (since_write_ >= cycles_) return Device::advance(n);
        since_write_ += count;
        quiet_ += count;
    }
    std::uint64_t cycle() override { return Device::cycle() + quiet_; }

private:
    std::uint64_t cycles_, since_write_ = 0, quiet_ = 0;
};

Platform quiet(std::uint64_t cycles) {
    Platform out = platform(all_units());
    out.make_rtl = [cycles](verif::Memory& primary, verif::Memory& secondary,
                            const SimulateOptions&) {
        DeviceUnderTest dut;
        dut.device = std::make_unique<Quiet>(primary, secondary, cycles);
        return dut;
    };
    return out;
}

/// It computes, where one that waits for ever moves nothing either.
TEST(Mutated, ADesignThatIsQuietForLongGoesOn) {
    const Platform slow = quiet(30'000), stuck = quiet(~std::uint64_t{0});
    std::size_t same = 0, failed = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const Outcome outcome = run(slow, seed);
        EXPECT_NE(outcome.row.verdict, Verdict::failed)
            << seed << ": " << outcome.row.failures.front();
        same += outcome.row.reason == "same";
        failed += run(stuck, seed).row.reason == "different";
    }
    EXPECT_GT(same, 0u);
    EXPECT_GT(failed, 0u);
}

/// What the layer checker says nothing of must not stop the model.
TEST(Mutated, AStopWithoutARuleFails) {
    Platform silent = platform(all_units());
    silent.check_rules = [](const trace::Trace&) { return std::vector<BrokenRule>(); };
    std::size_t failed = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const Outcome outcome = run(silent, seed, "PDP,PDP_RDMA");
        failed += outcome.row.verdict == Verdict::failed && outcome.row.reason == "model stops";
    }
    EXPECT_GT(failed, 3u);
}

TEST(Mutated, UnitsThatAreNotThereAreSkipped) {
    Platform small = make_platform("test", model::Architecture());
    EXPECT_EQ(run(small, 1, "RUBIK").row.verdict, Verdict::skipped);
}

}  // namespace
}  // namespace macrame::dla::run
