/// Which operators are exact although that takes more cycles.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "compiler/dla/compile.hpp"
#include "compiler/test/dla/follow.hpp"
#include "compiler/test/graph/graph_builder.hpp"
#include "compiler/test/random/graph_builder.hpp"
#include "compiler/ties.hpp"

namespace macrame::test {

namespace {

/// A PReLU of 8 x 8 x 64 values that no single layer does exactly, alone or beside a convolution
/// that takes far longer.
class PreluNetwork : GraphBuilder {
public:
    using GraphBuilder::GraphBuilder;

    Graph alone() {
        graph_.inputs = {activation({1, 8, 8, 64}, "input")};
        prelu(graph_.inputs[0]);
        return finish();
    }

    Graph beside_convolution() {
        graph_.inputs = {activation({1, 8, 8, 64}, "input")};
        prelu(graph_.inputs[0]);
        graph_.inputs.push_back(activation({1, 128, 128, 24}, "large input"));
        conv(graph_.inputs[1]);
        return finish();
    }

private:
    void prelu(TensorId in) {
        const int channels = dim(in, 3);
        const TensorId out = activation(graph_.tensor(in).shape, "prelu");
        graph_.tensor(out).quantisation = {
            {graph_.tensor(in).quantisation.scale[0] * 1.3F}, {5}, 0};
        Tensor slopes;
        slopes.name = "slopes";
        slopes.shape = {channels};
        slopes.constant = true;
        slopes.quantisation = {{0.004F}, {0}, 0};
        for (int c = 0; c < channels; ++c)
            slopes.data.push_back(static_cast<std::uint8_t>(random_.in(-127, 127)));
        add_node(Prelu{}, {in, add_tensor(std::move(slopes))}, out);
    }
};

std::int64_t wrong(const Graph& graph, const compiler::Compiled& made) {
    std::int64_t sum = 0;
    for (const compiler::Exactness& exact : made.exactness)
        if (std::holds_alternative<Prelu>(graph.nodes[static_cast<std::size_t>(exact.node)].op))
            sum += exact.values;
    return sum;
}

TEST(DlaChooseExact, WhereItTakesLessThanTwoInAHundredCycles) {
    const dla::published::Config small = dla::published::configs().front();
    compiler::Options exact;
    exact.exact = true;
    int seen = 0;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        SCOPED_TRACE(seed);
        const Graph alone = PreluNetwork(seed).alone();
        const auto plain = dla::compiler::compile(alone, small.sizes, {});
        ASSERT_TRUE(plain.ok()) << plain.errors[0];
        if (wrong(alone, plain) == 0) continue;
        const auto best = dla::compiler::compile(alone, small.sizes, exact);
        if (wrong(alone, best) != 0) continue;
        EXPECT_GT(best.cycles(), plain.cycles() * 102 / 100);
        const Graph beside = PreluNetwork(seed).beside_convolution();
        const auto all = dla::compiler::compile(beside, small.sizes, exact);
        ASSERT_TRUE(all.ok()) << all.errors[0];
        EXPECT_EQ(wrong(beside, all), 0);
        // The convolution may take twice its cycles to be exact.
        if (all.cycles() < 120 * best.cycles()) continue;
        const auto chosen = dla::compiler::compile(beside, small.sizes, {});
        EXPECT_EQ(wrong(beside, chosen), 0);
        EXPECT_LE(chosen.cycles(), all.cycles());
        ++seen;
    }
    EXPECT_GT(seen, 3);
}

/// Of four elements one sum in four lies between two steps, of nine none does.
TEST(DlaChooseExact, AveragesThatFloat32RoundsAreNotForTheHardware) {
    const dla::published::Config small = dla::published::configs().front();
    for (const int size : {2, 3}) {
        graph::test::Builder b(graph::Rounding::onnx);
        b.node(Pool{Pooling::average, {size, size, size, size, 1, 1, 0, 0, 0, 0}, {}, true},
               {b.input(Type::int8, {1, 6, 6, 8}, 0.0173F, -15)},
               {b.output(Type::int8, {1, 6 / size, 6 / size, 8}, 0.0173F, -15)});
        const auto plain = dla::compiler::compile(b.graph, small.sizes, {});
        EXPECT_TRUE(plain.ok());
        EXPECT_EQ(
            std::any_of(plain.exactness.begin(), plain.exactness.end(), compiler::rounds_by_order),
            size == 2);
        compiler::Options exact;
        exact.exact = true;
        const auto made = dla::compiler::compile(b.graph, small.sizes, exact);
        EXPECT_EQ(made.ok(), size == 3);
        for (const std::string& error : made.errors)
            EXPECT_NE(error.find("float32 rounds by the order of its sums"), std::string::npos);
    }
}

/// Beside a softmax, which the host computes anyway, an average is next to nothing; where that is
/// short, or the host has nothing to do, the average is the hardware's.
TEST(DlaChooseExact, AveragesThatFloat32RoundsAreTheHostsWhereThatCostsLittle) {
    const dla::published::Config small = dla::published::configs().front();
    compiler::Options options;
    options.host_commands = true;
    for (const int size : {0, 4, 40}) {
        SCOPED_TRACE(size);
        graph::test::Builder b(graph::Rounding::onnx);
        const auto pool = [&](Pooling kind) {
            b.node(Pool{kind, {2, 2, 2, 2, 1, 1, 0, 0, 0, 0}, {}, true},
                   {b.input(Type::int8, {1, 4, 4, 8}, 0.0173F, -15)},
                   {b.output(Type::int8, {1, 2, 2, 8}, 0.0173F, -15)});
        };
        pool(Pooling::average);
        if (size > 0)
            b.node(Softmax{}, {b.input(Type::int8, {1, size, size, 8}, 0.0173F, -15)},
                   {b.output(Type::int8, {1, size, size, 8}, 0.00390625F, -128)});
        pool(Pooling::maximum);
        const auto made = dla::compiler::compile(b.graph, small.sizes, options);
        ASSERT_TRUE(made.ok()) << made.errors[0];
        EXPECT_EQ(
            std::none_of(made.exactness.begin(), made.exactness.end(), compiler::rounds_by_order),
            size == 40);
    }
}

}  // namespace

}  // namespace macrame::test
