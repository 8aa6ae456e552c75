/// Products of two computed matrices.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "compiler/graph/at.hpp"
#include "compiler/graph/quantised.hpp"
#include "compiler/systolic/lower.hpp"

namespace macrame::systolic::compiler {

using graph::Node;
using graph::Tensor;

namespace {

constexpr int kLargest = 127, kSmallest = -128;  // of int8

/// One matrix of several that are lines of a value; there may be one for all.
TensorLayout matrix_of(const TensorLayout& all, int number) {
    TensorLayout out = all;
    out.base += all.height == 1 ? 0 : number * all.line;
    out.height = 1;
    return out;
}

/// With zero points p of the first matrix and q of the second one
///     sum (a - p) (b - q) = sum a b - p sum b - q sum (a - p):
/// rows of the kernel behind the first one lie in the padding, which is -p, or half of it; and the
/// planes of the input are read again with weights of -q, or of terms of it.
ConvLayer product_of(const TensorLayout& a, const TensorLayout& b, bool turned, int p, int q) {
    ConvLayer layer;
    layer.input = a;
    layer.out_width = a.width;
    Operand operand;
    operand.matrix = b;
    operand.turned = turned;
    operand.rows = a.channels;
    if (p != 0) {
        const int padded = -p > kLargest ? 2 : 1;
        layer.pad_value = -p / padded;
        layer.window.height += padded;
    }
    if (q != 0) {
        TensorLayout& s = layer.input;
        operand.block = s.block;
        operand.terms = -q > kLargest ? 3 : 2;
        operand.first = s.first % s.block;
        s.base += s.first / s.block * s.plane;
        s.channels = ceil_div(operand.first + s.channels, s.block) * s.block * operand.terms;
        s.first = 0;
        s.repeats = operand.terms;
        layer.weights = [operand, q](int, int, int, int channel) {
            const Reading reading =
                reading_of(channel, operand.block, operand.terms, operand.first);
            if (reading.term == 0 || !operand.has(reading)) return 0;
            return reading.term == 1 ? std::min(-q, kLargest) : -q - kLargest;
        };
    }
    layer.operand = operand;
    return layer;
}

}  // namespace

/// A layer for each pair of matrices. Rows of the second one, pixels of which channels are columns,
/// are what WBUF has as entries; where it is to be transposed they go there element by element.
void Lowering::lower_matmul(int index, const graph::MatMul& op) {
    const Node& n = graph_.nodes[at(index)];
    const Tensor &a = tensor(n.inputs[0]), &b = tensor(n.inputs[1]), &y = tensor(n.outputs[0]);
    if (op.transpose_a)
        throw Unsupported{"rows of the first matrix are columns: want it as it is multiplied"};
    if (a.quantisation.per_channel() || b.quantisation.per_channel())
        throw Unsupported{"a scale for each channel of an operand: want one for all"};
    const Value first = picture(n.inputs[0]), second = picture(n.inputs[1]);
    if (first.surface.repeats > 1 || second.surface.repeats > 1)
        throw Unsupported{"an operand that lies repeated in memory: want another one"};
    const Value out = new_value(n.outputs[0]);
    const std::vector<double> factors = graph::output_factors(graph_, n);
    Scale scale;
    scale.zero_point = zero_of(y);
    scale.low = kSmallest;
    scale.high = kLargest;
    set_factor(scale, factors[0]);
    if (architecture_.exact) {
        const auto largest = [&] {
            constexpr std::int64_t kMostProduct = 255 * 255;
            return first.surface.channels * kMostProduct;
        };
        const Fitted found = exact_sums(index, scale, factors[0], largest);
        scale = found.scale;
        tell(index, "scale", {found.fit});
    }
    for (int i = 0; i < out.surface.height; ++i) {
        ConvLayer layer = product_of(matrix_of(first.surface, i), matrix_of(second.surface, i),
                                     op.transpose_b, zero_of(a), zero_of(b));
        layer.name = y.name;
        layer.output = matrix_of(out.surface, i);
        layer.scales.assign(at(layer.filters()), scale);
        operations.push_back({index, std::move(layer), {first.area, second.area}, out.area});
    }
}

}  // namespace macrame::systolic::compiler
