/// Columns side by side as channels of one.

#include "compiler/dla/columns.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "compiler/dla/compile.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/test/dla/follow.hpp"
#include "compiler/test/random/graph_builder.hpp"

namespace macrame::test {

namespace {

using dla::compiler::ColumnsPerPixel;

/// Convolutions of few channels, one behind the other, with sums and functions in between.
class FewChannels : GraphBuilder {
public:
    using GraphBuilder::GraphBuilder;

    Graph random() {
        TensorId at = input(random_.in(1, 6), 8 * random_.in(1, 3), random_.in(1, 5));
        for (int i = 0; i < 4; ++i) {
            at = random_.chance(60) ? conv(at, random_.in(1, 5), random_.in(1, 2)) : depthwise(at);
            if (random_.chance(30)) at = sum_of(at, at);
            if (random_.chance(30)) at = times_constant(at);
            if (random_.chance(30)) at = prelu(at);
        }
        return finish();
    }

    /// As a residual network begins.
    Graph residual() {
        const TensorId first = conv(input(32, 32, 3), 16, 1);
        const TensorId second = conv(conv(first, 16, 1), 16, 1);
        const TensorId sum = sum_of(first, second);
        graph_.outputs = {conv(sum, 32, 2), conv(sum, 32, 2)};
        return std::move(graph_);
    }

private:
    TensorId input(int height, int width, int channels) {
        graph_.inputs = {activation({1, height, width, channels}, "input")};
        return graph_.inputs[0];
    }

    TensorId conv(TensorId from, int kernels, int stride) {
        return product(from, kernels, stride, 1);
    }
    TensorId depthwise(TensorId from) { return product(from, dim(from, 3), 1, dim(from, 3)); }

    TensorId product(TensorId from, int kernels, int stride, int groups) {
        Window w;
        w.kernel_h = std::min(3, dim(from, 1));
        w.kernel_w = std::min(random_.in(1, 4), dim(from, 2));
        w.stride_h = w.stride_w = stride;
        w.top = w.bottom = w.kernel_h / 2;
        w.dilation_w = w.kernel_w == 2 && random_.chance(30) ? 2 : 1;
        const int reach = (w.kernel_w - 1) * w.dilation_w;
        w.left = random_.in(0, reach);
        w.right = reach - w.left;
        const auto to = activation({1, out(dim(from, 1), w.top, w.bottom, w.kernel_h, stride),
                                    out(dim(from, 2), w.left, w.right, reach + 1, stride), kernels},
                                   "t" + std::to_string(graph_.tensors.size()));
        std::vector<double> scales;
        const int channels = random_.chance(50) ? kernels : 1;
        const TensorId by = weights({kernels, w.kernel_h, w.kernel_w, dim(from, 3) / groups},
                                    channels, 0.03, graph_.tensor(from), graph_.tensor(to), scales);
        if (random_.chance(20))
            for (std::int32_t& zero : graph_.tensor(by).quantisation.zero_point)
                zero = random_.in(-9, 9);
        const TensorId bias_id =
            random_.chance(70) ? bias(kernels, scales, graph_.tensor(to)) : kNone;
        add_node(Conv{w, groups, any_activation()}, {from, by, bias_id}, to);
        return to;
    }

    TensorId alike(TensorId from) {
        return activation(graph_.tensor(from).shape, "t" + std::to_string(graph_.tensors.size()));
    }
    TensorId sum_of(TensorId a, TensorId b) {
        const TensorId to = alike(a);
        add_node(Binary{Arithmetic::add}, {a, b}, to);
        return to;
    }
    TensorId times_constant(TensorId from) {
        const TensorId to = alike(from);
        add_node(Binary{Arithmetic::mul}, {from, row(random_.chance(50) ? 1 : dim(from, 3))}, to);
        return to;
    }
    TensorId prelu(TensorId from) {
        const TensorId to = alike(from);
        add_node(Prelu{}, {from, row(dim(from, 3))}, to);
        return to;
    }
    TensorId row(int channels) {
        Tensor t;
        t.name = "row";
        t.shape = {channels};
        t.constant = true;
        t.quantisation = {{0.01F}, {0}, 0};
        for (int c = 0; c < channels; ++c)
            t.data.push_back(static_cast<std::uint8_t>(random_.in(-127, 127)));
        return add_tensor(std::move(t));
    }
};

/// Bytes of all tensors that operators write.
std::vector<Bytes> values(const Graph& graph, const Bytes& input) {
    std::vector<Bytes> out;
    graph::run(graph, {input}, [&](TensorId, const Bytes& bytes) { out.push_back(bytes); });
    return out;
}

dla::model::Architecture wide() {
    dla::model::Architecture sizes;
    for (const dla::published::Config& config : configurations())
        if (config.sizes.atomic_c >= 32 && config.sizes.atomic_k >= 16) sizes = config.sizes;
    return sizes;
}

TEST(DlaColumns, AreTheSameBytes) {
    int changed = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE(seed);
        const Graph graph = FewChannels(seed).random();
        ASSERT_EQ(check(graph), std::vector<std::string>{});
        std::vector<bool> stays(graph.tensors.size());
        stays[static_cast<std::size_t>(graph.inputs[0])] = true;
        const ColumnsPerPixel columns = dla::compiler::best_columns(graph, wide(), stays);
        if (columns.empty()) continue;
        const Graph made = dla::compiler::with_columns(graph, columns);
        ASSERT_EQ(check(made), std::vector<std::string>{});
        verif::Random random(seed);
        Bytes input(graph.tensor(graph.inputs[0]).elements());
        for (std::uint8_t& byte : input)
            byte = static_cast<std::uint8_t>(random.in(0, 255));
        ASSERT_EQ(values(made, input), values(graph, input));
        ++changed;
    }
    EXPECT_GT(changed, 100);
}

TEST(DlaColumns, FillTheArray) {
    const Graph graph = FewChannels(1).residual();
    std::vector<bool> stays(graph.tensors.size());
    for (const auto* ids : {&graph.inputs, &graph.outputs})
        for (const TensorId id : *ids)
            stays[static_cast<std::size_t>(id)] = true;
    dla::model::Architecture sizes = wide();
    sizes.atomic_c = 32;
    const ColumnsPerPixel columns = dla::compiler::best_columns(graph, sizes, stays);
    ASSERT_FALSE(columns.empty());
    EXPECT_EQ(columns[static_cast<std::size_t>(graph.nodes[0].outputs[0])], 2);
    for (std::size_t i = 0; i < stays.size(); ++i)
        EXPECT_TRUE(!stays[i] || columns[i] == 1) << i;
    // Of an array that 16 channels fill there is nothing to be had.
    sizes.atomic_c = sizes.atomic_k = 8;
    EXPECT_TRUE(dla::compiler::best_columns(graph, sizes, stays).empty());
}

TEST(DlaColumns, FollowTheDefinition) {
    Counts counts;
    int folded = 0;
    const std::vector<dla::published::Config> all = configurations();
    for (std::uint64_t seed = 1; seed <= 100 && !HasFailure(); ++seed) {
        Graph graph = FewChannels(seed).random();
        graph.outputs = {graph.nodes.back().outputs[0]};
        const dla::published::Config& config = all[seed % all.size()];
        follow(graph, seed, config, counts);
        const compiler::Compiled made = dla::compiler::compile(graph, config.sizes);
        for (const compiler::LayerReport& layer : made.layers)
            if (layer.choice.find("columns as one") != std::string::npos) ++folded;
    }
    EXPECT_GT(counts.networks, 40);
    EXPECT_GT(folded, 40);
}

}  // namespace

}  // namespace macrame::test
