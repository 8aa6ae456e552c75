#include "compiler/graph/canonical.hpp"

#include <gtest/gtest.h>

#include "compiler/graph/check.hpp"
#include "compiler/graph/reference.hpp"

namespace macrame::graph {

namespace {

TensorId add(Graph& graph, const char* name, std::vector<int> shape, bool constant = false) {
    Tensor t;
    t.name = name;
    t.shape = std::move(shape);
    t.quantisation.scale = {0.5F};
    t.quantisation.zero_point = {constant ? 0 : 3};
    t.constant = constant;
    if (constant) t.data.assign(t.elements(), 1);
    graph.tensors.push_back(std::move(t));
    return static_cast<TensorId>(graph.tensors.size()) - 1;
}

void add_node(Graph& graph, Operator op, std::vector<TensorId> in, TensorId out) {
    graph.nodes.push_back({std::move(op), std::move(in), {out}, "operator"});
}

/// pad of one all around -> conv 3x3, and what nobody reads.
Graph padded(int amount) {
    Graph graph;
    const int size = 4 + 2 * amount;
    const TensorId in = add(graph, "in", {1, 4, 4, 2});
    const TensorId mid = add(graph, "mid", {1, size, size, 2});
    const TensorId weights = add(graph, "weights", {2, 3, 3, 2}, true);
    const TensorId out = add(graph, "out", {1, size - 2, size - 2, 2});
    const TensorId unread = add(graph, "unread", {1, 32});
    graph.inputs = {in};
    graph.outputs = {out};
    add_node(graph, Reshape{}, {in}, unread);
    add_node(graph, Pad{{{0, 0}, {amount, amount}, {amount, amount}, {0, 0}}}, {in}, mid);
    Conv conv;
    conv.window.kernel_h = conv.window.kernel_w = 3;
    add_node(graph, conv, {mid, weights, kNone}, out);
    return graph;
}

Bytes result(const Graph& graph) {
    Bytes input(32);
    for (std::size_t i = 0; i < input.size(); ++i)
        input[i] = static_cast<std::uint8_t>(7 * i);
    return run(graph, {input}).at(0);
}

TEST(Canonical, PaddingOfConvolutions) {
    Graph graph = padded(1);
    ASSERT_EQ(check(graph), std::vector<std::string>{});
    const Bytes before = result(graph);
    canonicalise(graph);
    EXPECT_EQ(check(graph), std::vector<std::string>{});
    ASSERT_EQ(graph.nodes.size(), 1u);
    EXPECT_EQ(std::get<Conv>(graph.nodes[0].op).window.top, 1);
    EXPECT_EQ(result(graph), before);
}

TEST(Canonical, ReshapesOfReshapesAreOne) {
    const auto make = [](bool read_twice) {
        Graph graph;
        const TensorId in = add(graph, "in", {1, 4, 4, 2});
        const TensorId column = add(graph, "column", {1, 32, 1});
        const TensorId row = add(graph, "row", {1, 1, 32});
        const TensorId out = add(graph, "out", {1, 32});
        graph.inputs = {in};
        graph.outputs = {out};
        add_node(graph, Reshape{}, {in}, column);
        add_node(graph, Reshape{}, {column}, row);
        add_node(graph, Reshape{}, {row}, out);
        if (read_twice) {
            graph.outputs.push_back(add(graph, "second", {32, 1}));
            add_node(graph, Reshape{}, {column}, graph.outputs[1]);
        }
        return graph;
    };
    Graph graph = make(false);
    const Bytes before = result(graph);
    canonicalise(graph);
    EXPECT_EQ(check(graph), std::vector<std::string>{});
    ASSERT_EQ(graph.nodes.size(), 1u);
    EXPECT_EQ(graph.nodes[0].inputs, graph.inputs);
    EXPECT_EQ(result(graph), before);

    graph = make(true);
    canonicalise(graph);
    EXPECT_EQ(check(graph), std::vector<std::string>{});
    EXPECT_EQ(graph.nodes.size(), 3u);
    EXPECT_EQ(result(graph), before);
}

TEST(Canonical, ColumnsOfLongWindowsAreChannels) {
    const auto make = [](int width, int stride) {
        Graph graph;
        const TensorId in = add(graph, "in", {1, 2, width, 2});
        const TensorId weights = add(graph, "weights", {3, 1, 48, 2}, true);
        Bytes& bytes = graph.tensors.back().data.own();
        for (std::size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = static_cast<std::uint8_t>(i % 5 - 2);
        const TensorId out = add(graph, "out", {1, 2, (width - 48) / stride + 1, 3});
        graph.tensors.back().quantisation.scale = {40};
        graph.inputs = {in};
        graph.outputs = {out};
        Conv conv;
        conv.window.kernel_w = 48;
        conv.window.stride_w = stride;
        add_node(graph, conv, {in, weights, kNone}, out);
        return graph;
    };
    Graph graph = make(96, 16);
    ASSERT_EQ(check(graph), std::vector<std::string>{});
    Bytes input(graph.tensor(graph.inputs[0]).bytes());
    for (std::size_t i = 0; i < input.size(); ++i)
        input[i] = static_cast<std::uint8_t>(11 * i);
    const Bytes before = run(graph, {input}).at(0);
    canonicalise(graph);
    EXPECT_EQ(check(graph), std::vector<std::string>{});
    ASSERT_EQ(graph.nodes.size(), 2u);
    const Window& window = std::get<Conv>(graph.nodes[1].op).window;
    EXPECT_EQ(window.kernel_w, 3);
    EXPECT_EQ(window.stride_w, 1);
    EXPECT_EQ(graph.tensor(graph.nodes[1].inputs[0]).shape, (std::vector<int>{1, 2, 6, 32}));
    EXPECT_EQ(run(graph, {input}).at(0), before);
    // No whole strides.
    for (Graph other : {make(97, 16), make(96, 9)}) {
        canonicalise(other);
        EXPECT_EQ(other.nodes.size(), 1u);
    }
}

TEST(Canonical, PaddingAsLargeAsTheWindowStays) {
    Graph graph = padded(3);
    const Bytes before = result(graph);
    canonicalise(graph);
    EXPECT_EQ(graph.nodes.size(), 2u);
    EXPECT_EQ(result(graph), before);
}

/// Rows times rows, whose second matrix was transposed in some way: [2, 3, 4] of lines and pixels.
Graph product_of(std::vector<int> order, std::vector<int> shape) {
    Graph graph;
    const TensorId a = add(graph, "a", {1, 2, 3, 4});
    const TensorId b = add(graph, "b", std::move(shape));
    const TensorId turned = add(graph, "turned", {1, 2, 4, 3});
    const TensorId out = add(graph, "out", {1, 2, 3, 3});
    graph.inputs = {a, b};
    graph.outputs = {out};
    add_node(graph, Transpose{std::move(order)}, {b}, turned);
    add_node(graph, MatMul{}, {a, turned}, out);
    return graph;
}

TEST(Canonical, ProductsReadWhatWasTransposed) {
    const std::vector<std::pair<std::vector<int>, std::vector<int>>> cases = {
        {{0, 2, 3, 1}, {1, 3, 2, 4}}, {{0, 1, 3, 2}, {1, 2, 3, 4}}};
    for (const auto& [order, shape] : cases) {
        Graph graph = product_of(order, shape);
        ASSERT_EQ(check(graph), std::vector<std::string>{});
        Bytes a(24), b(24);
        for (std::size_t i = 0; i < a.size(); ++i) {
            a[i] = static_cast<std::uint8_t>(5 * i);
            b[i] = static_cast<std::uint8_t>(11 * i + 3);
        }
        const Bytes before = run(graph, {a, b}).at(0);
        canonicalise(graph);
        EXPECT_EQ(check(graph), std::vector<std::string>{});
        EXPECT_EQ(run(graph, {a, b}).at(0), before);
        EXPECT_TRUE(std::get<MatMul>(graph.nodes[1].op).transpose_b);
        EXPECT_EQ(std::get<Transpose>(graph.nodes[0].op).order.back(), 3);
    }
    // Its last axis stays, or somebody else reads it.
    Graph graph = product_of({0, 2, 1, 3}, {1, 4, 2, 3});
    canonicalise(graph);
    EXPECT_FALSE(std::get<MatMul>(graph.nodes[1].op).transpose_b);
    graph = product_of({0, 1, 3, 2}, {1, 2, 3, 4});
    graph.outputs.push_back(graph.nodes[0].outputs[0]);
    canonicalise(graph);
    EXPECT_FALSE(std::get<MatMul>(graph.nodes[1].op).transpose_b);
}

/// Gram matrices: both operands are one tensor.
TEST(Canonical, ProductsOfATransposedMatrixWithItself) {
    Graph graph = product_of({0, 1, 3, 2}, {1, 2, 3, 4});
    const TensorId turned = graph.nodes[0].outputs[0];
    graph.nodes[1].inputs = {turned, turned};
    graph.nodes[1].op = MatMul{false, true};
    graph.tensor(graph.outputs[0]).shape = {1, 2, 4, 4};
    graph.inputs = {graph.nodes[0].inputs[0]};
    ASSERT_EQ(check(graph), std::vector<std::string>{});
    Bytes b(24);
    for (std::size_t i = 0; i < b.size(); ++i)
        b[i] = static_cast<std::uint8_t>(11 * i + 3);
    const Bytes before = run(graph, {b}).at(0);
    canonicalise(graph);
    EXPECT_EQ(check(graph), std::vector<std::string>{});
    EXPECT_EQ(run(graph, {b}).at(0), before);
}

}  // namespace

}  // namespace macrame::graph
