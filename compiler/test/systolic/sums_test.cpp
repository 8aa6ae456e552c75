/// Sums of convolutions as they are in OBUF.

#include <gtest/gtest.h>

#include "compiler/test/random/sums_graph.hpp"
#include "compiler/test/systolic/follow.hpp"

namespace macrame::systolic::compiler {

namespace {

using macrame::test::SumsGraph;

TEST(SystolicSums, AreThoseOfTheDefinition) {
    Architecture exact, wide;
    exact.exact = true;
    wide.rows = wide.columns = 32;
    Differences differences;
    for (std::uint64_t seed = 1; seed <= 60 && !HasFailure(); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const graph::Graph graph =
            SumsGraph(seed).build(graph::Sums::bytes, graph::kMostDigits, seed % 4 == 0);
        ASSERT_EQ(graph::check(graph), std::vector<std::string>{});
        follow(graph, seed % 3 == 0 ? wide : exact, seed, differences);
    }
    EXPECT_EQ(differences.differ, 0);
    EXPECT_GT(differences.values, 1000);
}

}  // namespace

}  // namespace macrame::systolic::compiler
