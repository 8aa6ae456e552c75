#include "compiler/dla/convolutions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/geometry.hpp"
#include "compiler/dla/limits.hpp"
#include "compiler/graph/quantised.hpp"

namespace macrame::dla::compiler {

namespace {

/// Element of the bias of a node; 0 if it has none.
std::int64_t bias_of(const Context& context, const graph::Node& node, std::size_t kernel) {
    const bool bias = node.inputs.size() > 2 && node.inputs[2] != graph::kNone;
    return bias ? word(context.tensor(node.inputs[2]), kernel) : 0;
}

const graph::Tensor& constant_weights(const Context& context, const graph::Node& node) {
    const graph::Tensor& weights = context.tensor(node.inputs[1]);
    if (!weights.constant) throw Unsupported{"weights: want a constant"};
    return weights;
}

}  // namespace

std::vector<std::int8_t> split(const model::Architecture& sizes,
                               const std::vector<std::int16_t>& weights, int channels, int terms) {
    const std::size_t each = at(channels), step = round_up(each, at(sizes.atom_bytes));
    const std::size_t tap = at(repeated_channels(sizes, channels, terms));
    std::vector<std::int8_t> out(weights.size() / each * tap, 0);
    if (terms == 1) {  // as they are
        std::transform(weights.begin(), weights.end(), out.begin(),
                       [](std::int16_t w) { return static_cast<std::int8_t>(w); });
        return out;
    }
    for (std::size_t i = 0; i < weights.size(); ++i) {
        int rest = weights[i];
        for (std::size_t place = i / each * tap + i % each; rest != 0; place += step) {
            out[place] = static_cast<std::int8_t>(std::clamp(rest, -128, 127));
            rest -= out[place];
        }
    }
    return out;
}

// ---------------------------------------------------------------- convolutions

std::optional<ConvLayer> ConvParts::border(const Context& context, int index, const Location& in) {
    const graph::Node& node = context.node(index);
    const Shape out = shape_of(context.tensor(node.outputs[0]));
    const ConvLayer conv =
        geometry(context, index, std::get<graph::Conv>(node.op).window, in, out.height, out.width);
    if (!wants_border(conv)) return std::nullopt;
    return conv;
}

Location ConvParts::with_border(const model::Architecture& sizes, const ConvLayer& conv) {
    const Cube& read = std::get<Cube>(conv.input);
    Location out;
    out.cube = packed_cube(sizes, conv.left + read.width + conv.right,
                           conv.top + read.height + conv.bottom, read.channels);
    return out;
}

ConvParts::ConvParts(const Context& context, int index, const Location& in, bool bordered)
    : context_(context), index_(index), node_(context.node(index)), form_(in.form) {
    const graph::Conv& op = std::get<graph::Conv>(node_.op);
    const model::Architecture& sizes = context.sizes;
    const graph::Tensor& weights = constant_weights(context, node_);
    const Shape shape = shape_of(context.tensor(node_.inputs[0]));
    const Shape out = shape_of(context.tensor(node_.outputs[0]));
    const int kernels = weights.shape[0];
    positions_ = op.window.kernel_h * op.window.kernel_w;
    group_in_ = shape.channels / op.groups;
    group_out_ = kernels / op.groups;
    terms_ = context.searches.weights(weights).terms;
    graph::Window window = op.window;
    if (bordered) window.top = window.left = window.bottom = window.right = 0;
    const ConvLayer conv = geometry(context, index, window, in, out.height, out.width);
    // Groups side by side in one layer, as many as make whole atoms; zeros where they do not meet.
    const int atom = sizes.atom_bytes;
    int groups = op.groups;
    if (op.groups > 1) {
        int unit = 1;  // groups whose channels are whole atoms at both ends
        while (unit < op.groups && (unit * group_in_ % atom != 0 || unit * group_out_ % atom != 0))
            ++unit;
        const int lanes = block_channels(sizes, conv, shape.channels, unit * group_in_,
                                         std::max(1, group_out_ / group_in_));
        groups = std::min(op.groups, std::max(unit, lanes / group_in_ / unit * unit));
    }
    for (int g = 0; g < op.groups; g += groups) {
        const int count = std::min(groups, op.groups - g);
        GroupedConv part;
        part.input = g * group_in_;
        part.inputs = count * group_in_;
        part.kernel = g * group_out_;
        part.kernels = count * group_out_;
        part.layer = conv;
        part.layer.kernels = part.kernels;
        if (!in.form) {
            Cube& read = std::get<Cube>(part.layer.input);
            read = packed_cube(sizes, read.width, read.height,
                               repeated_channels(sizes, part.inputs, terms_));
        }
        part.target = target(part.kernel, part.kernels);
        all_.push_back(std::move(part));
    }
}

LayerTarget ConvParts::target(int first, int count) const {
    const graph::Tensor& to = context_.tensor(node_.outputs[0]);
    const auto [low, high] = graph::bounds(std::get<graph::Conv>(node_.op).activation, to);
    const std::vector<double> factors = graph::output_factors(context_.graph, node_);
    const int input_zero = zero_point(context_.tensor(node_.inputs[0]));
    const WeightSums& sums = context_.searches.weights(context_.tensor(node_.inputs[1]));
    LayerTarget out{rounding_of(context_.graph), zero_point(to), low, high, {}};
    for (int k = first; k < first + count; ++k)
        out.channels.push_back(channel_target(sums.kernels[at(k)], bias_of(context_, node_, at(k)),
                                              input_zero, factors[at(k)]));
    return out;
}

std::vector<std::int8_t> ConvParts::weights(const GroupedConv& part) {
    // The host makes four components of three; their weights are 0.
    const int lanes = form_ ? form_->components * form_->columns : part.inputs;
    if (distances_.empty()) distances_ = distances(context_.tensor(node_.inputs[1]));
    std::vector<std::int16_t> out(at(part.kernels) * at(positions_) * at(lanes), 0);
    for (int k = 0; k < part.kernels; ++k) {
        const int first = k / group_out_ * group_in_;
        for (int p = 0; p < positions_; ++p) {
            const auto from =
                distances_.begin() + (std::ptrdiff_t{part.kernel + k} * positions_ + p) * group_in_;
            std::copy(from, from + group_in_,
                      out.begin() + (std::ptrdiff_t{k} * positions_ + p) * lanes + first);
        }
    }
    return split(context_.sizes, out, lanes, terms_);
}

std::uint64_t ConvParts::macs(const GroupedConv& part) const {
    return at(part.layer.out_h) * at(part.layer.out_w) * at(positions_ * group_in_) *
           at(part.kernels);
}

// ---------------------------------------------------------------- fully connected layers

void check_fully_connected(const Context& context, int index, const Cube& in) {
    const graph::Node& n = context.node(index);
    const int inputs = constant_weights(context, n).shape[1];
    const std::size_t elements = context.tensor(n.inputs[0]).elements();
    if (elements != at(inputs) && in.channels != inputs)
        throw Unsupported{fmt::format("{} elements for weights of {}: want one row, or pixels",
                                      elements, inputs)};
}

FullyConnectedConv fully_connected(const Context& context, int index, const Cube& in, int terms) {
    const graph::Node& n = context.node(index);
    const auto& op = std::get<graph::FullyConnected>(n.op);
    const graph::Tensor& weights = constant_weights(context, n);
    const graph::Tensor &from = context.tensor(n.inputs[0]), &to = context.tensor(n.outputs[0]);
    const int kernels = weights.shape[0], inputs = weights.shape[1];
    // One row as large as what was flattened, or pixels that are rows.
    const bool one = from.elements() == at(inputs);
    const bool vector = in.channels == repeated_channels(context.sizes, inputs, terms);
    FullyConnectedConv out;
    const WeightSums& sums = context.searches.weights(weights);
    const std::vector<double> factors = graph::output_factors(context.graph, n);
    const auto [low, high] = graph::bounds(op.activation, to);
    out.target = {rounding_of(context.graph), zero_point(to), low, high, {}};
    if (op.rounds_once && out.target.rounding == Rounding::tflite)
        out.target.rounding = Rounding::tflite_once;
    for (int k = 0; k < kernels; ++k)
        out.target.channels.push_back(channel_target(sums.kernels[at(k)],
                                                     bias_of(context, n, at(k)), zero_point(from),
                                                     factors[factors.size() > 1 ? at(k) : 0]));
    out.input = in;
    out.row = one && vector && in.channels > most_size();
    if (out.row) out.input = row_of(context.sizes, in);
    graph::Window window;
    if (one) {
        window.kernel_h = out.input.height;
        window.kernel_w = out.input.width;
    }
    out.height = one ? 1 : in.height;
    out.width = one ? 1 : in.width;
    out.layer = geometry(context, index, window, out.input, out.height, out.width);
    out.layer.kernels = kernels;
    return out;
}

// ---------------------------------------------------------------- transposed convolutions

namespace {

using Axis = TransposedConv::Axis;

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

int TransposedConv::terms(const Context& context, int index) {
    return context.searches.weights(constant_weights(context, context.node(index))).terms;
}

TransposedConv::TransposedConv(const Context& context, int index, const Cube& in)
    : context_(context),
      node_(context.node(index)),
      window_(std::get<graph::TransposeConv>(node_.op).window),
      in_(in),
      out_(shape_of(context.tensor(node_.outputs[0]))),
      zero_(zero_point(context.tensor(node_.inputs[0]))),
      factors_(graph::output_factors(context.graph, node_)) {
    const graph::Tensor& to = context.tensor(node_.outputs[0]);
    weights_ = split(context.sizes, distances(constant_weights(context, node_)),
                     shape_of(context.tensor(node_.inputs[0])).channels, terms(context, index));
    const auto [low, high] = graph::bounds(std::get<graph::TransposeConv>(node_.op).activation, to);
    target_ = {rounding_of(context.graph), zero_point(to), low, high, {}};
    atoms_ = static_cast<int>(round_up(at(out_.channels), at(context.sizes.atom_bytes)));
}

Axis TransposedConv::row_axis(int phase) const {
    return phase_axis(phase / window_.stride_w, in_.height, out_.height, window_.kernel_h,
                      window_.stride_h, window_.top);
}

Axis TransposedConv::column_axis(int phase) const {
    return phase_axis(phase % window_.stride_w, in_.width, out_.width, window_.kernel_w,
                      window_.stride_w, window_.left);
}

bool TransposedConv::can_contract() const {
    const int width = div_up(out_.width, window_.stride_w) + 1;  // at most
    const int height = div_up(out_.height, window_.stride_h) + 1;
    return compiler::can_contract(context_.sizes, width, height, atoms_, window_.stride_h,
                                  window_.stride_w);
}

ConvLayer TransposedConv::layer(const Axis& y, const Axis& x) const {
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
    conv.input = part_of(context_.sizes, in_, y.begin, x.begin, y.size, x.size);
    return conv;
}

/// The kernel of an output channel for a phase; zeros where the window is larger than it.
void TransposedConv::add_kernel(const ConvLayer& conv, int phase, int k, Part& part) const {
    std::vector<std::int8_t>& weights = part.weights;
    for (int r = conv.kernel_h - 1; r >= 0; --r) {
        for (int c = conv.kernel_w - 1; c >= 0; --c) {
            const int row = phase / window_.stride_w + window_.stride_h * r;
            const int column = phase % window_.stride_w + window_.stride_w * c;
            if (k < out_.channels && row < window_.kernel_h && column < window_.kernel_w) {
                const auto tap =
                    weights_.begin() +
                    ((std::ptrdiff_t{k} * window_.kernel_h + row) * window_.kernel_w + column) *
                        in_.channels;
                weights.insert(weights.end(), tap, tap + in_.channels);
            } else {
                weights.insert(weights.end(), at(in_.channels), 0);
            }
        }
    }
    const std::size_t kernel = at(conv.kernel_h * conv.kernel_w * in_.channels);
    const std::int64_t bias = k < out_.channels ? bias_of(context_, node_, at(k)) : 0;
    part.target.channels.push_back(
        channel_target(kernel_sums(&weights[weights.size() - kernel], kernel), bias, zero_,
                       factors_[at(std::min(k, out_.channels - 1))]));
}

std::uint64_t TransposedConv::macs(const Axis& y, const Axis& x) const {
    return static_cast<std::uint64_t>(y.count) * static_cast<unsigned>(x.count) *
           at(std::max(y.taps, 1) * std::max(x.taps, 1)) * at(in_.channels) * at(out_.channels);
}

std::vector<TransposedConv::Part> TransposedConv::phases() const {
    std::vector<Part> out;
    for (int phase = 0; phase < count(); ++phase) {
        Part part;
        part.rows = row_axis(phase);
        part.columns = column_axis(phase);
        if (part.rows.count == 0 || part.columns.count == 0) continue;
        part.layer = layer(part.rows, part.columns);
        part.layer.kernels = out_.channels;
        part.target = target_;
        for (int k = 0; k < out_.channels; ++k)
            add_kernel(part.layer, phase, k, part);
        part.macs = macs(part.rows, part.columns);
        out.push_back(std::move(part));
    }
    return out;
}

TransposedConv::Part TransposedConv::at_once() const {
    Part part;
    part.rows =
        whole_axis(in_.height, out_.height, window_.kernel_h, window_.stride_h, window_.top);
    part.columns =
        whole_axis(in_.width, out_.width, window_.kernel_w, window_.stride_w, window_.left);
    part.layer = layer(part.rows, part.columns);
    part.layer.kernels = atoms_ * count();
    part.target = target_;
    for (int phase = 0; phase < count(); ++phase) {
        for (int k = 0; k < atoms_; ++k)
            add_kernel(part.layer, phase, k, part);
        part.macs += macs(row_axis(phase), column_axis(phase));
    }
    return part;
}

// ---------------------------------------------------------------- means

MeanTarget mean_target(const Context& context, int index, const Cube& in) {
    const graph::Node& n = context.node(index);
    const graph::Mean& op = std::get<graph::Mean>(n.op);
    const graph::Tensor &from = context.tensor(n.inputs[0]), &to = context.tensor(n.outputs[0]);
    const auto over = [&](int axis) {
        return std::count(op.axes.begin(), op.axes.end(), axis) != 0;
    };
    MeanTarget out;
    out.over_channels = over(3);
    out.window.kernel_h = over(1) ? in.height : 1;
    out.window.kernel_w = over(2) ? in.width : 1;
    const Shape shape{in.height / out.window.kernel_h, in.width / out.window.kernel_w,
                      over(3) ? 1 : in.channels};
    if (from.shape.size() != 4 || over(0) || !(shape_of(to) == shape))
        throw Unsupported{"mean: want axes of height, width and channels whose place is kept"};
    const int count = out.window.kernel_h * out.window.kernel_w * (over(3) ? in.channels : 1);
    const double factor = double{from.quantisation.scale[0]} / double{to.quantisation.scale[0]};
    out.channel = {factor / count, -std::int64_t{zero_point(from)} * count, -128ll * count,
                   127ll * count};
    if (context.graph.rounding == graph::Rounding::tflite) {
        // The reference divides the mantissa.
        int bits = 0;
        while (2 << bits <= count)
            ++bits;
        const graph::Multiplier whole = graph::multiplier(factor);
        out.channel.mantissa =
            static_cast<std::int32_t>((std::int64_t{whole.mantissa} << bits) / count);
        out.channel.exponent = whole.exponent - bits;
    } else {
        out.channel.factor = double{graph::mean_factor(from, to, count)};
    }
    out.target = {rounding_of(context.graph), zero_point(to), -128, 127, {}};
    return out;
}

}  // namespace macrame::dla::compiler
