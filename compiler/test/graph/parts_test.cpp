#include "compiler/parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "compiler/host.hpp"
#include "compiler/test/graph/graph_builder.hpp"
#include "compiler/test/random/random_graph.hpp"

namespace macrame::compiler {
namespace {

using graph::Graph;
using graph::Node;
using graph::TensorId;
using graph::Type;
using graph::test::Builder;

/// Hardware that refuses what `refuses` says: all of it at once, or only the first. Its programs
/// have a layer for each operator.
struct Machine {
    std::function<bool(const Node&)> refuses;
    bool one_by_one = false;
    int calls = 0;
    std::string broken = {};  ///< a message without an operator

    Compiled operator()(const Graph& graph) {
        ++calls;
        Compiled out;
        out.exact_otherwise = true;
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            const Node& node = graph.nodes[i];
            if (refuses(node) && (!one_by_one || out.ok()))
                out.refuse(graph, static_cast<int>(i), "no operation");
            LayerReport layer;
            layer.name = node.where;
            layer.node = static_cast<int>(i);
            layer.cycles = 1;
            out.layers.push_back(layer);
        }
        if (!broken.empty()) out.errors = {broken};
        if (!broken.empty()) out.refused.clear();
        out.inputs = graph.inputs;
        out.outputs = graph.outputs;
        return out;
    }
};

bool is_sigmoid(const Node& node) { return std::holds_alternative<graph::Unary>(node.op); }

/// conv, sigmoid, conv, sigmoid, ... and a conv at the end.
Graph chain(int sigmoids) {
    Builder b;
    TensorId now = b.input(Type::int8, {1, 2, 2, 3}, 0.5F);
    const auto conv = [&] {
        const TensorId weights = b.constant<std::int8_t>(
            Type::int8, {3, 1, 1, 3}, graph::test::random_values(9, 5, -9, 9), 0.25F);
        const TensorId out = b.tensor(Type::int8, {1, 2, 2, 3}, 0.5F);
        b.node(graph::Conv{}, {now, weights, graph::kNone}, {out});
        now = out;
    };
    conv();
    for (int i = 0; i < sigmoids; ++i) {
        const TensorId out = b.tensor(Type::int8, {1, 2, 2, 3}, 0.00390625F, -128);
        b.node(graph::Unary{graph::Function::sigmoid, 0, 0}, {now}, {out});
        now = out;
        conv();
    }
    b.graph.outputs = {now};
    return b.graph;
}

/// What a network writes if the reference stands for the hardware.
std::vector<graph::Bytes> run_parts(const Graph& graph, const InParts& made,
                                    const std::vector<graph::Bytes>& inputs) {
    NetworkRun run(graph, made.parts, inputs);
    while (const Part* part = run.next())
        run.finish(graph::run(part->cut.graph, run.program_inputs()));
    return run.outputs();
}

TEST(InParts, ANetworkThatTheHardwareTakesIsOnePart) {
    const Graph graph = chain(2);
    Machine machine{[](const Node&) { return false; }};
    const InParts made = compile_in_parts(graph, std::ref(machine));
    ASSERT_TRUE(made.report.ok());
    ASSERT_EQ(made.parts.size(), 1U);
    EXPECT_EQ(made.parts[0].nodes, (std::vector<int>{0, 1, 2, 3, 4}));
    EXPECT_EQ(made.report.layers.size(), 5U);
    EXPECT_EQ(made.report.host_nodes, std::vector<int>{});
    EXPECT_EQ(machine.calls, 1);
}

TEST(InParts, TheHostDoesWhatIsRefusedBetweenPrograms) {
    const Graph graph = chain(2);
    Machine machine{is_sigmoid};
    const InParts made = compile_in_parts(graph, std::ref(machine));
    ASSERT_TRUE(made.report.ok());
    ASSERT_EQ(made.parts.size(), 5U);
    EXPECT_EQ(made.report.host_nodes, (std::vector<int>{1, 3}));
    ASSERT_EQ(made.report.layers.size(), 3U);
    EXPECT_EQ(made.report.layers[1].node, 2);
    EXPECT_EQ(made.report.layers[2].name, "node 4");
    ASSERT_EQ(made.report.refused.size(), 2U);
    EXPECT_EQ(made.report.refused[1].node, 3);
    EXPECT_EQ(made.report.refused[1].reason, "no operation");
    EXPECT_EQ(machine.calls, 4);  // the whole, then each program
}

TEST(InParts, OperatorsAreCompiledABoundedNumberOfTimes) {
    const Graph graph = chain(40);
    Machine machine{is_sigmoid, true};
    const InParts made = compile_in_parts(graph, std::ref(machine));
    ASSERT_TRUE(made.report.ok());
    // Each round finds one more; in the last one what is not taken then goes as it is.
    EXPECT_LE(machine.calls, 2 * 16 + 1);
    EXPECT_FALSE(made.parts.back().hardware);
    const std::vector<graph::Bytes> inputs = {
        graph::test::bytes_of(graph::test::random_values(12, 7))};
    EXPECT_EQ(run_parts(graph, made, inputs), graph::run(graph, inputs));
}

TEST(InParts, WithoutHostOperatorsAreRefusedWithTheirReason) {
    Machine machine{is_sigmoid};
    const InParts made = compile_in_parts(chain(1), std::ref(machine), true);
    EXPECT_EQ(made.report.errors, (std::vector<std::string>{"node 1: no operation"}));
    EXPECT_EQ(machine.calls, 1);
}

TEST(InParts, WhatIsNoOperatorsFaultIsAnError) {
    Machine machine{is_sigmoid};
    machine.broken = "too large";
    EXPECT_EQ(compile_in_parts(chain(1), std::ref(machine)).report.errors,
              (std::vector<std::string>{"too large"}));
    // Of one part only.
    Machine later{is_sigmoid};
    const InParts made = compile_in_parts(chain(1), [&](const Graph& graph) {
        if (graph.nodes.size() == 1) later.broken = "part too large";
        return later(graph);
    });
    EXPECT_EQ(made.report.errors, (std::vector<std::string>{"part too large"}));
}

/// Hosts in programs and at their ends count, too.
TEST(InParts, ReportsOperatorsOfTheHostInTheOrderOfTheParts) {
    const Graph graph = chain(1);
    const InParts made = compile_in_parts(graph, [&](const Graph& part) {
        Machine machine{is_sigmoid};
        Compiled out = machine(part);
        if (part.nodes.size() == 1 && part.nodes[0].where == "node 2") out.host_nodes = {0};
        return out;
    });
    EXPECT_EQ(made.report.host_nodes, (std::vector<int>{1, 2}));
}

TEST(InParts, RandomNetworksMakeWhatTheReferenceMakes) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        const Graph graph = macrame::test::random_graph(seed);
        Machine machine{
            [&](const Node& node) { return (node.where.size() + node.outputs[0] + seed) % 3 == 0; },
            seed % 2 == 0};
        const InParts made = compile_in_parts(graph, std::ref(machine));
        ASSERT_TRUE(made.report.ok());
        std::vector<int> nodes;
        for (const Part& part : made.parts)
            nodes.insert(nodes.end(), part.nodes.begin(), part.nodes.end());
        EXPECT_EQ(nodes.size(), graph.nodes.size());
        const std::vector<graph::Bytes> inputs = {graph::test::bytes_of(
            graph::test::random_values(graph.tensor(graph.inputs[0]).elements(), seed))};
        EXPECT_EQ(run_parts(graph, made, inputs), graph::run(graph, inputs));
    }
}

}  // namespace
}  // namespace macrame::compiler
