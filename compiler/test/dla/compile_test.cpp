#include "compiler/dla/compile.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "compiler/test/dla/follow.hpp"
#include "compiler/test/random/random_graph.hpp"

namespace macrame::test {

namespace {

TEST(DlaCompiler, RandomNetworksFollowTheDefinition) {
    Counts counts;
    const std::vector<dla::published::Config> all = configurations();
    constexpr int kNetworks = LONG_TESTS ? 500 : 160;
    for (std::uint64_t seed = 1; seed <= kNetworks && !HasFailure(); ++seed)
        follow(random_graph(seed), seed, all[seed % all.size()], counts);
    EXPECT_GT(counts.networks * 10, kNetworks * 9);
    EXPECT_GT(counts.proved * 2, counts.values);
    RecordProperty("networks", counts.networks);
    RecordProperty("refused", counts.refused);
}

TEST(DlaCompiler, LatencyOfMemoryIsOfTheEstimateAlone) {
    const graph::Graph graph = random_graph(3);
    const dla::model::Architecture sizes = dla::published::configs()[0].sizes;
    compiler::Options options;
    const compiler::Compiled made = dla::compiler::compile(graph, sizes, options);
    ASSERT_TRUE(made.ok());
    options.memory_latency = 32;
    EXPECT_EQ(dla::compiler::compile(graph, sizes, options).cycles(), made.cycles());
    options.memory_latency = 200;
    const compiler::Compiled far = dla::compiler::compile(graph, sizes, options);
    EXPECT_GT(far.cycles(), made.cycles() + 168 * made.layers.size() / 2);
    ASSERT_EQ(far.program.commands.size(), made.program.commands.size());
    for (std::size_t i = 0; i < made.program.commands.size(); ++i) {
        EXPECT_EQ(far.program.commands[i].address, made.program.commands[i].address);
        EXPECT_EQ(far.program.commands[i].value, made.program.commands[i].value);
    }
}

}  // namespace

}  // namespace macrame::test
