/// Chains of element-wise operators: which ones there are, and their tables.
#include "compiler/graph/chain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "compiler/graph/check.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/graph/spread.hpp"

namespace macrame::graph {
namespace {

TensorId add(Graph& g, Type type, std::vector<int> shape, Quantisation quantisation = {}) {
    Tensor t;
    t.name = "t" + std::to_string(g.tensors.size());
    t.type = type;
    t.shape = std::move(shape);
    t.quantisation = std::move(quantisation);
    g.tensors.push_back(std::move(t));
    return static_cast<TensorId>(g.tensors.size()) - 1;
}

TensorId node(Graph& g, Operator op, std::vector<TensorId> in, TensorId out) {
    g.nodes.push_back({std::move(op), std::move(in), {out}, "operator"});
    return out;
}

/// int8 to real values, x * tanh(x) times constants, to int8.
Graph real_chain(const std::vector<float>& constants) {
    Graph g;
    g.rounding = Rounding::onnx;
    const std::vector<int> shape{1, 2, 3, 4};
    const TensorId x = add(g, Type::int8, shape, {{0.02F}, {-5}, 0});
    g.inputs = {x};
    const auto real = [&] { return add(g, Type::float32, shape); };
    const TensorId from = node(g, Requantise{}, {x}, real());
    const TensorId tanh = node(g, Unary{Function::tanh, 0}, {from}, real());
    const TensorId both = node(g, Binary{Arithmetic::mul, Activation::none}, {from, tanh}, real());
    const TensorId by = add(g, Type::float32, {static_cast<int>(constants.size())});
    g.tensor(by).constant = true;
    Bytes bytes(4 * constants.size());
    std::memcpy(bytes.data(), constants.data(), bytes.size());
    g.tensor(by).data = bytes;
    const TensorId scaled = node(g, Binary{Arithmetic::mul, Activation::none}, {both, by}, real());
    g.outputs = {node(g, Requantise{}, {scaled}, add(g, Type::int8, shape, {{0.05F}, {-100}, 0}))};
    EXPECT_EQ(check(g), std::vector<std::string>{});
    return g;
}

TEST(Chain, RealValuesBetweenIntegersAreOneTable) {
    const Graph g = real_chain({1.5F});
    const std::optional<Chain> chain = chain_from(g, readers(g), g.inputs[0]);
    ASSERT_TRUE(chain.has_value());
    EXPECT_EQ(chain->nodes, (std::vector<int>{0, 1, 2, 3, 4}));
    double most = 0;
    for (int x = -128; x < 128; ++x) {
        const double real = 0.02 * (x + 5);
        const double want = std::clamp(real * std::tanh(real) * 1.5 / 0.05 - 100, -128.0, 127.0);
        EXPECT_NEAR(chain->table[static_cast<std::size_t>(x + 128)], want, 0.51) << x;
        if (x > -128)
            most =
                std::max<double>(most, std::abs(chain->table[static_cast<std::size_t>(x + 128)] -
                                                chain->table[static_cast<std::size_t>(x + 127)]));
    }
    EXPECT_EQ(spread(*chain, 1), most);
    EXPECT_EQ(spread(*chain, 0), 0);
}

TEST(Chain, ChannelsThatDifferAreNone) {
    const Graph same = real_chain({2, 2, 2, 2});
    EXPECT_TRUE(chain_from(same, readers(same), same.inputs[0]).has_value());
    const Graph differ = real_chain({2, 2, 1, 2});
    EXPECT_FALSE(chain_from(differ, readers(differ), differ.inputs[0]).has_value());
}

TEST(Chain, LongOnesAreSeveral) {
    Graph g;
    const Quantisation steps{{0.1F}, {0}, 0};
    TensorId now = add(g, Type::int8, {1, 4}, steps);
    g.inputs = {now};
    for (int i = 0; i < 100; ++i)
        now = node(g, Unary{Function::relu, 0}, {now}, add(g, Type::int8, {1, 4}, steps));
    g.outputs = {now};
    const std::optional<Chain> chain = chain_from(g, readers(g), g.inputs[0]);
    ASSERT_TRUE(chain.has_value());
    EXPECT_EQ(chain->nodes.size(), 64U);
    const std::optional<Chain> rest = chain_from(
        g, readers(g), g.nodes[static_cast<std::size_t>(chain->nodes.back())].outputs[0]);
    ASSERT_TRUE(rest.has_value());
    EXPECT_EQ(rest->nodes.size(), 36U);
}

TEST(Chain, WhatOthersReadEndsIt) {
    Graph g = real_chain({1});
    g.outputs.push_back(g.nodes[2].outputs[0]);
    EXPECT_FALSE(chain_from(g, readers(g), g.inputs[0]).has_value());
}

}  // namespace
}  // namespace macrame::graph
