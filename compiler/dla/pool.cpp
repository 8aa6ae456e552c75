/// Poolings and means.

#include <algorithm>
#include <cmath>
#include <utility>

#include "compiler/dla/buffer.hpp"
#include "compiler/dla/convolutions.hpp"
#include "compiler/dla/limits.hpp"
#include "compiler/dla/lower.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

namespace {

/// Outputs of one axis whose windows have the same part inside the input.
struct Run {
    int first = 0, count = 0;  ///< outputs
    int from = 0, kernel = 0;  ///< first input of the first window, and how many
};

std::vector<Run> runs(int input, int output, int kernel, int stride, int before) {
    std::vector<Run> out;
    int cut = -1;  // in front of the input, of the window before
    for (int o = 0; o < output; ++o) {
        const int start = o * stride - before;
        const int from = std::max(start, 0), to = std::min(start + kernel, input);
        const bool whole = from == start && !out.empty() && cut == 0;
        if (whole && out.back().kernel == to - from) {
            ++out.back().count;
        } else {
            out.push_back({o, 1, from, to - from});
        }
        cut = from - start;
    }
    return out;
}

/// What one pass of PDP does to an axis.
struct Pass {
    int input = 1;  ///< from the first on
    int kernel = 1, stride = 1, before = 0, output = 1;
};

/// A long window as several passes: the largest of largest values.
std::vector<Pass> passes(int input, int output, int kernel, int stride, int before) {
    std::vector<Pass> out;
    if (output == 1) {
        // Only one window: parts side by side, then the same with what is left.
        int size = std::min(kernel - before, input);
        while (size > kMostPoolKernel) {
            const int count = div_up(size, kMostPoolKernel);
            out.push_back({size, kMostPoolKernel, kMostPoolKernel, 0, count});
            size = count;
        }
        out.push_back({size, size, 1, 0, 1});
        return out;
    }
    while (kernel > kMostPoolKernel) {
        const int pad = std::min(before, kMostPoolKernel - 1);
        // All windows of eight that begin where one of the whole windows needs them.
        const int count = (output - 1) * stride + kernel - (kMostPoolKernel - 1) - (before - pad);
        out.push_back({input, kMostPoolKernel, 1, pad, std::min(count, input + pad)});
        input = out.back().output;
        before -= pad;
        kernel -= kMostPoolKernel - 1;
    }
    out.push_back({input, kernel, stride, before, output});
    return out;
}

}  // namespace

macrame::compiler::Exactness ties_of(int index, const ChannelTarget& channel) {
    constexpr double kNear = 1e-4;  // rounding of sums below 256
    macrame::compiler::Exactness out{index, "sums of float32", 1, 0, 0, 0, 1};
    for (std::int64_t sum = channel.low; sum <= channel.high; ++sum) {
        const double value = channel.factor * static_cast<double>(sum + channel.bias);
        out.values += std::abs(value - std::floor(value) - 0.5) < kNear ? 1 : 0;
    }
    out.reachable = channel.high - channel.low + 1;
    return out;
}

void Lowering::add_ties(macrame::compiler::Exactness ties) {
    if (ties.values == 0) return;
    for (const macrame::compiler::Exactness& told : build.exactness)
        if (told.node == ties.node && told.mapping != ties.mapping)
            ties.most = std::max(ties.most, told.most + 1);
    build.exactness.push_back(std::move(ties));
}

// ---------------------------------------------------------------- averages

std::vector<int> Lowering::add_average(int index, const Cube& in, const Cube& out,
                                       const graph::Window& window, const ChannelTarget& channel,
                                       LayerTarget target) {
    std::vector<int> made = add_global_average(index, in, out, window, channel, target);
    if (!made.empty()) return made;
    const std::vector<int> writers = location_of(node(index).inputs[0]).writers;
    ConvLayer conv = geometry(context_, index, window, in, out.height, out.width);
    const int positions = window.kernel_h * window.kernel_w;
    const Cube& read = std::get<Cube>(conv.input);
    // A single pixel of a larger cube has to be an atom.
    const auto pixel = [&](const Cube& cube) { return cube.width == 1 && cube.height == 1; };
    const bool atoms = pixel(out) || pixel(read);
    const int lanes = atoms ? sizes_.atom_bytes
                            : block_channels(sizes_, conv, out.channels, sizes_.atom_bytes, 1);
    for (int c = 0; c < out.channels; c += lanes) {
        const int channels = std::min(lanes, out.channels - c);
        ConvLayer layer = conv;
        layer.kernels = channels;
        layer.input = block(read, c, channels);
        target.channels.assign(at(channels), channel);
        layer.post = post_process(index, target, block(out, c, channels));
        gather(made,
               build.add_conv(std::move(layer), in, diagonal(channels, positions), writers, 0));
    }
    return made;
}

void Lowering::add_averages(int index, const graph::Window& w) {
    const graph::Node& n = node(index);
    const Location in = location_of(n.inputs[0]);
    const graph::Tensor &from = tensor(n.inputs[0]), &to = tensor(n.outputs[0]);
    const Shape out = shape_of(to);
    const auto [low, high] = graph::bounds(std::get<graph::Pool>(n.op).activation, to);
    // Rounding is of the values with their zero point: no stage clamps besides.
    const bool clamps = low != -128 || high != 127;
    Location& made = add_output(index, out.width, out.height, out.channels);
    const Cube whole =
        clamps ? build.new_cube(to.name + " average", out.width, out.height, out.channels)
               : made.cube;
    std::vector<int> writers;
    const bool onnx = graph_.rounding == graph::Rounding::onnx;
    macrame::compiler::Exactness ties{index, "sums of float32", 1, 0, 0, 0, 1};
    const int zero = onnx ? zero_point(from) : 0;
    for (const Run& rows : runs(in.cube.height, out.height, w.kernel_h, w.stride_h, w.top)) {
        for (const Run& columns : runs(in.cube.width, out.width, w.kernel_w, w.stride_w, w.left)) {
            graph::Window window;
            window.kernel_h = rows.kernel;
            window.kernel_w = columns.kernel;
            window.stride_h = w.stride_h;
            window.stride_w = w.stride_w;
            const int count = rows.kernel * columns.kernel;
            ChannelTarget channel{1.0 / count, -std::int64_t{zero} * count, -128ll * count,
                                  127ll * count};
            LayerTarget target{Rounding::average, 0, -128, 127, {}};
            if (onnx) {
                channel.factor = double{graph::mean_factor(from, to, count)};
                target = {Rounding::onnx, zero_point(to), -128, 127, {}};
                const macrame::compiler::Exactness some = ties_of(index, channel);
                ties.values += some.values;
                ties.reachable += some.reachable;
            }
            const Cube input = part_of(in.cube, rows.from, columns.from, in.cube.height - rows.from,
                                       in.cube.width - columns.from);
            const Cube output =
                part_of(whole, rows.first, columns.first, rows.count, columns.count);
            gather(writers, add_average(index, input, output, window, channel, target));
        }
    }
    add_ties(ties);
    if (clamps) writers = {build.add_clamp(whole, made.cube, low, high, writers)};
    made.writers = writers;
}

void Lowering::add_sum_of_channels(int index, const graph::Window& window,
                                   const ChannelTarget& channel, LayerTarget target) {
    const Location in = location_of(node(index).inputs[0]);
    const int height = in.cube.height / window.kernel_h, width = in.cube.width / window.kernel_w;
    ConvLayer conv = geometry(context_, index, window, in, height, width);
    conv.kernels = 1;
    target.channels = {channel};
    Location& made = add_output(index, width, height, 1);
    conv.post = post_process(index, target, made.cube);
    const std::vector<std::int8_t> ones(at(window.kernel_h * window.kernel_w * in.cube.channels),
                                        1);
    made.writers = build.add_conv(std::move(conv), in.cube, ones, in.writers, 0);
}

void Lowering::lower(int index, const graph::Mean&) {
    const Location in = location_of(node(index).inputs[0]);
    const MeanTarget mean = mean_target(context_, index, in.cube);
    if (mean.over_channels)
        return add_sum_of_channels(index, mean.window, mean.channel, mean.target);
    Location& made = add_output(index, in.cube.width / mean.window.kernel_w,
                                in.cube.height / mean.window.kernel_h, in.cube.channels);
    made.writers = add_average(index, in.cube, made.cube, mean.window, mean.channel, mean.target);
}

// ---------------------------------------------------------------- largest values

void Lowering::add_maximum(int index, const graph::Window& w) {
    const graph::Node& n = node(index);
    const Location in = location_of(n.inputs[0]);
    const std::string name = tensor(n.outputs[0]).name;
    const Shape out = shape_of(tensor(n.outputs[0]));
    std::vector<Pass> down = passes(in.cube.height, out.height, w.kernel_h, w.stride_h, w.top);
    std::vector<Pass> across = passes(in.cube.width, out.width, w.kernel_w, w.stride_w, w.left);
    const std::size_t count = std::max(down.size(), across.size());
    // An axis that is done earlier is left as it is by the passes behind.
    while (down.size() < count)
        down.push_back({out.height, 1, 1, 0, out.height});
    while (across.size() < count)
        across.push_back({out.width, 1, 1, 0, out.width});
    const auto [low, high] =
        graph::bounds(std::get<graph::Pool>(n.op).activation, tensor(n.outputs[0]));
    const bool clamps = low != -128 || high != 127;
    Location& made = add_output(index, out.width, out.height, out.channels);
    const Cube whole = made.cube;
    const bool pixel = count == 1 && whole.width == 1 && whole.height == 1 && down[0].kernel == 1 &&
                       across[0].kernel == 1;
    if (pixel) {
        // PDP wants a cube of one pixel packed, this is one of a larger cube.
        const Cube copy = clamps ? build.new_cube(name + " pixel", 1, 1, out.channels) : whole;
        made.writers = build.add_copy(part_of(in.cube, 0, 0, 1, 1), copy, in.writers);
        if (clamps) made.writers = {build.add_clamp(copy, whole, low, high, made.writers)};
        return;
    }
    Cube from = in.cube;
    std::vector<int> after = in.writers;
    for (std::size_t i = 0; i < count; ++i) {
        const Pass &y = down[i], &x = across[i];
        PdpLayer pdp;
        pdp.input = from;
        pdp.input.height = y.input;
        pdp.input.width = x.input;
        pdp.output = i + 1 == count && !clamps
                         ? whole
                         : build.new_cube(name + " part", x.output, y.output, out.channels);
        pdp.kernel_h = y.kernel;
        pdp.kernel_w = x.kernel;
        pdp.stride_h = y.output == 1 ? 1 : y.stride;
        pdp.stride_w = x.output == 1 ? 1 : x.stride;
        pdp.top = y.before;
        pdp.left = x.before;
        from = pdp.output;
        after = build.add_pdp(pdp, after);
    }
    if (clamps) after = {build.add_clamp(from, whole, low, high, after)};
    made.writers = after;
}

void Lowering::lower(int index, const graph::Pool& op) {
    const graph::Window& w = op.window;
    if (w.dilation_h != 1 || w.dilation_w != 1) throw Unsupported{"pooling with dilation: want 1"};
    if (op.function == graph::Pooling::average) return add_averages(index, w);
    if (!sizes_.pdp) throw Unsupported{"max pooling: want pdp-enable"};
    if (std::max(w.stride_h, w.stride_w) > kMostPoolStride)
        throw Unsupported{"max pooling: want strides up to 16"};
    add_maximum(index, w);
}

}  // namespace macrame::dla::compiler
