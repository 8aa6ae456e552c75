/// Random networks of int8 against the reference executor, layer by layer.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "compiler/test/random/random_graph.hpp"
#include "compiler/test/systolic/follow.hpp"

namespace macrame::systolic::compiler {
namespace {

Architecture small() {
    Architecture a;
    a.rows = 6;
    a.columns = 5;
    a.ibuf_entries = a.wbuf_entries = 256;
    a.obuf_entries = 512;
    a.queue_depth = 3;
    a.token_depth = 2;
    a.bus_bytes = 4;
    return a;
}

TEST(SystolicOperators, RandomNetworksAreOneStepOffAtMost) {
    Differences all;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const graph::Graph graph = macrame::test::random_graph(seed);
        ASSERT_EQ(graph::check(graph), std::vector<std::string>{});
        follow(graph, seed % 3 == 0 ? small() : Architecture(), seed, all);
        ASSERT_FALSE(HasFailure());
    }
    EXPECT_GT(all.values, 100000);
    EXPECT_LT(all.differ, all.values / 100);
    EXPECT_LE(all.most, 1);
}

/// Exact scales: the integers of TFLite, in every operator, and that is what is declared.
TEST(SystolicOperators, RandomNetworksHaveTheIntegersOfTflite) {
    Differences all;
    int channels = 0, proved = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const graph::Graph graph = macrame::test::random_graph(seed);
        Architecture architecture = seed % 3 == 0 ? small() : Architecture();
        architecture.exact = true;
        const std::int64_t before = all.differ;
        follow(graph, architecture, seed, all);
        ASSERT_FALSE(HasFailure());
        bool declared = true;
        for (const auto& exact : compile(graph, architecture).compiled.exactness) {
            channels += exact.channels;
            proved += exact.proved;
            declared = declared && exact.proved == exact.channels;
        }
        EXPECT_TRUE(all.differ == before || !declared);
    }
    EXPECT_GT(all.values, 100000);
    EXPECT_EQ(all.differ, 0);
    EXPECT_GT(channels, 1000);
    EXPECT_EQ(proved, channels);
}

}  // namespace
}  // namespace macrame::systolic::compiler
