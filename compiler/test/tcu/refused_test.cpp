/// What the back end refuses, and what it says then.

#include <gtest/gtest.h>

#include "compiler/test/graph/graph_builder.hpp"
#include "compiler/test/tcu/follow.hpp"

namespace macrame::tcu::compiler::test {

namespace {

using graph::TensorId;
using graph::Type;
using graph::test::Builder;
using Texts = std::vector<std::string>;

/// A fully connected layer of 40 inputs and 24 outputs behind `op`.
graph::Graph behind(graph::Operator op) {
    Builder b;
    const TensorId x = b.input(Type::float32, {1, 40});
    const TensorId middle = b.tensor(Type::float32, {1, 40});
    b.node(std::move(op), {x}, {middle});
    const TensorId weights =
        b.constant(Type::float32, {24, 40}, std::vector<float>(24 * 40, 0.125F));
    const TensorId y = b.output(Type::float32, {1, 24});
    b.node(graph::FullyConnected{}, {middle, weights, graph::kNone}, {y});
    return b.graph;
}

graph::Unary unary(graph::Function function, float alpha = 0) { return {function, alpha, 0}; }

Texts errors(const graph::Graph& graph, const Architecture& architecture,
             const Strategy& strategy = {}) {
    TcuOptions target;
    target.strategy = strategy;
    return compile(graph, architecture, target).compiled.errors;
}

TEST(TcuRefused, OperatorsThatOnlyTheHostHasInFrontOfOthers) {
    EXPECT_EQ(errors(behind(unary(graph::Function::sigmoid)), artya7100t()),
              (Texts{"node 0: sigmoid: the tensor unit has no operation for it: want the host to "
                     "do it (without --no-host)"}));
    EXPECT_EQ(errors(behind(unary(graph::Function::relu)), artya7100t()), Texts{});
}

TEST(TcuRefused, OperatorsWithoutAnOperation) {
    EXPECT_EQ(errors(behind(unary(graph::Function::leaky_relu, 1.5F)), artya7100t()),
              (Texts{"node 0: leaky relu: a slope above 1: want at most 1"}));
    EXPECT_EQ(errors(behind(unary(graph::Function::square)), artya7100t()),
              (Texts{"node 0: square: the tensor unit has no operation for it: want the host to do "
                     "it (without --no-host)"}));
}

TEST(TcuRefused, BatchesThatATransposeMakes) {
    Builder b;
    const std::vector<int> shape = {1, 2, 3, 4};
    const TensorId weights =
        b.constant(Type::float32, {4, 1, 1, 4}, std::vector<float>(16, 0.125F));
    const TensorId x = b.input(Type::float32, shape), first = b.tensor(Type::float32, shape);
    const TensorId batch = b.tensor(Type::float32, {3, 1, 2, 4});
    const TensorId back = b.tensor(Type::float32, shape), y = b.output(Type::float32, shape);
    b.node(graph::Conv{}, {x, weights, graph::kNone}, {first});
    b.node(graph::Transpose{{2, 0, 1, 3}}, {first}, {batch});
    b.node(graph::Transpose{{1, 2, 0, 3}}, {batch}, {back});
    b.node(graph::Conv{}, {back, weights, graph::kNone}, {y});
    const Texts found = errors(b.graph, artya7100t());
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found[0], "node 1: transpose: tensor t" + std::to_string(batch) +
                            " with a batch: want one of 1");
}

TEST(TcuRefused, ProductsOfConstants) {
    Builder b;
    const TensorId x = b.input(Type::float32, {1, 24});
    const TensorId state = b.constant(Type::float32, {1, 8}, std::vector<float>(8, 0.5F));
    const TensorId weights = b.constant(Type::float32, {24, 8}, std::vector<float>(24 * 8, 0.125F));
    const TensorId made = b.tensor(Type::float32, {1, 24}), y = b.output(Type::float32, {1, 24});
    b.node(graph::FullyConnected{}, {state, weights, graph::kNone}, {made});
    b.node(graph::Binary{graph::Arithmetic::add, {}}, {x, made}, {y});
    const Texts found = errors(b.graph, artya7100t());
    ASSERT_EQ(found.size(), 1U);
    EXPECT_NE(found[0].find("want what the network computes"), std::string::npos) << found[0];
}

/// Three tensors of 16 pixels that a sum of the first and the last one keeps.
graph::Graph kept_for_a_sum() {
    Builder b;
    const std::vector<int> shape = {1, 4, 4, 8};
    const TensorId weights =
        b.constant(Type::float32, {8, 1, 1, 8}, std::vector<float>(64, 0.125F));
    const TensorId x = b.input(Type::float32, shape), a = b.tensor(Type::float32, shape);
    const TensorId first = b.tensor(Type::float32, shape), y = b.output(Type::float32, shape);
    b.node(graph::Conv{}, {x, weights, graph::kNone}, {a});
    b.node(graph::Binary{graph::Arithmetic::add, {}}, {a, x}, {first});
    b.node(graph::Binary{graph::Arithmetic::sub, {}}, {first, x}, {y});
    return b.graph;
}

TEST(TcuRefused, TensorsWithoutRoomForAllOfThem) {
    Architecture small = artya7100t();
    small.array_size = 8;
    small.local_depth = 40;
    small.accumulator_depth = 40;
    small.dram1_depth = 32;  // constants
    std::int64_t least = 2;  // at which it has room
    while (!errors(kept_for_a_sum(), (small.dram0_depth = least, small)).empty())
        ++least;
    // 16 vectors of each, and the last two are the driver's.
    EXPECT_EQ(least, 3 * 16 + 2);
    const std::string help =
        "a larger dram0-depth, dram1-depth or array-size, or a network for smaller inputs would do";
    small.dram0_depth = least - 1;
    EXPECT_EQ(errors(kept_for_a_sum(), small),
              Texts{"variables: want room for more than 47 vectors (dram0_depth) and 0 behind the "
                    "constants (dram1_depth): " +
                    help});
    const std::string crowded =
        "node 2: its result and the tensors that later sums read (3 of 4x4x8) take 48 vectors of 8 "
        "elements at once: want at most ";
    const std::string more =
        "; dram0-depth 50 or more, a larger array-size, or a network for smaller inputs would do";
    small.dram0_depth = 17;
    EXPECT_EQ(errors(kept_for_a_sum(), small),
              Texts{crowded + "47 (dram0_depth and dram1_depth)" + more});
    TcuOptions one_of_several;
    one_of_several.own_begin = 0;
    small.dram0_depth = least - 1;
    EXPECT_EQ(
        compile(kept_for_a_sum(), small, one_of_several).compiled.errors,
        Texts{crowded + "47 (dram0_depth; DRAM1 has the constants of several networks)" + more});
}

TEST(TcuRefused, StrategiesThatDoNotFit) {
    const graph::Graph graph = behind(unary(graph::Function::relu));
    Architecture small = artya7100t();
    small.local_depth = 64;
    EXPECT_EQ(errors(graph, small), Texts{});
    EXPECT_EQ(errors(graph, small, {false, true}),
              (Texts{"constants in local memory: 120 vectors: want at most 63; another --strategy "
                     "or a larger local-depth would do"}));
    small.local_depth = 8;
    EXPECT_EQ(errors(graph, small, {true, false}),
              (Texts{"variables in local memory: want room for more than 7 vectors; another "
                     "--strategy or a larger local-depth would do"}));
    small = artya7100t();
    small.dram1_depth = 100;
    EXPECT_EQ(errors(graph, small),
              (Texts{"120 vectors of constants: want at most 100 (dram1_depth); a larger "
                     "dram1-depth or array-size would do"}));
}

TEST(TcuRefused, LayersOfWhichNotOneOutputFits) {
    Architecture small = artya7100t();
    small.local_depth = 8;
    EXPECT_EQ(
        errors(behind(unary(graph::Function::relu)), small),
        (Texts{"node 1: layer t3: one output at a time takes more than 7 vectors of local "
               "memory and 2048 accumulators: want a larger local-depth or accumulator-depth"}));
}

}  // namespace

}  // namespace macrame::tcu::compiler::test
