/// Transposed convolutions: a layer for each phase of the output.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compiler/graph/at.hpp"
#include "compiler/test/graph/graph_builder.hpp"
#include "compiler/test/systolic/follow.hpp"

namespace macrame::systolic::compiler {

namespace {

using graph::TensorId;
using graph::Type;

struct Shape {
    int height, width, channels, filters, kernel, stride, dilation, padding;
};

graph::test::Builder network(const Shape& s, int weight_zero) {
    graph::test::Builder b;
    const TensorId x = b.input(Type::int8, {1, s.height, s.width, s.channels}, 0.05F, -4);
    graph::TransposeConv op;
    op.window.kernel_h = op.window.kernel_w = s.kernel;
    op.window.stride_h = op.window.stride_w = s.stride;
    op.window.dilation_h = op.window.dilation_w = s.dilation;
    op.window.top = op.window.left = op.window.bottom = op.window.right = s.padding;
    const auto size = [&](int length) {
        return (length - 1) * s.stride + (s.kernel - 1) * s.dilation + 1 - 2 * s.padding;
    };
    const TensorId w = b.constant<std::int8_t>(
        Type::int8, {s.filters, s.kernel, s.kernel, s.channels},
        graph::test::random_values(at(s.filters * s.kernel * s.kernel * s.channels), 5), 0.01F,
        weight_zero);
    const TensorId y = b.output(Type::int8, {1, size(s.height), size(s.width), s.filters}, 0.6F, 3);
    b.node(op, {x, w, graph::kNone}, {y});
    return b;
}

TEST(SystolicTransposeConv, HasTheIntegersOfTheReference) {
    for (const Shape& s : {Shape{5, 7, 24, 8, 2, 2, 1, 0}, Shape{4, 6, 10, 20, 3, 2, 1, 1},
                           Shape{4, 4, 8, 8, 4, 2, 1, 1}, Shape{3, 5, 6, 4, 5, 3, 1, 2},
                           Shape{6, 4, 16, 5, 3, 2, 3, 0}, Shape{5, 5, 7, 9, 3, 1, 1, 1},
                           Shape{3, 3, 4, 4, 3, 2, 1, 0}}) {
        for (const int zero : {0, -90}) {
            SCOPED_TRACE("kernel " + std::to_string(s.kernel) + ", zero point " +
                         std::to_string(zero));
            const graph::test::Builder b = network(s, zero);
            ASSERT_EQ(graph::check(b.graph), std::vector<std::string>{});
            Architecture exact;
            exact.exact = true;
            EXPECT_EQ(compile(b.graph, exact).compiled.layers.size(), at(s.stride * s.stride));
            Differences differences;
            follow(b.graph, exact, 1, differences);
            EXPECT_EQ(differences.differ, 0);
            EXPECT_GT(differences.values, 0);
        }
    }
}

TEST(SystolicTransposeConv, RefusesOutputsThatNoInputReaches) {
    const graph::test::Builder b = network({4, 4, 8, 8, 1, 2, 1, 0}, 0);
    const CompiledSystolic made = compile(b.graph, Architecture());
    ASSERT_EQ(made.compiled.refused.size(), 1U);
    EXPECT_EQ(made.compiled.refused[0].reason,
              "transposed conv: outputs that no input reaches: want a kernel of the stride");
}

}  // namespace

}  // namespace macrame::systolic::compiler
