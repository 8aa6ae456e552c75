#include "compiler/graph/quantised.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "compiler/test/graph/graph_builder.hpp"

namespace macrame::graph {
namespace {

TEST(Multiplier, HasAMantissaOf31Bits) {
    for (const double real : {1.0, 0.5, 0.75, 0.0003, 0.99999999999, 3.7, 1000.0, 1e-9}) {
        const Multiplier m = multiplier(real);
        EXPECT_GE(m.mantissa, 1 << 30) << real;
        EXPECT_NEAR(std::ldexp(m.mantissa, m.exponent - 31) / real, 1, 1e-9) << real;
    }
    EXPECT_EQ(multiplier(1).mantissa, 1 << 30);
    EXPECT_EQ(multiplier(1).exponent, 1);
    // Rounds up to the next power of two.
    EXPECT_EQ(multiplier(1 - 1e-12).mantissa, 1 << 30);
    EXPECT_EQ(multiplier(1 - 1e-12).exponent, 1);
}

TEST(Multiplier, IsZeroForWhatIsTooSmallOrNoNumber) {
    for (const double real : {0.0, -1.0, 1e-20, std::nan("")})
        EXPECT_EQ(multiplier(real).mantissa, 0);
    EXPECT_EQ(multiplier(std::numeric_limits<double>::infinity()).exponent, 31);
    // 2^-33 is the smallest: frexp gives 1/2 and -32.
    EXPECT_EQ(multiplier(std::ldexp(1, -32)).exponent, -31);
    EXPECT_EQ(multiplier(std::ldexp(1, -33)).mantissa, 0);
}

TEST(Multiply, RoundsTwice) {
    std::mt19937 random(1);
    for (int i = 0; i < 100000; ++i) {
        const auto value = static_cast<std::int32_t>(random()) >> (random() % 32);
        const Multiplier m{static_cast<std::int32_t>((1U << 30) + random() % (1U << 30)),
                           -static_cast<int>(random() % 20)};
        // Half up, then half away from zero.
        const std::int64_t high = (std::int64_t{value} * m.mantissa + (1 << 30)) >> 31;
        const auto want = static_cast<std::int32_t>(
            std::round(std::ldexp(static_cast<double>(high), m.exponent)));
        ASSERT_EQ(multiply(value, m), want) << value << " " << m.mantissa << " " << m.exponent;
    }
}

TEST(Multiply, DoubleRoundingIsVisible) {
    // 0.4999.. of a step becomes one half by the first rounding and 1 by the second.
    const Multiplier third{1431655765, -2};  // 2/3 / 4 = 1/6
    EXPECT_EQ(multiply(3, third), 1);
    EXPECT_EQ(multiply(-3, third), -1);
    EXPECT_EQ(multiply(2, third), 0);
}

TEST(Multiply, ShiftsLeft) {
    const Multiplier twelve = multiplier(12);
    EXPECT_EQ(twelve.exponent, 4);
    for (const int value : {0, 1, -1, 1000, -1000, 1 << 26, -(1 << 26)})
        EXPECT_EQ(multiply(value, twelve), value * 12);
    // Bits above 32 are lost: 3 << 31 is that of 1.
    const Multiplier huge = multiplier(1e30);
    EXPECT_EQ(multiply(3, huge), multiply(1, huge));
    EXPECT_EQ(multiply(2, huge), 0);
}

TEST(Bounds, OfActivations) {
    Tensor t;
    t.quantisation = {{0.05F}, {-10}, 0};
    EXPECT_EQ(bounds(Activation::none, t), std::make_pair(-128, 127));
    EXPECT_EQ(bounds(Activation::relu, t), std::make_pair(-10, 127));
    EXPECT_EQ(bounds(Activation::relu6, t), std::make_pair(-10, 110));
    EXPECT_EQ(bounds(Activation::relu_n1_to_1, t), std::make_pair(-30, 10));
    t.quantisation = {{0.02F}, {-128}, 0};
    EXPECT_EQ(bounds(Activation::relu6, t), std::make_pair(-128, 127));
    t.quantisation = {{1e-30F}, {0}, 0};
    EXPECT_EQ(bounds(Activation::relu_n1_to_1, t), std::make_pair(-128, 127));
    t.type = Type::uint8;
    t.quantisation = {{0.05F}, {20}, 0};
    EXPECT_EQ(bounds(Activation::relu6, t), std::make_pair(20, 140));
}

TEST(OutputFactors, AreSingleForUint8) {
    test::Builder b;
    const float in = 0.1F, weight = 0.3F, out = 0.7F;
    const TensorId x = b.input(Type::uint8, {1, 1, 1, 2}, in);
    const TensorId w = b.constant<std::uint8_t>(Type::uint8, {1, 1, 1, 2}, {1, 2}, weight);
    b.node(Conv{}, {x, w}, {b.output(Type::uint8, {1, 1, 1, 1}, out)});
    const double product = double{in * weight};
    EXPECT_NE(product, double{in} * double{weight});
    EXPECT_EQ(output_factors(b.graph, b.graph.nodes[0]),
              (std::vector<double>{product / double{out}}));
}

TEST(OutputFactors, AreDoubleForConvolutionsAndSingleForFullyConnected) {
    test::Builder b;
    const float in = 0.1F, weight = 0.3F, out = 0.7F;
    const TensorId x = b.input(Type::int8, {1, 1, 1, 2}, in);
    const TensorId w = b.constant<std::int8_t>(Type::int8, {2, 1, 1, 2}, {1, 2, 3, 4});
    b.graph.tensor(w).quantisation = {{weight, 2 * weight}, {0, 0}, 0};
    const TensorId v = b.constant<std::int8_t>(Type::int8, {2, 2}, {1, 2, 3, 4}, weight);
    const TensorId y = b.tensor(Type::int8, {1, 1, 1, 2}, out);
    const TensorId z = b.output(Type::int8, {1, 2}, out);
    b.node(Conv{}, {x, w}, {y});
    b.node(FullyConnected{}, {y, v}, {z});
    const double exact = double{in} * double{weight} / double{out};
    EXPECT_EQ(output_factors(b.graph, b.graph.nodes[0]),
              (std::vector<double>{exact, double{in} * double{2 * weight} / double{out}}));
    const float product = out * weight;
    EXPECT_EQ(output_factors(b.graph, b.graph.nodes[1]),
              std::vector<double>(2, double{product} / double{out}));
    EXPECT_NE(double{product}, double{out} * double{weight});
    b.graph.rounding = Rounding::onnx;
    EXPECT_EQ(output_factors(b.graph, b.graph.nodes[1])[0], double{out * weight / out});
}

TEST(OnnxSum, IsFusedAndRoundsToEven) {
    const OnnxSum half(0.5F, 0, 0.5F, 0, 1, 0, 0);
    EXPECT_EQ(half(1, 0), 0);
    EXPECT_EQ(half(3, 0), 2);
    EXPECT_EQ(half(-3, -2), -2);
    const OnnxSum sum(0.3F, -7, 0.11F, 20, 0.25F, 5, 0);
    for (int a = -128; a < 128; ++a) {
        for (int b = -128; b < 128; ++b) {
            const double real = (a + 7) * double{0.3F} + (b - 20) * double{0.11F};
            EXPECT_NEAR(sum(a, b), real / double{0.25F} + 5, 0.5001);
        }
    }
}

TEST(ScaledToEven, RoundsTheSumFirst) {
    EXPECT_EQ(scaled_to_even(5, 0.5F), 2);
    EXPECT_EQ(scaled_to_even(7, 0.5F), 4);
    EXPECT_EQ(scaled_to_even(-5, 0.5F), -2);
    // 2^25 + 3 is no float32: 2^25 + 4 is.
    EXPECT_EQ(scaled_to_even((1 << 25) + 3, 0.25F), (1 << 23) + 1);
}

}  // namespace
}  // namespace macrame::graph
