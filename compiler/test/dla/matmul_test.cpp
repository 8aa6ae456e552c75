/// Products of two computed matrices.

#include <gtest/gtest.h>

#include "compiler/dla/compile.hpp"
#include "compiler/test/dla/follow.hpp"
#include "compiler/test/random/graph_builder.hpp"

namespace macrame::test {

namespace {

/// `batch` products of matrices of so many rows, depth and columns.
struct Sizes {
    int batch = 1, rows = 2, depth = 8, columns = 8;
};

class Products : GraphBuilder {
public:
    using GraphBuilder::GraphBuilder;

    Graph build(const Sizes& s, const MatMul& op, int zero_a, int zero_b, Rounding rounding) {
        graph_.rounding = rounding;
        const auto input = [&](int rows, int columns, bool swapped, int zero) {
            if (swapped) std::swap(rows, columns);
            const TensorId id = activation({1, s.batch, rows, columns}, "input");
            graph_.tensor(id).quantisation.zero_point = {zero};
            graph_.inputs.push_back(id);
            return id;
        };
        const TensorId a = input(s.rows, s.depth, op.transpose_a, zero_a);
        const TensorId b = input(s.depth, s.columns, op.transpose_b, zero_b);
        const TensorId out = activation({1, s.batch, s.rows, s.columns}, "product");
        const auto scale = [&](TensorId id) -> float& {
            return graph_.tensor(id).quantisation.scale[0];
        };
        // Sums of random products fill the output about.
        scale(out) = scale(a) * scale(b) * 100.0F * std::sqrt(static_cast<float>(s.depth)) *
                     std::exp2(static_cast<float>(random_.in(-10, 10)) / 10.0F);
        add_node(op, {a, b}, out);
        return finish();
    }

    /// Of sizes, zero points and orders that the seed chooses.
    Graph any() {
        const Sizes sizes{random_.in(1, 3), random_.chance(20) ? 1 : random_.in(2, 40),
                          8 * random_.in(1, 6), random_.in(1, 40)};
        const auto zero = [&] { return random_.pick({0, 0, -1, 3, -9, 120, -128, 127, -127}); };
        const Rounding rounding = random_.chance(50) ? Rounding::tflite : Rounding::onnx;
        const int first = zero(), second = zero();
        MatMul op{random_.chance(20), random_.chance(50)};
        return build(sizes, op, first, second, rounding);
    }
};

/// nv_small, and configurations whose MAC array takes more channels than an atom has.
std::vector<dla::published::Config> chosen() {
    std::vector<dla::published::Config> out;
    for (const dla::published::Config& config : dla::published::configs())
        if (config.name != std::string("nv_small_256_full")) out.push_back(config);
    return out;
}

TEST(DlaMatMul, RandomProductsAreWithinWhatIsDeclared) {
    Counts counts;
    constexpr int kNetworks = LONG_TESTS ? 300 : 50;
    const std::vector<dla::published::Config> all = chosen();
    for (std::uint64_t seed = 1; seed <= kNetworks && !HasFailure(); ++seed) {
        const dla::published::Config& config = seed % 2 == 0 ? all[0] : all[seed / 2 % all.size()];
        follow(Products(seed).any(), seed, config, counts, {}, "product of matrices");
    }
    EXPECT_GT(counts.networks * 4, kNetworks * 3);
    EXPECT_LE(counts.unequal * 200, counts.values);
}

/// Each term alone: extreme values of both operands are among random bytes.
TEST(DlaMatMul, ZeroPointsAtTheirEnds) {
    Counts counts;
    std::uint64_t seed = 1;
    const dla::published::Config config = chosen()[0];
    for (const int a : {-128, -127, -1, 0, 1, 126, 127})
        for (const int b : {-128, -127, -1, 0, 1, 127})
            for (const bool swapped : {false, true}) {
                follow(Products(seed).build({1, 9, 16, 11}, {false, swapped}, a, b, Rounding::onnx),
                       seed, config, counts);
                ++seed;
            }
    EXPECT_EQ(counts.networks, 84);
}

/// A row of each matrix, as of one token: atoms of a pixel lie one behind the other.
TEST(DlaMatMul, SingleRows) {
    Counts counts;
    std::uint64_t seed = 1;
    for (const dla::published::Config& config : chosen())
        for (const int batch : {1, 3})
            for (const int zero : {0, -128, 5})
                for (const bool swapped : {false, true}) {
                    const Graph graph = Products(seed).build({batch, 1, 16, 24}, {false, swapped},
                                                             zero, 0, Rounding::onnx);
                    follow(graph, seed++, config, counts, {}, "product of matrices");
                }
    EXPECT_GE(counts.networks, 12);
    EXPECT_LE(counts.unequal * 200, counts.values);
}

/// Weights with lines of constants are not compressed: layers write the others.
TEST(DlaMatMul, WhatLayersWriteIsNotCompressed) {
    Counts counts;
    dla::published::Config config = chosen()[0];
    config.sizes.compression = true;
    for (std::uint64_t seed = 1; seed <= 4; ++seed)
        follow(Products(seed).build({1, 4, 128, 64}, {false, seed % 2 == 0}, seed < 3 ? 0 : -7, 3,
                                    Rounding::onnx),
               seed, config, counts);
    EXPECT_EQ(counts.networks, 4);
}

std::string refusal(const Graph& graph, const dla::model::Architecture& sizes) {
    const compiler::Compiled made = dla::compiler::compile(graph, sizes);
    return made.refused.empty() ? "" : made.refused.back().reason;
}

TEST(DlaMatMul, SaysWhatItWants) {
    const dla::model::Architecture sizes = chosen()[0].sizes;
    const auto of = [&](const Sizes& s, const MatMul& op) {
        return refusal(Products(1).build(s, op, 0, 0, Rounding::tflite), sizes);
    };
    EXPECT_EQ(of({1, 3, 8, 8}, {}), "");
    EXPECT_EQ(of({1, 3, 12, 8}, {}), "");
    EXPECT_EQ(of({1, 3, 12, 8}, {false, true}),
              "product of matrices: want whole atoms of channels");
    EXPECT_EQ(of({1, 1, 8, 8}, {}), "");
}

}  // namespace

}  // namespace macrame::test
