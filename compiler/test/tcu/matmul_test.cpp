/// Products of two matrices against the reference executor in real numbers.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "compiler/graph/check.hpp"
#include "compiler/test/graph/graph_builder.hpp"
#include "compiler/test/tcu/follow.hpp"
#include "compiler/test/tcu/random_graph.hpp"
#include "verif/common/random.hpp"

namespace macrame::tcu::compiler::test {

namespace {

using namespace graph;
using graph::test::Builder;
using graph::test::bytes_of;
using graph::test::values_of;

struct Sizes {
    int heads, rows, depth, columns;
    bool transpose_a, transpose_b;
    bool one_head = false;  ///< of the second matrix, for all of the first one
};

constexpr Sizes kSizes[] = {
    {1, 1, 3, 4, false, false},  {3, 5, 8, 8, false, true},        {2, 17, 20, 33, false, false},
    {2, 9, 40, 17, false, true}, {3, 6, 11, 5, true, false},       {1, 7, 9, 40, true, true},
    {4, 3, 1, 1, false, true},   {3, 5, 8, 10, false, true, true},
};

std::vector<int> matrix_shape(int heads, int rows, int columns, bool transposed) {
    return {1, heads, transposed ? columns : rows, transposed ? rows : columns};
}

/// Of what a convolution makes of an input and of another input, or of a constant.
Graph product(const Sizes& s, bool constant) {
    Builder b;
    const std::vector<int> first = matrix_shape(s.heads, s.rows, s.depth, s.transpose_a);
    const std::vector<int> second =
        matrix_shape(s.one_head ? 1 : s.heads, s.depth, s.columns, s.transpose_b);
    const TensorId in = b.input(Type::float32, first);
    const TensorId a = b.tensor(Type::float32, first);
    const int channels = first[3];
    verif::Random random(7);
    std::vector<float> weights(static_cast<std::size_t>(channels * channels));
    for (float& value : weights)
        value = static_cast<float>(random.in(-100, 100)) / (100.0F * static_cast<float>(channels));
    b.node(Conv{}, {in, b.constant(Type::float32, {channels, 1, 1, channels}, weights), kNone},
           {a});
    TensorId other = kNone;
    if (constant) {
        std::vector<float> values(static_cast<std::size_t>(second[1] * second[2] * second[3]));
        for (float& value : values)
            value = static_cast<float>(random.in(-1000, 1000)) / 1000;
        other = b.constant(Type::float32, second, values);
    } else {
        other = b.input(Type::float32, second);
    }
    b.node(MatMul{s.transpose_a, s.transpose_b}, {a, other},
           {b.output(Type::float32, {1, s.heads, s.rows, s.columns})});
    return b.graph;
}

TEST(TcuMatmul, HasTheValuesOfTheReferenceWithAllStrategies) {
    for (const Sizes& sizes : kSizes) {
        for (const bool constant : {false, true}) {
            const Graph graph = product(sizes, constant);
            ASSERT_EQ(graph::check(graph), std::vector<std::string>{});
            const std::vector<Bytes> inputs = random_inputs(graph, 3);
            for (const Strategy& strategy : strategies()) {
                for (const bool original : {false, true}) {
                    SCOPED_TRACE(testing::Message() << sizes.rows << "x" << sizes.depth << "x"
                                                    << sizes.columns << (constant ? " c" : ""));
                    TcuOptions target;
                    target.strategy = strategy;
                    target.original = original;
                    const CompiledTcu made = compile(graph, ultra96v2(DataType::fp32bp16), target);
                    ASSERT_EQ(made.compiled.errors, std::vector<std::string>{});
                    std::string error;
                    const auto got = run_network(graph, made, inputs, error);
                    ASSERT_EQ(error, "");
                    EXPECT_LT(difference(got, graph::run(graph, inputs)), 0.002);
                }
            }
        }
    }
}

/// Digit by digit where tiles are full, at once where few lines are; arrays of any size.
TEST(TcuMatmul, TransposedOperandsTakeNoSetForEachElementOfATile) {
    for (const int array : {7, 8, 12, 16, 32}) {
        for (const Sizes& sizes : {Sizes{1, 5, array, array, false, true},
                                   {2, 3, 2 * array + 1, 3 * array - 1, false, true},
                                   {1, 2, 3, array + 1, false, true},
                                   {2, 2 * array, 5, 3, true, false}}) {
            SCOPED_TRACE(testing::Message()
                         << array << ": " << sizes.depth << "x" << sizes.columns);
            const Graph graph = product(sizes, false);
            Architecture architecture = zcu104(DataType::fp32bp16);
            architecture.array_size = array;
            const CompiledTcu made = compile(graph, architecture, {});
            ASSERT_EQ(made.compiled.errors, std::vector<std::string>{});
            const std::vector<Bytes> inputs = random_inputs(graph, 3);
            std::string error;
            const auto got = run_network(graph, made, inputs, error);
            ASSERT_EQ(error, "");
            EXPECT_LT(difference(got, graph::run(graph, inputs)), 0.002);
        }
    }
    // Two heads of 64 tokens, 64 values each: of a set for each element there were 1,024 sets for
    // each block of tokens, 110,000 cycles.
    const CompiledTcu made = compile(product({2, 64, 64, 64, false, true}, false), zcu104(), {});
    ASSERT_TRUE(made.compiled.ok());
    EXPECT_LT(made.cycles, 15000U);
    EXPECT_LT(made.program.constants.size() / 32, 3000U);
}

/// Scores of tokens: steps of the output are what the roundings of a narrow type stay below.
TEST(TcuMatmul, QuantisedOnesUseANarrowType) {
    Builder b;
    const TensorId a = b.input(Type::int8, {1, 2, 12, 16}, 0.03F, 5);
    const TensorId k = b.input(Type::int8, {1, 2, 12, 16}, 0.02F, -9);
    const TensorId v = b.input(Type::int8, {1, 2, 12, 16}, 0.05F, 0);
    const TensorId scores = b.tensor(Type::int8, {1, 2, 12, 12}, 0.2F, 3);
    b.node(MatMul{false, true}, {a, k}, {scores});
    b.node(MatMul{}, {scores, v}, {b.output(Type::int8, {1, 2, 12, 16}, 4.0F, 1)});
    ASSERT_EQ(graph::check(b.graph), std::vector<std::string>{});
    verif::Random random(11);
    std::vector<Bytes> inputs;
    for (int i = 0; i < 3; ++i) {
        std::vector<std::int8_t> values(2 * 12 * 16);
        for (std::int8_t& value : values)
            value = static_cast<std::int8_t>(random.in(-128, 127));
        inputs.push_back(bytes_of(values));
    }
    const auto want = values_of<std::int8_t>(graph::run(b.graph, inputs)[0]);
    // Scores beyond their range are clamped; the reference rounds them, which is most of what
    // differs.
    for (const auto& [type, bound] :
         {std::pair(DataType::fp16bp8, 0.5), {DataType::fp32bp16, 0.45}}) {
        const CompiledTcu made = compile(b.graph, zcu104(type), {});
        ASSERT_EQ(made.compiled.errors, std::vector<std::string>{});
        std::string error;
        const auto got = run_network(b.graph, made, inputs, error);
        ASSERT_EQ(error, "");
        const auto x = values_of<std::int8_t>(got[0]);
        double total = 0;
        for (std::size_t i = 0; i < x.size(); ++i)
            total += std::abs(x[i] - want[i]);
        EXPECT_LE(total / static_cast<double>(x.size()), bound);
    }
}

}  // namespace

}  // namespace macrame::tcu::compiler::test
