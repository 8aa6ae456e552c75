/// Networks with operators in the middle that the tensor unit has no means for.

#include <gtest/gtest.h>

#include <any>

#include "compiler/graph/check.hpp"
#include "compiler/parts.hpp"
#include "compiler/test/graph/graph_builder.hpp"
#include "compiler/test/random/mixed_graph.hpp"
#include "compiler/test/random/properties.hpp"
#include "compiler/test/tcu/follow.hpp"
#include "compiler/test/tcu/random_graph.hpp"

namespace macrame::tcu::compiler::test {

namespace {

using graph::TensorId;
using graph::Type;
using graph::test::Builder;
using macrame::compiler::InParts;
using macrame::compiler::Part;

InParts in_parts(const graph::Graph& graph, bool keep_tensors = false) {
    return macrame::compiler::compile_in_parts(graph, [&](const graph::Graph& part) {
        TcuOptions target;
        target.keep_tensors = keep_tensors;
        CompiledTcu made = compile(part, artya7100t(DataType::fp32bp16), target);
        made.compiled.own = std::make_shared<TcuProgram>(std::move(made.program));
        return made.compiled;
    });
}

/// A convolution of 1 x 1.
TensorId conv(Builder& b, TensorId from, int filters) {
    const std::vector<int> shape = b.graph.tensor(from).shape;
    const auto count = static_cast<std::size_t>(filters * shape[3]);
    const TensorId weights =
        b.constant<std::int8_t>(Type::int8, {filters, 1, 1, shape[3]},
                                graph::test::random_values(count, 3, -20, 20), 0.05F);
    const TensorId out = b.tensor(Type::int8, {1, shape[1], shape[2], filters}, 0.3F, -5);
    b.node(graph::Conv{}, {from, weights, graph::kNone}, {out});
    return out;
}

TEST(TcuInParts, FunctionsInTheMiddleAreTheHosts) {
    Builder b;
    const TensorId before = conv(b, b.input(Type::int8, {1, 4, 3, 5}, 0.1F, 3), 7);
    const TensorId middle = b.tensor(Type::int8, {1, 4, 3, 7}, 1.0F / 256, -128);
    b.node(graph::Unary{graph::Function::sigmoid, 0, 0}, {before}, {middle});
    b.graph.outputs = {conv(b, middle, 4)};
    ASSERT_EQ(graph::check(b.graph), std::vector<std::string>{});
    const InParts made = in_parts(b.graph);
    ASSERT_TRUE(made.report.ok()) << made.report.errors[0];
    ASSERT_EQ(made.parts.size(), 3U);
    EXPECT_EQ(made.parts[1].nodes, std::vector<int>{1});
    EXPECT_EQ(made.report.layers.size(), 2U);
    EXPECT_EQ(made.report.layers[1].node, 2);
    ASSERT_EQ(made.report.refused.size(), 1U);
    EXPECT_EQ(made.report.refused[0].reason,
              "sigmoid: the tensor unit has no operation for it: want the host to do it (without "
              "--no-host)");
}

/// Behind it there is nothing for the array: the host goes on.
TEST(TcuInParts, FunctionsBehindTheLastConvolutionAreAtTheEndOfItsProgram) {
    Builder b;
    const TensorId before = conv(b, b.input(Type::int8, {1, 4, 3, 5}, 0.1F, 3), 7);
    const TensorId out = b.output(Type::int8, {1, 4, 3, 7}, 1.0F / 256, -128);
    b.node(graph::Unary{graph::Function::sigmoid, 0, 0}, {before}, {out});
    const InParts made = in_parts(b.graph);
    ASSERT_EQ(made.parts.size(), 1U);
    EXPECT_EQ(made.report.host_nodes, std::vector<int>{1});
    EXPECT_TRUE(made.report.refused.empty());
}

/// Runs its programs on the golden model.
std::vector<graph::Bytes> run_parts(const graph::Graph& graph, const InParts& made,
                                    const std::vector<graph::Bytes>& inputs) {
    macrame::compiler::NetworkRun network(graph, made.parts, inputs);
    while (const Part* part = network.next()) {
        std::string error;
        const auto& program = part->compiled.own_as<TcuProgram>();
        verif::Memory dram0("dram0"), dram1("dram1");
        const tcu::run::Banks banks{dram0, dram1};
        tcu::run::GoldenModel model(program.architecture, banks, 12345);
        network.finish(
            run(part->cut.graph, program, model, banks, network.program_inputs(), error));
        EXPECT_EQ(error, "");
    }
    return network.outputs();
}

/// There are no codes for them.
TEST(TcuInParts, NumbersWithoutAScaleAreTheHosts) {
    Builder b;
    const TensorId x = b.input(Type::int32, {1, 4}), y = b.input(Type::int32, {1, 3});
    const TensorId weights =
        b.constant<std::int8_t>(Type::int8, {3, 4}, {1, 2, 3, 4, 5, 6, 7, 8, -1, -2, -3, -4}, 1, 0);
    const TensorId sums = b.tensor(Type::int32, {1, 3});
    b.node(graph::FullyConnected{}, {x, weights, graph::kNone}, {sums});
    b.node(graph::Binary{graph::Arithmetic::sub, {}}, {sums, y}, {b.output(Type::int32, {1, 3})});
    const InParts made = in_parts(b.graph);
    ASSERT_TRUE(made.report.ok()) << made.report.errors[0];
    EXPECT_EQ(made.report.layers.size(), 0U);
    const std::vector<graph::Bytes> inputs = {
        graph::test::bytes_of(std::vector<std::int32_t>{100000, 2, 3, 4}),
        graph::test::bytes_of(std::vector<std::int32_t>{1, 2, 3})};
    EXPECT_EQ(run_parts(b.graph, made, inputs), graph::run(b.graph, inputs));
}

/// What readers accept of quantisation and shapes, hardware or host does.
TEST(TcuInParts, NothingThatReadersAcceptIsRefused) {
    for (const macrame::test::PropertyCase& one : macrame::test::property_cases()) {
        SCOPED_TRACE(one.name);
        const InParts made = in_parts(one.graph);
        ASSERT_TRUE(made.report.ok()) << made.report.errors[0];
        std::vector<graph::Bytes> inputs;
        for (const TensorId id : one.graph.inputs)
            inputs.emplace_back(one.graph.tensor(id).bytes(), 1);
        const std::vector<graph::Bytes> got = run_parts(one.graph, made, inputs);
        ASSERT_EQ(got.size(), one.graph.outputs.size());
        for (std::size_t i = 0; i < got.size(); ++i)
            EXPECT_EQ(got[i].size(), one.graph.tensor(one.graph.outputs[i]).bytes());
    }
}

TEST(TcuInParts, RandomNetworksHaveTheValuesOfTheReference) {
    int several = 0;
    for (std::uint64_t seed = 1; seed <= 80; ++seed) {
        SCOPED_TRACE(seed);
        const graph::Graph graph =
            macrame::test::mixed(random_graph(seed, 2 + static_cast<int>(seed % 5)), seed);
        ASSERT_EQ(graph::check(graph), std::vector<std::string>{});
        const InParts made = in_parts(graph, seed % 3 == 0);
        ASSERT_TRUE(made.report.ok()) << made.report.errors[0];
        several += made.parts.size() > 2 ? 1 : 0;
        const std::vector<graph::Bytes> inputs = random_inputs(graph, seed);
        EXPECT_LT(difference(run_parts(graph, made, inputs), graph::run(graph, inputs)), 0.01);
    }
    EXPECT_GT(several, 10);
}

}  // namespace

}  // namespace macrame::tcu::compiler::test
