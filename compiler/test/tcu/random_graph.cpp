#include "compiler/test/tcu/random_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "compiler/test/graph/graph_builder.hpp"
#include "verif/common/random.hpp"

namespace macrame::tcu::compiler::test {

using namespace graph;

namespace {

class Grower {
public:
    explicit Grower(std::uint64_t seed) : random_(seed) {}

    Graph grow(int operators) {
        const int size = random_.in(1, 9);
        TensorId now = b_.input(
            Type::float32, {1, size, random_.in(1, 9), random_.pick({1, 3, 4, 8, 13, 16, 20})});
        for (int i = 0; i < operators; ++i)
            now = add(now);
        if (random_.chance(40)) now = fully_connected(now);
        b_.graph.outputs = {now};
        if (random_.chance(30)) {  // all, so that nothing is taken along
            b_.graph.outputs.clear();
            for (const Node& node : b_.graph.nodes)
                for (const TensorId id : node.outputs)
                    b_.graph.outputs.push_back(id);
        }
        return std::move(b_.graph);
    }

private:
    std::vector<int> shape(TensorId id) const { return b_.graph.tensor(id).shape; }
    TensorId real(std::vector<int> shape) { return b_.tensor(Type::float32, std::move(shape)); }
    TensorId then(Operator op, std::vector<TensorId> in, std::vector<int> shape) {
        const TensorId out = real(std::move(shape));
        b_.node(std::move(op), std::move(in), {out});
        return out;
    }
    TensorId constant(std::vector<int> shape, double most) {
        std::size_t count = 1;
        for (const int size : shape)
            count *= static_cast<std::size_t>(size);
        std::vector<float> values(count);
        for (float& value : values)
            value = static_cast<float>(most * random_.in(-1000, 1000) / 1000.0);
        return b_.constant(Type::float32, std::move(shape), values);
    }
    Activation activation() { return static_cast<Activation>(random_.pick({0, 0, 1, 2, 3})); }
    Window window(const std::vector<int>& in, int most) {
        Window w;
        w.kernel_h = std::min(random_.in(1, most), in[1]);
        w.kernel_w = std::min(random_.in(1, most), in[2]);
        w.stride_h = random_.in(1, 3);
        w.stride_w = random_.in(1, 3);
        if (random_.chance(50)) return w;
        w.top = random_.in(0, w.kernel_h - 1);
        w.bottom = random_.in(0, w.kernel_h - 1);
        w.left = random_.in(0, w.kernel_w - 1);
        w.right = random_.in(0, w.kernel_w - 1);
        return w;
    }
    static std::vector<int> positions(const std::vector<int>& in, const Window& w, int channels) {
        return {1, (in[1] + w.top + w.bottom - w.kernel_h) / w.stride_h + 1,
                (in[2] + w.left + w.right - w.kernel_w) / w.stride_w + 1, channels};
    }

    TensorId conv(TensorId in) {
        const std::vector<int> from = shape(in);
        Conv op;
        op.window = window(from, 4);
        op.activation = activation();
        int kernels = random_.in(1, 30);
        if (random_.chance(35)) {
            op.groups = from[3];
            kernels = from[3] * random_.pick({1, 1, 2});
        }
        const Window& w = op.window;
        const int depth = from[3] / op.groups;
        const double gain = 2.0 / std::sqrt(depth * w.kernel_h * w.kernel_w);
        const TensorId weights = constant({kernels, w.kernel_h, w.kernel_w, depth}, gain);
        const TensorId bias = random_.chance(70) ? constant({kernels}, 0.5) : kNone;
        return then(op, {in, weights, bias}, positions(from, w, kernels));
    }

    TensorId transposed(TensorId in) {
        const std::vector<int> from = shape(in);
        TransposeConv op;
        Window& w = op.window;
        w.kernel_h = random_.in(1, 3);
        w.kernel_w = random_.in(1, 3);
        w.stride_h = random_.in(1, 2);
        w.stride_w = random_.in(1, 2);
        const int kernels = random_.in(1, 12);
        const double gain = 1.5 / std::sqrt(from[3] * w.kernel_h * w.kernel_w);
        const TensorId weights = constant({kernels, w.kernel_h, w.kernel_w, from[3]}, gain);
        return then(op, {in, weights, constant({kernels}, 0.5)},
                    {1, (from[1] - 1) * w.stride_h + w.kernel_h,
                     (from[2] - 1) * w.stride_w + w.kernel_w, kernels});
    }

    TensorId pool(TensorId in) {
        Pool op;
        op.function = random_.chance(50) ? Pooling::maximum : Pooling::average;
        op.window = window(shape(in), 3);
        op.activation = activation();
        return then(op, {in}, positions(shape(in), op.window, shape(in)[3]));
    }

    /// With itself, with what a convolution makes of it, with a constant.
    TensorId binary(TensorId in) {
        const std::vector<int> from = shape(in);
        Binary op;
        op.function = static_cast<Arithmetic>(random_.in(0, 4));
        op.activation = activation();
        TensorId other = in;
        if (random_.chance(50)) {
            other = then(Conv{},
                         {in, constant({from[3], 1, 1, from[3]}, 1 / std::sqrt(from[3])),
                          constant({from[3]}, 0.5)},
                         from);
        } else if (random_.chance(60)) {
            other = random_.chance(50)   ? constant({from[3]}, 1)
                    : random_.chance(50) ? constant({1}, 1)
                                         : constant(from, 1);
        }
        std::vector<TensorId> inputs = {in, other};
        if (random_.chance(50)) std::swap(inputs[0], inputs[1]);
        return then(op, inputs, from);
    }

    TensorId unary(TensorId in) {
        Unary op;
        constexpr Function kFunctions[] = {
            Function::relu,       Function::relu6, Function::relu_n1_to_1, Function::leaky_relu,
            Function::hard_swish, Function::abs,   Function::neg,          Function::hard_sigmoid};
        op.function = kFunctions[random_.pick({0, 1, 2, 3, 4, 5, 6, 7})];
        if (op.function == Function::leaky_relu) op.alpha = 0.125F;
        if (op.function == Function::hard_sigmoid) {
            op.alpha = 0.25F;
            op.beta = 0.5F;
        }
        return then(op, {in}, shape(in));
    }

    TensorId concat(TensorId in) {
        std::vector<int> to = shape(in);
        Concat op;
        op.axis = random_.in(1, 3);
        to[static_cast<std::size_t>(op.axis)] *= 2;
        return then(op, {in, unary(in)}, to);
    }

    TensorId slice(TensorId in) {
        std::vector<int> to = shape(in);
        Slice op;
        for (int& size : to) {
            op.stride.push_back(size > 3 ? random_.in(1, 2) : 1);
            op.begin.push_back(random_.in(0, std::min(2, size - 1)));
            size = (size - op.begin.back() + op.stride.back() - 1) / op.stride.back();
        }
        return then(op, {in}, to);
    }

    TensorId split(TensorId in) {
        std::vector<int> part = shape(in);
        const int axis = random_.in(1, 3);
        int& size = part[static_cast<std::size_t>(axis)];
        if (size % 2 != 0) return in;
        size /= 2;
        const std::vector<TensorId> out = {real(part), real(part)};
        b_.node(Split{axis}, {in}, out);
        return then(Binary{}, out, part);
    }

    TensorId pad(TensorId in) {
        std::vector<int> to = shape(in);
        Pad op;
        op.amounts = {{0, 0}};
        for (std::size_t axis = 1; axis < 4; ++axis) {
            op.amounts.push_back({random_.in(0, 2), random_.in(0, 2)});
            to[axis] += op.amounts[axis][0] + op.amounts[axis][1];
        }
        const TensorId padded = then(op, {in}, to);
        return random_.chance(50) ? conv(padded) : pool(padded);
    }

    TensorId reshape(TensorId in) {
        const std::vector<int> from = shape(in);
        std::vector<int> to = {1, from[2], from[1], from[3]};
        if (from[3] % 2 == 0 && random_.chance(60)) to = {1, from[1], from[2] * 2, from[3] / 2};
        return then(Reshape{}, {in}, to);
    }

    TensorId transpose(TensorId in) {
        const std::vector<int> from = shape(in);
        if (random_.chance(50))
            return then(Transpose{{0, 2, 1, 3}}, {in}, {1, from[2], from[1], from[3]});
        return then(Transpose{{0, 3, 1, 2}}, {in}, {1, from[3], from[1], from[2]});
    }

    TensorId mean(TensorId in) {
        const std::vector<int> from = shape(in);
        return then(Mean{{1, 2}, true}, {in}, {1, 1, 1, from[3]});
    }

    TensorId resize(TensorId in) {
        const std::vector<int> from = shape(in);
        Resize op;
        if (random_.chance(60)) op.function = Resampling::bilinear;
        op.half_pixel_centers = random_.chance(50);
        op.align_corners = !op.half_pixel_centers && random_.chance(50);
        return then(op, {in}, {1, from[1] * 2, from[2] + random_.in(0, 6), from[3]});
    }

    TensorId prelu(TensorId in) {
        return then(Prelu{}, {in, constant({shape(in)[3]}, 0.5)}, shape(in));
    }

    TensorId fully_connected(TensorId in) {
        const int inputs = static_cast<int>(b_.graph.tensor(in).elements());
        const TensorId flat = then(Reshape{}, {in}, {1, inputs});
        const int kernels = random_.in(1, 20);
        FullyConnected op;
        op.activation = activation();
        return then(
            op,
            {flat, constant({kernels, inputs}, 2 / std::sqrt(inputs)), constant({kernels}, 0.5)},
            {1, kernels});
    }

    TensorId add(TensorId in) {
        const std::vector<int> now = shape(in);
        const bool large = now[1] * now[2] * now[3] > 4000;
        switch (random_.in(0, large ? 6 : 15)) {
            case 0:
            case 1:
            case 2:
                return conv(in);
            case 3:
                return pool(in);
            case 4:
                return binary(in);
            case 5:
                return slice(in);
            case 6:
                return mean(in);
            case 7:
                return unary(in);
            case 8:
                return concat(in);
            case 9:
                return split(in);
            case 10:
                return pad(in);
            case 11:
                return reshape(in);
            case 12:
                return transpose(in);
            case 13:
                return transposed(in);
            case 14:
                return resize(in);
            default:
                return prelu(in);
        }
    }

    verif::Random random_;
    graph::test::Builder b_;
};

}  // namespace

Graph random_graph(std::uint64_t seed, int operators) { return Grower(seed).grow(operators); }

std::vector<Bytes> random_inputs(const Graph& graph, std::uint64_t seed) {
    verif::Random random(seed);
    std::vector<Bytes> out;
    for (const TensorId id : graph.inputs) {
        std::vector<float> values(graph.tensor(id).elements());
        for (float& value : values)
            value = static_cast<float>(random.in(-1024, 1024)) / 1024;
        out.push_back(graph::test::bytes_of(values));
    }
    return out;
}

double difference(const std::vector<Bytes>& a, const std::vector<Bytes>& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const auto x = graph::test::values_of<float>(a[i]), y = graph::test::values_of<float>(b[i]);
        EXPECT_EQ(x.size(), y.size());
        for (std::size_t n = 0; n < x.size(); ++n)
            most = std::max(most, std::abs(static_cast<double>(x[n]) - static_cast<double>(y[n])));
    }
    return most;
}

}  // namespace macrame::tcu::compiler::test
