/// Every property of quantisation that readers accept is used or refused.

#include "compiler/test/random/properties.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "compiler/test/random/refusals.hpp"
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
        if (!made.compiled.ok()) {
            macrame::test::expect_reasons(c.graph, made.compiled.errors);
            continue;
        }
        Differences differences;
        follow(c.graph, Architecture{}, seed, differences);
        ++networks;
    }
    EXPECT_GT(networks, 100);
}

/// Where all channels are declared as proved, no value differs.
TEST(SystolicProperties, ExactScalesKeepWhatTheyDeclare) {
    Architecture exact;
    exact.exact = true;
    int proved = 0;
    std::uint64_t seed = 1;
    for (const macrame::test::PropertyCase& c : macrame::test::property_cases()) {
        SCOPED_TRACE(c.name);
        ++seed;
        const CompiledSystolic made = compile(c.graph, exact);
        if (!made.compiled.ok()) continue;
        Differences differences;
        follow(c.graph, exact, seed, differences);
        const auto& told = made.compiled.exactness;
        if (std::any_of(told.begin(), told.end(),
                        [](const auto& one) { return one.proved < one.channels; }))
            continue;
        EXPECT_EQ(differences.differ, 0);
        ++proved;
    }
    EXPECT_GT(proved, 90);
}

}  // namespace

}  // namespace macrame::systolic::compiler
