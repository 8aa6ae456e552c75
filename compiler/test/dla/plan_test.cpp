/// What is decided about small networks before they have layers.
#include "compiler/dla/plan.hpp"

#include <gtest/gtest.h>

#include "compiler/graph/check.hpp"
#include "compiler/test/dla/graphs.hpp"

namespace macrame::dla::compiler {
namespace {

using graph::Graph;
using graph::TensorId;
using test::activation;
using test::add;
using test::weights;

/// A convolution of 1 x 1.
TensorId conv(Graph& g, TensorId in, int kernels, graph::Conv op = {}) {
    std::vector<int> shape = g.tensor(in).shape;
    const TensorId w = weights(g, {kernels, 1, 1, shape.back()});
    shape.back() = kernels;
    return add(g, op, {in, w}, shape);
}

Graph begun(TensorId& x) {
    Graph g;
    x = activation(g, {1, 4, 4, 8});
    g.inputs = {x};
    return g;
}

Plan planned(const Graph& g, const model::Architecture& sizes) {
    EXPECT_EQ(graph::check(g), std::vector<std::string>{});
    Searches searches;
    const macrame::compiler::Options options;
    return make_plan({g, sizes, options, searches});
}

model::Architecture all_of_sdp() {
    model::Architecture sizes;
    sizes.sdp_bs = sizes.sdp_bn = sizes.sdp_ew = sizes.sdp_lut = sizes.pdp = true;
    return sizes;
}

TEST(Plan, AReluIsOnTheFlyBehindAConvolutionThatOnlyItReads) {
    TensorId x = 0;
    Graph g = begun(x);
    const TensorId between = conv(g, x, 8);
    g.outputs = {add(g, graph::Unary{graph::Function::relu, 0}, {between}, {1, 4, 4, 8})};
    const Plan plan = planned(g, all_of_sdp());
    ASSERT_NE(plan.fusion(0), nullptr);
    EXPECT_EQ(plan.fusion(0)->nodes, std::vector<int>{1});
    EXPECT_EQ(plan.fusion(0)->low, 0);
    EXPECT_TRUE(plan.is_fused(1));
    EXPECT_FALSE(plan.is_fused(0));
    EXPECT_NE(plan_text(g, plan).find("0 to 127"), std::string::npos) << plan_text(g, plan);
    g.outputs.push_back(between);
    EXPECT_EQ(planned(g, all_of_sdp()).fusion(0), nullptr);
}

TEST(Plan, PoolingIsOnTheFlyWhereThereIsPdp) {
    TensorId x = 0;
    Graph g = begun(x);
    graph::Pool pool;
    pool.function = graph::Pooling::maximum;
    pool.window.kernel_h = pool.window.kernel_w = 2;
    pool.window.stride_h = pool.window.stride_w = 2;
    g.outputs = {add(g, pool, {conv(g, x, 8)}, {1, 2, 2, 8})};
    model::Architecture sizes = all_of_sdp();
    const Plan plan = planned(g, sizes);
    ASSERT_NE(plan.fusion(0), nullptr);
    ASSERT_TRUE(plan.fusion(0)->pool.has_value());
    EXPECT_EQ(plan.fusion(0)->pool->output.width, 2);
    sizes.pdp = false;
    EXPECT_EQ(planned(g, sizes).fusion(0), nullptr);
}

/// A convolution and x * sigmoid(x) behind it.
Graph gated(TensorId& between, TensorId& gate) {
    TensorId x = 0;
    Graph g = begun(x);
    between = conv(g, x, 8);
    gate = add(g, graph::Unary{graph::Function::sigmoid, 0}, {between}, {1, 4, 4, 8});
    g.tensor(gate).quantisation = {{1.0F / 256}, {-128}, 0};
    g.outputs = {add(g, graph::Binary{graph::Arithmetic::mul, graph::Activation::none},
                     {between, gate}, {1, 4, 4, 8})};
    return g;
}

TEST(Plan, AChainIsOneTableBehindAConvolutionOrOfItsOwn) {
    TensorId between = 0, gate = 0;
    Graph g = gated(between, gate);
    const Plan plan = planned(g, all_of_sdp());
    ASSERT_NE(plan.fusion(0), nullptr);
    EXPECT_EQ(plan.fusion(0)->nodes, (std::vector<int>{1, 2}));
    EXPECT_TRUE(plan.fusion(0)->table.has_value());
    EXPECT_TRUE(plan.is_fused(1) && plan.is_fused(2));

    model::Architecture sizes = all_of_sdp();
    sizes.sdp_ew = false;
    sizes.cdp = true;
    const Plan apart = planned(g, sizes);
    EXPECT_EQ(apart.fusion(0), nullptr);
    ASSERT_EQ(apart.chains.count(1), 1U);
    EXPECT_TRUE(apart.is_chained(2) && !apart.is_chained(1));
    EXPECT_NE(plan_text(g, apart).find("one table: operators 1"), std::string::npos);
    // Nothing to look up in; something else reads what lies between.
    sizes.cdp = false;
    EXPECT_EQ(planned(g, sizes).chains.size(), 0U);
    g.outputs.push_back(gate);
    EXPECT_EQ(planned(g, all_of_sdp()).chains.size(), 0U);
}

TEST(Plan, InputsOfAConcatLieInItsOutput) {
    TensorId x = 0;
    Graph g = begun(x);
    const TensorId a = conv(g, x, 5), b = conv(g, x, 3);
    graph::Concat concat;
    concat.axis = 3;
    const TensorId out = add(g, concat, {a, b, x}, {1, 4, 4, 16});
    g.outputs = {out};
    const model::Architecture sizes = all_of_sdp();
    const Plan plan = planned(g, sizes);
    ASSERT_EQ(plan.placements.count(b), 1U);
    EXPECT_EQ(plan.placements.at(b).concat, out);
    EXPECT_EQ(plan.placements.at(b).channel, sizes.atom_bytes);  // from a whole atom on
    EXPECT_EQ(plan.placements.count(x), 0U);                     // lies where the input does
    EXPECT_EQ(plan.concats.at(out).channels, 2 * sizes.atom_bytes + 8);
}

TEST(Plan, AClampThatStagesDoNotHaveIsALayer) {
    model::Architecture sizes = all_of_sdp();
    sizes.sdp_ew = false;
    for (const auto activation : {graph::Activation::relu, graph::Activation::relu_n1_to_1}) {
        TensorId x = 0;
        Graph g = begun(x);
        graph::Conv op;
        op.activation = activation;
        g.outputs = {conv(g, x, 8, op)};
        const bool layer = activation != graph::Activation::relu;
        EXPECT_EQ(planned(g, sizes).clamp_layers.count(0), layer ? 1U : 0U);
    }
}

}  // namespace
}  // namespace macrame::dla::compiler
