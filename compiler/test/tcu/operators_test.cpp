/// Random networks of all operators against the reference executor in real numbers.

#include <gtest/gtest.h>

#include "compiler/graph/check.hpp"
#include "compiler/tcu/hazards.hpp"
#include "compiler/test/graph/graph_builder.hpp"
#include "compiler/test/tcu/follow.hpp"
#include "compiler/test/tcu/random_graph.hpp"

namespace macrame::tcu::compiler::test {

namespace {

using graph::Graph;

/// Small memories, so that layers are cut into many tiles.
Architecture small(DataType type) {
    Architecture out{type, 8, 65536, 65536, 512, 64};
    out.stride0_depth = 2;
    out.stride1_depth = 4;
    return out;
}

void follow(std::uint64_t seed, const Architecture& architecture, const TcuOptions& target,
            double bound) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Graph graph = random_graph(seed, 1 + static_cast<int>(seed % 5));
    ASSERT_EQ(graph::check(graph), std::vector<std::string>{});
    const CompiledTcu made = compile(graph, architecture, target);
    ASSERT_EQ(made.compiled.errors, std::vector<std::string>{});
    const std::vector<graph::Bytes> inputs = random_inputs(graph, seed);
    std::string error;
    const auto got = run_network(graph, made, inputs, error);
    ASSERT_EQ(error, "");
    EXPECT_LT(difference(got, graph::run(graph, inputs)), bound);
}

TEST(TcuOperators, RandomNetworksHaveTheValuesOfTheReference) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed)
        follow(seed, artya7100t(DataType::fp32bp16), {}, 0.01);
}

TEST(TcuOperators, SmallMemoriesCutThemIntoTiles) {
    for (std::uint64_t seed = 301; seed <= 500; ++seed)
        follow(seed, small(DataType::fp32bp16), {}, 0.01);
}

TEST(TcuOperators, NarrowTypesDeviateByTheirRounding) {
    for (std::uint64_t seed = 501; seed <= 600; ++seed) {
        follow(seed, artya7100t(DataType::fp18bp10), {}, 0.15);
        follow(seed, zcu104(DataType::fp16bp8), {}, 0.6);
    }
}

TEST(TcuOperators, AllStrategiesHaveTheSameResults) {
    for (std::uint64_t seed = 601; seed <= 680; ++seed) {
        const Graph graph = random_graph(seed, 3);
        const std::vector<graph::Bytes> inputs = random_inputs(graph, seed);
        std::vector<graph::Bytes> first;
        for (const Strategy& strategy : strategies()) {
            for (const bool original : {false, true}) {
                TcuOptions target;
                target.strategy = strategy;
                target.original = original;
                const CompiledTcu made = compile(graph, ultra96v2(), target);
                ASSERT_EQ(made.compiled.errors, std::vector<std::string>{}) << seed;
                std::string error;
                const auto got = run_network(graph, made, inputs, error);
                ASSERT_EQ(error, "");
                if (first.empty()) first = got;
                EXPECT_EQ(got, first) << seed;
            }
        }
    }
}

TEST(TcuOperators, ProgramsForTheOriginalAvoidItsHazards) {
    for (std::uint64_t seed = 701; seed <= 800; ++seed) {
        TcuOptions target;
        target.original = true;
        const Graph graph = random_graph(seed, 4);
        const CompiledTcu made = compile(graph, small(DataType::fp16bp8), target);
        ASSERT_EQ(made.compiled.errors, std::vector<std::string>{}) << seed;
        EXPECT_TRUE(hazards(made.program.architecture, made.program.instructions).empty());
        EXPECT_TRUE(probe_conflicts(made.program.architecture, made.program.instructions).empty());
    }
}

}  // namespace

}  // namespace macrame::tcu::compiler::test
