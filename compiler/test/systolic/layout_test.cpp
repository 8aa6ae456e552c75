/// Operators that move values, and constants: small graphs of one node.

#include <gtest/gtest.h>

#include "compiler/test/graph/graph_builder.hpp"
#include "compiler/test/systolic/follow.hpp"

namespace macrame::systolic::compiler {
namespace {

using namespace graph;
using graph::test::Builder;

/// The same as the reference on machines of two shapes; `most` values of a hundred one step off.
void expect_same(const Builder& b, std::int64_t most = 0) {
    ASSERT_EQ(graph::check(b.graph), std::vector<std::string>{});
    Architecture odd;
    odd.rows = 7;
    odd.columns = 5;
    for (const Architecture& architecture : {Architecture(), odd}) {
        Differences all;
        follow(b.graph, architecture, 1, all);
        EXPECT_LE(all.differ * 100, all.values * most);
        EXPECT_LE(all.most, 1);
    }
}

std::vector<std::int8_t> ramp(int count) {
    std::vector<std::int8_t> out;
    for (int i = 0; i < count; ++i)
        out.push_back(static_cast<std::int8_t>(i * 37 % 251 - 125));
    return out;
}

TEST(Layout, ConcatenationAlongEachAxis) {
    for (const int axis : {1, 2, 3}) {
        for (const bool scaled : {false, true}) {
            Builder b;
            std::vector<int> shape = {1, 5, 4, 18};
            const TensorId x = b.input(Type::int8, shape, 0.5F, 3);
            const TensorId pooled = b.output(Type::int8, shape, 0.5F, 3);
            Pool pool;
            pool.window.kernel_h = 3;
            pool.window.top = pool.window.bottom = 1;
            b.node(pool, {x}, {pooled});
            shape[static_cast<std::size_t>(axis)] *= 2;
            const TensorId y = b.output(Type::int8, shape, scaled ? 0.7F : 0.5F, 3);
            Concat op;
            op.axis = axis;
            b.node(op, {x, pooled}, {y});
            expect_same(b, scaled ? 1 : 0);
        }
    }
}

TEST(Layout, ConcatenationOfWhatOnlyItReads) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 6, 6, 9}, 0.5F, 3);
    std::vector<TensorId> parts;
    for (int i = 0; i < 3; ++i) {
        parts.push_back(b.tensor(Type::int8, {1, 6, 6, 9}, 0.5F, 3));
        Pool pool;
        pool.window.kernel_h = 2 + i;
        pool.window.top = 1;
        pool.window.bottom = i;
        b.node(pool, {x}, {parts.back()});
    }
    const TensorId y = b.output(Type::int8, {1, 6, 6, 27}, 0.5F, 3);
    Concat op;
    op.axis = 3;
    b.node(op, parts, {y});
    const CompiledSystolic made = compile(b.graph, Architecture());
    ASSERT_EQ(made.compiled.errors, std::vector<std::string>{});
    EXPECT_EQ(made.compiled.layers.size(), 3U);
    const Bytes in = graph::test::bytes_of(ramp(6 * 6 * 9));
    std::string error;
    EXPECT_EQ(run(made.program, {in}, error), graph::run(b.graph, {in}));
    EXPECT_EQ(error, "");
}

TEST(Layout, Slices) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 9, 8, 20}, 0.5F, 3);
    const TensorId y = b.output(Type::int8, {1, 4, 5, 13}, 0.5F, 3);
    Slice op;
    op.begin = {0, 1, 2, 6};
    op.stride = {1, 2, 1, 1};
    b.node(op, {x}, {y});
    expect_same(b);
}

TEST(Layout, SplitAndReshape) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 3, 4, 12}, 0.5F, 3);
    const TensorId first = b.output(Type::int8, {1, 3, 4, 6}, 0.5F, 3);
    const TensorId second = b.output(Type::int8, {1, 3, 4, 6}, 0.5F, 3);
    Split op;
    op.axis = 3;
    b.node(op, {x}, {first, second});
    const TensorId flat = b.output(Type::int8, {1, 72}, 0.5F, 3);
    b.node(Reshape{}, {second}, {flat});
    expect_same(b);
}

TEST(Layout, Padding) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 3, 4, 17}, 0.5F, -7);
    const TensorId y = b.output(Type::int8, {1, 6, 7, 17}, 0.5F, -7);
    Pad op;
    op.amounts = {{0, 0}, {1, 2}, {2, 1}, {0, 0}};
    b.node(op, {x}, {y});
    expect_same(b);
}

TEST(Layout, NearestPixels) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 3, 4, 17}, 0.5F, -7);
    const TensorId y = b.output(Type::int8, {1, 6, 12, 17}, 0.5F, -7);
    b.node(Resize{}, {x}, {y});
    expect_same(b);
}

TEST(Layout, Constants) {
    for (const Arithmetic function : {Arithmetic::add, Arithmetic::sub, Arithmetic::mul}) {
        for (const bool first : {false, true}) {
            Builder b;
            const TensorId x = b.input(Type::int8, {1, 3, 4, 17}, 0.0517F, -7);
            const TensorId k = b.constant(Type::int8, {17}, ramp(17), 0.0313F, 5);
            const TensorId y = b.output(Type::int8, {1, 3, 4, 17}, 0.0977F, 4);
            Binary op;
            op.function = function;
            b.node(op, first ? std::vector<TensorId>{k, x} : std::vector<TensorId>{x, k}, {y});
            expect_same(b, 1);
        }
    }
}

TEST(Layout, SumsAndLimits) {
    for (const Arithmetic function :
         {Arithmetic::add, Arithmetic::sub, Arithmetic::maximum, Arithmetic::minimum}) {
        Builder b;
        const TensorId x = b.input(Type::int8, {1, 3, 40, 17}, 0.05F, -7);
        const TensorId z = b.input(Type::int8, {1, 3, 40, 17}, 0.05F, -7);
        const TensorId y = b.output(Type::int8, {1, 3, 40, 17}, 0.05F, -7);
        Binary op;
        op.function = function;
        b.node(op, {x, z}, {y});
        expect_same(b);
    }
}

TEST(Layout, Means) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 7, 6, 33}, 0.0517F, -7);
    const TensorId y = b.output(Type::int8, {1, 33}, 0.0231F, 9);
    Mean op;
    op.axes = {1, 2};
    b.node(op, {x}, {y});
    expect_same(b, 8);  // the reference rounds twice, with few bits between
}

TEST(Layout, AveragesAreExact) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 16, 16, 33}, 0.05F, -7);
    const TensorId y = b.output(Type::int8, {1, 15, 9, 33}, 0.05F, -7);
    Pool op;
    op.function = Pooling::average;
    op.window.kernel_h = 2;
    op.window.kernel_w = 4;
    op.window.stride_w = 2;
    op.window.left = 2;
    op.window.right = 2;
    b.node(op, {x}, {y});
    expect_same(b);
}

/// Scales whose quotient is that of no two immediates: 11/21, and little less.
TEST(Layout, SumsOfLongerImmediates) {
    for (const bool subtract : {false, true}) {
        for (const bool swapped : {false, true}) {
            Builder b;
            const std::vector<int> shape = {1, 8, 8, 20};
            const float scales[] = {0.0456331596F, 0.0871179998F};
            const TensorId x = b.input(Type::int8, shape, scales[swapped ? 1 : 0], -3);
            const TensorId y = b.input(Type::int8, shape, scales[swapped ? 0 : 1], -128);
            const TensorId z = b.output(Type::int8, shape, 0.0886703804F, -128);
            b.node(Binary{subtract ? Arithmetic::sub : Arithmetic::add, Activation::none}, {x, y},
                   {z});
            Architecture exact;
            exact.exact = true;
            Differences all;
            follow(b.graph, exact, 1, all);
            EXPECT_EQ(all.differ, 0);
            const auto told = compile(b.graph, exact).compiled.exactness;
            ASSERT_EQ(told.size(), 1U);
            EXPECT_EQ(told[0].proved, 1);
            EXPECT_EQ(told[0].reachable, 65536);
        }
    }
}

void expect_exact(const Builder& b) {
    ASSERT_EQ(graph::check(b.graph), std::vector<std::string>{});
    Architecture exact;
    exact.rows = 7;
    exact.columns = 5;
    exact.exact = true;
    Differences all;
    follow(b.graph, exact, 1, all);
    EXPECT_GT(all.values, 0);
    EXPECT_EQ(all.differ, 0);
    for (const auto& told : compile(b.graph, exact).compiled.exactness)
        EXPECT_EQ(told.proved, told.channels);
}

TEST(Layout, SlopesOfNegativeValues) {
    const std::vector<int> shape = {1, 8, 8, 12};
    Builder prelu;
    const TensorId x = prelu.input(Type::int8, shape, 0.05F, -7);
    const TensorId slopes = prelu.constant(Type::int8, {1, 1, 12}, ramp(12), 0.011F, 5);
    const TensorId y = prelu.output(Type::int8, shape, 0.04F, -31);
    prelu.node(Prelu{}, {x, slopes}, {y});
    expect_exact(prelu);
    for (const float alpha : {0.1F, 0.333F, 0.0F}) {
        Builder leaky;
        const TensorId in = leaky.input(Type::int8, shape, 0.05F, -7);
        const TensorId out = leaky.output(Type::int8, shape, 0.04F, -31);
        Unary op;
        op.function = Function::leaky_relu;
        op.alpha = alpha;
        leaky.node(op, {in}, {out});
        expect_exact(leaky);
    }
    Builder abs;
    const TensorId in = abs.input(Type::int8, shape, 0.05F, -7);
    const TensorId out = abs.output(Type::int8, shape, 0.04F, -31);
    Unary op;
    op.function = Function::abs;
    abs.node(op, {in}, {out});
    expect_exact(abs);
}

TEST(Layout, LimitsThatAreConstants) {
    for (const Arithmetic function : {Arithmetic::minimum, Arithmetic::maximum}) {
        for (const int count : {1, 12}) {
            Builder b;
            const TensorId x = b.input(Type::int8, {1, 8, 8, 12}, 0.05F, -7);
            const TensorId y = b.output(Type::int8, {1, 8, 8, 12}, 0.05F, -7);
            const TensorId k = b.constant(Type::int8, {count}, ramp(count + 2), 0.05F, -7);
            b.graph.tensor(k).data.resize(static_cast<std::size_t>(count));
            b.node(Binary{function, Activation::none}, {k, x}, {y});
            expect_same(b);
            expect_exact(b);
        }
    }
}

/// Weights less their zero point, which may have nine bits.
TEST(Layout, ZeroPointsOfWeights) {
    for (const int zero : {9, 127, -128}) {
        const int least = zero == 9 ? -110 : -128;
        for (const bool dense : {false, true}) {
            Builder b;
            const std::vector<int> in = {1, 5, 6, 12}, flat = {1, 12}, out = {1, 5, 6, 9};
            const TensorId x = b.input(Type::int8, dense ? flat : in, 0.05F, -7);
            std::vector<std::int8_t> values = graph::test::random_values(9 * 12, 5, least, 127);
            values[0] = static_cast<std::int8_t>(least);
            const std::vector<int> shape =
                dense ? std::vector<int>{9, 12} : std::vector<int>{9, 1, 1, 12};
            const TensorId w = b.constant(Type::int8, shape, values, 0.01F, zero);
            const TensorId y =
                b.output(Type::int8, dense ? std::vector<int>{1, 9} : out, 0.04F, -31);
            if (dense) {
                b.node(FullyConnected{}, {x, w, kNone}, {y});
            } else {
                b.node(Conv{}, {x, w, kNone}, {y});
            }
            expect_exact(b);
        }
    }
}

/// The host transposes behind the program, as it does in front of it.
TEST(Layout, TransposedOutputs) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 6, 5, 12}, 0.5F, 3);
    const TensorId y = b.output(Type::int8, {1, 6, 5, 12}, 0.5F, 3);
    const TensorId planes = b.output(Type::int8, {1, 12, 6, 5}, 0.5F, 3);
    const TensorId flat = b.output(Type::int8, {1, 360}, 0.5F, 3);
    const TensorId twice = b.output(Type::int8, {1, 720}, 0.5F, 3);
    const TensorId pooled = b.output(Type::int8, {1, 6, 5, 12}, 0.5F, 3);
    Pool pool;
    pool.window.kernel_h = 3;
    pool.window.top = pool.window.bottom = 1;
    b.node(pool, {x}, {y});
    Transpose op;
    op.order = {0, 3, 1, 2};
    b.node(op, {y}, {planes});
    b.node(Reshape{}, {planes}, {flat});
    Concat concat;
    concat.axis = 1;
    b.node(concat, {flat, flat}, {twice});
    b.node(pool, {y}, {pooled});
    expect_same(b);
    EXPECT_EQ(compile(b.graph, Architecture()).compiled.host_nodes, (std::vector<int>{1, 2, 3}));
}

/// As detectors end: boxes of several pictures, flattened, in one list.
TEST(Layout, ReshapedPicturesJoined) {
    Builder b;
    std::vector<TensorId> lists;
    for (const int size : {6, 3}) {
        const TensorId x = b.input(Type::int8, {1, size, size, 12}, 0.5F, 3);
        const TensorId y = b.output(Type::int8, {1, size, size, 12}, 0.5F, 3);
        const TensorId list = b.output(Type::int8, {1, size * size * 3, 4}, 0.5F, 3);
        lists.push_back(b.output(Type::int8, {1, size * size * 3, 4}, 0.4F, -3));
        Pool pool;
        pool.window.kernel_h = 3;
        pool.window.top = pool.window.bottom = 1;
        b.node(pool, {x}, {y});
        b.node(Reshape{}, {y}, {list});
        b.node(Requantise{}, {list}, {lists.back()});
    }
    const TensorId all = b.output(Type::int8, {1, 135, 4}, 0.4F, -3);
    Concat concat;
    concat.axis = 1;
    b.node(concat, lists, {all});
    expect_exact(b);
}

/// In the middle there are no lanes to move channels to.
TEST(Layout, TransposedInTheMiddleIsRefused) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 6, 5, 12}, 0.5F, 3);
    const TensorId y = b.tensor(Type::int8, {1, 6, 5, 12}, 0.5F, 3);
    const TensorId planes = b.tensor(Type::int8, {1, 12, 6, 5}, 0.5F, 3);
    const TensorId z = b.output(Type::int8, {1, 12, 6, 5}, 0.5F, 3);
    b.node(Pool{}, {x}, {y});
    Transpose op;
    op.order = {0, 3, 1, 2};
    b.node(op, {y}, {planes});
    b.node(Pool{}, {planes}, {z});
    const CompiledSystolic made = compile(b.graph, Architecture());
    ASSERT_EQ(made.compiled.errors.size(), 1U);
    EXPECT_EQ(made.compiled.errors[0],
              "node 1: transpose: of axes: channels lie in lanes: want them to stay last");
}

TEST(Layout, RefusesWhatItCannotDo) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 3, 4, 17}, 0.05F, -7);
    const TensorId y = b.tensor(Type::int8, {1, 3, 4, 17}, 0.05F, -7);
    const TensorId z = b.output(Type::int8, {1, 3, 4, 17}, 0.05F, -7);
    Unary op;
    op.function = Function::sigmoid;
    b.node(op, {x}, {y});
    b.node(Pool{}, {y}, {z});
    const CompiledSystolic made = compile(b.graph, Architecture());
    ASSERT_EQ(made.compiled.errors.size(), 1U);
    EXPECT_NE(made.compiled.errors[0].find("node 0"), std::string::npos);
}

}  // namespace
}  // namespace macrame::systolic::compiler
