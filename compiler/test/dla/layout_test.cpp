/// Operators that move values, between others, on the golden model.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "compiler/graph/check.hpp"
#include "compiler/test/dla/follow.hpp"
#include "compiler/test/random/graph_builder.hpp"

namespace macrame::test {

namespace {

/// A few convolutions with operators between them that move values.
class Mover : GraphBuilder {
public:
    using GraphBuilder::GraphBuilder;

    Graph build(int kind, Rounding rounding) {
        graph_.rounding = rounding;
        TensorId now = activation(
            {1, random_.in(1, 9), random_.in(1, 9), random_.pick({1, 3, 7, 8, 16, 24, 64})},
            "input");
        graph_.inputs = {now};
        if (random_.chance(60)) now = conv(now);
        now = move(now, kind);
        if (random_.chance(40)) now = move(now, random_.in(0, kKinds - 1));
        if (random_.chance(60)) conv(now);
        return finish();
    }

    static constexpr int kKinds = 9;

private:
    TensorId move(TensorId in, int kind) {
        switch (kind) {
            case 0:
                return concat(in);
            case 1:
                return slice(in);
            case 2:
                return split(in);
            case 3:
                return pad_values(in);
            case 4:
                return reshape(in);
            case 5:
                return transpose(in);
            case 6:
                return resize(in, Resampling::nearest);
            case 7:
                return resize(in, Resampling::bilinear);
            default:
                return transpose_conv(in);
        }
    }

    std::vector<int> shape(TensorId id) { return graph_.tensor(id).shape; }

    TensorId like(TensorId in, std::vector<int> shape, const char* name) {
        const TensorId out = activation(std::move(shape), name);
        graph_.tensor(out).quantisation = graph_.tensor(in).quantisation;
        return out;
    }

    /// With what one or two convolutions make of it, and perhaps with itself again.
    TensorId concat(TensorId in) {
        const int axis = random_.in(1, 3);
        std::vector<TensorId> parts{in};
        const int count = random_.in(1, 3);
        for (int i = 0; i < count; ++i) {
            TensorId part = in;
            if (random_.chance(80)) {
                std::vector<int> to = shape(in);
                if (axis == 3) to[3] = random_.pick({1, 5, 8, 16, 24});
                part = like(in, to, "piece");
                std::vector<double> scales;
                const TensorId w = weights({to[3], 1, 1, shape(in)[3]}, to[3], 0.02,
                                           graph_.tensor(in), graph_.tensor(part), scales);
                add_node(Conv{}, {in, w, kNone}, part);
            }
            parts.push_back(part);
        }
        if (random_.chance(30)) std::swap(parts.front(), parts.back());
        std::vector<int> to = shape(in);
        const auto a = static_cast<std::size_t>(axis);
        to[a] = 0;
        for (const TensorId part : parts)
            to[a] += shape(part)[a];
        const bool other = random_.chance(50);  // scale and zero point
        const TensorId out = other ? activation(to, "concat") : like(in, to, "concat");
        add_node(Concat{axis, Activation::none}, parts, out);
        return out;
    }

    TensorId slice(TensorId in) {
        const std::vector<int> from = shape(in);
        Slice op{{0}, {1}};
        std::vector<int> to{1};
        for (std::size_t i = 1; i < 4; ++i) {
            const int begin = random_.chance(50) ? 0 : random_.in(0, from[i] - 1);
            const int stride = random_.chance(60) ? 1 : random_.in(1, 4);
            const int most = (from[i] - begin + stride - 1) / stride;
            to.push_back(random_.in(1, most));
            // Channels, and what is one, also from the end on.
            const bool back = random_.chance(20) && (i == 3 || to.back() == 1);
            op.begin.push_back(back ? begin + (to.back() - 1) * stride : begin);
            op.stride.push_back(back ? -stride : stride);
        }
        const TensorId out = like(in, to, "slice");
        add_node(op, {in}, out);
        return out;
    }

    TensorId split(TensorId in) {
        const std::vector<int> from = shape(in);
        std::size_t axis = 3;
        if (from[3] < 2) axis = 1;
        if (from[axis] < 2) return slice(in);
        Node node;
        node.op = Split{static_cast<int>(axis)};
        node.inputs = {in};
        node.where = "split";
        std::vector<int> first = from, second = from;
        first[axis] = random_.in(1, from[axis] - 1);
        if (random_.chance(40) && from[axis] > 8) first[axis] = 8;
        second[axis] = from[axis] - first[axis];
        node.outputs = {like(in, first, "left"), like(in, second, "right")};
        graph_.nodes.push_back(node);
        return random_.chance(50) ? node.outputs[0] : node.outputs[1];
    }

    TensorId pad_values(TensorId in) {
        Pad op{{{0, 0}}};
        std::vector<int> to = shape(in);
        for (std::size_t i = 1; i < 4; ++i) {
            const bool channels = i == 3;
            const std::array<int, 2> amount =
                channels && random_.chance(70)
                    ? std::array<int, 2>{0, 0}
                    : std::array<int, 2>{random_.in(0, 3), random_.in(0, 3)};
            op.amounts.push_back(amount);
            to[i] += amount[0] + amount[1];
        }
        const TensorId out = like(in, to, "pad");
        add_node(op, {in}, out);
        return out;
    }

    TensorId reshape(TensorId in) {
        const std::vector<int> from = shape(in);
        std::vector<int> to{1, from[1] * from[2], 1, from[3]};
        if (random_.chance(30)) to = {1, 1, from[1] * from[2], from[3]};
        if (random_.chance(30)) to = {1, from[2], from[1], from[3]};
        if (from[3] % 64 == 0 && random_.chance(50))
            to = {1, 1, from[1] * from[2] * 2, from[3] / 2};
        const TensorId out = like(in, to, "reshape");
        add_node(Reshape{}, {in}, out);
        return out;
    }

    TensorId transpose(TensorId in) {
        const std::vector<int> from = shape(in);
        const TensorId out = like(in, {1, from[2], from[1], from[3]}, "transpose");
        add_node(Transpose{{0, 2, 1, 3}}, {in}, out);
        return out;
    }

    TensorId resize(TensorId in, Resampling function) {
        const std::vector<int> from = shape(in);
        const int up_h = random_.pick({1, 2, 2, 4}), up_w = random_.pick({1, 2, 2, 4});
        const TensorId out = like(in, {1, from[1] * up_h, from[2] * up_w, from[3]}, "resize");
        Resize op;
        op.function = function;
        op.half_pixel_centers = random_.chance(50);
        add_node(op, {in}, out);
        return out;
    }

    TensorId transpose_conv(TensorId in) {
        const std::vector<int> from = shape(in);
        TransposeConv op;
        Window& w = op.window;
        w.stride_h = random_.in(1, 3);
        w.stride_w = random_.in(1, 3);
        w.kernel_h = random_.in(w.stride_h, 4);
        w.kernel_w = random_.in(w.stride_w, 4);
        const bool same = random_.chance(50);
        const auto axis = [&](int in_size, int kernel, int stride, int& before, int& after) {
            if (!same) return (in_size - 1) * stride + kernel;
            const int over = kernel - stride;
            before = over / 2;
            after = over - before;
            return in_size * stride;
        };
        const int height = axis(from[1], w.kernel_h, w.stride_h, w.top, w.bottom);
        const int width = axis(from[2], w.kernel_w, w.stride_w, w.left, w.right);
        const int kernels = random_.in(1, 20);
        op.activation = any_activation();
        const TensorId out = activation({1, height, width, kernels}, "transposed");
        std::vector<double> scales;
        const double gain = 1.0 / std::sqrt(5000.0 * from[3] * 4);
        const TensorId weight = weights({kernels, w.kernel_h, w.kernel_w, from[3]}, kernels, gain,
                                        graph_.tensor(in), graph_.tensor(out), scales);
        const TensorId b = random_.chance(80) ? bias(kernels, scales, graph_.tensor(out)) : kNone;
        add_node(op, {in, weight, b}, out);
        return out;
    }
};

/// A convolution, then the same products for each of its pixels.
class Rows : GraphBuilder {
public:
    using GraphBuilder::GraphBuilder;

    Graph build() {
        const TensorId in = activation({1, random_.in(1, 6), random_.in(1, 6), 5}, "input");
        graph_.inputs = {in};
        const TensorId x = conv(in);
        const std::vector<int> from = graph_.tensor(x).shape;
        const int kernels = random_.in(1, 20);
        const TensorId out = random_.chance(50)
                                 ? activation({from[1] * from[2], kernels}, "rows")
                                 : activation({1, from[1], from[2], kernels}, "pixels");
        std::vector<double> scales;
        const double gain = 1.0 / std::sqrt(5000.0 * from[3]);
        const TensorId w =
            weights({kernels, from[3]}, 1, gain, graph_.tensor(x), graph_.tensor(out), scales);
        add_node(FullyConnected{}, {x, w, bias(kernels, scales, graph_.tensor(out))}, out);
        return finish();
    }
};

TEST(DlaLayout, RowsOfFullyConnectedLayers) {
    Counts counts;
    const std::vector<dla::published::Config> all = configurations();
    for (std::uint64_t seed = 1; seed <= 40 && !testing::Test::HasFailure(); ++seed)
        follow(Rows(seed).build(), seed, all[seed % all.size()], counts);
    EXPECT_EQ(counts.networks, 40);
}

TEST(DlaLayout, MovedValuesFollowTheDefinition) {
    Counts counts;
    std::vector<dla::published::Config> all = configurations();
    for (const std::size_t i : {0u, 3u}) {
        all.push_back(all[i]);
        all.back().sizes.rubik_contract = true;
    }
    constexpr int kNetworks = LONG_TESTS ? 600 : 200;
    for (std::uint64_t seed = 1; seed <= kNetworks && !testing::Test::HasFailure(); ++seed) {
        const int kind = static_cast<int>(seed % Mover::kKinds);
        const Rounding rounding = seed % 4 == 0 ? Rounding::onnx : Rounding::tflite;
        follow(Mover(seed).build(kind, rounding), seed, all[(seed / Mover::kKinds) % all.size()],
               counts);
    }
    EXPECT_GT(counts.networks * 20, kNetworks * 19);
}

}  // namespace

}  // namespace macrame::test
