/// Averages: convolutions with weights of 1.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/geometry.hpp"
#include "compiler/dla/lower/operators.hpp"
#include "compiler/dla/values.hpp"
#include "compiler/ties.hpp"

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

}  // namespace

std::vector<std::int8_t> diagonal(int channels, int positions) {
    std::vector<std::int8_t> out(at(channels) * at(channels) * at(positions), 0);
    for (int c = 0; c < channels; ++c)
        for (int p = 0; p < positions; ++p)
            out[(at(c) * at(positions) + at(p)) * at(channels) + at(c)] = 1;
    return out;
}

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

void add_ties(Lowering& lowering, macrame::compiler::Exactness ties) {
    if (ties.values == 0) return;
    for (const macrame::compiler::Exactness& told : lowering.build.exactness)
        if (told.node == ties.node && told.mapping != ties.mapping)
            ties.most = std::max(ties.most, told.most + 1);
    lowering.build.exactness.push_back(std::move(ties));
}

std::vector<int> add_average(Lowering& lowering, int index, const Cube& in, const Cube& out,
                             const graph::Window& window, const ChannelTarget& channel,
                             LayerTarget target) {
    std::vector<int> made = add_global_average(lowering, index, in, out, window, channel, target);
    if (!made.empty()) return made;
    const std::vector<int> writers = lowering.location_of(lowering.node(index).inputs[0]).writers;
    ConvLayer conv = geometry(lowering.context, index, window, in, out.height, out.width);
    const int positions = window.kernel_h * window.kernel_w;
    const Cube& read = std::get<Cube>(conv.input);
    // A single pixel of a larger cube has to be an atom.
    const auto pixel = [&](const Cube& cube) { return cube.width == 1 && cube.height == 1; };
    const bool atoms = pixel(out) || pixel(read);
    const int lanes = atoms ? lowering.context.sizes.atom_bytes
                            : block_channels(lowering.context.sizes, conv, out.channels,
                                             lowering.context.sizes.atom_bytes, 1);
    for (int c = 0; c < out.channels; c += lanes) {
        const int channels = std::min(lanes, out.channels - c);
        ConvLayer layer = conv;
        layer.kernels = channels;
        layer.input = lowering.block(read, c, channels);
        target.channels.assign(at(channels), channel);
        layer.post = post_process(lowering, index, target, lowering.block(out, c, channels));
        gather(made, lowering.build.add_conv(std::move(layer), in, diagonal(channels, positions),
                                             writers, 0));
    }
    return made;
}

void add_averages(Lowering& lowering, int index, const graph::Window& w) {
    const graph::Node& n = lowering.node(index);
    const Location in = lowering.location_of(n.inputs[0]);
    const graph::Tensor &from = lowering.tensor(n.inputs[0]), &to = lowering.tensor(n.outputs[0]);
    const Shape out = shape_of(to);
    const auto [low, high] = graph::bounds(std::get<graph::Pool>(n.op).activation, to);
    // Rounding is of the values with their zero point: no stage clamps besides.
    const bool clamps = low != -128 || high != 127;
    Location& made = lowering.add_output(index, out.width, out.height, out.channels);
    const Cube whole =
        clamps ? lowering.build.new_cube(to.name + " average", out.width, out.height, out.channels)
               : made.cube;
    std::vector<int> writers;
    const bool onnx = lowering.context.graph.rounding == graph::Rounding::onnx;
    macrame::compiler::Exactness ties{
        index, std::string(macrame::compiler::kSumsOfFloat32), 1, 0, 0, 0, 1};
    // Of averages, halves go away from the 0 of the file.
    const int zero_of_file = graph::shift_of(from);
    const int zero = onnx ? zero_point(from) : -zero_of_file;
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
            LayerTarget target{Rounding::average, -zero_of_file, -128, 127, {}};
            if (onnx) {
                channel.factor = double{graph::mean_factor(from, to, count)};
                target = {Rounding::onnx, zero_point(to), -128, 127, {}};
                const macrame::compiler::Exactness some = ties_of(index, channel);
                ties.values += some.values;
                ties.reachable += some.reachable;
            }
            const Cube input =
                lowering.part_of(in.cube, rows.from, columns.from, in.cube.height - rows.from,
                                 in.cube.width - columns.from);
            const Cube output =
                lowering.part_of(whole, rows.first, columns.first, rows.count, columns.count);
            gather(writers, add_average(lowering, index, input, output, window, channel, target));
        }
    }
    if (lowering.exact_at(index) && macrame::compiler::rounds_by_order(ties))
        throw Unsupported{
            "averages that lie between two steps, which float32 rounds by the order of its sums: "
            "want the host to do it (without --no-host), or not --exact"};
    add_ties(lowering, ties);
    if (clamps) writers = {lowering.build.add_clamp(whole, made.cube, low, high, writers)};
    made.writers = writers;
}

}  // namespace macrame::dla::compiler
