/// Quantisation by the values of a run, and sums of products as numbers.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/test/graph/graph_builder.hpp"

namespace macrame::graph {
namespace {

using test::Builder;
using Signed = std::vector<std::int8_t>;

/// Numbers, scales and zero points of two rows.
struct Rows {
    Signed numbers, zeros;
    std::vector<float> scales;
};

Rows rows_of(Rounding rounding, bool symmetric, const std::vector<float>& values) {
    Builder b(rounding);
    const auto size = static_cast<int>(values.size()) / 2;
    const TensorId x = b.input(Type::float32, {2, size});
    b.node(DynamicQuantise{symmetric}, {x},
           {b.output(Type::int8, {2, size}), b.output(Type::float32, {2, 1}),
            b.output(Type::int8, {2, 1})});
    EXPECT_EQ(check(b.graph), std::vector<std::string>());
    const std::vector<Bytes> made = run(b.graph, {test::bytes_of(values)});
    return {test::values_of<std::int8_t>(made[0]), test::values_of<std::int8_t>(made[2]),
            test::values_of<float>(made[1])};
}

TEST(DynamicQuantise, EachRowHasItsScale) {
    const Rows rows = rows_of(Rounding::tflite, true, {-2, 1, 0.5F, 0, 0, 0});
    EXPECT_EQ(rows.numbers, (Signed{-127, 64, 32, 0, 0, 0}));  // 63.5 and 31.75
    EXPECT_EQ(rows.scales, (std::vector<float>{2.0F / 127, 1}));
    EXPECT_EQ(rows.zeros, (Signed{0, 0}));
}

TEST(DynamicQuantise, ZeroIsAlwaysInRange) {
    const Rows away = rows_of(Rounding::tflite, false, {51, 25.5F, -25.5F, 0, -51, -102});
    EXPECT_EQ(away.numbers, (Signed{127, 42, -128, 127, -1, -128}));
    EXPECT_EQ(away.zeros, (Signed{-43, 127}));
    EXPECT_EQ(away.scales, (std::vector<float>{0.3F, 0.4F}));
    // uint8 less by 128; halves to even.
    const Rows even = rows_of(Rounding::onnx, false, {255, 0.5F, 1.5F, 0, 2.5F, 255});
    EXPECT_EQ(even.numbers, (Signed{127, -128, -126, -128, -126, 127}));
    EXPECT_EQ(even.zeros, (Signed{-128, -128}));
}

TEST(DynamicQuantise, TellsWhatIsWrong) {
    Builder b;
    const TensorId x = b.input(Type::float32, {2, 3});
    b.node(DynamicQuantise{}, {x},
           {b.output(Type::int8, {2, 3}), b.output(Type::float32, {4}), b.output(Type::int8, {4})});
    EXPECT_EQ(check(b.graph)[0], "node 0: 4 scales for 6 elements: want a divisor");
    b.graph.tensor(x).type = Type::int32;
    EXPECT_EQ(check(b.graph)[0], "node 0: t0 has type int32: want float32");
}

TEST(Numbers, AreSummedLessTheZeroPointsOfWeights) {
    Builder b;
    const TensorId x = b.input(Type::int32, {2, 2});
    const TensorId w = b.constant<std::int8_t>(Type::int8, {2, 2}, {3, 4, -5, 6}, 1, 2);
    b.node(FullyConnected{}, {x, w, kNone}, {b.output(Type::int32, {2, 2})});
    // Weights 1, 2 and -7, 4; products wrap.
    EXPECT_EQ((b.run<std::int32_t, std::int32_t>({{10, 1, 1 << 30, 0}})),
              (std::vector<std::int32_t>{12, -66, 1 << 30, 1 << 30}));
    const TensorId bias = b.constant<std::int32_t>(Type::int32, {2}, {1, 2});
    b.graph.nodes[0].inputs[2] = bias;
    EXPECT_EQ(check(b.graph)[0], "node 0: sums of int32 with a bias: want none");
}

TEST(Numbers, AreMultipliedAsMatrices) {
    Builder b;
    const TensorId x = b.input(Type::int32, {1, 2}), y = b.input(Type::int32, {2, 2});
    b.node(MatMul{}, {x, y}, {b.output(Type::int32, {1, 2})});
    EXPECT_EQ((b.run<std::int32_t, std::int32_t>({{2, 3}, {1, 2, 3, 4}})),
              (std::vector<std::int32_t>{11, 16}));
}

}  // namespace
}  // namespace macrame::graph
