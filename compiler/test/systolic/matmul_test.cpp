/// Products of computed matrices, and the reshapes and transpositions of heads around them.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compiler/graph/at.hpp"
#include "compiler/host.hpp"
#include "compiler/test/graph/graph_builder.hpp"
#include "compiler/test/systolic/follow.hpp"

namespace macrame::systolic::compiler {

namespace {

using graph::TensorId;
using graph::Type;
using graph::test::Builder;

Architecture exact() {
    Architecture a;
    a.exact = true;
    return a;
}

/// No size of it divides another one.
Architecture small() {
    Architecture a = exact();
    a.rows = 6;
    a.columns = 5;
    a.ibuf_entries = a.wbuf_entries = 256;
    a.obuf_entries = 512;
    a.bus_bytes = 4;
    return a;
}

CompiledSystolic expect_reference(const graph::Graph& graph, const Architecture& architecture) {
    EXPECT_EQ(graph::check(graph), std::vector<std::string>{});
    CompiledSystolic made = compile(graph, architecture);
    EXPECT_EQ(made.compiled.errors, std::vector<std::string>{});
    if (!made.compiled.ok()) return made;
    expect_right(made.program);
    std::vector<graph::Bytes> inputs;
    for (const TensorId id : graph.inputs)
        inputs.push_back(graph::test::bytes_of(
            graph::test::random_values(graph.tensor(id).elements(), static_cast<unsigned>(id))));
    std::string error;
    macrame::compiler::HostSide host(graph, made.compiled);
    EXPECT_EQ(host.outputs(run(made.program, host.inputs(inputs), error)),
              graph::run(graph, inputs));
    EXPECT_EQ(error, "");
    return made;
}

struct Shape {
    int heads, rows, depth, columns;
};

/// [heads, rows, depth] times [heads, depth, columns], or [heads, columns, depth].
Builder product(const Shape& s, int first_zero, int second_zero, bool turned,
                graph::Rounding rounding = graph::Rounding::tflite) {
    Builder b(rounding);
    const TensorId x = b.input(Type::int8, {1, s.heads, s.rows, s.depth}, 0.02F, first_zero);
    const std::vector<int> second = turned ? std::vector<int>{1, s.heads, s.columns, s.depth}
                                           : std::vector<int>{1, s.heads, s.depth, s.columns};
    const TensorId y = b.input(Type::int8, second, 0.03F, second_zero);
    const TensorId out = b.output(Type::int8, {1, s.heads, s.rows, s.columns}, 0.8713F, -5);
    graph::MatMul op;
    op.transpose_b = turned;
    b.node(op, {x, y}, {out});
    return b;
}

TEST(SystolicMatMul, IsThatOfTheReferenceWithAnyZeroPoints) {
    for (const Shape& s : {Shape{2, 19, 24, 18}, Shape{1, 7, 8, 40}, Shape{3, 33, 40, 5}})
        for (const bool turned : {false, true})
            for (const int first : {0, 7, -128, 127})
                for (const int second : {0, -3, 127, -128})
                    for (const Architecture& machine : {exact(), small()}) {
                        SCOPED_TRACE(std::to_string(s.depth) + ", zero points " +
                                     std::to_string(first) + ", " + std::to_string(second));
                        const auto made =
                            expect_reference(product(s, first, second, turned).graph, machine);
                        EXPECT_TRUE(made.compiled.host_nodes.empty());
                        EXPECT_EQ(made.compiled.layers.size(), at(s.heads));
                    }
}

TEST(SystolicMatMul, HasTheIntegersOfOnnx) {
    const Builder b = product({2, 20, 32, 20}, -128, 4, true, graph::Rounding::onnx);
    const CompiledSystolic made = expect_reference(b.graph, exact());
    ASSERT_EQ(made.compiled.exactness.size(), 1U);
    EXPECT_EQ(made.compiled.exactness[0].proved, 1);
}

TEST(SystolicMatMul, OneMatrixServesAllOthers) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 3, 9, 16}, 0.02F, 1);
    const TensorId y = b.input(Type::int8, {1, 1, 16, 20}, 0.03F, 2);
    const TensorId out = b.output(Type::int8, {1, 3, 9, 20}, 0.5F, 0);
    b.node(graph::MatMul{}, {x, y}, {out});
    EXPECT_EQ(expect_reference(b.graph, exact()).compiled.layers.size(), 3U);
}

/// The layer is longer than a program: its parts have columns of the second matrix each.
TEST(SystolicMatMul, LongOnesAreCut) {
    Architecture machine = exact();
    machine.rows = machine.columns = 4;
    for (const bool turned : {false, true}) {
        const Builder b = product({1, 3, 300, 900}, -128, 9, turned);
        const auto made = expect_reference(b.graph, machine);
        EXPECT_GT(made.program.programs.size(), 1U);
    }
}

TEST(SystolicMatMul, ColumnsOfTheFirstMatrixAreTheHosts) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 1, 16, 9}, 0.02F, 1);
    const TensorId y = b.input(Type::int8, {1, 1, 16, 20}, 0.03F, 2);
    const TensorId out = b.output(Type::int8, {1, 1, 9, 20}, 0.5F, 0);
    graph::MatMul op;
    op.transpose_a = true;
    b.node(op, {x, y}, {out});
    const CompiledSystolic made = compile(b.graph, exact());
    ASSERT_EQ(made.compiled.refused.size(), 1U);
    EXPECT_EQ(made.compiled.refused[0].reason,
              "matmul: rows of the first matrix are columns: want it as it is multiplied");
}

/// Channels of tokens as heads, one after the other, and back: layers of the machine alone.
void expect_heads(int heads, int depth, const Architecture& machine, std::size_t copies) {
    SCOPED_TRACE(std::to_string(heads) + " heads of " + std::to_string(depth));
    constexpr int kTokens = 11;
    Builder b;
    const int channels = heads * depth;
    const auto made = [&](std::vector<int> shape, float scale, int zero) {
        return b.tensor(Type::int8, std::move(shape), scale, zero);
    };
    const auto heads_of = [&](int zero) {
        const TensorId x = b.input(Type::int8, {1, kTokens, channels}, 0.02F, zero);
        const TensorId all = made({1, kTokens, channels}, 0.02F, zero);
        b.node(graph::Unary{graph::Function::relu}, {x}, {all});
        const TensorId split = made({1, kTokens, heads, depth}, 0.02F, zero);
        b.node(graph::Reshape{}, {all}, {split});
        const TensorId turned = made({1, heads, kTokens, depth}, 0.02F, zero);
        b.node(graph::Transpose{{0, 2, 1, 3}}, {split}, {turned});
        return turned;
    };
    const TensorId q = heads_of(3), k = heads_of(-2), v = heads_of(0);
    const TensorId scores = made({1, heads, kTokens, kTokens}, 0.1F, -7);
    graph::MatMul op;
    op.transpose_b = true;
    b.node(op, {q, k}, {scores});
    const TensorId mixed = made({1, heads, kTokens, depth}, 0.2F, 1);
    b.node(graph::MatMul{}, {scores, v}, {mixed});
    const TensorId turned = made({1, kTokens, heads, depth}, 0.2F, 1);
    b.node(graph::Transpose{{0, 2, 1, 3}}, {mixed}, {turned});
    const TensorId joined = made({1, kTokens, channels}, 0.2F, 1);
    b.node(graph::Reshape{}, {turned}, {joined});
    const TensorId out = b.output(Type::int8, {1, kTokens, channels}, 0.2F, 1);
    b.node(graph::Unary{graph::Function::relu}, {joined}, {out});
    const CompiledSystolic compiled = expect_reference(b.graph, machine);
    EXPECT_TRUE(compiled.compiled.host_nodes.empty());
    // Three copies in front, a product of each head twice, each head copied into its place.
    EXPECT_EQ(compiled.compiled.layers.size(), 3 + at(3 * heads) + 1 + copies);
}

TEST(SystolicMatMul, HeadsLieInTheChannelsOfTokens) {
    expect_heads(2, 16, exact(), 0);
    expect_heads(3, 32, exact(), 0);
    expect_heads(4, 4, exact(), 0);
    expect_heads(3, 24, exact(), 3 * 3);
    expect_heads(4, 8, exact(), 3 * 4);
    expect_heads(2, 7, small(), 3 * 2);
}

}  // namespace

}  // namespace macrame::systolic::compiler
