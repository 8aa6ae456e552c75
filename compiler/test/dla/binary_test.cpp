/// Element-wise operators of two tensors between convolutions, on the golden model.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "compiler/test/dla/follow.hpp"
#include "compiler/test/random/graph_builder.hpp"

namespace macrame::test {

namespace {

/// An operator of two tensors, or of one and a constant, behind convolutions.
class Pair : GraphBuilder {
public:
    using GraphBuilder::GraphBuilder;

    static constexpr int kKinds = 5;

    Graph build(Arithmetic function) {
        if (random_.chance(30)) graph_.rounding = Rounding::onnx;
        const std::vector<int> shape{1, random_.in(1, 9), random_.in(1, 9),
                                     random_.pick({1, 3, 8, 16, 24, 40})};
        const TensorId in = activation(shape, "input");
        graph_.inputs = {in};
        const bool choice = function == Arithmetic::maximum || function == Arithmetic::minimum;
        TensorId a = branch(in, shape);
        std::vector<int> small = shape;
        if (random_.chance(60)) small[1] = small[2] = 1;
        if (random_.chance(20)) small[3] = 1;
        TensorId b = random_.chance(40) ? constant(small) : branch(in, small);
        const TensorId out = activation(shape, "result");
        if (choice && graph_.rounding == Rounding::tflite)
            graph_.tensor(b).quantisation = graph_.tensor(out).quantisation =
                graph_.tensor(a).quantisation;
        Binary op;
        op.function = function;
        op.activation = choice ? Activation::none : any_activation();
        if (random_.chance(50)) std::swap(a, b);
        add_node(op, {a, b}, out);
        if (random_.chance(50)) branch(out, shape);
        return finish();
    }

private:
    /// A convolution to this shape: over all of the input if it is one pixel.
    TensorId branch(TensorId in, std::vector<int> to) {
        const TensorId out = activation(to, "branch");
        Conv op;
        const bool pixel = to[1] == 1 && to[2] == 1;
        if (pixel) {
            op.window.kernel_h = dim(in, 1);
            op.window.kernel_w = dim(in, 2);
        }
        const int inputs = op.window.kernel_h * op.window.kernel_w * dim(in, 3);
        std::vector<double> scales;
        const TensorId w = weights({to[3], op.window.kernel_h, op.window.kernel_w, dim(in, 3)},
                                   to[3], 1.0 / std::sqrt(5000.0 * inputs), graph_.tensor(in),
                                   graph_.tensor(out), scales);
        add_node(op, {in, w, bias(to[3], scales, graph_.tensor(out))}, out);
        return out;
    }

    TensorId constant(std::vector<int> shape) {
        const TensorId id = activation(std::move(shape), "constant");
        Tensor& t = graph_.tensor(id);
        t.constant = true;
        for (std::size_t i = 0; i < t.elements(); ++i)
            t.data.push_back(static_cast<std::uint8_t>(random_.in(-128, 127)));
        return id;
    }
};

/// Two inputs of the network, each of the size of the output or 1 along every axis.
class Broadcast : GraphBuilder {
public:
    using GraphBuilder::GraphBuilder;

    Graph build(Arithmetic function) {
        std::vector<int> out;
        const std::size_t rank = static_cast<std::size_t>(random_.in(1, 4));
        for (std::size_t i = 0; i < rank; ++i)
            out.push_back(rank == 4 && i == 0 ? 1 : random_.pick({1, 2, 5, 7, 8, 17, 33}));
        std::vector<int> sides[2] = {out, out};
        for (std::vector<int>& side : sides)
            for (int& size : side)
                if (random_.chance(40)) size = 1;
        if (rank > 1 && random_.chance(30)) sides[1].erase(sides[1].begin());
        const TensorId a = activation(sides[0], "a"), b = activation(sides[1], "b");
        for (std::size_t i = 0; i < rank; ++i) {
            const auto of = [&](const std::vector<int>& side) {
                const std::size_t missing = rank - side.size();
                return i < missing ? 1 : side[i - missing];
            };
            out[i] = std::max(of(sides[0]), of(sides[1]));
        }
        const TensorId to = activation(out, "sum");
        graph_.inputs = {a, b};
        for (const TensorId id : {a, b, to})
            graph_.tensor(id).quantisation = {{0.03F}, {0}, 0};
        add_node(Binary{function, Activation::none}, {a, b}, to);
        return finish();
    }
};

TEST(DlaBinary, TwoInputsAreBroadcast) {
    Counts counts;
    for (const dla::published::Config& config : dla::published::configs())
        for (std::uint64_t seed = 1; seed <= 120 && !testing::Test::HasFailure(); ++seed)
            follow(Broadcast(seed).build(static_cast<Arithmetic>(seed % Pair::kKinds)), seed,
                   config, counts);
    EXPECT_EQ(counts.refused, 0);
    EXPECT_GE(counts.networks, 240);
}

TEST(DlaBinary, RandomNetworksFollowTheDefinition) {
    Counts counts;
    const std::vector<dla::published::Config> all = configurations();
    constexpr int kNetworks = LONG_TESTS ? 400 : 120;
    for (std::uint64_t seed = 1; seed <= kNetworks && !testing::Test::HasFailure(); ++seed) {
        const auto function = static_cast<Arithmetic>(seed % Pair::kKinds);
        follow(Pair(seed).build(function), seed, all[seed / Pair::kKinds % all.size()], counts);
    }
    EXPECT_GT(counts.networks * 40, kNetworks * 39);
    EXPECT_GT(counts.proved * 2, counts.values);
}

/// Nearly all pairs of elements, where BS cannot subtract the zero point of the second one.
class Products : GraphBuilder {
public:
    using GraphBuilder::GraphBuilder;

    Graph build(Rounding rounding, bool shifted) {
        graph_.rounding = rounding;
        const std::vector<int> shape{1, 256, 256, 1};
        const TensorId a = activation(shape, "a"), b = activation(shape, "b");
        const TensorId to = activation(shape, "product");
        graph_.inputs = {a, b};
        const float scales[] = {0.03F, 0.025F, 0.04F};
        const int zeros[] = {-9, -38, random_.in(-20, 20)};
        for (const TensorId id : {a, b, to}) {
            graph_.tensor(id).quantisation = {{scales[id - a]}, {zeros[id - a]}, 0};
            graph_.tensor(id).shifted = shifted;
        }
        add_node(Binary{Arithmetic::mul, Activation::none}, {a, b}, to);
        return finish();
    }
};

TEST(DlaBinary, ProductsInPartsAreAsDeclared) {
    Counts counts;
    for (const Rounding rounding : {Rounding::tflite, Rounding::onnx})
        for (std::uint64_t seed = 1; seed <= 4; ++seed)
            follow(Products(seed).build(rounding, seed % 2 == 0), seed,
                   dla::published::configs().front(), counts);
    EXPECT_EQ(counts.networks, 8);
}

TEST(DlaBinary, ExactIsExactWithEw) {
    Counts counts;
    compiler::Options exact;
    exact.exact = true;
    for (const dla::published::Config& config : configurations()) {
        if (!config.sizes.sdp_ew) continue;
        for (std::uint64_t seed = 1; seed <= (LONG_TESTS ? 40 : 12) && !testing::Test::HasFailure(); ++seed) {
            const auto function = static_cast<Arithmetic>(seed % Pair::kKinds);
            follow(Pair(seed).build(function), seed, config, counts, exact);
        }
    }
    EXPECT_GT(counts.networks, 40);
}

/// Also where there is none: an operand twice, or in parts.
TEST(DlaBinary, ExactSumsAndProductsAreExactOnAllConfigurations) {
    Counts counts;
    compiler::Options exact;
    exact.exact = true;
    for (const dla::published::Config& config : configurations())
        for (std::uint64_t seed = 1; seed <= 18 && !testing::Test::HasFailure(); ++seed) {
            constexpr Arithmetic kFunctions[] = {Arithmetic::add, Arithmetic::sub, Arithmetic::mul};
            const Arithmetic function = kFunctions[seed % 3];
            Graph graph = Pair(seed).build(function);
            graph.rounding = Rounding::tflite;
            follow(graph, seed, config, counts, exact);
        }
    EXPECT_GT(counts.networks, 100);
    EXPECT_EQ(counts.proved, counts.values);
}

}  // namespace

}  // namespace macrame::test
