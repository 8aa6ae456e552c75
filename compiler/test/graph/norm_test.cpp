/// Normalisations, paddings by elements of the tensor, Softmax of ONNX: from the definitions.
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/test/graph/graph_builder.hpp"

namespace macrame::graph {
namespace {

using test::Builder;
using Ints = std::vector<std::int8_t>;
using Floats = std::vector<float>;

Floats normed(const Norm& norm) {
    Builder b(Rounding::onnx);
    const TensorId x = b.input(Type::float32, {2, 2}), y = b.output(Type::float32, {2, 2});
    const TensorId gain = b.constant<float>(Type::float32, {2}, {1, 10});
    const TensorId offset = b.constant<float>(Type::float32, {2}, {0, 3});
    b.node(norm, {x, gain, offset}, {y});
    return b.run<float, float>({{1, 5, 3, 4}});
}

TEST(Norm, OfLayers) {
    const Floats got = normed({1, 0, true});
    const Floats want = {-1, 13, -1, 13};
    for (std::size_t i = 0; i < want.size(); ++i)
        EXPECT_NEAR(got[i], want[i], 1e-5F) << i;
}

TEST(Norm, OfRootMeanSquares) {
    const Floats got = normed({1, 0.5F, false});
    const float first = std::sqrt(13.5F), second = std::sqrt(13.0F);
    const Floats want = {1 / first, 50 / first + 3, 3 / second, 40 / second + 3};
    for (std::size_t i = 0; i < want.size(); ++i)
        EXPECT_NEAR(got[i], want[i], 1e-5F) << i;
}

TEST(Norm, OfIntegersIsRoundedOnce) {
    Builder b(Rounding::onnx);
    const TensorId x = b.input(Type::int8, {4}, 0.5F, 1), y = b.output(Type::int8, {4}, 0.25F, 2);
    b.node(Norm{0, 0, true}, {x, kNone, kNone}, {y});
    // 0, 1, 2, 3: deviation sqrt(1.25).
    EXPECT_EQ((b.run<std::int8_t, std::int8_t>({{1, 3, 5, 7}})), (Ints{-3, 0, 4, 7}));
}

TEST(Norm, SaysWhatItWants) {
    const auto problem = [](const Norm& norm, std::vector<int> gain) {
        Builder b;
        const TensorId x = b.input(Type::float32, {2, 3});
        const TensorId factor = b.input(Type::float32, std::move(gain));
        b.node(norm, {x, factor, kNone}, {b.output(Type::float32, {2, 3})});
        const std::vector<std::string> errors = check(b.graph);
        return errors.empty() ? "" : errors[0];
    };
    EXPECT_EQ(problem({1}, {3}), "");
    EXPECT_EQ(problem({0}, {2, 3}), "");
    EXPECT_EQ(problem({1}, {2}), "node 0: t1 has shape 2: want 3");
    EXPECT_EQ(problem({2}, {3}), "node 0: axis 2: want one of 2");
    EXPECT_EQ(problem({1, -1}, {3}), "node 0: epsilon -1: want a number, at least 0");
}

Ints padded(Pad pad, int before, int behind) {
    Builder b(Rounding::onnx);
    pad.amounts = {{0, 0}, {before, behind}};
    const TensorId x = b.input(Type::int8, {2, 3}, 0.5F, 7);
    b.node(pad, {x}, {b.output(Type::int8, {2, 3 + before + behind}, 0.5F, 7)});
    return b.run<std::int8_t, std::int8_t>({{1, 2, 3, 4, 5, 6}});
}

TEST(Pad, ByElementsOfTheTensor) {
    EXPECT_EQ(padded({{}, Padding::reflect}, 2, 1), (Ints{3, 2, 1, 2, 3, 2, 6, 5, 4, 5, 6, 5}));
    EXPECT_EQ(padded({{}, Padding::symmetric}, 1, 2), (Ints{1, 1, 2, 3, 3, 2, 4, 4, 5, 6, 6, 5}));
    EXPECT_EQ(padded({{}, Padding::edge}, 2, 1), (Ints{1, 1, 1, 2, 3, 3, 4, 4, 4, 5, 6, 6}));
    EXPECT_EQ(padded({{}, Padding::constant, -2}, 1, 0), (Ints{3, 1, 2, 3, 3, 4, 5, 6}));
    EXPECT_THROW(padded({{}, Padding::reflect}, 3, 0), std::runtime_error);
}

TEST(Softmax, OfOnnxCountsStepsExactlyOrWholeOnes) {
    const auto of = [](bool whole) {
        Builder b(Rounding::onnx);
        Softmax softmax;
        softmax.whole_steps = whole;
        const TensorId y = b.output(Type::int8, {3}, 1 / 100.9F, 0);
        b.node(softmax, {b.input(Type::int8, {3}, 100, 0)}, {y});
        return b.run<std::int8_t, std::int8_t>({{7, -7, -7}});
    };
    EXPECT_EQ(of(true), (Ints{100, 0, 0}));
    EXPECT_EQ(of(false), (Ints{101, 0, 0}));
}

}  // namespace
}  // namespace macrame::graph
