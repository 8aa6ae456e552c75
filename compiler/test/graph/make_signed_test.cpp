#include "compiler/graph/make_signed.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "compiler/graph/check.hpp"
#include "compiler/graph/quantised.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/graph/work.hpp"
#include "compiler/test/random/mixed_graph.hpp"
#include "compiler/test/random/properties.hpp"
#include "compiler/test/random/random_graph.hpp"
#include "verif/common/random.hpp"

namespace macrame::graph {

namespace {

/// The same network with elements of uint8, which TFLite has with one scale for all.
Graph as_uint8(Graph graph) {
    for (Tensor& tensor : graph.tensors) {
        if (tensor.type != Type::int8 || tensor.quantisation.scale.empty()) continue;
        tensor.type = Type::uint8;
        tensor.quantisation.scale.resize(1);
        tensor.quantisation.zero_point = {tensor.quantisation.zero_point[0] + 128};
        if (!tensor.constant) continue;
        tensor.quantisation.zero_point[0] -= 9;
        for (std::uint8_t& byte : tensor.data.own())
            byte ^= 0x80;
    }
    return graph;
}

std::vector<Bytes> random_inputs(const Graph& graph, std::uint64_t seed) {
    verif::Random random(seed);
    std::vector<Bytes> out;
    for (const TensorId id : graph.inputs) {
        out.emplace_back(graph.tensor(id).bytes());
        for (std::uint8_t& byte : out.back())
            byte = static_cast<std::uint8_t>(random.in(0, 255));
    }
    return out;
}

/// Of all products, which random sums hardly tell from each other.
std::vector<double> factors_of(const Graph& graph) {
    std::vector<double> out;
    for (const Node& node : graph.nodes) {
        if (!has_products(node.op) || graph.tensor(node.outputs[0]).type == Type::float32) continue;
        const std::vector<double> some = output_factors(graph, node);
        out.insert(out.end(), some.begin(), some.end());
    }
    return out;
}

int uint8_in(const Graph& graph) {
    int count = 0;
    for (const Node& node : graph.nodes)
        for (const TensorId id : node.inputs)
            if (id != kNone && graph.tensor(id).type == Type::uint8) ++count;
    return count;
}

/// False: no network of TFLite.
bool follow(Graph graph, std::uint64_t seed) {
    graph.rounding = Rounding::tflite;
    if (!check(graph).empty()) return false;
    const std::vector<Bytes> inputs = random_inputs(graph, seed);
    const std::vector<Bytes> wanted = run(graph, inputs);
    const std::vector<double> factors = factors_of(graph);
    const std::vector<TensorId> outputs = graph.outputs;
    make_signed(graph);
    EXPECT_EQ(check(graph), std::vector<std::string>{});
    EXPECT_EQ(graph.outputs, outputs);
    EXPECT_LE(uint8_in(graph), static_cast<int>(graph.inputs.size()));  // of requantisations
    EXPECT_EQ(run(graph, inputs), wanted);
    EXPECT_EQ(factors_of(graph), factors);
    return true;
}

TEST(MakeSigned, OperatorsHaveTheSameIntegers) {
    int networks = 0;
    std::uint64_t seed = 1;
    for (const macrame::test::PropertyCase& one : macrame::test::property_cases()) {
        SCOPED_TRACE(one.name);
        networks += follow(as_uint8(one.graph), seed++) ? 1 : 0;
    }
    EXPECT_GT(networks, 300);
}

TEST(MakeSigned, RandomNetworksHaveTheSameIntegers) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        SCOPED_TRACE(seed);
        const Graph graph = as_uint8(macrame::test::random_graph(seed));
        EXPECT_TRUE(follow(graph, seed));
        EXPECT_TRUE(follow(macrame::test::mixed(graph, seed), seed));
    }
}

Tensor tensor(const char* name, Type type, std::vector<int> shape) {
    Tensor out;
    out.name = name;
    out.type = type;
    out.shape = std::move(shape);
    out.quantisation = {{0.02F}, {type == Type::uint8 ? 131 : 3}, 0};
    return out;
}

/// An operator of its own, with inputs as its output.
Graph alone(Operator op, std::vector<int> in, std::vector<int> out) {
    Graph graph;
    graph.tensors = {tensor("in", Type::uint8, std::move(in)),
                     tensor("out", Type::uint8, std::move(out))};
    graph.nodes = {{std::move(op), {0}, {1}, "operator"}};
    graph.inputs = {0};
    graph.outputs = {1};
    return graph;
}

TEST(MakeSigned, OtherOperatorsHaveTheSameIntegers) {
    std::vector<Graph> graphs;
    for (const int up : {2, 3, 4})
        for (const bool half : {false, true})
            graphs.push_back(alone(Resize{Resampling::bilinear, false, half}, {1, 5, 4, 3},
                                   {1, 5 * up - 1, 4 * up, 3}));
    for (const int kernel : {2, 3, 4}) {
        Pool pool;
        pool.function = Pooling::average;
        pool.window.kernel_h = pool.window.kernel_w = kernel;
        graphs.push_back(alone(pool, {1, 9, 9, 5}, {1, 10 - kernel, 10 - kernel, 5}));
    }
    graphs.push_back(alone(Softmax{}, {1, 40}, {1, 40}));
    graphs.back().tensors[1].quantisation = {{1.0F / 256}, {0}, 0};
    for (const Function function :
         {Function::relu, Function::tanh, Function::hard_swish, Function::exp, Function::elu,
          Function::abs, Function::rsqrt, Function::sqrt, Function::gelu, Function::neg})
        graphs.push_back(alone(Unary{function, 0.3F, 0}, {1, 256}, {1, 256}));
    Pad pad;
    pad.amounts = {{1, 2}, {0, 1}};
    graphs.push_back(alone(pad, {3, 4}, {6, 5}));
    pad.value = 0.7F;
    graphs.push_back(alone(pad, {3, 4}, {6, 5}));
    pad.kind = Padding::reflect;
    pad.value = 0;
    graphs.push_back(alone(pad, {3, 4}, {6, 5}));
    for (std::size_t i = 0; i < graphs.size(); ++i) {
        SCOPED_TRACE(i);
        for (std::uint64_t seed = 0; seed < 10; ++seed)
            EXPECT_TRUE(follow(graphs[i], seed));
    }
}

TEST(MakeSigned, WhatOnlyRequantisationsTouchStays) {
    Graph graph = alone(Requantise{}, {1, 4}, {1, 4});
    graph.tensors[1].type = Type::int8;
    graph.tensors[1].quantisation.zero_point = {3};
    make_signed(graph);
    EXPECT_EQ(graph.nodes.size(), 1u);
    EXPECT_EQ(graph.tensors.size(), 2u);
    EXPECT_FALSE(graph.tensors[1].shifted);
}

TEST(MakeSigned, WhatHasNoScaleStaysWithItsNeighbours) {
    Graph graph = alone(Reshape{}, {1, 4}, {4});
    graph.tensors[1].quantisation = {};
    graph.tensors.push_back(tensor("next", Type::uint8, {2, 2}));
    graph.nodes.push_back({Reshape{}, {1}, {2}, "operator"});
    graph.outputs = {2};
    make_signed(graph);
    EXPECT_EQ(graph.nodes.size(), 2u);
    for (const Tensor& one : graph.tensors)
        EXPECT_EQ(one.type, Type::uint8);
}

TEST(MakeSigned, EndsKeepTheirType) {
    Graph graph = alone(Unary{Function::relu, 0, 0}, {1, 4}, {1, 4});
    graph.file_values = {{0, "RELU", "out", 1, {1, 4}, {}, false, false}};
    make_signed(graph);
    ASSERT_EQ(graph.nodes.size(), 3u);
    EXPECT_EQ(graph.tensor(graph.inputs[0]).type, Type::uint8);
    EXPECT_EQ(graph.tensor(graph.outputs[0]).type, Type::uint8);
    EXPECT_EQ(graph.tensor(graph.nodes[1].inputs[0]).quantisation.zero_point[0], 3);
    EXPECT_EQ(graph.file_values[0].id, graph.nodes[1].outputs[0]);
    EXPECT_TRUE(graph.file_values[0].unsigned_bytes);
}

}  // namespace

}  // namespace macrame::graph
