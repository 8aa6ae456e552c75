/// Layers of more instructions than a program has: several programs, the values of the reference.

#include "compiler/systolic/parts.hpp"

#include <gtest/gtest.h>

#include "compiler/test/graph/graph_builder.hpp"
#include "compiler/test/systolic/follow.hpp"

namespace macrame::systolic::compiler {
namespace {

using namespace graph;
using graph::test::Builder;
using graph::test::random_values;

/// Buffers of few entries, so that small layers have many tiles.
Architecture tiny(int size) {
    Architecture a;
    a.rows = a.columns = size;
    a.ibuf_entries = 64;
    a.wbuf_entries = 16;
    a.obuf_entries = 8;
    a.exact = true;
    return a;
}

void expect_programs(const Builder& b, const Architecture& architecture) {
    ASSERT_EQ(graph::check(b.graph), std::vector<std::string>{});
    const CompiledSystolic made = compile(b.graph, architecture);
    ASSERT_EQ(made.compiled.errors, std::vector<std::string>{});
    EXPECT_GT(made.program.programs.size(), 1U);
    for (const Program& program : made.program.programs)
        EXPECT_LE(program.size(), kMostInstructions);
    Differences all;
    follow(b.graph, architecture, 1, all);
    EXPECT_GT(all.values, 0);
    EXPECT_EQ(all.differ, 0);
}

TensorId weights(Builder& b, const std::vector<int>& shape) {
    std::size_t count = 1;
    for (const int length : shape)
        count *= static_cast<std::size_t>(length);
    return b.constant(Type::int8, shape, random_values(count, 3, -127, 127), 0.01F);
}

TEST(SystolicParts, RowsOfAConvolution) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 47, 46, 12}, 0.5F, 3);
    const TensorId y = b.output(Type::int8, {1, 24, 23, 40}, 0.7F, -4);
    Conv op;
    op.window.kernel_h = op.window.kernel_w = 3;
    op.window.stride_h = op.window.stride_w = 2;
    op.window.top = op.window.left = op.window.bottom = 1;
    op.window.right = 1;
    b.node(op, {x, weights(b, {40, 3, 3, 12}), kNone}, {y});
    expect_programs(b, tiny(2));
}

TEST(SystolicParts, FiltersOfAFullyConnectedLayer) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 400}, 0.5F, 3);
    const TensorId y = b.output(Type::int8, {1, 166}, 0.7F, -4);
    b.node(FullyConnected{}, {x, weights(b, {166, 400}), kNone}, {y});
    expect_programs(b, tiny(1));
}

TEST(SystolicParts, RowsOfASum) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 48, 40, 16}, 0.5F, 3);
    const TensorId other = b.input(Type::int8, {1, 48, 40, 16}, 0.3F, -8);
    const TensorId y = b.output(Type::int8, {1, 48, 40, 16}, 0.7F, -4);
    b.node(Binary{}, {x, other}, {y});
    expect_programs(b, tiny(2));
}

TEST(SystolicParts, RowsOfAPool) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 60, 50, 16}, 0.5F, 3);
    const TensorId y = b.output(Type::int8, {1, 60, 50, 16}, 0.5F, 3);
    Pool op;
    op.window.kernel_h = 2;
    op.window.bottom = 1;
    b.node(op, {x}, {y});
    expect_programs(b, tiny(2));
}

/// A part of a part is one, too: windows begin in the padding, or behind it.
TEST(SystolicParts, WindowsKeepTheirPlace) {
    ConvLayer layer;
    layer.input = dense_layout(1000, 9, 5, 4, 1);
    layer.output = dense_layout(5000, 9, 5, 8, 1);
    layer.window.height = 5;
    layer.window.top = 2;
    layer.out_height = 9;
    layer.out_width = 5;
    const std::vector<ConvLayer> parts = cut(layer, 4);
    ASSERT_EQ(parts.size(), 3U);
    EXPECT_EQ(parts[0].window.top, 2);
    EXPECT_EQ(parts[0].input.base, 1000);
    EXPECT_EQ(parts[1].window.top, 0);
    EXPECT_EQ(parts[1].input.base, 1000 + 1 * 20);
    EXPECT_EQ(parts[1].output.base, 5000 + 3 * 40);
    EXPECT_EQ(parts[2].out_height, 3);
    EXPECT_EQ(parts[2].input.height, 5);
    EXPECT_EQ(cut(parts[0], 3)[1].window.top, 1);
}

}  // namespace
}  // namespace macrame::systolic::compiler
