/// One estimator for many configurations.

#include "explore/estimator.hpp"

#include <gtest/gtest.h>

#include "core/settings.hpp"
#include "explore/points.hpp"
#include "test/source_dir.hpp"

namespace macrame::explore {
namespace {

const std::string kDigits = source_dir() + "/compiler/examples/digits/digits.tflite";

std::vector<NetworkFile> digits(const std::string& family = "dla") {
    std::vector<std::string> errors;
    std::vector<NetworkFile> out =
        read_networks({kDigits}, *find_family(all_families(), family)->target, errors);
    EXPECT_TRUE(errors.empty());
    return out;
}

Design configured(const std::vector<std::pair<std::string, std::string>>& values) {
    Settings settings(*find_family(all_families(), "dla"));
    Diags diags;
    for (const auto& [key, value] : values)
        apply_setting(settings, key, value, {Origin::Level::kFlag, "test"}, diags);
    apply_derived_defaults(settings);
    EXPECT_TRUE(diags.empty() && check(settings).empty());
    return settings.design;
}

/// What it keeps of other configurations changes nothing.
TEST(Estimator, RemembersWithoutAnyDifference) {
    const std::vector<NetworkFile> networks = digits();
    const std::vector<Design> designs = {
        configured({}), configured({{"sdp_ew_enable", "true"}, {"sdp_ew_throughput", "1"}}),
        configured({{"mac_atomic_c_size", "16"}, {"mac_atomic_k_size", "16"}}), configured({})};
    Estimator old(networks);
    for (const Design& design : designs) {
        const NetworkCost with = old.estimate(design, 0);
        const NetworkCost without = Estimator(networks).estimate(design, 0);
        ASSERT_TRUE(with.errors.empty());
        EXPECT_GT(with.cycles, 1000U);
        EXPECT_EQ(with.cycles, without.cycles);
        EXPECT_EQ(with.host_cycles, without.host_cycles);
        EXPECT_EQ(with.memory_bytes, without.memory_bytes);
        EXPECT_EQ(with.proved, without.proved);
        EXPECT_EQ(with.layers.size(), without.layers.size());
    }
}

/// Reports alone are those of a program.
TEST(Estimator, HasWhatThePrograMakes) {
    const std::vector<NetworkFile> networks = digits();
    const Design design = configured({});
    compiler::Options options;
    options.host_commands = true;
    const compiler::Compiled made =
        design.family.target->compile(design, networks[0].graph, options);
    const NetworkCost cost = Estimator(networks).estimate(design, 0);
    EXPECT_EQ(cost.cycles, made.cycles());
    EXPECT_EQ(cost.memory_bytes, made.program.memory_bytes);
}

/// A refusal tells which buffer would do: with it the operator is not refused.
TEST(Estimator, RefusalsAreData) {
    const std::vector<NetworkFile> networks = digits();
    // Two banks with entries of 8 bytes.
    const auto with_depth = [](int depth) {
        return configured({{"mac_atomic_c_size", "8"},
                           {"image_enable", "false"},
                           {"cbuf_bank_number", "2"},
                           {"cbuf_bank_depth", std::to_string(depth)}});
    };
    Estimator estimator(networks);
    const NetworkCost small = estimator.estimate(with_depth(64), 0);
    ASSERT_TRUE(small.errors.empty());
    if (small.refused.empty()) GTEST_SKIP() << "all operators fit";
    const Refused& one = small.refused.front();
    EXPECT_NE(one.reason.find("convolution buffer"), std::string::npos);
    EXPECT_FALSE(one.name.empty());
    ASSERT_GT(one.buffer_bytes, 2 * 64 * 8);
    const NetworkCost large =
        estimator.estimate(with_depth(static_cast<int>(one.buffer_bytes / 16)), 0);
    for (const Refused& other : large.refused)
        EXPECT_NE(other.node, one.node);
}

/// A memory that moves less than the port makes layers longer that wait for it, and no others.
TEST(Estimator, MemoryMayBeSlowerThanThePort) {
    const std::vector<NetworkFile> networks = digits();
    const Design design = configured({});
    const NetworkCost port = Estimator(networks).estimate(design, 0);
    const NetworkCost slow = Estimator(networks, 0.25).estimate(design, 0);
    const NetworkCost fast = Estimator(networks, 4096).estimate(design, 0);
    EXPECT_EQ(fast.cycles, port.cycles);
    EXPECT_GE(slow.cycles, 4 * (slow.read_bytes + slow.write_bytes));
    ASSERT_EQ(slow.layers.size(), port.layers.size());
    for (std::size_t i = 0; i < slow.layers.size(); ++i) {
        const compiler::LayerReport& layer = slow.layers[i];
        const std::uint64_t least = 4 * (layer.read_bytes + layer.write_bytes);
        EXPECT_EQ(layer.cycles, std::max(port.layers[i].cycles, least));
        if (layer.cycles > port.layers[i].cycles) {
            EXPECT_EQ(layer.limiter, "memory");
        }
    }
}

/// The cycle model has the cycles of a program from end to end; without one they are estimates.
TEST(Estimator, HasTheCycleModelOfAFamily) {
    const Family& family = *find_family(all_families(), "systolic");
    const Settings settings(family);
    const std::vector<NetworkFile> networks = digits("systolic");
    const NetworkCost cost = Estimator(networks).model(settings.design, 0);
    ASSERT_TRUE(cost.errors.empty());
    compiler::Options options;
    options.host_commands = true;
    const compiler::Compiled made =
        family.target->compile(settings.design, networks[0].graph, options);
    std::string error;
    const std::vector<std::uint64_t> ends = family.target->model_ends(made, {}, error);
    ASSERT_TRUE(error.empty() && !ends.empty());
    EXPECT_EQ(cost.cycles, ends.back());
    EXPECT_NE(cost.cycles, made.cycles());
    const std::vector<NetworkFile> others = digits();
    const Design design = configured({});
    EXPECT_EQ(Estimator(others).model(design, 0).cycles,
              Estimator(others).estimate(design, 0).cycles);
}

TEST(Estimator, FilesThatAreNoNetworksAreTold) {
    std::vector<std::string> errors;
    EXPECT_TRUE(read_networks({source_dir() + "/README.md", "no such file"},
                              *find_family(all_families(), "dla")->target, errors)
                    .empty());
    EXPECT_EQ(errors.size(), 2U);
}

}  // namespace
}  // namespace macrame::explore
