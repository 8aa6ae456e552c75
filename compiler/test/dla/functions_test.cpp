/// Functions of one tensor, poolings and means between convolutions, on the golden model.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "compiler/dla/compile.hpp"
#include "compiler/test/dla/follow.hpp"
#include "compiler/test/random/graph_builder.hpp"

namespace macrame::test {

namespace {

/// Operators of a kind behind each other, some of them with a convolution in front. Not all tensors
/// are outputs, so that operators run on the fly.
class Computer : GraphBuilder {
public:
    using GraphBuilder::GraphBuilder;

    static constexpr int kKinds = 7, kChains = 6;

    Graph build(int kind) {
        // ONNX averages in floating point: no integers are equal to that.
        if (kind < 3 && random_.chance(30)) graph_.rounding = Rounding::onnx;
        TensorId now = activation(
            {1, random_.in(1, 20), random_.in(1, 20), random_.pick({1, 3, 7, 8, 16, 24, 40})},
            "input");
        graph_.inputs = {now};
        for (int i = 0; i < 3; ++i) {
            if (random_.chance(60)) now = conv(now);
            now = operate(now, kind);
        }
        for (const Node& node : graph_.nodes) {
            const bool last = &node == &graph_.nodes.back();
            const bool real = graph_.tensor(node.outputs[0]).type == Type::float32;
            const int chance = kind == kChains ? 20 : 60;
            if (last || (!real && random_.chance(chance)))
                graph_.outputs.push_back(node.outputs[0]);
        }
        return std::move(graph_);
    }

private:
    TensorId operate(TensorId in, int kind) {
        switch (kind) {
            case 0:
                return function(in);
            case 1:
                return requantise(in);
            case 2:
                return prelu(in);
            case 3:
                return pool(in, Pooling::maximum);
            case 4:
                return pool(in, Pooling::average);
            case 5:
                return mean(in);
            default:
                return chain(in);
        }
    }

    TensorId real(TensorId in, Operator op, std::vector<TensorId> inputs) {
        Tensor t;
        t.name = "real";
        t.type = Type::float32;
        t.shape = shape(in);
        const TensorId out = add_tensor(std::move(t));
        add_node(std::move(op), std::move(inputs), out);
        return out;
    }

    /// Functions of one tensor behind each other, of integers or of real values between them.
    TensorId chain(TensorId in) {
        Unary sigmoid;
        sigmoid.function = Function::sigmoid;
        Binary product;
        product.function = Arithmetic::mul;
        const TensorId out = activation(shape(in), "chain");
        if (random_.chance(50)) {
            const TensorId from = real(in, Requantise{}, {in});
            const TensorId by = real(in, sigmoid, {from});
            const TensorId both = real(in, product, {random_.chance(50) ? from : by, by});
            add_node(Requantise{}, {both}, out);
        } else {
            const TensorId by = activation(shape(in), "between");
            graph_.tensor(by).quantisation = {{1.0F / 256}, {-128}, 0};
            add_node(sigmoid, {in}, by);
            add_node(product, {in, by}, out);
        }
        return out;
    }

    std::vector<int> shape(TensorId id) { return graph_.tensor(id).shape; }

    TensorId function(TensorId in) {
        const TensorId out = activation(shape(in), "function");
        if (random_.chance(40)) graph_.tensor(out).quantisation = graph_.tensor(in).quantisation;
        Unary op;
        // TFLite does not have the last four for int8.
        op.function =
            static_cast<Function>(random_.in(0, graph_.rounding == Rounding::onnx ? 13 : 9));
        op.alpha = static_cast<float>(random_.in(1, 100)) / 100.0F;
        add_node(op, {in}, out);
        return out;
    }

    TensorId requantise(TensorId in) {
        const TensorId out = activation(shape(in), "requantised");
        add_node(Requantise{}, {in}, out);
        return out;
    }

    TensorId prelu(TensorId in) {
        const int channels = shape(in)[3];
        const TensorId out = activation(shape(in), "prelu");
        Tensor slopes;
        slopes.name = "slopes";
        slopes.shape = {channels};
        slopes.constant = true;
        slopes.quantisation = {{0.004F}, {0}, 0};
        for (int c = 0; c < channels; ++c)
            slopes.data.push_back(static_cast<std::uint8_t>(random_.in(-127, 127)));
        add_node(Prelu{}, {in, add_tensor(std::move(slopes))}, out);
        return out;
    }

    TensorId pool(TensorId in, Pooling kind) {
        Pool op;
        op.function = kind;
        const int height = dim(in, 1), width = dim(in, 2);
        op.window = any_window(height, width, random_.chance(40) ? 20 : 5);
        pad(op.window);
        op.activation = any_activation();
        const Window& w = op.window;
        const TensorId result =
            activation({1, out(height, w.top, w.bottom, w.kernel_h, w.stride_h),
                        out(width, w.left, w.right, w.kernel_w, w.stride_w), dim(in, 3)},
                       "pool");
        graph_.tensor(result).quantisation = graph_.tensor(in).quantisation;
        add_node(op, {in}, result);
        return result;
    }

    TensorId mean(TensorId in) {
        Mean op;
        op.keep_dims = true;
        std::vector<int> to = shape(in);
        const int which = random_.in(1, 7);  // a bit for each axis
        for (int axis = 1; axis <= 3; ++axis) {
            if ((which >> (axis - 1) & 1) == 0) continue;
            op.axes.push_back(axis);
            to[static_cast<std::size_t>(axis)] = 1;
        }
        const TensorId result = activation(to, "mean");
        add_node(op, {in}, result);
        return result;
    }
};

TEST(DlaFunctions, ExactPreluIsExact) {
    Counts counts;
    compiler::Options exact;
    exact.exact = true;
    const std::vector<dla::published::Config> all = configurations();
    for (std::uint64_t seed = 1; seed <= 60 && !testing::Test::HasFailure(); ++seed) {
        const graph::Graph graph = Computer(seed).build(2);
        const dla::published::Config& config = all[seed % all.size()];
        follow(graph, seed, config, counts, exact);
        if (graph.rounding != Rounding::tflite) continue;
        const compiler::Compiled made = dla::compiler::compile(graph, config.sizes, exact);
        for (const compiler::Exactness& e : made.exactness) {
            const graph::Node& node = graph.nodes[static_cast<std::size_t>(e.node)];
            if (std::holds_alternative<Prelu>(node.op)) {
                EXPECT_EQ(e.values, 0) << seed << " on " << config.name << ": " << e.mapping;
            }
        }
    }
    EXPECT_GT(counts.networks, 30);
}

TEST(DlaFunctions, RandomNetworksFollowTheDefinition) {
    Counts counts;
    std::vector<dla::published::Config> all = configurations();
    dla::model::Architecture sdp{32, 8, 8, 32, 32, 128, 32};
    sdp.pdp = sdp.sdp_ew = sdp.sdp_lut = true;
    all.push_back({"a table in SDP alone", sdp});
    constexpr int kNetworks = LONG_TESTS ? 480 : 160;
    for (std::uint64_t seed = 1; seed <= kNetworks && !testing::Test::HasFailure(); ++seed) {
        const int kind = static_cast<int>(seed % Computer::kKinds);
        // The configurations without any table refuse curves.
        follow(Computer(seed).build(kind), seed, all[seed / Computer::kKinds % all.size()], counts,
               {},
               kind == Computer::kChains ? "want " : "want a table (sdp-lut-enable, cdp-enable)");
    }
    EXPECT_GT(counts.networks * 4, kNetworks * 3);
    EXPECT_GT(counts.proved * 2, counts.values);
    EXPECT_GT(counts.inside * 12, kNetworks * 5);
    EXPECT_LT(counts.refused * 48, kNetworks * 5);
}

/// A network of one operator.
Graph single(Operator op, std::vector<int> from, std::vector<int> to) {
    Graph graph;
    graph.name = "single";
    Tensor in;
    in.name = "in";
    in.shape = std::move(from);
    in.quantisation = {{0.05F}, {3}, 0};
    Tensor out = in;
    out.name = "out";
    out.shape = std::move(to);
    graph.tensors = {in, out};
    Node node;
    node.op = std::move(op);
    node.inputs = {0};
    node.outputs = {1};
    node.where = "operator";
    graph.nodes = {node};
    graph.inputs = {0};
    graph.outputs = {1};
    return graph;
}

TEST(DlaFunctions, WideAndLongPoolingIsCut) {
    Counts counts;
    for (const dla::published::Config& config : configurations()) {
        Pool op;
        op.window.kernel_h = op.window.kernel_w = 3;
        op.window.top = op.window.left = 1;
        follow(single(op, {1, 4, 301, 5}, {1, 3, 300, 5}), 1, config, counts);
        op.window = {};
        op.window.kernel_h = 49;
        op.window.kernel_w = 10;
        follow(single(op, {1, 49, 10, 12}, {1, 1, 1, 12}), 2, config, counts);
    }
    EXPECT_EQ(counts.networks, 2 * static_cast<int>(configurations().size()));
}

/// A convolution with a max pooling behind it, which alone reads it.
class Pooled : GraphBuilder {
public:
    using GraphBuilder::GraphBuilder;

    Graph build(int height, int kernel, bool both) {
        graph_.inputs = {activation({1, height, 12, 16}, "input")};
        const TensorId between = activation({1, height, 12, 24}, "conv");
        std::vector<double> scales;
        const TensorId w =
            weights({24, 1, 1, 16}, 24, 0.004, graph_.tensor(0), graph_.tensor(between), scales);
        Conv conv;
        conv.activation = Activation::relu;  // has a mapping that is exact
        add_node(conv, {0, w, kNone}, between);
        Pool op;
        op.window.kernel_h = op.window.kernel_w = op.window.stride_h = op.window.stride_w = kernel;
        const TensorId to = activation({1, height / kernel, 12 / kernel, 24}, "pool");
        graph_.tensor(to).quantisation = graph_.tensor(between).quantisation;
        add_node(op, {between}, to);
        graph_.outputs = {to};
        if (both) graph_.outputs.push_back(between);
        return std::move(graph_);
    }
};

/// A convolution, and what is made of it element by element: x * sigmoid(x).
class Gated : GraphBuilder {
public:
    using GraphBuilder::GraphBuilder;

    /// `read`: something else reads the sigmoid, too.
    Graph build(bool read) {
        graph_.inputs = {activation({1, 6, 12, 16}, "input")};
        const TensorId between = activation({1, 6, 12, 24}, "conv");
        std::vector<double> scales;
        const TensorId w =
            weights({24, 1, 1, 16}, 24, 0.004, graph_.tensor(0), graph_.tensor(between), scales);
        add_node(Conv{}, {0, w, kNone}, between);
        const TensorId gate = activation({1, 6, 12, 24}, "gate");
        graph_.tensor(gate).quantisation = {{1.0F / 256}, {-128}, 0};
        Unary sigmoid;
        sigmoid.function = Function::sigmoid;
        add_node(sigmoid, {between}, gate);
        const TensorId to = activation({1, 6, 12, 24}, "gated");
        Binary product;
        product.function = Arithmetic::mul;
        add_node(product, {between, gate}, to);
        graph_.outputs = {to};
        if (read) graph_.outputs.push_back(gate);
        return std::move(graph_);
    }
};

TEST(DlaFunctions, AChainIsOneTable) {
    Counts counts;
    for (const dla::published::Config& config : configurations()) {
        if (!config.sizes.cdp) continue;
        const Graph graph = Gated(1).build(false);
        follow(graph, 1, config, counts);
        const compiler::Compiled made = dla::compiler::compile(graph, config.sizes, {});
        const compiler::Compiled conv =
            dla::compiler::compile(Pooled(1).build(6, 1, false), config.sizes, {});
        EXPECT_LE(made.layers.size(), conv.layers.size() + 1) << config.name;
        for (const compiler::Exactness& exact : made.exactness) {
            if (exact.node > 0) {
                EXPECT_EQ(exact.values, 0) << config.name;
            }
        }
        EXPECT_GT(dla::compiler::compile(Gated(1).build(true), config.sizes, {}).layers.size(),
                  made.layers.size());
    }
    EXPECT_GT(counts.networks, 3);
}

TEST(DlaFunctions, MaxPoolingRunsOnTheFlyBehindAConvolution) {
    Counts counts;
    for (const dla::published::Config& config : configurations()) {
        const auto layers = [&](const Graph& graph) {
            follow(graph, 1, config, counts);
            return dla::compiler::compile(graph, config.sizes).layers.size();
        };
        EXPECT_EQ(layers(Pooled(1).build(8, 2, false)), 1u) << config.name;
        EXPECT_EQ(layers(Pooled(2).build(9, 3, false)), 1u) << config.name;
        // Lines that no window reaches, a window that is too long, a tensor that others read.
        EXPECT_GT(layers(Pooled(3).build(9, 2, false)), 1u) << config.name;
        EXPECT_GT(layers(Pooled(4).build(12, 12, false)), 1u) << config.name;
        EXPECT_GT(layers(Pooled(5).build(8, 2, true)), 1u) << config.name;
    }
    EXPECT_EQ(counts.networks, 5 * static_cast<int>(configurations().size()));
}

compiler::Compiled exponential(void (*change)(dla::model::Architecture&)) {
    dla::model::Architecture sizes;
    sizes.pdp = true;
    change(sizes);
    Unary op;
    op.function = Function::exp;
    return dla::compiler::compile(single(op, {1, 5, 5, 8}, {1, 5, 5, 8}), sizes);
}

TEST(DlaFunctions, CurvesWantATable) {
    const auto unit = [](const compiler::Compiled& made) {
        return made.ok() ? made.layers[0].unit + ", " + made.exactness[0].mapping : made.errors[0];
    };
    EXPECT_EQ(unit(exponential([](dla::model::Architecture& s) { s.sdp_ew = s.sdp_lut = true; })),
              "SDP, SDP table");
    EXPECT_EQ(unit(exponential([](dla::model::Architecture& s) { s.cdp = true; })),
              "CDP, CDP table");
    EXPECT_EQ(unit(exponential([](dla::model::Architecture&) {})),
              "single: operator: function of one value: want a table (sdp-lut-enable, cdp-enable)");
}

}  // namespace

}  // namespace macrame::test
