/// Products of float32 as digits of 8 bits.

#include "compiler/graph/real_products.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/declared.hpp"
#include "compiler/graph/check.hpp"
#include "compiler/test/graph/graph_builder.hpp"

namespace macrame::graph::test {

namespace {

constexpr double kNear = 70;  // dB

struct Case {
    int rows = 1, channels = 64, kernels = 48;
    bool biased = true, quantised = true;
    float weight = 1;  ///< the first
};

/// A product of float32 and, if it is `quantised`, one of int8.
Builder network(const Case& c) {
    Builder b(Rounding::onnx);
    const TensorId x = b.input(Type::float32, {1, c.rows, c.channels});
    std::mt19937 random(7);
    std::normal_distribution<float> normal;
    std::vector<float> weights(static_cast<std::size_t>(c.kernels * c.channels)),
        bias(static_cast<std::size_t>(c.kernels));
    for (std::vector<float>* values : {&weights, &bias})
        for (float& value : *values)
            value = normal(random) / 8;
    weights[0] = c.weight;
    const TensorId w = b.constant(Type::float32, {c.kernels, c.channels}, weights);
    const TensorId add = c.biased ? b.constant(Type::float32, {c.kernels}, bias) : kNone;
    FullyConnected op;
    op.activation = c.biased ? Activation::relu : Activation::none;
    b.node(op, {x, w, add}, {b.output(Type::float32, {1, c.rows, c.kernels})});
    if (!c.quantised) return b;
    const TensorId bytes = b.input(Type::int8, {1, 8}, 0.1F);
    const TensorId v = b.constant<std::int8_t>(Type::int8, {2, 8}, random_values(16, 1), 0.01F);
    b.node(FullyConnected{}, {bytes, v, kNone}, {b.output(Type::int8, {1, 2}, 0.1F)});
    return b;
}

bool takes(const Graph& alone) { return check(alone).empty(); }

double decibels(const std::vector<float>& got, const std::vector<float>& want) {
    double noise = 0, signal = 0;
    for (std::size_t i = 0; i < want.size(); ++i) {
        const auto difference = static_cast<double>(got[i]) - static_cast<double>(want[i]);
        noise += difference * difference;
        signal += static_cast<double>(want[i]) * static_cast<double>(want[i]);
    }
    return 10 * std::log10(signal / noise);
}

TEST(RealProducts, AreNearInAllForms) {
    for (const Sums form : {Sums::digits, Sums::bytes})
        for (const int rows : {1, 5})
            for (const bool biased : {false, true})
                for (const float scale : {1e-6F, 1.0F, 3e5F}) {
                    SCOPED_TRACE(scale);
                    Case c;
                    c.rows = rows;
                    c.biased = biased;
                    const Builder b = network(c);
                    Graph split = b.graph;
                    ASSERT_TRUE(split_real_products(split, form, takes));
                    split_sums(split, form, takes);
                    ASSERT_EQ(check(split), std::vector<std::string>{});
                    std::mt19937 random(3);
                    std::normal_distribution<float> normal;
                    std::vector<float> values(b.graph.tensor(b.graph.inputs[0]).elements());
                    for (float& value : values)
                        value = normal(random) * scale;
                    const std::vector<Bytes> inputs = {bytes_of(values), Bytes(8, 5)};
                    const auto want = graph::run(b.graph, inputs), got = graph::run(split, inputs);
                    EXPECT_GT(decibels(values_of<float>(got[0]), values_of<float>(want[0])), kNear);
                    EXPECT_EQ(got[1], want[1]);
                }
}

TEST(RealProducts, OfZerosAndOfNoNumbers) {
    const Builder b = network({});
    Graph split = b.graph;
    ASSERT_TRUE(split_real_products(split, Sums::digits, takes));
    std::vector<float> values(64, 0.0F);
    const auto run = [&](const Graph& graph) {
        return values_of<float>(graph::run(graph, {bytes_of(values), Bytes(8, 5)})[0]);
    };
    EXPECT_EQ(run(split), run(b.graph));
    for (const float bad :
         {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        values[5] = bad;
        const std::vector<float> got = run(split);
        EXPECT_TRUE(std::all_of(got.begin(), got.end(), [](float y) { return !(y > 0); }));
    }
}

TEST(RealProducts, OfOtherNetworksStay) {
    const auto splits = [](const Case& c, Sums form, const TakesSums& takes_it) {
        Graph graph = network(c).graph;
        return split_real_products(graph, form, takes_it);
    };
    Case c;
    EXPECT_TRUE(splits(c, Sums::bytes, takes));
    EXPECT_FALSE(splits(c, Sums::whole, takes));
    EXPECT_FALSE(splits(c, Sums::bytes, [](const Graph&) { return false; }));
    c.quantised = false;
    EXPECT_FALSE(splits(c, Sums::bytes, takes));
    c.quantised = true;
    c.weight = std::numeric_limits<float>::infinity();
    EXPECT_FALSE(splits(c, Sums::bytes, takes));
    c.weight = 1;
    c.kernels = 3;
    EXPECT_FALSE(splits(c, Sums::bytes, takes));
}

TEST(RealProducts, NothingIsToldOfThem) {
    Graph graph = network({}).graph;
    split_real_products(graph, Sums::bytes, takes);
    split_sums(graph, Sums::bytes, takes);
    compiler::Compiled made;
    made.exact_otherwise = true;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        made.exactness.push_back({static_cast<int>(i), "all", 1, 1, 0, 256, 0});
    EXPECT_TRUE(compiler::declared(graph, made).exact());
    compiler::leave_open(graph, made);
    EXPECT_FALSE(compiler::declared(graph, made).told);
}

}  // namespace

}  // namespace macrame::graph::test
