/// Transposed convolutions: lines and columns of the output with the same remainder of the stride
/// are a phase, which is a convolution.

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "compiler/graph/at.hpp"
#include "compiler/systolic/lower.hpp"
#include "compiler/systolic/weights.hpp"

namespace macrame::systolic::compiler {

using graph::Node;

namespace {

/// A phase along an axis: outputs `first`, `first + stride`, ... Tap t of its window is tap
/// `last_tap - t * tap_step` of the kernel, and is at the inputs from `begin + t * dilation` on.
struct Phase {
    int first = 0, outputs = 0;
    int taps = 0, last_tap = 0, tap_step = 1;
    int begin = 0, dilation = 1;

    int skipped() const { return std::max(0, begin); }
    int padding() const { return std::max(0, -begin); }
};

Phase phase_of(int first, int stride, int kernel, int dilation, int padding, int outputs) {
    Phase out;
    out.first = first;
    out.outputs = (outputs - first + stride - 1) / stride;
    const int common = std::gcd(stride, dilation);
    out.tap_step = stride / common;
    out.dilation = dilation / common;
    for (int tap = 0; tap < kernel; ++tap) {
        const int place = first + padding - tap * dilation;
        if (place % stride != 0) continue;
        ++out.taps;
        out.last_tap = tap;
        out.begin = place / stride;
    }
    return out;
}

/// The outputs of a phase as a tensor.
TensorLayout outputs_of(TensorLayout all, const Phase& y, const Phase& x, const graph::Window& w) {
    all.base += y.first * all.line + x.first * all.pixel;
    all.line *= w.stride_h;
    all.pixel *= w.stride_w;
    all.height = y.outputs;
    all.width = x.outputs;
    return all;
}

}  // namespace

void Lowering::lower_transpose_conv(int index, const graph::TransposeConv& op) {
    const Node& n = graph_.nodes[at(index)];
    const graph::Window& w = op.window;
    const Value in = picture(n.inputs[0]);
    const auto values = whole_weights(graph_, n.inputs[1]);
    const TensorLayout size = *size_of(tensor(n.outputs[0]));
    std::vector<std::pair<Phase, Phase>> phases;
    for (int y = 0; y < std::min(w.stride_h, size.height); ++y) {
        for (int x = 0; x < std::min(w.stride_w, size.width); ++x) {
            const Phase row = phase_of(y, w.stride_h, w.kernel_h, w.dilation_h, w.top, size.height);
            const Phase column =
                phase_of(x, w.stride_w, w.kernel_w, w.dilation_w, w.left, size.width);
            if (row.taps * column.taps == 0)
                throw Unsupported{"outputs that no input reaches: want a kernel of the stride"};
            if (row.skipped() >= in.surface.height || column.skipped() >= in.surface.width)
                throw Unsupported{"a phase that lies behind the input: want less padding"};
            const int most =
                std::max({row.padding(), column.padding(), row.dilation, column.dilation});
            if (most > kMostPadding)
                throw Unsupported{
                    fmt::format("padding or dilation of {}: want at most {}", most, kMostPadding)};
            phases.emplace_back(row, column);
        }
    }
    const Value out = new_value(n.outputs[0]);
    for (const auto& [row, column] : phases) {
        ConvLayer layer;
        layer.window = {row.taps,      column.taps,     1, 1, row.dilation, column.dilation,
                        row.padding(), column.padding()};
        layer.out_height = row.outputs;
        layer.out_width = column.outputs;
        const auto channels = at(in.surface.channels);
        layer.weights = [=, y = row, x = column](int m, int r, int s, int c) {
            const std::size_t ky = at(y.last_tap - r * y.tap_step);
            const std::size_t kx = at(x.last_tap - s * x.tap_step);
            return (
                *values)[((at(m) * at(w.kernel_h) + ky) * at(w.kernel_w) + kx) * channels + at(c)];
        };
        Value from = in;
        from.bordered = false;
        from.surface.base += row.skipped() * from.surface.line;
        from.surface.base += column.skipped() * from.surface.pixel;
        from.surface.height -= row.skipped();
        from.surface.width -= column.skipped();
        Value to = out;
        to.surface = outputs_of(out.surface, row, column, w);
        const Value repeated = repeat_input(layer, from, size.channels, terms_of(*values));
        add_conv(index, std::move(layer), repeated, to, op.activation);
    }
}

}  // namespace macrame::systolic::compiler
