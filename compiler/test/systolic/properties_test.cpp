/// Every property of quantisation that readers accept is used or refused.

#include <gtest/gtest.h>

#include "compiler/test/random/properties.hpp"
#include "compiler/test/systolic/follow.hpp"

namespace macrame::systolic::compiler {

namespace {

TEST(SystolicProperties, AreUsedOrRefused) {
    int networks = 0;
    std::uint64_t seed = 1;
    for (const macrame::test::PropertyCase& c : macrame::test::property_cases()) {
        SCOPED_TRACE(c.name);
        ++seed;
        const CompiledSystolic made = compile(c.graph, Architecture{});
        if (!made.compiled.ok()) continue;
        Differences differences;
        follow(c.graph, Architecture{}, seed, differences);
        ++networks;
    }
    EXPECT_GT(networks, 100);
}

}  // namespace

}  // namespace macrame::systolic::compiler
