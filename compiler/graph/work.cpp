#include "compiler/graph/work.hpp"

#include <cstddef>
#include <vector>

#include "compiler/graph/walk.hpp"

namespace macrame::graph {

bool has_products(const Operator& op) {
    return std::holds_alternative<Conv>(op) || std::holds_alternative<TransposeConv>(op) ||
           std::holds_alternative<FullyConnected>(op) || std::holds_alternative<Lstm>(op) ||
           std::holds_alternative<Svdf>(op);
}

bool is_for_host(const Operator& op) {
    if (const auto* binary = std::get_if<Binary>(&op)) switch (binary->function) {
            case Arithmetic::squared_difference:
            case Arithmetic::div:
            case Arithmetic::pow:
            case Arithmetic::floor_div:
            case Arithmetic::floor_mod:
                return true;
            default:
                return false;
        }
    if (const auto* pad = std::get_if<Pad>(&op)) return !pad->is_zero();
    return is_one_of<Softmax, Argmax, Lstm, MatMul, Norm, Gather, Compare, Select, Reduce, Cast,
                     L2Norm, LocalNorm, TopK, GatherNd, GatherElements, PutRows, ScatterNd, Cumsum,
                     Svdf, Detections, Suppression, DynamicQuantise, Join, RealDigits, RealSums>(op);
}

std::string_view wanted_for_int8(Type type) {
    switch (type) {
        case Type::float32:
            return "int8: quantise the network first";
        case Type::uint8:
            return "int8, as converters write it since 2020: the host computes uint8";
        case Type::int16:
            return "int8: quantise activations to 8 bits; the host computes 16";
        default:
            return "int8: the host computes numbers without a scale";
    }
}

std::uint64_t multiply_adds(const Graph& graph, const Node& node) {
    const auto size = [](int value) { return static_cast<std::uint64_t>(value); };
    if (const auto* matmul = std::get_if<MatMul>(&node.op)) {
        const std::vector<int>& shape = graph.tensor(node.inputs[0]).shape;
        return graph.tensor(node.outputs[0]).elements() *
               size(shape[shape.size() - (matmul->transpose_a ? 2 : 1)]);
    }
    if (!has_products(node.op)) return 0;
    const auto count = [&](Taps taps) { return size(taps.end - taps.first); };
    const Tensor& weights = graph.tensor(node.inputs[1]);
    const Tensor& input = graph.tensor(node.inputs[0]);
    const std::vector<int>& in = input.shape;
    if (std::holds_alternative<Lstm>(node.op)) {
        const std::uint64_t cells = size(weights.shape[0]);
        return 4 * size(in[1]) * cells * (size(in[2]) + cells);
    }
    if (std::holds_alternative<Svdf>(node.op))
        return size(in[0]) * (weights.elements() + graph.tensor(node.inputs[2]).elements());
    if (const auto* conv = std::get_if<Conv>(&node.op)) {
        const std::vector<int>& out = graph.tensor(node.outputs[0]).shape;
        const Window& w = conv->window;
        // Rows and columns of the kernel inside the picture, of all pixels of the output.
        std::uint64_t rows = 0, columns = 0;
        for (int y = 0; y < out[1]; ++y)
            rows += count(taps(y * w.stride_h - w.top, w.kernel_h, w.dilation_h, in[1]));
        for (int x = 0; x < out[2]; ++x)
            columns += count(taps(x * w.stride_w - w.left, w.kernel_w, w.dilation_w, in[2]));
        return size(out[0]) * rows * columns * weights.elements() / size(w.kernel_h * w.kernel_w);
    }
    if (std::holds_alternative<TransposeConv>(node.op))
        return weights.elements() * size(in[0]) * size(in[1]) * size(in[2]);
    return weights.elements() * (input.elements() / size(weights.shape[1]));
}

}  // namespace macrame::graph
