#include "compiler/dla/requantise.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "compiler/dla/step_function.hpp"
#include "compiler/test/dla/layers.hpp"

namespace macrame::dla::compiler {
namespace {

using test::Random;
using test::Style;

/// Sums over channels and layers.
struct Tally {
    std::size_t channels = 0, exact = 0;
    std::int64_t values = 0, reachable = 0;
    int most = 0;
    double worst = 0;  ///< share of the worst layer

    void add(const LayerTarget& layer, const Requantisation& made) {
        std::int64_t all = 0, wrong = 0;
        for (const ChannelTarget& channel : layer.channels)
            all += channel.high - channel.low + 1;
        for (const Deviation& channel : made.deviations) {
            wrong += channel.values;
            most = std::max(most, channel.most);
        }
        channels += layer.channels.size();
        exact += layer.channels.size() - made.deviations.size();
        values += wrong;
        reachable += all;
        worst = std::max(worst, static_cast<double>(wrong) / static_cast<double>(all));
    }
    double share() const { return static_cast<double>(exact) / static_cast<double>(channels); }
    void print(const char* what) const {
        fmt::print(
            "{}: {} of {} channels exact ({:.2f} %), {} of {} sums differ ({:.5f} %), worst "
            "layer {:.4f} %, by at most {}\n",
            what, exact, channels, 100 * share(), values, reachable,
            100.0 * static_cast<double>(values) / static_cast<double>(reachable), 100 * worst,
            most);
    }
};

/// All sums of all channels, on the naive SDP: what is reported is what is there.
void expect_reported(const LayerTarget& layer, const Requantisation& made) {
    std::size_t next = 0;
    for (std::size_t c = 0; c < layer.channels.size(); ++c) {
        std::int64_t values = 0;
        int most = 0;
        for (std::int64_t raw = layer.channels[c].low; raw <= layer.channels[c].high; ++raw) {
            const int distance = std::abs(test::naive_sdp(made, c, raw) - reference(layer, c, raw));
            values += distance > 0 ? 1 : 0;
            most = std::max(most, distance);
        }
        if (values == 0) continue;
        ASSERT_LT(next, made.deviations.size()) << "channel " << c << " is said to be exact";
        EXPECT_EQ(made.deviations[next].channel, static_cast<int>(c));
        EXPECT_EQ(made.deviations[next].values, values);
        EXPECT_EQ(made.deviations[next].most, most);
        ++next;
    }
    EXPECT_EQ(next, made.deviations.size());
}

TEST(Reference, TfliteRoundsTwice) {
    Random random(1);
    for (int n = 0; n < 20000; ++n) {
        LayerTarget layer;
        layer.zero_point = static_cast<int>(random.whole(-128, 128));
        layer.channels.push_back(
            {std::exp2(random.real(-16, 1)), random.whole(-40000, 40000), 0, 0});
        const std::int64_t raw = random.whole(-(1 << 20), 1 << 20);
        const int expected =
            test::tflite_multiply(raw + layer.channels[0].bias, layer.channels[0].factor) +
            layer.zero_point;
        ASSERT_EQ(reference(layer, 0, raw), std::clamp(expected, -128, 127));
    }
}

TEST(Reference, TfliteRoundsOnceFromTensorflow220On) {
    Random random(5);
    LayerTarget layer;
    layer.rounding = Rounding::tflite_once;
    for (int n = 0; n < 20000; ++n) {
        const double factor = std::exp2(random.real(-16, 1));
        layer.channels = {{factor, random.whole(-40000, 40000), 0, 0}};
        const std::int64_t raw = random.whole(-(1 << 20), 1 << 20);
        // A mantissa of 31 bits; the product is exact in long double, and halves go up.
        int exponent = 0;
        const double mantissa = std::nearbyint(std::ldexp(std::frexp(factor, &exponent), 31));
        const long double product = static_cast<long double>(mantissa) *
                                    static_cast<long double>(raw + layer.channels[0].bias);
        const auto expected =
            static_cast<int>(std::floor(std::ldexp(product, exponent - 31) + 0.5L));
        ASSERT_EQ(reference(layer, 0, raw), std::clamp(expected, -128, 127));
    }
}

TEST(Reference, OnnxRoundsOnceToEven) {
    LayerTarget layer;
    layer.rounding = Rounding::onnx;
    layer.channels.push_back({0.5, 0, 0, 0});
    EXPECT_EQ(reference(layer, 0, 5), 2);
    EXPECT_EQ(reference(layer, 0, 7), 4);
    EXPECT_EQ(reference(layer, 0, -5), -2);
    EXPECT_EQ(reference(layer, 0, -7), -4);
    Random random(2);
    for (int n = 0; n < 20000; ++n) {
        const auto factor = static_cast<float>(std::exp2(random.real(-12, 1)));
        layer.channels[0].factor = double{factor};
        const std::int64_t raw = random.whole(-1000, 1000);
        const float product = factor * static_cast<float>(raw);
        ASSERT_EQ(reference(layer, 0, raw),
                  std::clamp(static_cast<int>(std::nearbyint(product)), -128, 127));
    }
}

TEST(Reference, StepsAreWhereTheResultChanges) {
    Random random(3);
    for (int n = 0; n < 60; ++n) {
        Style style;
        constexpr Rounding kAll[] = {Rounding::onnx, Rounding::tflite, Rounding::average,
                                     Rounding::tflite_once};
        style.rounding = kAll[n % 4];
        style.zero_point = static_cast<int>(random.whole(-128, 128));
        style.relu = n / 4 % 2 == 0;
        style.least_right = -1;
        style.most_right = 6;
        style.channels = 1;
        LayerTarget layer = test::random_layer(random, style);
        if (style.rounding == Rounding::average)
            layer.channels[0].factor = 1.0 / static_cast<double>(random.whole(1, 126));
        const Steps found = steps(layer, layer.channels[0]);
        std::vector<std::int64_t> expected;
        for (std::int64_t raw = found.low; raw <= found.high; ++raw) {
            const int before =
                raw == found.low ? found.first + layer.zero_point : reference(layer, 0, raw - 1);
            for (int y = before; y < reference(layer, 0, raw); ++y)
                expected.push_back(raw);
        }
        ASSERT_EQ(found.at, expected);
        ASSERT_EQ(found.last, found.first + static_cast<int>(expected.size()));
    }
}

TEST(Apply, IsTheHardware) {
    Random random(4);
    const auto operand = [&] { return static_cast<std::int16_t>(random.whole(-32768, 32768)); };
    for (int n = 0; n < 200000; ++n) {
        Requantisation made;
        for (XStage* stage : {&made.bs, &made.bn}) {
            stage->bypass = random.whole(0, 8) == 0;
            stage->relu = random.whole(0, 4) == 0;
            stage->function = static_cast<AluFunction>(random.whole(0, 3));
            stage->alu_shift = static_cast<int>(random.whole(0, 64));
            stage->mul_shift = static_cast<int>(random.whole(0, n % 2 == 0 ? 64 : 20));
            if (n % 3 != 0) stage->alu_shift = static_cast<int>(random.whole(0, 8));
            stage->alu = {operand()};
            stage->mul = {operand()};
        }
        made.ew.bypass = random.whole(0, 2) == 0;
        made.ew.truncate = static_cast<int>(random.whole(0, 30));
        if (random.whole(0, 2) == 0) made.ew.mul = {operand()};
        made.ew.alu_bypass = random.whole(0, 2) == 0;
        made.ew.function = static_cast<AluFunction>(random.whole(0, 3));
        made.ew.alu = static_cast<std::int32_t>(random.whole(-200, 200));
        made.offset = static_cast<std::int32_t>(random.whole(-128, 128));
        made.shift = static_cast<int>(random.whole(0, 12));
        const int bits = static_cast<int>(random.whole(4, 32));
        const std::int64_t sum = random.whole(-(std::int64_t{1} << bits), std::int64_t{1} << bits);
        ASSERT_EQ(made.apply(0, sum), test::naive_sdp(made, 0, sum)) << n;
    }
}

TEST(Requantise, ReportsWhatAllSumsGive) {
    Random random(5);
    for (int n = 0; n < 24; ++n) {
        Style style;
        style.rounding = n % 4 == 0 ? Rounding::onnx : Rounding::tflite;
        style.relu = n % 2 == 0;
        style.zero_point = n % 3 == 0 ? -128 : static_cast<int>(random.whole(-60, 60));
        style.least_right = 1;
        style.most_right = n == 0 ? 11 : 6;
        style.channels = 4;
        const LayerTarget layer = test::random_layer(random, style);
        Stages stages;
        stages.ew = n % 5 == 0;
        expect_reported(layer, requantise(layer, stages));
    }
}

TEST(Requantise, ReluLayersAreExact) {
    Random random(6);
    Tally tally;
    for (int n = 0; n < 30; ++n) {
        Style style;
        style.zero_point = n % 3 == 0 ? static_cast<int>(random.whole(-100, 40)) : -128;
        const LayerTarget layer = test::random_layer(random, style);
        const Requantisation made = requantise(layer, {});
        EXPECT_EQ(made.mapping, "fine");
        EXPECT_TRUE(made.ew.bypass);
        tally.add(layer, made);
    }
    tally.print("fine, ReLU");
    EXPECT_GE(tally.share(), 0.99);
    EXPECT_LE(tally.most, 1);
    EXPECT_LE(tally.worst, 1e-6);
}

TEST(Requantise, ReluLayersWithSmallFactors) {
    // Factors from 1/2 down to 1e-5, sums up to 2^24, biases up to 2^21: steps at more than 2^22
    // want more bits of B1 * B2 than a channel has whose factor is far below the largest one.
    Random random(12);
    Tally tally;
    for (int n = 0; n < 40; ++n) {
        Style style;
        style.least_right = 1;
        style.most_right = 13;
        style.spread = n % 2 == 0 ? 3.6 : 2;
        const LayerTarget layer = test::random_layer(random, style);
        tally.add(layer, requantise(layer, {}));
    }
    tally.print("fine, ReLU, factors of 0.5 .. 1e-5");
    EXPECT_GE(tally.share(), 0.96);
    EXPECT_LE(tally.most, 1);
    EXPECT_LE(tally.worst, 1e-6);
}

TEST(Requantise, OnnxIsExactWithBothSigns) {
    Random random(7);
    Tally tally;
    for (int n = 0; n < 20; ++n) {
        Style style;
        style.rounding = Rounding::onnx;
        style.relu = false;
        style.zero_point = static_cast<int>(random.whole(-60, 60));
        const LayerTarget layer = test::random_layer(random, style);
        const Requantisation made = requantise(layer, {});
        EXPECT_EQ(made.mapping, "once");
        tally.add(layer, made);
    }
    tally.print("once, ONNX");
    // The reference rounds products to float32 first: some of them to a half.
    EXPECT_GE(tally.share(), 0.96);
    EXPECT_LE(tally.most, 1);
    EXPECT_LE(tally.worst, 1e-5);
}

TEST(Requantise, BothSignsWithoutEw) {
    Random random(8);
    Tally tally;
    for (int n = 0; n < 20; ++n) {
        Style style;
        style.relu = false;
        style.zero_point = static_cast<int>(random.whole(-60, 60));
        const LayerTarget layer = test::random_layer(random, style);
        tally.add(layer, requantise(layer, {}));
    }
    tally.print("two-stage, no activation");
    EXPECT_LE(tally.worst, 0.0005);
    EXPECT_LE(tally.most, 1);
}

TEST(Requantise, BothSignsWithEw) {
    Random random(9);
    Tally tally;
    Stages stages;
    stages.ew = true;
    for (int n = 0; n < 20; ++n) {
        Style style;
        style.relu = false;
        style.zero_point = static_cast<int>(random.whole(-60, 60));
        const LayerTarget layer = test::random_layer(random, style);
        const Requantisation made = requantise(layer, stages);
        EXPECT_EQ(made.mapping, "three-stage");
        tally.add(layer, made);
    }
    tally.print("three-stage, no activation");
    EXPECT_GE(tally.share(), 0.99);
    EXPECT_LE(tally.most, 1);
}

/// Layers that the usual shifts leave with a few channels that are not exact.
void expect_exact_with_ew(Random& random, const Style& style, int layers) {
    Stages stages;
    stages.ew = true;
    for (int n = 0; n < layers; ++n) {
        LayerTarget layer = test::random_layer(random, style);
        // A channel that is always the same, and whose factor is far from those of the others.
        layer.channels.push_back({std::exp2(-21.5), 5 << 21, -20, 20});
        const Requantisation made = requantise(layer, stages);
        EXPECT_TRUE(made.proved()) << n << " " << made.mapping << ": " << made.deviations.size();
        if (n == 0) expect_reported(layer, made);
    }
}

TEST(Requantise, ReluLayersWithEwAreExactWhateverTheFactors) {
    Random random(13);
    Style style;
    style.least_right = 1;
    style.most_right = 4;
    style.spread = 8;
    style.channels = 16;
    expect_exact_with_ew(random, style, 12);
}

TEST(Requantise, BothSignsWithEwAreExactWhateverTheFactors) {
    Random random(14);
    Style style;
    style.relu = false;
    style.zero_point = 14;
    style.least_right = 5;
    style.most_right = 7;
    style.spread = 4;
    style.channels = 16;
    expect_exact_with_ew(random, style, 12);
}

TEST(Requantise, LargeSpreadOfFactors) {
    Random random(10);
    Tally tally;
    for (int n = 0; n < 8; ++n) {
        Style style;
        style.spread = 11;
        style.least_right = 4;
        style.most_right = 6;
        const LayerTarget layer = test::random_layer(random, style);
        tally.add(layer, requantise(layer, {}));
    }
    tally.print("fine, factors spread by 2^11");
    EXPECT_LE(tally.most, 1);
    EXPECT_LE(tally.worst, 0.0001);
}

}  // namespace
}  // namespace macrame::dla::compiler
