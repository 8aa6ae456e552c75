/// Transposed convolutions. Each phase of the output - lines and columns with the same remainder of
/// the stride - is a convolution. Which way takes the fewest cycles is tried.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/dla/buffer.hpp"
#include "compiler/dla/lower.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

namespace {

/// One axis of a phase, or of all phases at once.
struct Axis {
    int first = 0, count = 0;  ///< positions of the output: first, first + stride, ...
    int taps = 0;
    int begin = 0, size = 0;  ///< of the input
    int before = 0, behind = 0;
};

/// What is read: `offset` taps lie in front of the input.
void place_window(Axis& axis, int input, int offset) {
    const int taps = std::max(axis.taps, 1);
    axis.before = std::max(offset, 0);
    axis.begin = std::max(-offset, 0);
    const int need = axis.count - 1 + taps - axis.before;
    axis.size = std::min(need, input - axis.begin);
    axis.behind = need - axis.size;
    if (axis.count > 0 && (axis.size < 1 || axis.before >= taps || axis.behind >= taps))
        throw Unsupported{"transposed convolution: want every output to read an input"};
}

/// Taps of a phase are those of the kernel at phase + stride * (taps - 1), ..., phase + stride,
/// phase.
Axis phase_axis(int phase, int input, int output, int kernel, int stride, int padding) {
    Axis axis;
    axis.first = ((phase - padding) % stride + stride) % stride;
    axis.count = output > axis.first ? div_up(output - axis.first, stride) : 0;
    axis.taps = kernel > phase ? div_up(kernel - phase, stride) : 0;
    const bool empty = axis.taps == 0;
    place_window(axis, input, empty ? 0 : axis.taps - 1 - (axis.first + padding) / stride);
    return axis;
}

/// Counted from the padding on all phases have the same window. What lies in front of the output
/// is made, too: then `first` is negative.
Axis whole_axis(int input, int output, int kernel, int stride, int padding) {
    Axis axis;
    const int begin = padding / stride;
    axis.first = -(padding % stride);
    axis.count = (padding + output - 1) / stride - begin + 1;
    axis.taps = div_up(kernel, stride);
    place_window(axis, input, axis.taps - 1 - begin);
    return axis;
}

}  // namespace

class Lowering::Transposed {
public:
    Transposed(Lowering& lowering, int index, const graph::TransposeConv& op)
        : to_(lowering),
          index_(index),
          n_(lowering.node(index)),
          w_(op.window),
          in_(lowering.locations_.at(n_.inputs[0])),
          from_(shape_of(tensor(n_.inputs[0]))),
          out_(shape_of(tensor(n_.outputs[0]))),
          zero_(zero_point(tensor(n_.inputs[0]))),
          factors_(graph::output_factors(lowering.graph_, n_)) {
        if (!tensor(n_.inputs[1]).constant) throw Unsupported{"weights: want a constant"};
        const std::vector<std::int16_t> weights = distances(tensor(n_.inputs[1]));
        const int terms = terms_of(weights);
        weights_ = to_.split(weights, from_.channels, terms);
        in_.cube = to_.add_repeated(index, in_.cube, terms, in_.writers);
        from_.channels = in_.cube.channels;
        const auto [low, high] = graph::bounds(op.activation, tensor(n_.outputs[0]));
        target_ = {rounding_of(lowering.graph_), zero_point(tensor(n_.outputs[0])), low, high, {}};
        atoms_ = static_cast<int>(round_up(at(out_.channels), at(lowering.sizes_.atom_bytes)));
    }

    std::vector<Way> ways() const {
        const int width = div_up(out_.width, w_.stride_w) + 1;  // at most
        const int height = div_up(out_.height, w_.stride_h) + 1;
        if (!to_.can_contract(width, height, atoms_, w_.stride_h, w_.stride_w))
            return {Way::scattered};
        return {Way::scattered, Way::contracted, Way::at_once};
    }

    void lower(Way way) const {
        if (way == Way::at_once) return at_once();
        std::optional<Cube> phases_cube;
        Axis rows, columns;
        if (way == Way::contracted) {
            rows.count = div_up(out_.height, w_.stride_h);
            columns.count = div_up(out_.width, w_.stride_w);
            phases_cube = new_phases(rows.count, columns.count);
            add_output(rows, columns);
        } else {
            to_.add_output(index_, out_.width, out_.height, out_.channels);
        }
        std::vector<int> writers;
        for (int phase = 0; phase < count(); ++phase) {
            const Axis y = row_axis(phase / w_.stride_w), x = column_axis(phase % w_.stride_w);
            if (y.count == 0 || x.count == 0) continue;
            if (phases_cube) {
                const int number = y.first * w_.stride_w + x.first;
                const Cube part = to_.block(*phases_cube, number * atoms_, out_.channels);
                gather(writers, add_phase(phase, y, x, to_.part_of(part, 0, 0, y.count, x.count)));
            } else {
                gather(writers, scatter(phase, y, x));
            }
        }
        if (phases_cube) writers = contract(*phases_cube, rows, columns, writers);
        location().writers = std::move(writers);
    }

private:
    const graph::Tensor& tensor(graph::TensorId id) const { return to_.tensor(id); }
    Location& location() const { return to_.locations_.at(to_.result_of(index_)); }
    int count() const { return w_.stride_h * w_.stride_w; }
    bool phases() const { return count() > 1; }

    Axis row_axis(int phase) const {
        return phase_axis(phase, from_.height, out_.height, w_.kernel_h, w_.stride_h, w_.top);
    }
    Axis column_axis(int phase) const {
        return phase_axis(phase, from_.width, out_.width, w_.kernel_w, w_.stride_w, w_.left);
    }
    Axis whole_rows() const {
        return whole_axis(from_.height, out_.height, w_.kernel_h, w_.stride_h, w_.top);
    }
    Axis whole_columns() const {
        return whole_axis(from_.width, out_.width, w_.kernel_w, w_.stride_w, w_.left);
    }

    ConvLayer window(const Axis& y, const Axis& x) const {
        ConvLayer conv;
        conv.kernel_h = std::max(y.taps, 1);
        conv.kernel_w = std::max(x.taps, 1);
        conv.top = y.before;
        conv.left = x.before;
        conv.bottom = y.behind;
        conv.right = x.behind;
        conv.out_h = y.count;
        conv.out_w = x.count;
        conv.padding = zero_;
        conv.input = to_.part_of(in_.cube, y.begin, x.begin, y.size, x.size);
        return conv;
    }

    /// The kernel of an output channel for a phase; zeros where the window is larger than it.
    void add_kernel(const ConvLayer& conv, int phase, int k, std::vector<std::int8_t>& weights,
                    LayerTarget& target) const {
        for (int r = conv.kernel_h - 1; r >= 0; --r) {
            for (int c = conv.kernel_w - 1; c >= 0; --c) {
                const int row = phase / w_.stride_w + w_.stride_h * r;
                const int column = phase % w_.stride_w + w_.stride_w * c;
                if (k < out_.channels && row < w_.kernel_h && column < w_.kernel_w) {
                    const auto tap =
                        weights_.begin() +
                        ((std::ptrdiff_t{k} * w_.kernel_h + row) * w_.kernel_w + column) *
                            from_.channels;
                    weights.insert(weights.end(), tap, tap + from_.channels);
                } else {
                    weights.insert(weights.end(), at(from_.channels), 0);
                }
            }
        }
        const std::size_t kernel = at(conv.kernel_h * conv.kernel_w * from_.channels);
        const bool bias = k < out_.channels && n_.inputs.size() > 2 && n_.inputs[2] != graph::kNone;
        target.channels.push_back(channel_target(
            &weights[weights.size() - kernel], kernel, bias ? word(tensor(n_.inputs[2]), at(k)) : 0,
            zero_, factors_[at(std::min(k, out_.channels - 1))]));
    }

    std::uint64_t macs(const Axis& y, const Axis& x) const {
        return static_cast<std::uint64_t>(y.count) * static_cast<unsigned>(x.count) *
               at(std::max(y.taps, 1) * std::max(x.taps, 1)) * at(from_.channels) *
               at(out_.channels);
    }

    std::vector<int> add_phase(int phase, const Axis& y, const Axis& x, const Cube& output) const {
        ConvLayer conv = window(y, x);
        conv.kernels = out_.channels;
        std::vector<std::int8_t> weights;
        LayerTarget target = target_;
        for (int k = 0; k < out_.channels; ++k)
            add_kernel(conv, phase, k, weights, target);
        return to_.add_requantised_conv(
            index_, {std::move(conv), in_.cube, std::move(weights), in_.writers, macs(y, x)},
            target, output);
    }

    std::vector<int> scatter(int phase, const Axis& y, const Axis& x) const {
        const Cube whole = location().cube;
        if (!phases()) return add_phase(phase, y, x, whole);
        const Cube output =
            to_.new_cube(tensor(n_.outputs[0]).name + " phase", x.count, y.count, out_.channels);
        return to_.add_scatter(index_, output, whole, y.first, x.first, w_.stride_h, w_.stride_w,
                               add_phase(phase, y, x, output));
    }

    Cube new_phases(int height, int width) const {
        return to_.new_rubik_cube(tensor(n_.outputs[0]).name + " phases", width, height,
                                  atoms_ * count());
    }

    /// Size of what RUBIK writes.
    Cube contracted(const Axis& y, const Axis& x) const {
        Cube cube;
        cube.height = y.count * w_.stride_h;
        cube.width = x.count * w_.stride_w;
        cube.channels = out_.channels;
        return cube;
    }

    void add_output(const Axis& y, const Axis& x) const {
        const Cube all = contracted(y, x);
        to_.add_contracted(index_, all, -y.first, -x.first, out_.height, out_.width);
    }

    std::vector<int> contract(const Cube& phases, const Axis& y, const Axis& x,
                              const std::vector<int>& after) const {
        const Cube all = contracted(y, x);
        Cube output = location().cube;
        output.place.offset -=
            at(-y.first) * output.line_stride + at(-x.first) * at(to_.sizes_.atom_bytes);
        output.height = all.height;
        output.width = all.width;
        return {to_.add_contract(index_, phases, output, w_.stride_h, w_.stride_w, after)};
    }

    void at_once() const {
        const Axis y = whole_rows(), x = whole_columns();
        add_output(y, x);
        const Cube output = new_phases(y.count, x.count);
        ConvLayer conv = window(y, x);
        conv.kernels = output.channels;
        std::vector<std::int8_t> weights;
        LayerTarget target = target_;
        std::uint64_t all_macs = 0;
        for (int phase = 0; phase < count(); ++phase) {
            for (int k = 0; k < atoms_; ++k)
                add_kernel(conv, phase, k, weights, target);
            all_macs += macs(row_axis(phase / w_.stride_w), column_axis(phase % w_.stride_w));
        }
        const std::vector<int> writers = to_.add_requantised_conv(
            index_, {std::move(conv), in_.cube, std::move(weights), in_.writers, all_macs}, target,
            output);
        for (const int writer : writers)
            to_.layers[at(writer)].choice = fmt::format("{} phases at once", count());
        location().writers = contract(output, y, x, writers);
    }

    Lowering& to_;
    const int index_;
    const graph::Node& n_;
    const graph::Window& w_;
    Location in_;
    Shape from_;
    const Shape out_;
    const int zero_;
    const std::vector<double> factors_;
    std::vector<std::int8_t> weights_;
    LayerTarget target_;
    int atoms_ = 0;  ///< channels of a phase, with those that fill its last atom
};

void Lowering::lower(int index, const graph::TransposeConv& op) {
    const Transposed transposed(*this, index, op);
    choose_way(transposed.ways(), [&](Way way) { transposed.lower(way); });
}

}  // namespace macrame::dla::compiler
