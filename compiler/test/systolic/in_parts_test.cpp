/// Networks with operators in the middle that the array has no means for.

#include <gtest/gtest.h>

#include <any>

#include "compiler/declared.hpp"
#include "compiler/graph/check.hpp"
#include "compiler/host.hpp"
#include "compiler/parts.hpp"
#include "compiler/systolic/compile.hpp"
#include "compiler/test/graph/graph_builder.hpp"
#include "compiler/test/random/mixed_graph.hpp"
#include "compiler/test/random/properties.hpp"
#include "compiler/test/random/random_graph.hpp"
#include "compiler/test/systolic/follow.hpp"
#include "verif/common/random.hpp"

namespace macrame::systolic::compiler {

namespace {

using graph::Activation;
using graph::TensorId;
using graph::Type;
using graph::test::Builder;
using macrame::compiler::Compiled;
using macrame::compiler::InParts;
using macrame::compiler::Part;

Architecture exact() {
    Architecture out;
    out.exact = true;
    return out;
}

InParts in_parts(const graph::Graph& graph, bool keep_tensors = false) {
    return macrame::compiler::compile_in_parts(graph, [&](const graph::Graph& part) {
        CompiledSystolic made = compile(part, exact(), keep_tensors);
        made.compiled.own = std::make_shared<SystolicProgram>(std::move(made.program));
        return made.compiled;
    });
}

std::vector<graph::Bytes> run_parts(const graph::Graph& graph, const InParts& made,
                                    const std::vector<graph::Bytes>& inputs) {
    macrame::compiler::NetworkRun network(graph, made.parts, inputs);
    while (const Part* part = network.next()) {
        const auto& program = part->compiled.own_as<SystolicProgram>();
        expect_right(program);
        std::string error;
        network.finish(run(program, network.program_inputs(), error));
        EXPECT_EQ(error, "");
    }
    return network.outputs();
}

/// Parts with what the host has at their ends: "host 1, program 0 2".
std::string text_of(const InParts& made) {
    std::string out;
    for (const Part& part : made.parts) {
        out += out.empty() ? "" : ", ";
        out += part.hardware ? "program" : "host";
        for (const int node : part.nodes)
            out += " " + std::to_string(node);
    }
    return out;
}

struct Network : Builder {
    TensorId in(std::vector<int> shape) { return input(Type::int8, std::move(shape), 0.1F, 3); }
    TensorId conv(TensorId from, int filters, int kernel = 3) {
        const std::vector<int> shape = graph.tensor(from).shape;
        const auto count = static_cast<std::size_t>(filters * kernel * kernel * shape[3]);
        const TensorId weights =
            constant<std::int8_t>(Type::int8, {filters, kernel, kernel, shape[3]},
                                  graph::test::random_values(count, 3, -20, 20), 0.05F);
        const TensorId out = tensor(Type::int8, {1, shape[1], shape[2], filters}, 0.3F, -5);
        graph::Conv op;
        op.window.kernel_h = op.window.kernel_w = kernel;
        op.window.top = op.window.left = op.window.bottom = op.window.right = kernel / 2;
        node(op, {from, weights, graph::kNone}, {out});
        return out;
    }
    TensorId same(graph::Operator op, TensorId from, float scale = 0.3F, int zero = -5) {
        const TensorId out = tensor(Type::int8, graph.tensor(from).shape, scale, zero);
        node(std::move(op), {from}, {out});
        return out;
    }
    TensorId connected(TensorId from, int filters) {
        std::vector<int> shape = graph.tensor(from).shape;
        const auto count = static_cast<std::size_t>(filters * shape.back());
        const TensorId weights =
            constant<std::int8_t>(Type::int8, {filters, shape.back()},
                                  graph::test::random_values(count, 5, -20, 20), 0.05F);
        shape.back() = filters;
        const TensorId out = tensor(Type::int8, shape, 0.3F, -5);
        node(graph::FullyConnected{}, {from, weights, graph::kNone}, {out});
        return out;
    }
    TensorId reshape(TensorId from, std::vector<int> shape) {
        graph::Tensor to = graph.tensor(from);
        to.shape = std::move(shape);
        graph.tensors.push_back(to);
        const auto out = static_cast<TensorId>(graph.tensors.size()) - 1;
        node(graph::Reshape{}, {from}, {out});
        return out;
    }
    InParts parts(TensorId output) {
        graph.outputs = {output};
        EXPECT_EQ(graph::check(graph), std::vector<std::string>{});
        return in_parts(graph);
    }
};

TEST(SystolicInParts, SoftmaxInTheMiddleIsTheHosts) {
    Network n;
    const TensorId middle =
        n.same(graph::Softmax{}, n.conv(n.in({1, 6, 5, 3}), 20), 1.0F / 256, -128);
    const InParts made = n.parts(n.same(graph::Softmax{}, n.conv(middle, 4), 1.0F / 256, -128));
    ASSERT_TRUE(made.report.ok()) << made.report.errors[0];
    EXPECT_EQ(text_of(made), "program 0, host 1, program 2 3");
    EXPECT_EQ(made.report.host_nodes, (std::vector<int>{1, 3}));
    ASSERT_EQ(made.report.refused.size(), 1U);
    EXPECT_EQ(made.report.refused[0].reason,
              "softmax: the array and ALU have no operation for it: want the host to do it "
              "(without --no-host)");
}

/// The array keeps the convolution, the host changes the form in front of it.
TEST(SystolicInParts, AnotherFormInFrontOfAConvolutionIsTheHosts) {
    Network n;
    const TensorId flat = n.reshape(n.conv(n.in({1, 4, 6, 8}), 8), {1, 8, 12, 2});
    const InParts made = n.parts(n.conv(flat, 4));
    ASSERT_TRUE(made.report.ok()) << made.report.errors[0];
    EXPECT_EQ(text_of(made), "program 0, host 1, program 2");
    EXPECT_EQ(made.report.refused[0].node, 1);
}

void expect_bytes_of_the_reference(const graph::Graph& graph, const InParts& made) {
    std::vector<graph::Bytes> inputs;
    for (const TensorId id : graph.inputs)
        inputs.push_back(graph::test::bytes_of(
            graph::test::random_values(graph.tensor(id).elements(), 7, -128, 127)));
    EXPECT_EQ(run_parts(graph, made, inputs), graph::run(graph, inputs));
}

/// Rows that are the pixels of a picture: they are read where they lie.
TEST(SystolicInParts, PicturesAreRowsOfAFullyConnectedLayer) {
    Network n;
    const TensorId rows = n.reshape(n.conv(n.in({1, 4, 6, 8}), 20), {24, 20});
    const InParts made = n.parts(n.connected(rows, 9));
    ASSERT_TRUE(made.report.ok()) << made.report.errors[0];
    EXPECT_EQ(text_of(made), "program 0 1 2");
    expect_bytes_of_the_reference(n.graph, made);
}

/// The same with a margin in memory around the picture, for the convolution that reads it, too.
TEST(SystolicInParts, PicturesWithAMarginAreBroughtIntoRowsByTheHost) {
    Network n;
    const TensorId picture = n.conv(n.in({1, 4, 6, 8}), 4, 1);
    const TensorId rows = n.reshape(picture, {24, 4});
    const TensorId last = n.connected(rows, 9);
    n.graph.outputs = {n.conv(picture, 4), last};
    EXPECT_EQ(graph::check(n.graph), std::vector<std::string>{});
    const InParts made = in_parts(n.graph);
    ASSERT_TRUE(made.report.ok()) << made.report.errors[0];
    EXPECT_EQ(made.report.host_nodes, std::vector<int>{1});
    expect_bytes_of_the_reference(n.graph, made);
}

/// A dilated convolution of a line that sees more behind its ends than GEMM has fields for.
TEST(SystolicInParts, WidePaddingLiesInMemory) {
    for (const int padding : {16, 255, 256}) {
        Network n;
        const TensorId x = n.conv(n.in({1, 2, 300, 5}), 20, 1);
        const TensorId weights = n.constant<std::int8_t>(
            Type::int8, {6, 1, 3, 20}, graph::test::random_values(360, 3, -20, 20), 0.05F);
        const TensorId out = n.tensor(Type::int8, {1, 2, 300, 6}, 0.3F, -5);
        graph::Conv op;
        op.window.kernel_w = 3;
        op.window.dilation_w = op.window.left = op.window.right = padding;
        n.node(op, {x, weights, graph::kNone}, {out});
        const InParts made = n.parts(out);
        ASSERT_TRUE(made.report.ok()) << made.report.errors[0];
        EXPECT_EQ(text_of(made), padding < 256 ? "program 0 1" : "program 0, host 1");
        expect_bytes_of_the_reference(n.graph, made);
    }
}

TEST(SystolicInParts, RealValuesInTheMiddleAreTheHostsInOneGo) {
    Network n;
    const TensorId before = n.conv(n.in({1, 4, 4, 4}), 4);
    TensorId real = n.tensor(Type::float32, {1, 4, 4, 4});
    n.node(graph::Requantise{}, {before}, {real});
    for (int i = 0; i < 20; ++i) {
        const TensorId next = n.tensor(Type::float32, {1, 4, 4, 4});
        n.node(graph::Unary{graph::Function::tanh, 0, 0}, {real}, {next});
        real = next;
    }
    const TensorId back = n.same(graph::Requantise{}, real);
    const InParts made = n.parts(n.conv(back, 4));
    ASSERT_TRUE(made.report.ok()) << made.report.errors[0];
    ASSERT_EQ(made.parts.size(), 3U);
    EXPECT_EQ(made.parts[0].nodes, std::vector<int>{0});
    EXPECT_EQ(made.parts[1].nodes.size(), 22U);
    EXPECT_EQ(made.parts[2].nodes, std::vector<int>{23});
}

TEST(SystolicInParts, BatchesAreTheHosts) {
    Network n;
    const TensorId batch = n.same(graph::Unary{graph::Function::relu, 0, 0}, n.in({2, 4, 4, 4}));
    const InParts made = n.parts(batch);
    ASSERT_TRUE(made.report.ok()) << made.report.errors[0];
    EXPECT_EQ(text_of(made), "host 0");
    EXPECT_EQ(made.report.refused[0].reason, "relu: an input with a batch: want one of 1");
}

graph::Bytes random_bytes(std::size_t count, std::uint64_t seed) {
    verif::Random random(seed);
    graph::Bytes out(count);
    for (std::uint8_t& byte : out)
        byte = static_cast<std::uint8_t>(random.in(0, 255));
    return out;
}

/// What readers accept of quantisation and shapes, hardware or host does.
TEST(SystolicInParts, NothingThatReadersAcceptIsRefused) {
    for (const macrame::test::PropertyCase& one : macrame::test::property_cases()) {
        SCOPED_TRACE(one.name);
        const InParts made = in_parts(one.graph);
        ASSERT_TRUE(made.report.ok()) << made.report.errors[0];
        std::vector<graph::Bytes> inputs;
        for (const TensorId id : one.graph.inputs) {
            const graph::Tensor& tensor = one.graph.tensor(id);
            inputs.push_back(tensor.type == Type::float32 ? graph::Bytes(tensor.bytes())
                                                          : random_bytes(tensor.bytes(), 7));
        }
        const auto got = run_parts(one.graph, made, inputs);
        if (macrame::compiler::declared(one.graph, made.report).exact()) {
            EXPECT_EQ(got, graph::run(one.graph, inputs));
        }
    }
}

/// Exact scales: all bytes are those of the reference, whether tensors are kept or not.
TEST(SystolicInParts, RandomNetworksHaveTheBytesOfTheReference) {
    int programs = 0, exact = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        SCOPED_TRACE(seed);
        const graph::Graph graph = macrame::test::mixed(macrame::test::random_graph(seed), seed);
        ASSERT_EQ(graph::check(graph), std::vector<std::string>{});
        const InParts made = in_parts(graph, seed % 3 == 0);
        ASSERT_TRUE(made.report.ok()) << made.report.errors[0];
        if (!macrame::compiler::declared(graph, made.report).exact()) continue;
        ++exact;
        programs += static_cast<int>(made.parts.size()) / 2;
        const graph::Bytes input = random_bytes(graph.tensor(graph.inputs[0]).bytes(), seed);
        EXPECT_EQ(run_parts(graph, made, {input}), graph::run(graph, {input}));
    }
    EXPECT_GT(exact, 20);
    EXPECT_GT(programs, 30);
}

}  // namespace

}  // namespace macrame::systolic::compiler
