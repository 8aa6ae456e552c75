#include "compiler/test/random/random_graph.hpp"

#include <cmath>
#include <vector>

#include "compiler/test/random/graph_builder.hpp"

namespace macrame::test {

namespace {

class Builder : GraphBuilder {
public:
    using GraphBuilder::GraphBuilder;

    Graph build() {
        const int size = random_.in(1, 20);
        TensorId now = activation({1, size, random_.chance(70) ? size : random_.in(1, 20),
                                   random_.pick({1, 3, 3, 4, 2, 8, 16, 20})},
                                  "input");
        graph_.inputs = {now};
        const int operators = random_.in(1, 6);
        for (int i = 0; i < operators; ++i)
            now = add_operator(now);
        if (random_.chance(50)) now = fully_connected(now);
        return finish();
    }

private:
    TensorId fully_connected(TensorId in) {
        const int inputs = static_cast<int>(graph_.tensor(in).elements());
        const TensorId flat = activation({1, inputs}, "flat");
        graph_.tensor(flat).quantisation = graph_.tensor(in).quantisation;
        add_node(Reshape{}, {in}, flat);
        FullyConnected op;
        op.activation = any_activation();
        const int kernels = random_.in(1, 20);
        const TensorId result = activation({1, kernels}, "fully connected");
        std::vector<double> scales;
        const double gain = 1.0 / std::sqrt(5000.0 * inputs);
        const TensorId weight =
            weights({kernels, inputs}, 1, gain, graph_.tensor(flat), graph_.tensor(result), scales);
        add_node(op, {flat, weight, bias(kernels, scales, graph_.tensor(result))}, result);
        return result;
    }

    TensorId pool(TensorId in) {
        Pool op;
        op.function = random_.chance(50) ? Pooling::maximum : Pooling::average;
        const int height = dim(in, 1), width = dim(in, 2);
        op.window = any_window(height, width, 5);
        if (op.function == Pooling::maximum) pad(op.window);
        const Window& w = op.window;
        const TensorId result =
            activation({1, out(height, w.top, w.bottom, w.kernel_h, w.stride_h),
                        out(width, w.left, w.right, w.kernel_w, w.stride_w), dim(in, 3)},
                       "pool");
        graph_.tensor(result).quantisation = graph_.tensor(in).quantisation;
        add_node(op, {in}, result);
        return result;
    }

    /// A tensor plus what a convolution of its own size makes of it.
    TensorId add(TensorId in) {
        const std::vector<int> shape = graph_.tensor(in).shape;
        const TensorId other = activation(shape, "branch");
        Conv op;
        std::vector<double> scales;
        const double gain = 1.0 / std::sqrt(5000.0 * shape[3]);
        const TensorId weight = weights({shape[3], 1, 1, shape[3]}, shape[3], gain,
                                        graph_.tensor(in), graph_.tensor(other), scales);
        add_node(op, {in, weight, kNone}, other);
        const TensorId result = activation(shape, "add");
        Binary sum;
        sum.activation = any_activation();
        add_node(sum,
                 random_.chance(50) ? std::vector<TensorId>{in, other}
                                    : std::vector<TensorId>{other, in},
                 result);
        return result;
    }

    TensorId add_operator(TensorId in) {
        const int kind = random_.in(0, 9);
        if (kind < 6) return conv(in);
        return kind < 8 ? pool(in) : add(in);
    }
};

}  // namespace

graph::Graph random_graph(std::uint64_t seed) { return Builder(seed).build(); }

}  // namespace macrame::test
