// Layers that are not like the others: constants, clamps, averages, one stage only.

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "compiler/dla/requantise.hpp"
#include "compiler/test/dla/layers.hpp"

namespace macrame::dla::compiler {
namespace {

using test::Random;
using test::Style;

LayerTarget small_layer(bool relu, int channels) {
    Random random(11);
    Style style;
    style.relu = relu;
    style.zero_point = relu ? -128 : 5;
    style.least_right = style.most_right = 6;
    style.channels = channels;
    return test::random_layer(random, style);
}

TEST(RequantiseCases, ConstantChannelsCostTheOthersNothing) {
    LayerTarget layer = small_layer(true, 16);
    layer.channels.push_back({1e-9, 1 << 30, -100000, 100000});     // clipped bias: always 1 or so
    layer.channels.push_back({1e-7, 1 << 30, -100000, 100000});     // 107
    layer.channels.push_back({1e-7, -(1 << 30), -100000, 100000});  // clamped below
    layer.channels.push_back({0.01, 5000, 0, 0});                   // dead weights: 50
    layer.channels.push_back({0.01, 1 << 20, 0, 0});                // clamped above
    layer.channels.push_back({0, 12345, -1000, 1000});              // 0
    const Requantisation made = requantise(layer, {});
    EXPECT_TRUE(made.proved());
    EXPECT_LE(made.bs.alu_shift, 3);
    for (std::size_t c = 16; c < layer.channels.size(); ++c) {
        for (std::int64_t raw : {layer.channels[c].low, layer.channels[c].high})
            EXPECT_EQ(made.apply(c, raw), reference(layer, c, raw)) << c;
    }
    EXPECT_EQ(made.apply(17, 0), -21);
    EXPECT_EQ(made.apply(19, 0), -78);
}

TEST(RequantiseCases, ConstantChannelsWithBothSigns) {
    LayerTarget layer = small_layer(false, 8);
    layer.channels.push_back({1e-7, -(1 << 30), -100000, 100000});
    layer.channels.push_back({0.01, -5000, 0, 0});
    for (bool ew : {false, true}) {
        Stages stages;
        stages.ew = ew;
        const Requantisation made = requantise(layer, stages);
        EXPECT_EQ(made.apply(8, 0), 5 - 107);
        EXPECT_EQ(made.apply(9, 0), 5 - 50);
        for (const Deviation& channel : made.deviations)
            EXPECT_LT(channel.channel, 8);
        EXPECT_EQ(made.proved(), ew);
    }
}

TEST(RequantiseCases, NearlyConstantChannelWithAHugeBias) {
    LayerTarget layer = small_layer(true, 40);
    // 99.5 is within reach: one step.
    layer.channels.push_back({99.5 / (1 << 25), 1 << 25, -1000, 1000});
    const Requantisation made = requantise(layer, {});
    for (const Deviation& channel : made.deviations) {
        EXPECT_LE(channel.most, 1);
        EXPECT_LE(static_cast<double>(channel.values) / static_cast<double>(channel.reachable),
                  0.01);
    }
}

TEST(RequantiseCases, OneLargeBiasAmongManyWithBothSigns) {
    LayerTarget layer = small_layer(false, 40);
    layer.channels.push_back({1.0 / 5000, 700000, -1500000, 800000});
    for (bool ew : {false, true}) {
        Stages stages;
        stages.ew = ew;
        const Requantisation made = requantise(layer, stages);
        for (const Deviation& channel : made.deviations) {
            EXPECT_EQ(channel.most, 1);
            EXPECT_LE(static_cast<double>(channel.values) / static_cast<double>(channel.reachable),
                      0.005);
        }
    }
}

TEST(RequantiseCases, AllChannelsConstant) {
    LayerTarget layer;
    layer.channels = {{0.5, 100, 0, 0}, {0.25, -100, 0, 0}, {0, 0, -10, 10}};
    const Requantisation made = requantise(layer, {});
    EXPECT_TRUE(made.proved());
    EXPECT_EQ(made.apply(0, 0), 50);
    EXPECT_EQ(made.apply(1, 0), -25);
}

TEST(RequantiseCases, FactorsOfOneAndMore) {
    LayerTarget layer;
    layer.low = layer.zero_point = -128;
    layer.channels = {{1.0, 3, -300, 300},
                      {1.37, -20, -300, 300},
                      {3.9, 0, -100, 100},
                      {0.02, 17, -20000, 20000}};
    const Requantisation made = requantise(layer, {});
    EXPECT_TRUE(made.proved());
    for (std::size_t c = 0; c < layer.channels.size(); ++c) {
        for (std::int64_t raw = layer.channels[c].low; raw <= layer.channels[c].high; ++raw)
            ASSERT_EQ(made.apply(c, raw), reference(layer, c, raw)) << c << ' ' << raw;
    }
}

TEST(RequantiseCases, ReluWithAnotherZeroPointIsBnRelu) {
    LayerTarget layer = small_layer(true, 8);
    layer.zero_point = layer.low = -14;
    const Requantisation made = requantise(layer, {});
    EXPECT_TRUE(made.bn.relu);
    EXPECT_TRUE(made.proved());
}

TEST(RequantiseCases, UpperClampWithEw) {
    LayerTarget layer = small_layer(true, 8);
    layer.zero_point = layer.low = -14;
    layer.high = 63;
    Stages stages;
    stages.ew = true;
    const Requantisation made = requantise(layer, stages);
    EXPECT_TRUE(made.proved());
    EXPECT_FALSE(made.ew.alu_bypass);
    EXPECT_EQ(made.ew.alu, 77);
    int largest = -128;
    for (std::size_t c = 0; c < layer.channels.size(); ++c)
        largest = std::max(largest, made.apply(c, layer.channels[c].high));
    EXPECT_EQ(largest, 63);
}

TEST(RequantiseCases, UpperClampWithoutEwIsMinimumInBs) {
    LayerTarget layer = small_layer(true, 8);
    layer.zero_point = layer.low = -14;
    layer.high = 63;
    const Requantisation made = requantise(layer, {});
    EXPECT_EQ(made.bs.function, AluFunction::minimum);
    for (const Deviation& channel : made.deviations)
        EXPECT_LE(channel.most, 1);
    EXPECT_LE(made.deviations.size(), 2U);
}

TEST(RequantiseCases, UpperClampOutOfReachNeedsNothing) {
    LayerTarget layer;
    layer.zero_point = layer.low = -14;
    layer.high = 63;
    layer.channels = {{0.01, 0, -5000, 5000}};
    const Requantisation made = requantise(layer, {});
    EXPECT_TRUE(made.proved());
    EXPECT_EQ(made.bs.function, AluFunction::sum);
}

TEST(RequantiseCases, ClampThatNoStageDoesIsReported) {
    LayerTarget layer = small_layer(false, 2);
    layer.low = -20;  // neither saturation nor the zero point
    const Requantisation made = requantise(layer, {});
    ASSERT_EQ(made.deviations.size(), 2U);
    EXPECT_GT(made.deviations[0].most, 1);
    Stages stages;
    stages.ew = true;
    EXPECT_TRUE(requantise(layer, stages).proved());
}

TEST(RequantiseCases, AveragesNeedOneStage) {
    for (int count : {1, 2, 3, 4, 6, 9, 16, 25, 36, 49, 64, 125, 200, 256}) {
        LayerTarget layer;
        layer.rounding = Rounding::average;
        layer.channels.assign(8, {1.0 / count, 0, -128 * count, 127 * count});
        const Requantisation made = requantise(layer, {});
        EXPECT_EQ(made.mapping, "one-stage");
        EXPECT_TRUE(made.bn.bypass);
        EXPECT_TRUE(made.proved()) << count;
        for (int sum = -128 * count; sum <= 127 * count; ++sum) {
            const int half = sum > 0 ? count / 2 : -(count / 2);
            ASSERT_EQ(made.apply(3, sum), (sum + half) / count) << count << ' ' << sum;
        }
    }
}

TEST(RequantiseCases, MeanHasAMantissaOfItsOwn) {
    // TFLite's MEAN over 9: the multiplier of the scales, divided, is not normalised.
    LayerTarget layer;
    layer.zero_point = 3;
    ChannelTarget channel{1.0 / 9, -3 * 9, -128 * 9, 127 * 9};
    channel.mantissa = static_cast<std::int32_t>((std::int64_t{1} << 33) / 9);
    channel.exponent = 1 - 3;
    layer.channels = {channel};
    const Requantisation made = requantise(layer, {});
    EXPECT_TRUE(made.proved());
    for (int raw = -128 * 9; raw <= 127 * 9; ++raw) {
        const std::int32_t high = test::rounding_doubling_high(raw - 27, channel.mantissa);
        const int expected = std::clamp(test::rounding_divide(high, 2) + 3, -128, 127);
        ASSERT_EQ(reference(layer, 0, raw), expected);
        ASSERT_EQ(made.apply(0, raw), expected);
    }
}

TEST(RequantiseCases, OneStageOnly) {
    LayerTarget layer;
    layer.rounding = Rounding::average;
    layer.channels = {{1.0 / 9, 0, -1000, 1000}};
    Stages stages;
    stages.bs = false;
    const Requantisation made = requantise(layer, stages);
    EXPECT_TRUE(made.bs.bypass);
    EXPECT_FALSE(made.bn.bypass);
    EXPECT_TRUE(made.proved());
}

TEST(RequantiseCases, Refuses) {
    const auto error = [](const LayerTarget& layer, Stages stages) -> std::string {
        try {
            requantise(layer, stages);
        } catch (const std::invalid_argument& problem) {
            return problem.what();
        }
        return "";
    };
    Stages none;
    none.bs = none.bn = false;
    LayerTarget layer;
    layer.channels = {{0.1, 0, -10, 10}};
    EXPECT_EQ(error(layer, none), "no stage with a multiplier");
    layer.channels[0].factor = -0.1;
    EXPECT_EQ(error(layer, {}), "a factor is negative or not finite");
    layer.channels[0] = {0.1, 0, 10, -10};
    EXPECT_EQ(error(layer, {}), "reach: low is above high");
    layer.channels[0] = {0, 0, -10, 10};
    layer.rounding = Rounding::average;
    EXPECT_EQ(error(layer, {}), "an average over nothing");
    layer.low = 100;
    layer.high = 50;
    EXPECT_EQ(error(layer, {}), "clamp: low is above high");
}

}  // namespace
}  // namespace macrame::dla::compiler
