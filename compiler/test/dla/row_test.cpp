/// Softmax and norms by ROW.

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "compiler/dla/compile.hpp"
#include "compiler/test/dla/follow.hpp"
#include "compiler/test/random/graph_builder.hpp"

namespace macrame::test {

namespace {

/// Published configurations with ROW.
std::vector<dla::published::Config> configurations_with_row() {
    std::vector<dla::published::Config> out = dla::published::configs();
    int throughput = 1;
    for (dla::published::Config& config : out) {
        config.sizes.row = true;
        config.sizes.row_length = 512;
        config.sizes.row_throughput = throughput;
        throughput = throughput == 8 ? 1 : 2 * throughput;
    }
    return out;
}

dla::model::Architecture nv_small_with_row() { return configurations_with_row()[0].sizes; }

class Rows : GraphBuilder {
public:
    using GraphBuilder::GraphBuilder;

    Rows& rounding(Rounding rounding) {
        graph_.rounding = rounding;
        return *this;
    }
    /// Lines of pixels with so many channels.
    Rows& begin(std::vector<int> shape) {
        now_ = activation(std::move(shape), "input");
        graph_.inputs = {now_};
        return *this;
    }
    Rows& convolution() {
        now_ = conv(now_);
        return *this;
    }
    /// To a scale of 1/steps.
    Rows& softmax(float steps = 256, int zero = -128) {
        const TensorId out = activation(graph_.tensor(now_).shape, "softmax");
        graph_.tensor(out).quantisation = {{1.0F / steps}, {zero}, 0};
        add_node(Softmax{}, {now_}, out);
        now_ = out;
        return *this;
    }
    /// Of the last axis; `step`: of the output, of its deviations.
    Rows& norm(bool centred, float step = 0.03F, float epsilon = 1e-5F) {
        const std::vector<int> shape = graph_.tensor(now_).shape;
        const TensorId out = activation(shape, "norm");
        graph_.tensor(out).quantisation.scale = {step};
        Norm op;
        op.axis = static_cast<int>(shape.size()) - 1;
        op.centred = centred;
        op.epsilon = epsilon;
        const TensorId gain = random_.chance(80) ? reals(shape.back(), 50, 150) : kNone;
        const TensorId offset = random_.chance(80) ? reals(shape.back(), -80, 80) : kNone;
        add_node(op, {now_, gain, offset}, out);
        now_ = out;
        return *this;
    }
    /// Something of everything: rows of a convolution, with more of them behind.
    Rows& any() {
        begin({1, random_.in(1, 6), random_.in(1, 12), random_.in(1, 70)});
        for (int i = random_.in(1, 4); i > 0; --i) {
            if (random_.chance(60)) convolution();
            const bool tflite = graph_.rounding == Rounding::tflite;
            if (random_.chance(50))
                softmax(tflite || random_.chance(50) ? 256 : 255,
                        tflite || random_.chance(70) ? -128 : 0);
            else
                norm(random_.chance(60), static_cast<float>(random_.in(10, 60)) / 1000);
        }
        return *this;
    }
    Graph build() { return finish(); }

private:
    /// Hundredths.
    TensorId reals(int count, int low, int high) {
        Tensor t;
        t.name = "reals";
        t.type = Type::float32;
        t.shape = {count};
        t.constant = true;
        t.data.resize(t.bytes());
        for (std::size_t i = 0; i < t.elements(); ++i) {
            const float value = static_cast<float>(random_.in(low, high)) / 100;
            std::memcpy(&t.data[4 * i], &value, sizeof value);
        }
        return add_tensor(std::move(t));
    }

    TensorId now_ = kNone;
};

/// Layers of a unit.
int layers_of(const compiler::Compiled& made, const std::string& unit) {
    int count = 0;
    for (const compiler::LayerReport& layer : made.layers)
        count += layer.unit == unit ? 1 : 0;
    return count;
}

TEST(DlaRow, SoftmaxHasTheIntegersOfTflite) {
    Counts counts;
    std::uint64_t seed = 1;
    for (const dla::published::Config& config : configurations_with_row()) {
        for (const int channels : {1, 7, 8, 33, 197, 512}) {
            const Graph graph = Rows(seed).begin({1, 2, 5, channels}).softmax().build();
            follow(graph, seed++, config, counts);
        }
    }
    EXPECT_EQ(counts.networks, 36);
    EXPECT_EQ(counts.proved, counts.values);
}

/// Off by one is allowed, and rare.
TEST(DlaRow, NormsAreThoseOfRealNumbers) {
    Counts counts;
    std::uint64_t seed = 100;
    for (const dla::published::Config& config : configurations_with_row()) {
        for (const bool centred : {true, false}) {
            for (const int channels : {16, 64, 192, 512}) {
                const Graph graph = Rows(seed)
                                        .rounding(Rounding::onnx)
                                        .begin({1, 2, 10, channels})
                                        .norm(centred)
                                        .build();
                follow(graph, seed++, config, counts);
            }
        }
    }
    EXPECT_EQ(counts.networks, 48);
    EXPECT_LE(counts.unequal * 2000, counts.values);
}

TEST(DlaRow, RandomRowsAreWithinWhatIsDeclared) {
    Counts counts;
    const std::vector<dla::published::Config> all = configurations_with_row();
    constexpr int kNetworks = LONG_TESTS ? 400 : 24;
    for (std::uint64_t seed = 1; seed <= kNetworks && !HasFailure(); ++seed) {
        const Rounding rounding = seed % 3 == 0 ? Rounding::tflite : Rounding::onnx;
        follow(Rows(seed).rounding(rounding).any().build(), seed, all[seed % all.size()], counts);
    }
    EXPECT_EQ(counts.networks, kNetworks);
}

TEST(DlaRow, LayersOfTheUnitReplaceTheHost) {
    const Graph graph = Rows(5).begin({1, 1, 16, 64}).softmax().norm(true).build();
    const compiler::Compiled made = dla::compiler::compile(graph, nv_small_with_row());
    ASSERT_TRUE(made.ok()) << made.errors[0];
    EXPECT_EQ(layers_of(made, "ROW"), 2);
    EXPECT_TRUE(made.host.empty() && made.host_nodes.empty());
    // A beat of one element per cycle, the records in front.
    EXPECT_EQ(made.layers[0].limiter, "ROW");
    EXPECT_EQ(made.layers[0].bound(), 16u * 64 + 256);
    EXPECT_EQ(made.layers[1].bound(), 16u * 100 + 64);
    EXPECT_GT(made.layers[0].cycles, made.layers[0].bound());
    EXPECT_LT(made.layers[0].cycles, made.layers[0].bound() + 400);
}

/// The reason why the last operator is the host's.
std::string reason(const Graph& graph, const dla::model::Architecture& sizes,
                   const compiler::Options& options = {}) {
    const compiler::Compiled made = dla::compiler::compile(graph, sizes, options);
    return made.refused.empty() ? "" : made.refused.back().reason;
}

TEST(DlaRow, SaysWhatItWants) {
    const dla::model::Architecture sizes = nv_small_with_row();
    const auto rows = [](std::vector<int> shape) {
        return Rows(3).rounding(Rounding::onnx).begin(std::move(shape));
    };
    const std::vector<int> plain = {1, 1, 3, 20};
    EXPECT_EQ(reason(rows(plain).norm(true).build(), sizes), "");
    EXPECT_EQ(reason(rows(plain).norm(true).build(), dla::published::configs()[0].sizes),
              "layer norm: want the row unit (row-enable)");
    EXPECT_EQ(reason(rows({1, 1, 3, 513}).norm(true).build(), sizes),
              "layer norm of 513 channels: want at most 512 (row-length)");
    EXPECT_EQ(reason(rows({2, 2, 3, 20}).norm(true).build(), sizes),
              "layer norm: rows of 4 axes: want at most three that are not 1");
    EXPECT_EQ(reason(rows(plain).norm(true, 1e-4F).build(), sizes).find("norm with a gain of"), 0u);
    EXPECT_EQ(reason(rows(plain).norm(true, 0.003F).build(), sizes).find("norm with a gain of"),
              0u);
    EXPECT_EQ(
        reason(rows(plain).norm(true, 0.03F, 1e9F).build(), sizes).find("norm with an epsilon of"),
        0u);
    compiler::Options exact;
    exact.exact = true;
    EXPECT_EQ(reason(rows(plain).norm(true).build(), sizes, exact),
              "layer norm: the row unit may be off by one: want it not exact");
    const auto behind = [&](Rows all) { return all.norm(true).build(); };
    EXPECT_EQ(reason(behind(rows(plain).softmax(300)), sizes),
              "softmax to a scale of 0.0033333334: want about 1/256");
    EXPECT_EQ(reason(behind(rows(plain).softmax()), sizes), "");
}

}  // namespace

}  // namespace macrame::test
