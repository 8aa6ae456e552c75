/// Operators with more lines and columns behind them than in front: each phase of the output -
/// lines and columns with the same remainder of the factor - is a convolution of its own; SDP puts
/// its pixels between those of the others.

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "compiler/dla/buffer.hpp"
#include "compiler/dla/lower.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

namespace {

/// One axis of a phase of a transposed convolution.
struct PhaseAxis {
    int first = 0, count = 0;  ///< positions of the output: first, first + stride, ...
    int taps = 0, tap = 0;     ///< of the kernel: tap + stride * (taps - 1), ..., tap + stride, tap
    int begin = 0, size = 0;   ///< of the input
    int before = 0, behind = 0;
};

PhaseAxis phase_axis(int phase, int input, int output, int kernel, int stride, int padding) {
    PhaseAxis axis;
    axis.first = ((phase - padding) % stride + stride) % stride;
    axis.count = output > axis.first ? div_up(output - axis.first, stride) : 0;
    axis.taps = kernel > phase ? div_up(kernel - phase, stride) : 0;
    axis.tap = phase;
    const int taps = std::max(axis.taps, 1);
    const int offset = axis.taps == 0 ? 0 : taps - 1 - (axis.first + padding) / stride;
    axis.before = std::max(offset, 0);
    axis.begin = std::max(-offset, 0);
    const int need = axis.count - 1 + taps - axis.before;
    axis.size = std::min(need, input - axis.begin);
    axis.behind = need - axis.size;
    if (axis.count > 0 && (axis.size < 1 || axis.before >= taps || axis.behind >= taps))
        throw Unsupported{"transposed convolution: want every output to read an input"};
    return axis;
}

}  // namespace

void Lowering::lower(int index, const graph::TransposeConv& op) {
    const graph::Node& n = node(index);
    const Location in = locations_.at(n.inputs[0]);
    const graph::Tensor& constant = tensor(n.inputs[1]);
    if (!constant.constant) throw Unsupported{"weights: want a constant"};
    const graph::Window& w = op.window;
    const Shape from = shape_of(tensor(n.inputs[0]));
    const Shape out = shape_of(tensor(n.outputs[0]));
    const std::vector<std::int8_t> all = values(constant);
    const std::vector<double> factors = graph::output_factors(graph_, n);
    const auto [low, high] = graph::bounds(op.activation, tensor(n.outputs[0]));
    const int zero = zero_point(tensor(n.inputs[0]));
    Location& made = add_output(index, out.width, out.height, out.channels);
    const bool phases = w.stride_h > 1 || w.stride_w > 1;
    for (int phase = 0; phase < w.stride_h * w.stride_w; ++phase) {
        const PhaseAxis y =
            phase_axis(phase / w.stride_w, from.height, out.height, w.kernel_h, w.stride_h, w.top);
        const PhaseAxis x =
            phase_axis(phase % w.stride_w, from.width, out.width, w.kernel_w, w.stride_w, w.left);
        if (y.count == 0 || x.count == 0) continue;
        ConvLayer conv;
        conv.kernels = out.channels;
        conv.kernel_h = std::max(y.taps, 1);
        conv.kernel_w = std::max(x.taps, 1);
        conv.top = y.before;
        conv.left = x.before;
        conv.bottom = y.behind;
        conv.right = x.behind;
        conv.out_h = y.count;
        conv.out_w = x.count;
        conv.padding = zero;
        conv.input = part_of(in.cube, y.begin, x.begin, y.size, x.size);
        const bool empty = y.taps == 0 || x.taps == 0;
        std::vector<std::int8_t> weights;
        LayerTarget target{rounding_of(graph_), zero_point(tensor(n.outputs[0])), low, high, {}};
        const std::size_t kernel = at(conv.kernel_h * conv.kernel_w * from.channels);
        for (int k = 0; k < out.channels; ++k) {
            for (int r = conv.kernel_h - 1; r >= 0; --r) {
                for (int c = conv.kernel_w - 1; c >= 0; --c) {
                    const int row = y.tap + w.stride_h * r, column = x.tap + w.stride_w * c;
                    const auto tap =
                        all.begin() +
                        ((std::ptrdiff_t{k} * w.kernel_h + row) * w.kernel_w + column) *
                            from.channels;
                    if (empty) {
                        weights.insert(weights.end(), at(from.channels), 0);
                    } else {
                        weights.insert(weights.end(), tap, tap + from.channels);
                    }
                }
            }
            const std::int64_t bias = n.inputs.size() > 2 && n.inputs[2] != graph::kNone
                                          ? word(tensor(n.inputs[2]), at(k))
                                          : 0;
            target.channels.push_back(channel_target(&weights[weights.size() - kernel], kernel,
                                                     bias, zero, factors[at(k)]));
        }
        const Cube output =
            phases ? new_cube(tensor(n.outputs[0]).name + " phase", x.count, y.count, out.channels)
                   : made.cube;
        conv.post = post_process(index, target, output, &conv);
        const std::uint64_t macs = static_cast<std::uint64_t>(y.count) *
                                   static_cast<unsigned>(x.count) * kernel * at(out.channels);
        const std::vector<int> writers =
            add_conv(index, std::move(conv), in.cube, std::move(weights), in.writers, macs);
        gather(made.writers, phases ? add_scatter(index, output, made.cube, y.first, x.first,
                                                  w.stride_h, w.stride_w, writers)
                                    : writers);
    }
}

void Lowering::add_bilinear(int index, bool half_pixel, int up_h, int up_w) {
    const graph::Node& n = node(index);
    const Location in = locations_.at(n.inputs[0]);
    const Shape from = shape_of(tensor(n.inputs[0]));
    const Shape out = shape_of(tensor(n.outputs[0]));
    for (const int up : {up_h, up_w}) {
        if (up != 1 && up != 2 && up != 4)
            throw Unsupported{"bilinear resize: want factors of 1, 2 or 4"};
    }
    // Lines and columns at the border are there twice.
    const int height = from.height, width = from.width;
    const Cube wide =
        new_cube(tensor(n.outputs[0]).name + " border", width + 2, height + 2, from.channels);
    std::vector<int> sides =
        add_copy(index, in.cube, part_of(wide, 1, 1, height, width), in.writers);
    for (const int y : {0, height + 1}) {
        const int line = y == 0 ? 0 : height - 1;
        gather(sides, add_copy(index, part_of(in.cube, line, 0, 1, width),
                               part_of(wide, y, 1, 1, width), in.writers));
    }
    std::vector<int> border = sides;
    for (const int x : {0, width + 1}) {
        gather(border, add_copy(index, part_of(wide, 0, x == 0 ? 1 : width, height + 2, 1),
                                part_of(wide, 0, x, height + 2, 1), sides));
    }
    // Weight of the second of the two lines that a phase lies between, in parts of `whole`.
    struct Between {
        int begin, second, whole;
    };
    const auto between = [&](int phase, int up) -> Between {
        if (!half_pixel) return {1, phase, up};
        const int distance = 2 * phase + 1 - up;
        return distance < 0 ? Between{0, 2 * up + distance, 2 * up} : Between{1, distance, 2 * up};
    };
    Location& made = add_output(index, out.width, out.height, out.channels);
    for (int phase = 0; phase < up_h * up_w; ++phase) {
        const Between y = between(phase / up_w, up_h), x = between(phase % up_w, up_w);
        const int weights[4] = {(y.whole - y.second) * (x.whole - x.second),
                                (y.whole - y.second) * x.second, y.second * (x.whole - x.second),
                                y.second * x.second};
        const int sum = y.whole * x.whole;
        const Cube output =
            new_cube(tensor(n.outputs[0]).name + " phase", width, height, from.channels);
        std::vector<int> writers;
        ConvLayer window;
        window.kernel_h = window.kernel_w = 2;
        window.out_h = height;
        window.out_w = width;
        window.input = part_of(wide, y.begin, x.begin, height + 1, width + 1);
        const int lanes = block_channels(window, from.channels, sizes_.atom_bytes, 1);
        for (int c = 0; c < from.channels; c += lanes) {
            const int channels = std::min(lanes, from.channels - c);
            ConvLayer conv = window;
            conv.kernels = channels;
            conv.input = part_of(block(wide, c, channels), y.begin, x.begin, height + 1, width + 1);
            std::vector<std::int8_t> stream = diagonal(channels, 4);
            for (std::size_t i = 0; i < stream.size(); ++i)
                stream[i] = static_cast<std::int8_t>(stream[i] * weights[i / at(channels) % 4]);
            LayerTarget target{Rounding::average, 0, -128, 127, {}};
            const ChannelTarget channel{1.0 / sum, 0, -128ll * sum, 127ll * sum};
            target.channels.assign(at(channels), channel);
            conv.post = post_process(index, target, block(output, c, channels));
            gather(writers, add_conv(index, std::move(conv), wide, std::move(stream), border, 0));
        }
        gather(made.writers, add_scatter(index, output, made.cube, phase / up_w, phase % up_w, up_h,
                                         up_w, writers));
    }
}

}  // namespace macrame::dla::compiler
