/// Sums of convolutions as digits: a layer for each.

#include <gtest/gtest.h>

#include "compiler/dla/compile.hpp"
#include "compiler/test/dla/follow.hpp"
#include "compiler/test/random/sums_graph.hpp"

namespace macrame::test {

namespace {

TEST(DlaDigits, AreThoseOfTheDefinition) {
    Counts counts;
    constexpr int kNetworks = LONG_TESTS ? 600 : 90;
    const std::vector<dla::published::Config> all = configurations();
    for (std::uint64_t seed = 1; seed <= kNetworks && !HasFailure(); ++seed) {
        const dla::published::Config& config = seed % 3 != 0 ? all[0] : all[seed / 3 % all.size()];
        follow(SumsGraph(seed).build(Sums::digits, 1 + seed % kMostDigits, false), seed, config,
               counts);
    }
    EXPECT_GT(counts.networks * 10, kNetworks * 9);
    EXPECT_EQ(counts.unequal, 0);
    EXPECT_EQ(counts.proved, counts.values);
}

TEST(DlaDigits, OfTheLargestSums) {
    Counts counts;
    for (std::uint64_t seed = 1; seed <= 40 && !HasFailure(); ++seed)
        follow(SumsGraph(seed).build(Sums::digits, kMostDigits, true), seed, configurations()[0],
               counts);
    EXPECT_EQ(counts.networks, 40);
    EXPECT_EQ(counts.unequal, 0);
}

}  // namespace

}  // namespace macrame::test
