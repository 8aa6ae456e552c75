/// Every property of quantisation that readers accept is used or refused.

#include "compiler/test/random/properties.hpp"

#include <gtest/gtest.h>

#include "compiler/test/dla/follow.hpp"

namespace macrame::test {

namespace {

TEST(DlaProperties, AreUsedOrRefused) {
    for (const dla::published::Config& config : dla::published::configs()) {
        const std::string name = config.name;
        if (name != "nv_small" && name != "nv_large") continue;
        Counts counts;
        int weights = 0;  // networks whose weights have zero points
        std::uint64_t seed = 1;
        for (const PropertyCase& c : property_cases()) {
            SCOPED_TRACE(c.name);
            const int before = counts.networks;
            follow(c.graph, seed++, config, counts, {}, ": ");
            const bool zero = c.name.find("zero point") != std::string::npos;
            if (zero && c.graph.nodes[0].inputs.size() == 3) weights += counts.networks - before;
        }
        EXPECT_GT(counts.networks, 300) << name;
        EXPECT_GT(weights, 100) << name;
    }
}

}  // namespace

}  // namespace macrame::test
