/// What each operator becomes.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/dla/buffer.hpp"
#include "compiler/dla/limits.hpp"
#include "compiler/dla/lower.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

using graph::kNone;
using graph::TensorId;

namespace {

/// Weights of a vector for the row of pixels that it is read as; what lies behind it has zeros.
std::vector<std::int8_t> row_weights(const std::vector<std::int8_t>& weights, int kernels,
                                     const Cube& row, int atom) {
    const std::size_t inputs = weights.size() / at(kernels);
    const std::size_t all = at(row.width) * at(row.channels);
    std::vector<std::int8_t> out(at(kernels) * all, 0);
    for (std::size_t k = 0; k < at(kernels); ++k) {
        for (std::size_t i = 0; i < inputs; ++i) {
            const std::size_t number = i / at(atom), lane = i % at(atom);
            const std::size_t pixel = number % at(row.width), surface = number / at(row.width);
            out[k * all + pixel * at(row.channels) + surface * at(atom) + lane] =
                weights[k * inputs + i];
        }
    }
    return out;
}

/// Groups side by side in one layer.
struct Groups {
    int first, kernels;  ///< kernels of these groups
    int in, out;         ///< channels and kernels of a group
    int lanes;           ///< channels of the layer
};

/// Weights of such a layer, zeros where channel and kernel do not meet.
std::vector<std::int16_t> group_weights(const std::vector<std::int16_t>& weights, const Groups& g,
                                        int positions) {
    std::vector<std::int16_t> out(at(g.kernels) * at(positions) * at(g.lanes), 0);
    for (int k = 0; k < g.kernels; ++k) {
        const int first = k / g.out * g.in;
        for (int p = 0; p < positions; ++p) {
            const auto from =
                weights.begin() + (std::ptrdiff_t{g.first + k} * positions + p) * g.in;
            std::copy(from, from + g.in,
                      out.begin() + (std::ptrdiff_t{k} * positions + p) * g.lanes + first);
        }
    }
    return out;
}

}  // namespace

Cube Lowering::add_repeated(int index, const Cube& in, int terms, std::vector<int>& writers) {
    if (terms == 1) return in;
    const int step = static_cast<int>(round_up(at(in.channels), at(sizes_.atom_bytes)));
    const Cube out = new_cube(tensor(node(index).inputs[0]).name + " repeated", in.width, in.height,
                              (terms - 1) * step + in.channels);
    std::vector<int> made;
    for (int i = 0; i < terms; ++i)
        gather(made, add_copy(index, in, block(out, i * step, in.channels), writers));
    writers = std::move(made);
    return out;
}

std::vector<std::int8_t> Lowering::split(const std::vector<std::int16_t>& weights, int channels,
                                         int terms) const {
    const std::size_t each = at(channels), step = round_up(each, at(sizes_.atom_bytes));
    const std::size_t tap = at(terms - 1) * step + each;
    std::vector<std::int8_t> out(weights.size() / each * tap, 0);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        int rest = weights[i];
        for (std::size_t place = i / each * tap + i % each; rest != 0; place += step) {
            out[place] = static_cast<std::int8_t>(std::clamp(rest, -128, 127));
            rest -= out[place];
        }
    }
    return out;
}

bool Lowering::wants_border(const ConvLayer& conv) {
    const int window_h = (conv.kernel_h - 1) * conv.dilation_h + 1;
    const int window_w = (conv.kernel_w - 1) * conv.dilation_w + 1;
    return std::max(conv.top, conv.bottom) >= window_h ||
           std::max(conv.left, conv.right) >= window_w ||
           std::max({conv.top, conv.bottom, conv.left, conv.right}) >= kMaxKernel;
}

Lowering::Location Lowering::with_border(int index, const Location& in, const ConvLayer& conv) {
    const Cube& read = std::get<Cube>(conv.input);
    Location out;
    out.cube = new_cube(tensor(node(index).inputs[0]).name + " with border",
                        conv.left + read.width + conv.right, conv.top + read.height + conv.bottom,
                        read.channels);
    Buffer& buffer = buffers[at(out.cube.place.buffer)];
    buffer.contents.assign(buffer.bytes, static_cast<std::uint8_t>(conv.padding));
    const Cube inside = part_of(out.cube, conv.top, conv.left, read.height, read.width);
    out.writers = add_copy(index, read, inside, in.writers);
    return out;
}

void Lowering::lower(int index, const graph::Conv& op) {
    const graph::Node& n = node(index);
    Location in = locations_.at(n.inputs[0]);
    const graph::Tensor& weights = tensor(n.inputs[1]);
    if (!weights.constant) throw Unsupported{"weights: want a constant"};
    const Shape shape = shape_of(tensor(n.inputs[0]));
    const Shape out = shape_of(tensor(n.outputs[0]));
    const int kernels = weights.shape[0];
    const int positions = op.window.kernel_h * op.window.kernel_w;
    const int group_in = shape.channels / op.groups;
    const int group_out = kernels / op.groups;
    const std::vector<std::int16_t> w = distances(weights);
    const int terms = terms_of(w);
    const std::vector<double> factors = graph::output_factors(graph_, n);
    const auto limits = graph::bounds(op.activation, tensor(n.outputs[0]));
    const int input_zero = zero_point(tensor(n.inputs[0]));
    const std::size_t kernel = at(positions * group_in);
    const auto target = [&](int first, int count) {
        LayerTarget t{
            rounding_of(graph_), zero_point(tensor(n.outputs[0])), limits.first, limits.second, {}};
        for (int k = first; k < first + count; ++k) {
            const std::int64_t bias =
                n.inputs.size() > 2 && n.inputs[2] != kNone ? word(tensor(n.inputs[2]), at(k)) : 0;
            t.channels.push_back(
                channel_target(&w[at(k) * kernel], kernel, bias, input_zero, factors[at(k)]));
        }
        return t;
    };
    Location& made = add_output(index, out.width, out.height, kernels);
    const Cube whole = made.cube;
    ConvLayer conv = geometry(index, op.window, in, out.height, out.width);
    if (wants_border(conv)) {
        in = with_border(index, in, conv);
        graph::Window inside = op.window;
        inside.top = inside.left = inside.bottom = inside.right = 0;
        conv = geometry(index, inside, in, out.height, out.width);
    }
    const std::uint64_t outputs_per_kernel =
        static_cast<std::uint64_t>(out.width) * static_cast<unsigned>(out.height);

    // Groups side by side in one layer, as many as make whole atoms; zeros where they do not meet.
    const int atom = sizes_.atom_bytes;
    int groups = op.groups;
    if (op.groups > 1) {
        int unit = 1;  // groups whose channels are whole atoms at both ends
        while (unit < op.groups && (unit * group_in % atom != 0 || unit * group_out % atom != 0))
            ++unit;
        const int lanes = block_channels(conv, shape.channels, unit * group_in,
                                         std::max(1, group_out / group_in));
        groups = std::min(op.groups, std::max(unit, lanes / group_in / unit * unit));
    }
    for (int g = 0; g < op.groups; g += groups) {
        const int count = std::min(groups, op.groups - g);
        const int channels_in = count * group_in;
        const int channels_out = count * group_out;
        ConvLayer part = conv;
        part.kernels = channels_out;
        std::vector<int> writers = in.writers;
        Cube from = in.cube;
        if (!in.form) {
            from = add_repeated(index, block(in.cube, g * group_in, channels_in), terms, writers);
            Cube& read = std::get<Cube>(part.input);
            read = part_of(from, 0, 0, read.height, read.width);
        }
        // The host makes four components of three; their weights are 0.
        const int lanes = in.form ? in.form->components * in.form->columns : channels_in;
        const std::vector<std::int16_t> all =
            group_weights(w, {g * group_out, channels_out, group_in, group_out, lanes}, positions);
        gather(made.writers,
               add_requantised_conv(
                   index,
                   {std::move(part), terms == 1 ? in.cube : from, split(all, lanes, terms), writers,
                    outputs_per_kernel * kernel * at(channels_out)},
                   target(g * group_out, channels_out), block(whole, g * group_out, channels_out)));
    }
}

void Lowering::lower(int index, const graph::FullyConnected& op) {
    const graph::Node& n = node(index);
    Location in = locations_.at(n.inputs[0]);
    const graph::Tensor& weights = tensor(n.inputs[1]);
    if (!weights.constant) throw Unsupported{"weights: want a constant"};
    const int kernels = weights.shape[0];
    const int inputs = weights.shape[1];
    // One row as large as what was flattened, or pixels that are rows.
    const bool one = tensor(n.inputs[0]).elements() == at(inputs);
    if (!one && in.cube.channels != inputs)
        throw Unsupported{fmt::format("{} elements for weights of {}: want one row, or pixels",
                                      tensor(n.inputs[0]).elements(), inputs)};
    const std::vector<std::int16_t> distance = distances(weights);
    const std::vector<double> factors = graph::output_factors(graph_, n);
    const auto [low, high] = graph::bounds(op.activation, tensor(n.outputs[0]));
    LayerTarget t{rounding_of(graph_), zero_point(tensor(n.outputs[0])), low, high, {}};
    if (op.rounds_once && t.rounding == Rounding::tflite) t.rounding = Rounding::tflite_once;
    for (int k = 0; k < kernels; ++k) {
        const std::int64_t bias =
            n.inputs.size() > 2 && n.inputs[2] != kNone ? word(tensor(n.inputs[2]), at(k)) : 0;
        t.channels.push_back(channel_target(&distance[at(k) * at(inputs)], at(inputs), bias,
                                            zero_point(tensor(n.inputs[0])),
                                            factors[factors.size() > 1 ? at(k) : 0]));
    }
    const bool vector = one && in.cube.channels == inputs;
    const int terms = terms_of(distance);
    std::vector<std::int8_t> w = split(distance, in.cube.channels, terms);
    in.cube = add_repeated(index, in.cube, terms, in.writers);
    // A vector that is longer than registers count.
    if (vector && in.cube.channels > most_size()) {
        if (!is_legal(sizes_, in.cube)) throw Unsupported{"vector: want its atoms side by side"};
        in.cube = row_of(in.cube);
        w = row_weights(w, kernels, in.cube, sizes_.atom_bytes);
    }
    graph::Window window;
    if (one) {
        window.kernel_h = in.cube.height;
        window.kernel_w = in.cube.width;
    }
    const int height = one ? 1 : in.cube.height, width = one ? 1 : in.cube.width;
    const Shape shape = shape_of(tensor(n.outputs[0]));
    if (shape.channels != kernels)
        throw Unsupported{"rows: want axes of height, width and channels alone"};
    Location& made = add_output(index, shape.width, shape.height, kernels);
    // Lines of another length, one behind the other.
    Cube output = made.cube;
    if (output.height != height) {
        output.height = height;
        output.width = width;
        output.line_stride = static_cast<unsigned>(width * sizes_.atom_bytes);
        if (homes_.count(n.outputs[0]) != 0)
            throw Unsupported{"rows in front of a concat: want as many lines as in front"};
    }
    ConvLayer conv = geometry(index, window, in, height, width);
    conv.kernels = kernels;
    const std::uint64_t macs = static_cast<std::uint64_t>(height * width) *
                               static_cast<unsigned>(kernels) * static_cast<unsigned>(inputs);
    made.writers = add_requantised_conv(
        index, {std::move(conv), in.cube, std::move(w), in.writers, macs}, t, output);
}

}  // namespace macrame::dla::compiler
