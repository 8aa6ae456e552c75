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
    for (std::uint64_t seed = 1; seed <= 500 && !HasFailure(); ++seed)
        follow(random_graph(seed), seed, all[seed % all.size()], counts);
    EXPECT_GT(counts.networks, 450);
    EXPECT_GT(counts.proved * 2, counts.values);
    RecordProperty("networks", counts.networks);
    RecordProperty("refused", counts.refused);
}

}  // namespace

}  // namespace macrame::test
