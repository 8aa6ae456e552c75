/// Requantisation in two halves, and networks whose convolutions need them.

#include "compiler/dla/halves.hpp"

#include <gtest/gtest.h>

#include "compiler/dla/step_function.hpp"
#include "compiler/test/dla/follow.hpp"
#include "compiler/test/dla/layers.hpp"
#include "compiler/test/random/graph_builder.hpp"

namespace macrame::test {

namespace {

using dla::compiler::Halves;
using dla::compiler::LayerTarget;
using dla::compiler::requantise;
using dla::compiler::requantise_in_halves;
using dla::compiler::Stages;

TEST(DlaHalves, SumsAreTheReference) {
    dla::compiler::test::Random random(1);
    std::size_t channels = 0, alone = 0, together = 0;
    for (int n = 0; n < 12; ++n) {
        dla::compiler::test::Style style;
        style.relu = n % 4 == 3;
        style.zero_point = static_cast<int>(random.whole(-100, 100));
        style.channels = 6;
        if (style.relu) style.spread = 6;
        const LayerTarget layer = dla::compiler::test::random_layer(random, style);
        const auto halves = requantise_in_halves(layer, Stages{});
        ASSERT_TRUE(halves);
        channels += layer.channels.size();
        alone += layer.channels.size() - requantise(layer, Stages{}).deviations.size();
        together += layer.channels.size() - halves->deviations.size();
        std::size_t next = 0;
        for (std::size_t c = 0; c < layer.channels.size(); ++c) {
            std::int64_t wrong = 0;
            for (std::int64_t raw = layer.channels[c].low; raw <= layer.channels[c].high; ++raw) {
                const int sum = dla::compiler::test::naive_sdp(halves->below, c, raw) +
                                dla::compiler::test::naive_sdp(halves->above, c, raw) +
                                halves->offset();
                wrong += std::clamp(sum, -128, 127) != reference(layer, c, raw) ? 1 : 0;
            }
            if (wrong == 0) continue;
            ASSERT_LT(next, halves->deviations.size()) << "channel " << c;
            EXPECT_EQ(halves->deviations[next].channel, static_cast<int>(c));
            EXPECT_EQ(halves->deviations[next].values, wrong);
            ++next;
        }
        EXPECT_EQ(next, halves->deviations.size());
    }
    EXPECT_LT(alone * 2, channels);
    EXPECT_GE(together, channels - 1);
}

TEST(DlaHalves, SomeOfManyChannelsChooseThePlace) {
    dla::compiler::test::Random random(2);
    dla::compiler::test::Style style;
    style.channels = 8;
    LayerTarget layer = dla::compiler::test::random_layer(random, style);
    const auto few = requantise_in_halves(layer, Stages{});
    const std::vector<dla::compiler::ChannelTarget> channels = layer.channels;
    while (layer.channels.size() < 520)
        layer.channels.insert(layer.channels.end(), channels.begin(), channels.end());
    const auto many = requantise_in_halves(layer, Stages{});
    ASSERT_TRUE(few && many);
    EXPECT_EQ(many->at, few->at);
    EXPECT_EQ(many->below.bs.mul.size(), layer.channels.size());
    EXPECT_EQ(many->deviations.size(), few->deviations.size() * (layer.channels.size() / 8));
}

TEST(DlaHalves, OneResultIsNotCut) {
    LayerTarget layer;
    layer.low = layer.high = 5;
    layer.channels.push_back({0.01, 0, -1000, 1000});
    EXPECT_FALSE(requantise_in_halves(layer, Stages{}));
}

class Chain : GraphBuilder {
public:
    using GraphBuilder::GraphBuilder;

    Graph build() {
        const int size = random_.in(1, 9);
        TensorId now = activation({1, size, size, random_.pick({1, 3, 8, 16, 24})}, "input");
        graph_.inputs = {now};
        for (int i = 0; i < 3; ++i)
            now = conv(now);
        return finish();
    }
};

TEST(DlaHalves, ExactConvolutionsAreExactOnAllConfigurations) {
    Counts counts;
    compiler::Options exact;
    exact.exact = true;
    for (const dla::published::Config& config : configurations())
        for (std::uint64_t seed = 1; seed <= 12 && !HasFailure(); ++seed)
            follow(Chain(seed).build(), seed, config, counts, exact);
    EXPECT_GT(counts.networks, 60);
    EXPECT_EQ(counts.proved, counts.values);
}

}  // namespace

}  // namespace macrame::test
