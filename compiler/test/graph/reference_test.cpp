/// Operators but convolutions: values computed by hand, or by a definition in real numbers.
#include "compiler/graph/reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "compiler/test/graph/graph_builder.hpp"

namespace macrame::graph {
namespace {

using test::Builder;
using test::every_value;
using test::random_values;
using Ints = std::vector<std::int8_t>;
using Floats = std::vector<float>;

constexpr int kSaturation = 1000000;

int saturated(double value) {
    return static_cast<int>(std::clamp(std::round(value), -128.0, 127.0));
}

/// Differences between results and a definition in real numbers: how many, and the largest.
struct Deviation {
    int count = 0, largest = 0;
};
template <typename Want>
Deviation deviation(const Ints& got, const Want& want) {
    Deviation result;
    for (std::size_t i = 0; i < got.size(); ++i) {
        const int distance = std::abs(got[i] - saturated(want(i)));
        result.count += distance != 0;
        result.largest = std::max(result.largest, distance);
    }
    return result;
}

Ints unary(const Unary& op, float in, int zero_in, float out, int zero_out) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 256}, in, zero_in);
    const TensorId y = b.output(Type::int8, {1, 256}, out, zero_out);
    b.node(op, {x}, {y});
    return b.run<std::int8_t, std::int8_t>({every_value()});
}

/// All pairs of values.
std::pair<Ints, Ints> pairs() {
    Ints a, b;
    for (const std::int8_t x : every_value()) {
        for (const std::int8_t y : every_value()) {
            a.push_back(x);
            b.push_back(y);
        }
    }
    return {a, b};
}

TEST(Binary, IsNearTheRealResultForAllPairs) {
    // No simple ratios: exact halves are for the tests with values.
    const float sa = 0.031359F, sb = 0.047123F, so = 0.061793F;
    const auto [a, b] = pairs();
    for (const Arithmetic function : {Arithmetic::add, Arithmetic::sub, Arithmetic::mul}) {
        Builder graph;
        const TensorId x = graph.input(Type::int8, {256, 256}, sa, 4);
        const TensorId y = graph.input(Type::int8, {256, 256}, sb, -17);
        const TensorId z = graph.output(Type::int8, {256, 256}, so, 38);
        graph.node(Binary{function, Activation::none}, {x, y}, {z});
        const Ints got = graph.run<std::int8_t, std::int8_t>({a, b});
        const Deviation d = deviation(got, [&, first = a, second = b](std::size_t i) {
            const double p = double{sa} * (first[i] - 4), q = double{sb} * (second[i] + 17);
            const double r = function == Arithmetic::add   ? p + q
                             : function == Arithmetic::sub ? p - q
                                                           : p * q;
            return std::round(r / double{so}) + 38;
        });
        EXPECT_LE(d.largest, 1);
        // Products are rounded twice: more of them lie near a half.
        EXPECT_LE(d.count, function == Arithmetic::mul ? 600 : 20);
    }
}

TEST(Binary, BroadcastsAndClamps) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 2, 1, 3}, 1, 0);
    const TensorId c = b.constant<std::int8_t>(Type::int8, {3}, {10, -20, 100}, 1, 0);
    const TensorId y = b.output(Type::int8, {1, 2, 1, 3}, 1, 5);
    b.node(Binary{Arithmetic::add, Activation::relu}, {x, c}, {y});
    EXPECT_EQ((b.run<std::int8_t, std::int8_t>({{1, 2, 3, 4, 50, 100}})),
              (Ints{16, 5, 108, 19, 35, 127}));
}

TEST(Binary, MaximumAndFloat) {
    Builder b;
    const TensorId x = b.input(Type::float32, {2}), c = b.constant<float>(Type::float32, {1}, {2});
    const TensorId m = b.tensor(Type::float32, {2}), y = b.output(Type::float32, {2});
    b.node(Binary{Arithmetic::maximum, Activation::none}, {x, c}, {m});
    b.node(Binary{Arithmetic::mul, Activation::relu6}, {m, c}, {y});
    EXPECT_EQ((b.run<float, float>({{1, 5}})), (Floats{4, 6}));
}

TEST(Binary, OnnxRoundsOnceToEven) {
    Builder b(Rounding::onnx);
    const TensorId x = b.input(Type::int8, {4}, 0.5F, 0), y = b.input(Type::int8, {4}, 0.5F, 0);
    const TensorId z = b.output(Type::int8, {4}, 1, 0);
    b.node(Binary{}, {x, y}, {z});
    EXPECT_EQ((b.run<std::int8_t, std::int8_t>({{1, 3, -1, -3}, {0, 0, 0, 0}})),
              (Ints{0, 2, 0, -2}));
}

/// ONNX Runtime without optimisations: the real product is rounded, then the zero point is added.
TEST(Binary, OnnxOfAConstantIsThatOfRealNumbers) {
    const std::vector<std::int8_t> values = {-123, -115, -111, -107, -103, -99};
    for (const bool as_real : {true, false}) {
        Builder b(Rounding::onnx);
        const TensorId x = b.input(Type::int8, {6}, 0.05F, 3);
        const TensorId c = b.constant<std::int8_t>(Type::int8, {1}, {20}, 0.03F, 0);
        b.node(Binary{Arithmetic::mul, Activation::none, as_real}, {x, c},
               {b.output(Type::int8, {6}, 0.04F, -15)});
        const Ints real = {-109, -103, -101, -97, -95, -91};
        const Ints integers = {-110, -104, -100, -98, -94, -92};
        EXPECT_EQ((b.run<std::int8_t, std::int8_t>({values})), as_real ? real : integers);
    }
}

/// What ONNX Runtime without optimisations has: sums of float32 decide halves, by their order.
TEST(Pool, AverageOfOnnxAddsColumnsFirstWhereStepsAreSmall) {
    Builder b(Rounding::onnx);
    const TensorId x = b.input(Type::int8, {1, 2, 6, 1}, 0.0173F, -15);
    b.node(Pool{Pooling::average, {2, 2, 2, 2, 1, 1, 0, 0, 0, 0}, Activation::none, true}, {x},
           {b.output(Type::int8, {1, 1, 3, 1}, 0.0173F, -15)});
    EXPECT_EQ(
        (b.run<std::int8_t, std::int8_t>({{-82, 77, 32, 95, 40, -19, 94, 21, -91, -58, -84, 113}})),
        (Ints{27, -5, 12}));
}

TEST(Pool, AverageOfOnnxAddsRowsFirstWhereStepsAreLarge) {
    Builder b(Rounding::onnx);
    const TensorId x = b.input(Type::int8, {1, 2, 6, 1}, 0.0173F, -15);
    b.node(Pool{Pooling::average, {2, 3, 1, 3, 1, 1, 0, 0, 0, 0}, Activation::none, true}, {x},
           {b.output(Type::int8, {1, 1, 2, 1}, 0.0173F, -15)});
    EXPECT_EQ((b.run<std::int8_t, std::int8_t>(
                  {{77, 118, 27, -63, 114, -30, -74, -112, 57, 78, -54, -120}})),
              (Ints{16, -13}));
}

TEST(Pool, AverageCountsWhatIsInside) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 2, 2, 1}, 1, -128);
    const TensorId y = b.output(Type::int8, {1, 2, 2, 1}, 1, -128);
    b.node(Pool{Pooling::average, {2, 2, 1, 1, 1, 1, 0, 0, 1, 1}, Activation::none}, {x}, {y});
    // (1 + 2 - 4 - 5) / 4 = -1.5; (2 - 5) / 2 = -1.5; (-4 - 5) / 2 = -4.5: away from zero.
    EXPECT_EQ((b.run<std::int8_t, std::int8_t>({{1, 2, -4, -5}})), (Ints{-2, -2, -5, -5}));
}

TEST(Pool, MaximumIgnoresPadding) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 3, 1, 2}, 1, 0);
    const TensorId y = b.output(Type::int8, {1, 2, 1, 2}, 1, 0);
    b.node(Pool{Pooling::maximum, {3, 1, 2, 1, 1, 1, 1, 0, 1, 0}, Activation::none}, {x}, {y});
    EXPECT_EQ((b.run<std::int8_t, std::int8_t>({{-5, -9, -7, -3, -8, -4}})),
              (Ints{-5, -3, -7, -3}));
}

TEST(Mean, IsNearTheRealMean) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 5, 7, 3}, 0.02F, -5);
    const TensorId y = b.output(Type::int8, {1, 3}, 0.013F, 9);
    b.node(Mean{{1, 2}, false}, {x}, {y});
    const Ints data = random_values(105, 3);
    const Ints got = b.run<std::int8_t, std::int8_t>({data});
    for (std::size_t c = 0; c < 3; ++c) {
        double sum = 0;
        for (std::size_t i = c; i < data.size(); i += 3)
            sum += 0.02 * (data[i] + 5);
        EXPECT_NEAR(got[c], sum / 35 / 0.013 + 9, 0.51);
    }
}

TEST(Unary, ClampsInTheScaleOfTheOutput) {
    EXPECT_EQ(unary({Function::relu, 0}, 0.1F, 3, 0.1F, 3)[100], 3);
    const Ints six = unary({Function::relu6, 0}, 0.1F, 0, 0.05F, -128);
    for (int i = -128; i < 128; ++i)
        ASSERT_EQ(six[static_cast<std::size_t>(i + 128)], std::clamp(2 * i, 0, 120) - 128) << i;
    const Ints one = unary({Function::relu_n1_to_1, 0}, 0.1F, 0, 0.1F, 1);
    EXPECT_EQ(*std::min_element(one.begin(), one.end()), -9);
    EXPECT_EQ(*std::max_element(one.begin(), one.end()), 11);
}

TEST(Unary, IsNearTheRealFunction) {
    struct Case {
        Function function;
        float in, out;
        int zero_in, zero_out, largest;
        double (*real)(double);
    };
    const std::vector<Case> cases = {
        {Function::leaky_relu, 0.10131F, 0.08173F, 10, -20, 1,
         [](double x) { return x < 0 ? double{0.3F} * x : x; }},
        {Function::sigmoid, 0.06F, 1 / 256.0F, 5, -128, 1,
         [](double x) { return 1 / (1 + std::exp(-x)); }},
        {Function::tanh, 0.03F, 1 / 128.0F, -3, 0, 1, [](double x) { return std::tanh(x); }},
        {Function::hard_swish, 0.05F, 0.04F, -20, -110, 1,
         [](double x) { return x * std::clamp(x + 3, 0.0, 6.0) / 6; }},
        {Function::hard_swish, 0.011F, 0.009F, 0, -60, 1,
         [](double x) { return x * std::clamp(x + 3, 0.0, 6.0) / 6; }},
        {Function::exp, 0.02F, 0.1F, 30, -120, 1, [](double x) { return std::exp(x); }},
        {Function::elu, 0.05F, 0.04F, 0, -90, 1,
         [](double x) { return x < 0 ? double{0.3F} * std::expm1(x) : x; }},
        {Function::abs, 0.05F, 0.07F, 9, -128, 1, [](double x) { return std::abs(x); }},
        {Function::gelu, 0.05F, 0.04F, 0, -90, 1,
         [](double x) { return x / 2 * (1 + std::erf(x / std::sqrt(2.0))); }},
        {Function::gelu_tanh, 0.05F, 0.04F, 7, -90, 1,
         [](double x) {
             return x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
         }},
        {Function::rsqrt, 0.05F, 0.04F, -128, -100, 1,
         [](double x) { return x > 0 ? 1 / std::sqrt(x) : 1e9; }},
    };
    for (const Case& c : cases) {
        const Ints got = unary({c.function, 0.3F}, c.in, c.zero_in, c.out, c.zero_out);
        const Deviation d = deviation(got, [&](std::size_t i) {
            const double x = double{c.in} * (static_cast<int>(i) - 128 - c.zero_in);
            return std::clamp<double>(c.real(x) / double{c.out} + c.zero_out, -kSaturation,
                                      kSaturation);
        });
        EXPECT_LE(d.largest, c.largest) << static_cast<int>(c.function);
        // Hard-swish has 16-bit products; small integers are rounded twice.
        const bool coarse =
            c.function == Function::hard_swish || c.function == Function::leaky_relu;
        EXPECT_LE(d.count, coarse ? 40 : 8) << static_cast<int>(c.function);
    }
}

TEST(Unary, WithoutIntegersOfTfliteThrowsItsPlace) {
    try {
        unary({Function::hard_swish, 0}, 0.1F, 0, 0.0001F, 0);
        FAIL();
    } catch (const std::invalid_argument& e) {
        EXPECT_STREQ(
            e.what(),
            "node 0: hard-swish of int8 has no exact integer arithmetic here: want float32");
    }
}

TEST(Unary, InFloat) {
    const std::vector<std::pair<Function, float>> cases = {
        {Function::relu, 0},
        {Function::leaky_relu, -0.5F},
        {Function::neg, 2},
        {Function::square, 4},
        {Function::abs, 2},
        {Function::relu_n1_to_1, -1},
        {Function::hard_swish, -1 / 3.0F},
        {Function::hard_sigmoid, 0.25F},
    };
    for (const auto& [function, want] : cases) {
        Builder b;
        const TensorId x = b.input(Type::float32, {1}), y = b.output(Type::float32, {1});
        b.node(Unary{function, 0.25F, 0.75F}, {x}, {y});
        EXPECT_FLOAT_EQ((b.run<float, float>({{-2}})[0]), want) << static_cast<int>(function);
    }
}

TEST(Prelu, HasASlopeForEachChannel) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 1, 2, 2}, 0.5F, 1);
    const TensorId a = b.constant<std::int8_t>(Type::int8, {1, 1, 2}, {3, -1}, 0.25F, 1);
    const TensorId y = b.output(Type::int8, {1, 1, 2, 2}, 0.25F, 0);
    b.node(Prelu{}, {x, a}, {y});
    // Slopes 0.5 and -0.5; values -2, -2, 3, 3.
    EXPECT_EQ((b.run<std::int8_t, std::int8_t>({{-3, -3, 7, 7}})), (Ints{-4, 4, 12, 12}));
}

TEST(Requantise, BetweenScalesAndTypes) {
    Builder b;
    const TensorId x = b.input(Type::int8, {3}, 0.5F, 0),
                   u = b.tensor(Type::uint8, {3}, 0.25F, 100);
    const TensorId y = b.output(Type::float32, {3});
    b.node(Requantise{}, {x}, {u});
    b.node(Requantise{}, {u}, {y});
    EXPECT_EQ((b.run<float, std::int8_t>({{3, -5, 127}})), (Floats{1.5F, -2.5F, 38.75F}));
}

TEST(Requantise, OfFloatsRoundsHalvesAsTheReference) {
    for (const Rounding rounding : {Rounding::tflite, Rounding::onnx}) {
        Builder b(rounding);
        const TensorId x = b.input(Type::float32, {5}), y = b.output(Type::int8, {5}, 2, 0);
        b.node(Requantise{}, {x}, {y});
        const Ints got = b.run<std::int8_t, float>({{1, 3, 5, -1, 1e9F}});
        EXPECT_EQ(
            got, rounding == Rounding::tflite ? (Ints{1, 2, 3, -1, 127}) : (Ints{0, 2, 2, 0, 127}));
    }
}

TEST(Concat, RequantisesWhereScalesDiffer) {
    Builder b;
    const TensorId x = b.input(Type::int8, {2, 1}, 1, 0), y = b.input(Type::int8, {2, 2}, 0.5F, 1);
    const TensorId z = b.output(Type::int8, {2, 3}, 1, 0);
    b.node(Concat{1, Activation::none}, {x, y}, {z});
    EXPECT_EQ((b.run<std::int8_t, std::int8_t>({{1, 2}, {5, 9, -3, 21}})),
              (Ints{1, 2, 4, 2, -2, 10}));
}

TEST(Layout, SliceSplitPadTranspose) {
    Builder b;
    const TensorId x = b.input(Type::int8, {2, 4}, 1, 7);
    const TensorId left = b.tensor(Type::int8, {2, 1}, 1, 7),
                   right = b.tensor(Type::int8, {2, 3}, 1, 7);
    const TensorId odd = b.tensor(Type::int8, {2, 2}, 1, 7),
                   turned = b.tensor(Type::int8, {2, 2}, 1, 7);
    const TensorId y = b.output(Type::int8, {3, 3}, 1, 7);
    b.node(Split{1}, {x}, {left, right});
    b.node(Slice{{0, 2}, {1, -2}}, {right}, {odd});
    b.node(Transpose{{1, 0}}, {odd}, {turned});
    b.node(Pad{{{1, 0}, {0, 1}}}, {turned}, {y});
    // 1 | 2 3 4 -> 4 2 -> columns become rows.
    EXPECT_EQ((b.run<std::int8_t, std::int8_t>({{1, 2, 3, 4, 5, 6, 7, 8}})),
              (Ints{7, 7, 7, 4, 8, 7, 2, 6, 7}));
}

TEST(Layout, TransposeOfFourAxesAndReshape) {
    Builder b;
    const TensorId x = b.input(Type::int16, {2, 3, 4, 5}), t = b.tensor(Type::int16, {4, 2, 5, 3});
    const TensorId y = b.output(Type::int16, {120});
    b.node(Transpose{{2, 0, 3, 1}}, {x}, {t});
    b.node(Reshape{}, {t}, {y});
    std::vector<std::int16_t> data(120);
    std::iota(data.begin(), data.end(), std::int16_t{0});
    const auto got = b.run<std::int16_t, std::int16_t>({data});
    for (int i = 0; i < 120; ++i) {
        const int c = i / 30, a = i / 15 % 2, d = i / 3 % 5, e = i % 3;
        ASSERT_EQ(got[static_cast<std::size_t>(i)], ((a * 3 + e) * 4 + c) * 5 + d);
    }
}

TEST(Resize, Nearest) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 2, 1, 1}, 1, 0);
    const TensorId y = b.output(Type::int8, {1, 5, 2, 1}, 1, 0);
    b.node(Resize{Resampling::nearest, false, false}, {x}, {y});
    EXPECT_EQ((b.run<std::int8_t, std::int8_t>({{10, 20}})),
              (Ints{10, 10, 10, 10, 10, 10, 20, 20, 20, 20}));
}

TEST(Resize, Bilinear) {
    Builder b, half;
    for (Builder* graph : {&b, &half}) {
        const TensorId x = graph->input(Type::int8, {1, 1, 2, 1}, 1, 0);
        const TensorId y = graph->output(Type::int8, {1, 1, 4, 1}, 1, 0);
        graph->node(Resize{Resampling::bilinear, false, graph == &half}, {x}, {y});
    }
    EXPECT_EQ((b.run<std::int8_t, std::int8_t>({{10, 20}})), (Ints{10, 15, 20, 20}));
    // At -0.25, 0.25, 0.75 and 1.25: halves away from zero.
    EXPECT_EQ((half.run<std::int8_t, std::int8_t>({{10, 20}})), (Ints{10, 13, 18, 20}));
    EXPECT_EQ((half.run<std::int8_t, std::int8_t>({{-10, -20}})), (Ints{-10, -13, -18, -20}));
}

TEST(Resize, BilinearOfUnsignedElementsIsInFloat) {
    Builder b, fixed;
    b.node(Resize{Resampling::bilinear, false, false}, {b.input(Type::uint8, {1, 1, 5, 1}, 1, 128)},
           {b.output(Type::uint8, {1, 1, 7, 1}, 1, 128)});
    fixed.node(Resize{Resampling::bilinear, false, false},
               {fixed.input(Type::int8, {1, 1, 5, 1}, 1, 0)},
               {fixed.output(Type::int8, {1, 1, 7, 1}, 1, 0)});
    // The third is at 10/7: 38.571; with 10 bits at 1462/1024: 38.496.
    EXPECT_EQ((b.run<std::uint8_t, std::uint8_t>({{0, 0, 90, 0, 0}}))[2], 39);
    EXPECT_EQ((fixed.run<std::int8_t, std::int8_t>({{0, 0, 90, 0, 0}}))[2], 38);
}

TEST(Softmax, IsNearTheRealOneAndSumsToOne) {
    for (const float scale : {0.01F, 0.1F, 0.5F}) {
        Builder b;
        const TensorId x = b.input(Type::int8, {4, 10}, scale, 5);
        const TensorId y = b.output(Type::int8, {4, 10}, 1 / 256.0F, -128);
        b.node(Softmax{1.5F}, {x}, {y});
        const Ints data = random_values(40, 9);
        const Ints got = b.run<std::int8_t, std::int8_t>({data});
        for (std::size_t row = 0; row < 4; ++row) {
            double sum = 0;
            for (std::size_t i = 0; i < 10; ++i)
                sum += std::exp(1.5 * double{scale} * data[row * 10 + i]);
            for (std::size_t i = row * 10; i < row * 10 + 10; ++i) {
                const double want = std::exp(1.5 * double{scale} * data[i]) / sum * 256 - 128;
                ASSERT_NEAR(got[i], std::min(want, 127.0), 0.51);
            }
        }
    }
}

TEST(Softmax, ItsLogarithm) {
    Builder b;
    b.node(Softmax{1, true}, {b.input(Type::float32, {1, 2})}, {b.output(Type::float32, {1, 2})});
    const std::vector<float> out = b.run<float, float>({{3, 1}});
    EXPECT_NEAR(out[0], -0.126928, 1e-6);
    EXPECT_NEAR(out[1], -2.126928, 1e-6);
    Builder bytes;
    bytes.node(Softmax{1, true}, {bytes.input(Type::int8, {1, 2}, 1)},
               {bytes.output(Type::int8, {1, 2}, 1.0F / 256, -128)});
    EXPECT_EQ(check(bytes.graph),
              (std::vector<std::string>{"node 0: logarithm of int8: want float32"}));
}

TEST(Softmax, InFloatAndOnnx) {
    Builder b, onnx(Rounding::onnx);
    b.node(Softmax{1}, {b.input(Type::float32, {1, 2})}, {b.output(Type::float32, {1, 2})});
    const Floats got = b.run<float, float>({{std::log(3.0F), 0}});
    EXPECT_NEAR(got[0], 0.75F, 1e-6F);
    onnx.node(Softmax{1}, {onnx.input(Type::int8, {1, 2}, 1, 0)},
              {onnx.output(Type::int8, {1, 2}, 0.25F, 0)});
    EXPECT_EQ((onnx.run<std::int8_t, std::int8_t>({{3, 3}})), (Ints{2, 2}));
}

TEST(Argmax, IsTheFirstLargest) {
    Builder b;
    b.node(Argmax{1}, {b.input(Type::int8, {2, 3, 2}, 1, 0)}, {b.output(Type::int64, {2, 2})});
    EXPECT_EQ((b.run<std::int64_t, std::int8_t>({{1, 2, 3, -1, 3, 0, -5, -5, -9, -4, -6, -4}})),
              (std::vector<std::int64_t>{1, 0, 0, 1}));
}

TEST(Run, TapSeesEachTensorAndOutputsMayBeInputsOfOthers) {
    Builder b;
    const TensorId x = b.input(Type::int8, {2}, 1, 0), m = b.output(Type::int8, {2}, 1, 0);
    const TensorId y = b.output(Type::int8, {2, 1}, 1, 0);
    b.node(Unary{Function::relu, 0}, {x}, {m});
    b.node(Reshape{}, {m}, {y});
    ASSERT_TRUE(check(b.graph).empty());
    std::vector<TensorId> seen;
    const auto outputs = run(b.graph, {test::bytes_of(Ints{-1, 5})},
                             [&](TensorId id, const Bytes&) { seen.push_back(id); });
    EXPECT_EQ(seen, (std::vector<TensorId>{m, y}));
    EXPECT_EQ(outputs, (std::vector<Bytes>{{0, 5}, {0, 5}}));
    EXPECT_THROW(run(b.graph, {}), std::invalid_argument);
    EXPECT_THROW(run(b.graph, {Bytes(3)}), std::invalid_argument);
}

}  // namespace
}  // namespace macrame::graph
