/// Activations of int16 against their definition on whole or real numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

#include "compiler/graph/quantised.hpp"
#include "compiler/test/graph/graph_builder.hpp"

namespace macrame::graph {
namespace {

using test::Builder;
using Values = std::vector<std::int16_t>;

Values random16(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    Values values(count);
    for (std::int16_t& value : values)
        value = static_cast<std::int16_t>(static_cast<int>(random() % 65536) - 32768);
    values[0] = 32767;
    values[1] = -32768;
    return values;
}

Values every16() {
    Values values(65536);
    std::iota(values.begin(), values.end(), std::int16_t{-32768});
    return values;
}

constexpr float kIn = 0.0004F, kWeights = 0.01F, kOut = 0.003F;
constexpr int kChannels = 1024, kKernels = 3;

/// A fully connected layer; its sums of `Bias` wrap. All products of kernel 0 are the largest.
template <typename Bias>
Values connected(Type type, const std::vector<Bias>& bias) {
    Builder b;
    const TensorId x = b.input(Type::int16, {1, kChannels}, kIn);
    std::vector<std::int8_t> weights = test::random_values(kChannels * kKernels, 7, -127);
    std::fill_n(weights.begin(), kChannels, std::int8_t{127});
    std::vector<TensorId> in = {
        x, b.constant<std::int8_t>(Type::int8, {kKernels, kChannels}, weights, kWeights)};
    if (!bias.empty()) in.push_back(b.constant<Bias>(type, {kKernels}, bias));
    b.node(FullyConnected{}, in, {b.output(Type::int16, {1, kKernels}, kOut)});
    Values data = random16(kChannels, 3);
    for (std::int16_t& value : data)
        value = static_cast<std::int16_t>(std::abs(value | 1));
    const Values got = b.run<std::int16_t>(std::vector<Values>{data});
    for (int k = 0; k < kKernels; ++k) {
        std::int64_t sum = bias.empty() ? 0 : bias[static_cast<std::size_t>(k)];
        for (int c = 0; c < kChannels; ++c)
            sum += std::int64_t{data[static_cast<std::size_t>(c)]} *
                   weights[static_cast<std::size_t>(k * kChannels + c)];
        if (type == Type::int32) sum = static_cast<std::int32_t>(static_cast<std::uint32_t>(sum));
        const double real = static_cast<double>(sum) * static_cast<double>(kIn * kWeights / kOut);
        // Sums of 64 bits have a factor of 15.
        const double off = std::abs(real) / 32768 + 0.51;
        EXPECT_NEAR(got[static_cast<std::size_t>(k)], std::clamp(real, -32768.0, 32767.0), off);
    }
    return got;
}

TEST(Int16, SumsHaveTheBitsOfTheBias) {
    const Values wide = connected<std::int64_t>(Type::int64, {1, -2000000, 1LL << 31});
    const Values narrow = connected<std::int32_t>(Type::int32, {1, -2000000, 77});
    EXPECT_EQ(wide[0], 32767);      // saturates
    EXPECT_NE(narrow[0], wide[0]);  // has wrapped
    EXPECT_EQ(connected<std::int32_t>(Type::int32, {})[0], narrow[0]);
}

TEST(Int16, FactorsOfWideSumsHave15Bits) {
    const Multiplier factor = multiplier(0.3);
    const std::int64_t mantissa = (factor.mantissa + 32768LL) >> 16;
    for (const std::int64_t sum : {0LL, 1LL, -1LL, 123456789LL, -987654321LL, 1LL << 40}) {
        const double real = std::ldexp(static_cast<double>(sum * mantissa), factor.exponent - 15);
        const auto want = static_cast<std::int64_t>(std::floor(real + 0.5));
        EXPECT_EQ(multiply_wide(sum, factor), static_cast<std::int32_t>(want)) << sum;
    }
    EXPECT_EQ(multiply_wide(1 << 20, multiplier(1.0 - 1e-9)), 1048544);  // at most 32767 / 32768
}

TEST(Int16, FactorsOfWideSumsMayHave31Bits) {
    for (const double real : {0.3, 0.9999, 1.7, 1e-6, 3e-9}) {
        const Multiplier factor = multiplier(real);
        const long double exact = std::ldexp(static_cast<long double>(factor.mantissa), -31);
        for (const std::int64_t sum : {0LL, 1LL, -1LL, 123456789LL, -987654321LL, 1LL << 40}) {
            const long double product =
                std::ldexp(static_cast<long double>(sum) * exact, factor.exponent);
            const long double want = std::floor(product + 0.5L);
            EXPECT_EQ(multiply_wide_once(sum, factor),
                      static_cast<std::int64_t>(std::clamp(want, -0x1p31L, 0x1p31L - 1)))
                << sum << " x " << real;
        }
    }
}

TEST(Int16, MatricesOfInt8MayHaveScalesOfColumns) {
    for (const bool transposed : {false, true}) {
        Builder b;
        const TensorId x = b.input(Type::int16, {2, 3}, kIn);
        const std::vector<int> shape = transposed ? std::vector<int>{2, 3} : std::vector<int>{3, 2};
        const TensorId y = b.constant<std::int8_t>(Type::int8, shape, {1, 2, 3, 4, 5, 6}, 1);
        b.graph.tensor(y).quantisation = {{0.25F, 0.5F}, {0, 0}, transposed ? 0 : 1};
        b.node(MatMul{false, transposed}, {x, y}, {b.output(Type::int16, {2, 2}, kIn)});
        const Values data = {400, -800, 1200, -32, 64, 16};
        const Values got = b.run<std::int16_t>(std::vector<Values>{data});
        for (int row = 0; row < 2; ++row) {
            for (int column = 0; column < 2; ++column) {
                double sum = 0;
                for (int k = 0; k < 3; ++k)
                    sum += data[static_cast<std::size_t>(row * 3 + k)] *
                           (transposed ? column * 3 + k + 1 : k * 2 + column + 1);
                EXPECT_NEAR(got[static_cast<std::size_t>(row * 2 + column)], sum * (column + 1) / 4,
                            0.6);
            }
        }
        b.graph.tensor(y).quantisation.axis = transposed ? 1 : 0;
        b.graph.tensor(y).quantisation.scale.resize(3, 1);
        b.graph.tensor(y).quantisation.zero_point.resize(3);
        EXPECT_EQ(check(b.graph)[0], "node 0: t1 has 3 scales along axis " +
                                         std::to_string(transposed ? 1 : 0) +
                                         ": want one, or one per column without zero points");
    }
}

/// What each pair of values gives, and what it should by less than `off`.
void expect_pairs(Arithmetic function, float a, float b, float out, double off,
                  const std::function<double(double, double)>& want) {
    constexpr int kCount = 4000;
    Builder g;
    const TensorId x = g.input(Type::int16, {1, kCount}, a), y = g.input(Type::int16, {kCount}, b);
    g.node(Binary{function, Activation::none}, {x, y}, {g.output(Type::int16, {1, kCount}, out)});
    const Values first = random16(kCount, 1), second = random16(kCount, 2);
    const Values got = g.run<std::int16_t>(std::vector<Values>{first, second});
    for (std::size_t i = 0; i < kCount; ++i) {
        const double real =
            want(static_cast<double>(a) * first[i], static_cast<double>(b) * second[i]) /
            static_cast<double>(out);
        ASSERT_NEAR(got[i], std::clamp(real, -32768.0, 32767.0), off)
            << first[i] << ", " << second[i];
    }
}

TEST(Int16, ArithmeticIsThatOfRealValues) {
    const auto sum = [](double a, double b) { return a + b; };
    const auto difference = [](double a, double b) { return a - b; };
    expect_pairs(Arithmetic::add, 0.0003F, 0.0007F, 0.0006F, 0.6, sum);
    expect_pairs(Arithmetic::sub, 0.0003F, 0.0001F, 0.0004F, 0.6, difference);
    // One operand is shifted to the scale of the other one, in front of the sum.
    expect_pairs(Arithmetic::add, 0x1p-12F, 0x1p-15F, 0x1p-12F, 0.5, sum);
    expect_pairs(Arithmetic::sub, 0x1p-14F, 0x1p-12F, 0x1p-12F, 0.5, difference);
    expect_pairs(Arithmetic::mul, 0.0003F, 0.0007F, 0.006F, 0.6,
                 [](double a, double b) { return a * b; });
    expect_pairs(Arithmetic::squared_difference, 0.0003F, 0.0007F, 0.02F, 0.6,
                 [](double a, double b) { return (a - b) * (a - b); });
}

/// All values of a function, and what they should be by less than `off`.
void expect_function(const Unary& op, float in, float out, double off,
                     const std::function<double(double)>& want) {
    Builder b;
    b.node(op, {b.input(Type::int16, {65536}, in)}, {b.output(Type::int16, {65536}, out)});
    const Values values = every16();
    const Values got = b.run<std::int16_t>(std::vector<Values>{values});
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double real = want(static_cast<double>(in) * values[i]) / static_cast<double>(out);
        ASSERT_NEAR(got[i], std::clamp(real, -32768.0, 32767.0), off) << values[i];
    }
}

TEST(Int16, FunctionsAreNearTheirRealOnes) {
    const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
    const auto tanh = [](double x) { return std::tanh(x); };
    constexpr float kOne = 1.0F / 32768;
    // 1 saturates; a line between entries is off by 1.4 in 65536.
    for (const float scale : {0.0003F, 0x1p-12F, 0.00007F}) {
        expect_function({Function::sigmoid}, scale, kOne, 2, sigmoid);
        expect_function({Function::tanh}, scale, kOne, 3, tanh);
    }
    expect_function({Function::tanh}, 0.0003F, 0.0001F, 0.51, tanh);  // no kernel of TFLite
    expect_function({Function::exp}, 0.0001F, 0.001F, 4, [](double x) { return std::exp(x); });
    expect_function({Function::gelu}, 0.0001F, 0.0001F, 2,
                    [](double x) { return x * std::erfc(-x * std::sqrt(0.5)) / 2; });
    expect_function({Function::leaky_relu, 0.3F}, 0.0002F, 0.0003F, 0.61,
                    [](double x) { return x < 0 ? 0.3F * x : x; });
    expect_function({Function::relu6}, 0.0005F, 0.0003F, 0.51,
                    [](double x) { return std::clamp(x, 0.0, 6.0); });
    expect_function({Function::abs}, 0.0005F, 0.0005F, 0.01, [](double x) { return std::abs(x); });
    // Rounded to 0.
    expect_function({Function::sqrt}, 0.0005F, 0.0002F, 1,
                    [](double x) { return std::sqrt(std::max(x, 0.0)); });
    expect_function({Function::hard_swish}, 0.0002F, 0.0002F, 0.6,
                    [](double x) { return x * std::clamp(x + 3, 0.0, 6.0) / 6; });
}

TEST(Int16, SoftmaxIsNearTheRealOne) {
    constexpr int kCount = 40;
    constexpr float kScale = 0.0002F, kBeta = 1.5F;
    Builder b;
    b.node(Softmax{kBeta}, {b.input(Type::int16, {2, kCount}, kScale)},
           {b.output(Type::int16, {2, kCount}, 1.0F / 32768)});
    const Values values = random16(2 * kCount, 5);
    const Values got = b.run<std::int16_t>(std::vector<Values>{values});
    for (std::size_t row = 0; row < 2; ++row) {
        double sum = 0;
        const auto exp = [&](std::size_t i) {
            return std::exp(static_cast<double>(kScale * kBeta) * values[row * kCount + i]);
        };
        for (std::size_t i = 0; i < kCount; ++i)
            sum += exp(i);
        for (std::size_t i = 0; i < kCount; ++i)
            ASSERT_NEAR(got[row * kCount + i], 32768 * exp(i) / sum, 8) << row << ", " << i;
    }
}

TEST(Int16, SumsAreThoseOfRealValues) {
    Builder b;
    Reduce op;
    op.axes = {1};
    b.node(op, {b.input(Type::int16, {3, 50}, kIn)}, {b.output(Type::int16, {3}, 0.004F)});
    const Values values = random16(150, 9);
    const Values got = b.run<std::int16_t>(std::vector<Values>{values});
    for (int row = 0; row < 3; ++row) {
        const auto first = values.begin() + row * 50;
        const double sum = std::accumulate(first, first + 50, 0.0);
        EXPECT_NEAR(got[static_cast<std::size_t>(row)],
                    std::clamp(sum * static_cast<double>(kIn) / 0.004, -32768.0, 32767.0), 0.51);
    }
}

TEST(Int16, WhatTFLiteDoesNotHaveIsRefused) {
    Builder weights;
    const TensorId x = weights.input(Type::int16, {1, 4}, kIn);
    const TensorId bytes =
        weights.constant<std::uint8_t>(Type::uint8, {1, 4}, {1, 2, 3, 4}, kWeights, 9);
    weights.node(FullyConnected{}, {x, bytes}, {weights.output(Type::int16, {1, 1}, kOut)});
    EXPECT_EQ(check(weights.graph)[0], "node 0: weights t1 have type uint8: want int8");

    Builder softmax;
    softmax.node(Softmax{}, {softmax.input(Type::int16, {1, 4}, kIn)},
                 {softmax.output(Type::int16, {1, 4}, 1.0F / 256)});
    EXPECT_EQ(check(softmax.graph)[0],
              "node 0: output with scale 0.00390625 and zero point 0: want 1/32768 and 0");

    Builder types;
    const TensorId in = types.input(Type::int16, {4}, kIn);
    types.node(Unary{}, {in}, {types.output(Type::int8, {4}, kIn)});
    EXPECT_EQ(check(types.graph)[0], "node 0: t0 has type int16, t1 has int8: want the same");
}

}  // namespace
}  // namespace macrame::graph
