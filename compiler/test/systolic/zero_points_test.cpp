/// Weights with zero points, of nine bits without them.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "compiler/graph/at.hpp"
#include "compiler/test/graph/graph_builder.hpp"
#include "compiler/test/systolic/follow.hpp"

namespace macrame::systolic::compiler {

namespace {

using graph::TensorId;
using graph::Type;

struct Network : graph::test::Builder {
    /// A convolution with random weights, all outputs of the network.
    TensorId conv(TensorId in, int filters, int kernel, int groups) {
        const std::vector<int> shape = graph.tensor(in).shape;
        const int channels = shape[3] / groups;
        graph::Conv op;
        op.groups = groups;
        op.window.kernel_h = op.window.kernel_w = kernel;
        op.window.top = op.window.left = op.window.bottom = op.window.right = kernel / 2;
        const TensorId w = constant<std::int8_t>(
            Type::int8, {filters, kernel, kernel, channels},
            graph::test::random_values(at(filters * kernel * kernel * channels),
                                       static_cast<unsigned>(in)),
            0.01F, -90);
        const TensorId out =
            output(Type::int8, {1, shape[1], shape[2], filters}, channels == 1 ? 0.1F : 0.6F, 3);
        node(op, {in, w, graph::kNone}, {out});
        return out;
    }
    void follow(int layers, std::int64_t macs) {
        Architecture exact;
        exact.exact = true;
        const CompiledSystolic made = compile(graph, exact);
        ASSERT_EQ(made.compiled.errors, std::vector<std::string>{});
        EXPECT_EQ(made.compiled.layers.size(), at(layers));
        EXPECT_EQ(made.compiled.layers.back().macs, static_cast<std::uint64_t>(macs));
        Differences differences;
        compiler::follow(graph, exact, 1, differences);
        EXPECT_EQ(differences.differ, 0);
        EXPECT_GT(differences.values, 0);
    }
};

/// Each plane of the input is read twice, for the filters of its own channels.
TEST(SystolicZeroPoints, PlanesAreReadOncePerTerm) {
    for (const int channels : {5, 16, 48}) {
        SCOPED_TRACE(channels);
        Network n;
        const TensorId x = n.input(Type::int8, {1, 6, 7, 3}, 0.05F, -4);
        n.conv(n.conv(x, channels, 1, 1), channels, 3, channels);
        n.follow(2, 42 * channels * 9 * 2 * std::min(channels, 16));
    }
}

TEST(SystolicZeroPoints, LastPlaneNeedNotBeFull) {
    Network n;
    const TensorId x = n.input(Type::int8, {1, 6, 7, 3}, 0.05F, -4);
    n.conv(n.conv(x, 20, 1, 1), 20, 3, 20);
    n.follow(2, 42 * 20 * 9 * 2 * 32);
}

TEST(SystolicZeroPoints, PartsOfPlanesAreRead) {
    Network n;
    const TensorId x = n.input(Type::int8, {1, 6, 7, 3}, 0.05F, -4);
    const TensorId a = n.conv(x, 8, 1, 1), b = n.conv(x, 24, 1, 1);
    const TensorId both = n.output(Type::int8, {1, 6, 7, 32}, 0.6F, 3);
    n.node(graph::Concat{3, graph::Activation::none}, {a, b}, {both});
    const TensorId y = n.conv(b, 24, 3, 24);
    n.graph.outputs = {both, y};
    Architecture exact;
    exact.exact = true;
    const CompiledSystolic made = compile(n.graph, exact);
    ASSERT_EQ(made.compiled.errors, std::vector<std::string>{});
    EXPECT_EQ(made.compiled.layers.size(), 3U);  // none of the concatenation
    expect_right(made.program);
    const std::vector<graph::Bytes> in = {
        graph::test::bytes_of(graph::test::random_values(126, 7))};
    std::string error;
    EXPECT_EQ(run(made.program, in, error), graph::run(n.graph, in));
    EXPECT_EQ(error, "");
}

}  // namespace

}  // namespace macrame::systolic::compiler
