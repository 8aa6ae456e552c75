/// Attention: projections, heads, products of them, softmax, and heads brought together.

#include <gtest/gtest.h>

#include "compiler/dla/compile.hpp"
#include "compiler/test/dla/follow.hpp"
#include "compiler/test/random/graph_builder.hpp"

namespace macrame::test {

namespace {

class Attention : GraphBuilder {
public:
    using GraphBuilder::GraphBuilder;

    /// Only what is no view is an output: the others have a place of their own then.
    Graph build(int tokens, int heads, int channels) {
        graph_.rounding = random_.chance(50) ? Rounding::tflite : Rounding::onnx;
        const int all = heads * channels;
        const TensorId x = activation({1, 1, tokens, all}, "x");
        graph_.inputs = {x};
        const auto part = [&] { return split(project(x, all), heads); };
        const TensorId q = part(), k = part(), v = part();
        TensorId s = product(q, k, {1, heads, tokens, tokens}, true);
        if (graph_.rounding == Rounding::tflite) {
            const TensorId p = activation(graph_.tensor(s).shape, "softmax");
            graph_.tensor(p).quantisation = {{1.0F / 256}, {-128}, 0};
            add_node(Softmax{}, {s}, p);
            graph_.outputs.push_back(p);
            s = p;
        }
        const TensorId o = product(s, v, {1, heads, tokens, channels}, false);
        const TensorId turned = like(o, {1, tokens, heads, channels}, "turned");
        add_node(Transpose{{0, 2, 1, 3}}, {o}, turned);
        const TensorId joined = like(o, {1, 1, tokens, all}, "joined");
        add_node(Reshape{}, {turned}, joined);
        project(joined, all);
        return std::move(graph_);
    }

    Graph any() {
        return build(random_.in(2, 30), random_.in(1, 4), random_.pick({8, 16, 16, 24, 32, 12}));
    }

private:
    TensorId like(TensorId id, std::vector<int> shape, const std::string& name) {
        const TensorId out = activation(std::move(shape), name);
        graph_.tensor(out).quantisation = graph_.tensor(id).quantisation;
        return out;
    }

    TensorId project(TensorId in, int kernels) {
        const int channels = dim(in, 3);
        const TensorId out = activation({1, 1, dim(in, 2), kernels}, "projection");
        graph_.tensor(out).quantisation.zero_point = {random_.pick({0, 3, -7, 127, -128, 40})};
        std::vector<double> scales;
        const TensorId weight =
            weights({kernels, 1, 1, channels}, kernels, 1.0 / std::sqrt(5000.0 * channels),
                    graph_.tensor(in), graph_.tensor(out), scales);
        add_node(Conv{}, {in, weight, bias(kernels, scales, graph_.tensor(out))}, out);
        graph_.outputs.push_back(out);
        return out;
    }

    TensorId split(TensorId in, int heads) {
        const int tokens = dim(in, 2), channels = dim(in, 3) / heads;
        const TensorId shaped = like(in, {1, tokens, heads, channels}, "shaped");
        add_node(Reshape{}, {in}, shaped);
        const TensorId out = like(in, {1, heads, tokens, channels}, "heads");
        add_node(Transpose{{0, 2, 1, 3}}, {shaped}, out);
        return out;
    }

    TensorId product(TensorId a, TensorId b, std::vector<int> shape, bool transposed) {
        const TensorId out = activation(std::move(shape), "product");
        const auto scale = [&](TensorId id) -> float& {
            return graph_.tensor(id).quantisation.scale[0];
        };
        scale(out) = scale(a) * scale(b) * 100.0F * std::sqrt(static_cast<float>(dim(a, 3))) *
                     std::exp2(static_cast<float>(random_.in(-10, 10)) / 10.0F);
        add_node(MatMul{false, transposed}, {a, b}, out);
        graph_.outputs.push_back(out);
        return out;
    }
};

std::vector<dla::published::Config> with_row() {
    std::vector<dla::published::Config> out = dla::published::configs();
    for (dla::published::Config& config : out) {
        config.sizes.row = true;
        config.sizes.row_length = 512;
        config.sizes.row_throughput = 1;
    }
    return out;
}

TEST(DlaAttention, RandomBlocksAreWithinWhatIsDeclared) {
    Counts counts;
    constexpr int kNetworks = LONG_TESTS ? 300 : 60;
    const std::vector<dla::published::Config> all = with_row();
    for (std::uint64_t seed = 1; seed <= kNetworks && !HasFailure(); ++seed) {
        const dla::published::Config& config = seed % 2 == 0 ? all[0] : all[seed / 2 % all.size()];
        follow(Attention(seed).any(), seed, config, counts, {}, ": want");
    }
    EXPECT_GT(counts.networks * 2, kNetworks);
    EXPECT_LE(counts.unequal * 200, counts.values);
}

/// Heads are views: nothing copies them.
TEST(DlaAttention, HeadsAreNotCopied) {
    const dla::model::Architecture sizes = with_row()[0].sizes;
    const Graph graph = Attention(1).build(16, 4, 16);
    const compiler::Compiled made = dla::compiler::compile(graph, sizes);
    ASSERT_TRUE(made.ok()) << made.errors[0];
    ASSERT_FALSE(made.layers.empty());
    for (const compiler::LayerReport& layer : made.layers) {
        const Operator& op = graph.nodes[static_cast<std::size_t>(layer.node)].op;
        EXPECT_FALSE(std::holds_alternative<Reshape>(op)) << layer.name;
        EXPECT_FALSE(std::holds_alternative<Transpose>(op)) << layer.name;
    }
}

}  // namespace

}  // namespace macrame::test
