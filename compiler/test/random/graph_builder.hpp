#pragma once
/// Builds random networks, operator by operator, for tests of back ends.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "compiler/graph/graph.hpp"
#include "verif/common/random.hpp"

namespace macrame::test {

using namespace graph;

/// A network that grows; quantisation, weights and windows are random.
class GraphBuilder {
public:
    explicit GraphBuilder(std::uint64_t seed) : random_(seed) { graph_.name = "random"; }

protected:
    /// All tensors that operators write are outputs.
    Graph finish() {
        for (const Node& node : graph_.nodes)
            graph_.outputs.insert(graph_.outputs.end(), node.outputs.begin(), node.outputs.end());
        return std::move(graph_);
    }

    int& dim(TensorId id, int axis) {
        return graph_.tensor(id).shape[static_cast<std::size_t>(axis)];
    }

    TensorId add_tensor(Tensor tensor) {
        graph_.tensors.push_back(std::move(tensor));
        return static_cast<TensorId>(graph_.tensors.size()) - 1;
    }

    TensorId activation(std::vector<int> shape, const std::string& name) {
        Tensor t;
        t.name = name;
        t.shape = std::move(shape);
        t.quantisation.scale = {static_cast<float>(0.01 * std::exp2(random_.in(-20, 20) / 10.0))};
        t.quantisation.zero_point = {random_.chance(40) ? -128 : random_.in(-128, 127)};
        return add_tensor(std::move(t));
    }

    TensorId weights(std::vector<int> shape, int per_channel, double gain, const Tensor& input,
                     const Tensor& output, std::vector<double>& scales) {
        Tensor t;
        t.name = "weights";
        t.shape = std::move(shape);
        t.constant = true;
        for (int k = 0; k < per_channel; ++k) {
            const double scale = gain * double{output.quantisation.scale[0]} /
                                 double{input.quantisation.scale[0]} *
                                 std::exp2(random_.in(-15, 5) / 10.0);
            t.quantisation.scale.push_back(static_cast<float>(scale));
            t.quantisation.zero_point.push_back(0);
            scales.push_back(double{input.quantisation.scale[0]} *
                             double{t.quantisation.scale.back()});
        }
        t.data.resize(t.elements());
        for (std::uint8_t& byte : t.data)
            byte = static_cast<std::uint8_t>(random_.in(-127, 127));
        return add_tensor(std::move(t));
    }

    TensorId bias(int count, const std::vector<double>& scales, const Tensor& output) {
        Tensor t;
        t.name = "bias";
        t.type = Type::int32;
        t.shape = {count};
        t.constant = true;
        for (int k = 0; k < count; ++k) {
            const double step = scales[scales.size() > 1 ? static_cast<std::size_t>(k) : 0];
            const auto value = static_cast<std::int32_t>(
                random_.in(-90, 90) * double{output.quantisation.scale[0]} / step);
            for (int i = 0; i < 4; ++i)
                t.data.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
            t.quantisation.scale.push_back(static_cast<float>(step));
            t.quantisation.zero_point.push_back(0);
        }
        return add_tensor(std::move(t));
    }

    void add_node(Operator op, std::vector<TensorId> inputs, TensorId output) {
        Node node;
        node.op = std::move(op);
        node.inputs = std::move(inputs);
        node.outputs = {output};
        node.where = "operator " + std::to_string(graph_.nodes.size());
        graph_.nodes.push_back(std::move(node));
    }

    Activation any_activation() { return static_cast<Activation>(random_.pick({0, 0, 1, 2, 3})); }

    Window any_window(int height, int width, int most) {
        Window w;
        w.kernel_h = std::min(random_.in(1, most), height);
        w.kernel_w = std::min(random_.in(1, most), width);
        w.stride_h = random_.in(1, 3);
        w.stride_w = random_.chance(70) ? w.stride_h : random_.in(1, 3);
        return w;
    }

    /// Some padding, less than the window.
    void pad(Window& w) {
        if (random_.chance(40)) return;
        w.top = random_.in(0, w.kernel_h - 1);
        w.bottom = random_.in(0, w.kernel_h - 1);
        w.left = random_.in(0, w.kernel_w - 1);
        w.right = random_.in(0, w.kernel_w - 1);
    }

    static int out(int in, int before, int after, int kernel, int stride) {
        return (in + before + after - kernel) / stride + 1;
    }

    TensorId conv(TensorId in) {
        const int height = dim(in, 1), width = dim(in, 2), channels = dim(in, 3);
        Conv op;
        op.window = any_window(height, width, 5);
        pad(op.window);
        op.activation = any_activation();
        int kernels = random_.in(1, 40);
        if (random_.chance(35)) {
            op.groups = channels;
            kernels = channels * (random_.chance(85) ? 1 : 2);
        }
        const Window& w = op.window;
        const TensorId result =
            activation({1, out(height, w.top, w.bottom, w.kernel_h, w.stride_h),
                        out(width, w.left, w.right, w.kernel_w, w.stride_w), kernels},
                       "conv");
        const int inputs = channels / op.groups;
        const double gain = 1.0 / std::sqrt(5000.0 * inputs * w.kernel_h * w.kernel_w);
        std::vector<double> scales;
        const TensorId weight = weights({kernels, w.kernel_h, w.kernel_w, inputs}, kernels, gain,
                                        graph_.tensor(in), graph_.tensor(result), scales);
        const TensorId b =
            random_.chance(85) ? bias(kernels, scales, graph_.tensor(result)) : kNone;
        add_node(op, {in, weight, b}, result);
        return result;
    }

    verif::Random random_;
    Graph graph_;
};

}  // namespace macrame::test
