// What is said of a network's results, against machines that are as wrong as they told.
#include "compiler/declared.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

#include "compiler/graph/reference.hpp"
#include "compiler/test/graph/graph_builder.hpp"
#include "compiler/test/random/random_graph.hpp"

namespace macrame::compiler {
namespace {

using graph::Bytes;
using graph::TensorId;
using graph::Type;
using graph::test::Builder;

Exactness told(int node, int most) { return {node, "rounding", 4, most == 0 ? 4 : 3, 1, 9, most}; }

/// Outputs of a machine whose operators are off by up to what they told.
std::vector<Bytes> off(const graph::Graph& graph, const Compiled& made,
                       const std::vector<Bytes>& inputs, std::mt19937& random) {
    std::vector<Bytes> values(graph.tensors.size());
    for (std::size_t i = 0; i < graph.tensors.size(); ++i)
        values[i] = graph.tensors[i].data;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        values[static_cast<std::size_t>(graph.inputs[i])] = inputs[i];
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        std::vector<const Bytes*> arguments;
        for (const TensorId id : graph.nodes[n].inputs)
            arguments.push_back(id == graph::kNone ? nullptr
                                                   : &values[static_cast<std::size_t>(id)]);
        std::vector<Bytes> results = graph::run_node(graph, graph.nodes[n], arguments);
        const int most = declared_of(made, static_cast<int>(n)).value();
        for (Bytes& bytes : results) {
            const auto way = random() % 3;
            for (std::uint8_t& byte : bytes) {
                int step = random() % 2 == 0 ? most : -most;
                if (way != 0) step = way == 1 ? most : -most;
                byte = static_cast<std::uint8_t>(
                    std::clamp(static_cast<std::int8_t>(byte) + step, -128, 127));
            }
        }
        for (std::size_t i = 0; i < results.size(); ++i)
            values[static_cast<std::size_t>(graph.nodes[n].outputs[i])] = std::move(results[i]);
    }
    std::vector<Bytes> outputs;
    for (const TensorId id : graph.outputs)
        outputs.push_back(values[static_cast<std::size_t>(id)]);
    return outputs;
}

TEST(Declared, HoldsForMachinesThatAreOff) {
    double seen = 0;
    for (std::uint64_t number = 1; number <= 60; ++number) {
        SCOPED_TRACE("random network " + std::to_string(number));
        const graph::Graph graph = macrame::test::random_graph(number);
        std::mt19937 random(static_cast<unsigned>(number));
        Compiled made;
        made.exact_otherwise = true;
        for (std::size_t i = 0; i < graph.nodes.size(); ++i)
            if (random() % 2 == 0)
                made.exactness.push_back(told(static_cast<int>(i), static_cast<int>(random() % 3)));
        const Declared found = declared(graph, made);
        for (int trial = 0; trial < 10; ++trial) {
            std::vector<Bytes> inputs;
            for (const TensorId id : graph.inputs) {
                inputs.emplace_back(graph.tensor(id).bytes());
                for (std::uint8_t& byte : inputs.back())
                    byte = static_cast<std::uint8_t>(random());
            }
            const std::vector<Bytes> wanted = graph::run(graph, inputs);
            const std::vector<Bytes> outputs = off(graph, made, inputs, random);
            for (std::size_t i = 0; i < outputs.size(); ++i)
                for (std::size_t e = 0; e < outputs[i].size(); ++e) {
                    const int distance = std::abs(static_cast<std::int8_t>(outputs[i][e]) -
                                                  static_cast<std::int8_t>(wanted[i][e]));
                    ASSERT_LE(distance, found.outputs[i]);
                    if (found.outputs[i] > 0) seen = std::max(seen, distance / found.outputs[i]);
                }
        }
    }
    EXPECT_GE(seen, 0.9);
}

/// Input, PReLU-like operators in a row, and a view of the last.
Builder row() {
    Builder b;
    const TensorId in = b.input(Type::int8, {1, 8}, 0.1F);
    const TensorId twice = b.tensor(Type::int8, {1, 8}, 0.05F);
    b.node(graph::Requantise{}, {in}, {twice});
    b.node(graph::Reshape{}, {twice}, {b.output(Type::int8, {8}, 0.05F)});
    b.node(graph::Requantise{}, {twice}, {b.output(Type::int8, {1, 8}, 0.025F)});
    return b;
}

TEST(Declared, SaysWhatIsExact) {
    const Builder b = row();
    Compiled made;
    made.exact_otherwise = true;
    made.exactness = {told(0, 0)};
    EXPECT_EQ(text_of(b.graph, declared(b.graph, made)),
              "exact: every operator has the integers of the reference");
    EXPECT_TRUE(declared(b.graph, made).exact());
}

TEST(Declared, SaysHowFarItReaches) {
    const Builder b = row();
    Compiled made;
    made.exact_otherwise = true;
    made.exactness = {told(0, 1), told(2, 0), told(2, 3)};
    const Declared found = declared(b.graph, made);
    EXPECT_EQ(found.outputs, (std::vector<double>{1, 5}));
    EXPECT_EQ(text_of(b.graph, found),
              "not exact: 2 of 3 operators may differ by up to 3 (the first: node 0); at the "
              "outputs by up to 1 step, 5 steps");
    // Channels that are not proved are not exact, whatever else was told.
    made.exactness = {{0, "rounding", 4, 3, 0, 0, 0}};
    EXPECT_EQ(declared(b.graph, made).most, 1);
}

TEST(Declared, StatesDifferByWhateverTheyCan) {
    Builder b = row();
    Compiled made;
    made.exact_otherwise = true;
    b.graph.states.resize(1);
    EXPECT_TRUE(declared(b.graph, made).exact());
    made.exactness = {told(2, 1)};
    EXPECT_EQ(declared(b.graph, made).outputs, (std::vector<double>{255}));
}

TEST(Declared, IsNotTold) {
    const Builder b = row();
    Compiled made;
    EXPECT_EQ(text_of(b.graph, declared(b.graph, made)), "exactness: not declared");
    made.exactness = {told(0, 0), told(1, 0)};
    EXPECT_FALSE(declared(b.graph, made).told);
    EXPECT_FALSE(declared(b.graph, made).exact());
    made.host_nodes = {2};
    EXPECT_TRUE(declared(b.graph, made).exact());
}

}  // namespace
}  // namespace macrame::compiler
