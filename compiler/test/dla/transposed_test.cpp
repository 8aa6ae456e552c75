/// Transposed convolutions in each way that phases come about and together, on the golden model.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/dla/compile.hpp"
#include "compiler/test/dla/follow.hpp"
#include "compiler/test/random/graph_builder.hpp"

namespace macrame::test {

namespace {

using dla::model::Architecture;
using dla::published::Config;

/// Configurations with RUBIK's contract; the last one without.
std::vector<Config> configurations_with_contract() {
    std::vector<Config> out = dla::published::configs();
    for (Config& config : out)
        config.sizes.rubik_contract = true;
    out.push_back({"nv_full", dla::published::nv_full()});
    out.push_back({"nv_small without", dla::published::configs()[0].sizes});
    return out;
}

/// A transposed convolution, perhaps part of a concat, and a convolution that reads it.
class Deconvolution : GraphBuilder {
public:
    using GraphBuilder::GraphBuilder;

    Graph build() {
        const TensorId in = activation(
            {1, random_.in(1, 9), random_.in(1, 9), random_.pick({1, 8, 19, 64})}, "input");
        graph_.inputs = {in};
        TensorId now = transpose_conv(in);
        if (random_.chance(30)) now = concat(now);
        if (random_.chance(60)) conv(now);
        return finish();
    }

    /// Squares of inputs, kernels and strides.
    Graph build(int size, int channels, int kernels, int kernel, int stride) {
        const TensorId in = activation({1, size, size, channels}, "input");
        graph_.inputs = {in};
        TransposeConv op;
        op.window.kernel_h = op.window.kernel_w = kernel;
        op.window.stride_h = op.window.stride_w = stride;
        op.window.top = op.window.left = (kernel - stride) / 2;
        op.window.bottom = op.window.right = kernel - stride - op.window.top;
        add(in, op, {1, size * stride, size * stride, kernels});
        return finish();
    }

private:
    TensorId transpose_conv(TensorId in) {
        TransposeConv op;
        Window& w = op.window;
        const auto axis = [&](int size, int& kernel, int& stride, int& before, int& behind) {
            stride = random_.in(1, 4);
            kernel = random_.in(1, 7);
            const int all = (size - 1) * stride + std::max(kernel, stride);
            before = random_.in(0, std::min(kernel, all) - 1);
            behind = random_.in(0, std::min(kernel - 1, all - before - 1));
            return all - before - behind;
        };
        const int height = axis(dim(in, 1), w.kernel_h, w.stride_h, w.top, w.bottom);
        const int width = axis(dim(in, 2), w.kernel_w, w.stride_w, w.left, w.right);
        if (random_.chance(50)) op.activation = Activation::relu;
        return add(in, op, {1, height, width, random_.in(1, 40)});
    }

    TensorId add(TensorId in, const TransposeConv& op, std::vector<int> shape) {
        const int kernels = shape.back(), channels = dim(in, 3);
        const TensorId out = activation(std::move(shape), "transposed");
        std::vector<double> scales;
        const TensorId weight = weights({kernels, op.window.kernel_h, op.window.kernel_w, channels},
                                        kernels, 1.0 / std::sqrt(20000.0 * channels),
                                        graph_.tensor(in), graph_.tensor(out), scales);
        const TensorId b = random_.chance(80) ? bias(kernels, scales, graph_.tensor(out)) : kNone;
        add_node(op, {in, weight, b}, out);
        return out;
    }

    TensorId concat(TensorId in) {
        std::vector<int> shape = graph_.tensor(in).shape;
        shape[3] *= 2;
        const TensorId out = activation(std::move(shape), "twice");
        graph_.tensor(out).quantisation = graph_.tensor(in).quantisation;
        add_node(Concat{3, Activation::none}, {in, in}, out);
        return out;
    }
};

TEST(DlaTransposed, RandomOnesFollowTheDefinition) {
    Counts counts;
    const std::vector<Config> all = configurations_with_contract();
    for (std::uint64_t seed = 1; seed <= 64 && !HasFailure(); ++seed)
        follow(Deconvolution(seed).build(), seed, all[seed % all.size()], counts, {},
               "every output to read an input");
    EXPECT_GT(counts.networks, 45);
    RecordProperty("networks", counts.networks);
}

std::string choice(const Graph& graph, const Architecture& sizes) {
    const compiler::Compiled made = dla::compiler::compile(graph, sizes);
    EXPECT_TRUE(made.ok());
    std::string out;
    for (const compiler::LayerReport& layer : made.layers)
        if (!layer.choice.empty() && out.find(layer.choice) == std::string::npos)
            out += (out.empty() ? "" : ", ") + layer.choice;
    return out;
}

TEST(DlaTransposed, CyclesChooseTheWay) {
    const Architecture full = dla::published::nv_full();
    Architecture without = full;
    without.rubik_contract = false;
    // One window of 1 x 1 has the taps of all phases, one of 2 x 2 has zeros for 3 x 3.
    const auto graph = [](int kernel, int stride) {
        return Deconvolution(1).build(8, 64, 32, kernel, stride);
    };
    EXPECT_EQ(choice(graph(2, 2), full), "4 phases at once, contract");
    EXPECT_EQ(choice(graph(2, 2), without), "");
    EXPECT_EQ(choice(graph(3, 1), full), "");
    EXPECT_EQ(choice(Deconvolution(1).build(16, 32, 16, 3, 2), full), "contract");
    for (const int kernel : {2, 3, 4}) {
        Counts counts;
        for (const Architecture& sizes : {full, without})
            follow(graph(kernel, 2), 5, {"nv_full", sizes}, counts);
        EXPECT_EQ(counts.networks, 2);
    }
}

/// A convolution and bilinear resizing behind it.
class Resizing : GraphBuilder {
public:
    using GraphBuilder::GraphBuilder;

    Graph build() {
        const TensorId in = activation(
            {1, random_.in(1, 9), random_.in(1, 9), random_.pick({1, 8, 19, 64})}, "input");
        graph_.inputs = {in};
        const TensorId x = random_.chance(50) ? conv(in) : in;
        Resize op;
        op.function = Resampling::bilinear;
        op.half_pixel_centers = random_.chance(50);
        std::vector<int> shape = graph_.tensor(x).shape;
        shape[1] *= random_.pick({1, 2, 4});
        shape[2] *= random_.pick({1, 2, 4});
        const TensorId out = activation(std::move(shape), "resized");
        graph_.tensor(out).quantisation = graph_.tensor(x).quantisation;
        add_node(op, {x}, out);
        return finish();
    }
};

TEST(DlaTransposed, BilinearResizingFollowsTheDefinition) {
    Counts counts;
    int contracted = 0;
    const std::vector<Config> all = configurations_with_contract();
    for (std::uint64_t seed = 1; seed <= 48 && !HasFailure(); ++seed) {
        Graph graph = Resizing(seed).build();
        for (graph::Tensor& tensor : graph.tensors)
            tensor.shifted = seed % 4 == 1;
        const Config& config = all[seed % all.size()];
        follow(graph, seed, config, counts);
        contracted += choice(graph, config.sizes) == "contract";
    }
    EXPECT_GT(counts.networks, 40);
    EXPECT_GT(contracted, 20);
    RecordProperty("contracted", contracted);
}

}  // namespace

}  // namespace macrame::test
