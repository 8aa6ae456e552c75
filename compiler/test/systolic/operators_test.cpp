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

}  // namespace
}  // namespace macrame::systolic::compiler
