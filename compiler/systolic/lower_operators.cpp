/// Operators, by kind.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <tuple>
#include <utility>

#include "compiler/graph/at.hpp"
#include "compiler/graph/kernels.hpp"
#include "compiler/graph/quantised.hpp"
#include "compiler/systolic/lower.hpp"
#include "compiler/systolic/weights.hpp"

namespace macrame::systolic::compiler {

using graph::Node;
using graph::Tensor;
using graph::TensorId;

namespace {

constexpr int kMostMargin = 255;

bool same_quantisation(const Tensor& a, const Tensor& b) {
    return a.quantisation.scale == b.quantisation.scale &&
           a.quantisation.zero_point == b.quantisation.zero_point;
}

Window window_of(const graph::Window& w) {
    return {w.kernel_h,   w.kernel_w,   w.stride_h, w.stride_w,
            w.dilation_h, w.dilation_w, w.top,      w.left};
}

/// Zero point and limits of an output.
Scale for_output(const Tensor& output, graph::Activation activation) {
    Scale scale;
    scale.zero_point = zero_of(output);
    std::tie(scale.low, scale.high) = graph::bounds(activation, output);
    return scale;
}

graph::Activation activation_of(graph::Function function) {
    switch (function) {
        case graph::Function::relu:
            return graph::Activation::relu;
        case graph::Function::relu6:
            return graph::Activation::relu6;
        case graph::Function::relu_n1_to_1:
            return graph::Activation::relu_n1_to_1;
        default:
            throw Unsupported{
                "ALU has no operation for it: want RELU, RELU6, or a table of the host"};
    }
}

/// The numbers of elements that windows have, without padding.
std::set<int> elements_of(const Window& w, const TensorLayout& input, const TensorLayout& output) {
    const auto counts = [](int outputs, int size, int kernel, int stride, int padding) {
        std::set<int> found;
        for (int i = 0; i < outputs; ++i) {
            const int begin = i * stride - padding;
            found.insert(std::min(size, begin + kernel) - std::max(0, begin));
        }
        return found;
    };
    std::set<int> out;
    for (const int y : counts(output.height, input.height, w.height, w.stride_y, w.top))
        for (const int x : counts(output.width, input.width, w.width, w.stride_x, w.left))
            out.insert(y * x);
    return out;
}

}  // namespace

std::vector<std::int32_t> integers(const graph::Graph& graph, TensorId id) {
    Node reader;
    reader.inputs = {id};
    const std::vector<const graph::Bytes*> bytes = {&graph.tensor(id).data.bytes()};
    return graph::Call{graph, reader, bytes}.integers();
}

void Lowering::lower(int index) {
    const Node& n = graph_.nodes[at(index)];
    if (const auto* op = std::get_if<graph::Conv>(&n.op)) return lower_conv(index, *op);
    if (const auto* op = std::get_if<graph::TransposeConv>(&n.op))
        return lower_transpose_conv(index, *op);
    if (const auto* op = std::get_if<graph::FullyConnected>(&n.op))
        return lower_fully_connected(index, *op);
    if (const auto* op = std::get_if<graph::MatMul>(&n.op)) return lower_matmul(index, *op);
    if (const auto* op = std::get_if<graph::Binary>(&n.op)) return lower_binary(index, *op);
    if (const auto* op = std::get_if<graph::Pool>(&n.op)) return lower_pool(index, *op);
    if (const auto* op = std::get_if<graph::Mean>(&n.op)) return lower_mean(index, *op);
    if (const auto* op = std::get_if<graph::Unary>(&n.op)) return lower_unary(index, *op);
    if (const auto* op = std::get_if<graph::Concat>(&n.op)) return lower_concat(index, *op);
    if (const auto* op = std::get_if<graph::Slice>(&n.op))
        return lower_slice(index, 0, op->begin, op->stride);
    if (const auto* op = std::get_if<graph::Split>(&n.op)) return lower_split(index, *op);
    if (const auto* op = std::get_if<graph::Pad>(&n.op)) return lower_pad(index, *op);
    if (const auto* op = std::get_if<graph::Transpose>(&n.op)) return lower_transpose(index, *op);
    if (const auto* op = std::get_if<graph::Resize>(&n.op)) return lower_resize(index, *op);
    if (std::holds_alternative<graph::Prelu>(n.op)) return lower_slopes(index);
    if (std::holds_alternative<graph::Reshape>(n.op)) return pass_on(index);
    if (std::holds_alternative<graph::Requantise>(n.op))
        return copy(index, n.inputs[0], picture(n.inputs[0]), n.outputs[0],
                    new_value(n.outputs[0]));
    throw Unsupported{
        "the array and ALU have no operation for it: want the host to do it (without --no-host)"};
}

void Lowering::add_conv(int index, ConvLayer layer, const Value& in, const Value& out,
                        graph::Activation activation) {
    const Node& n = graph_.nodes[at(index)];
    const Tensor& output = tensor(n.outputs[0]);
    layer.name = output.name;
    layer.input = in.surface;
    layer.output = out.surface;
    layer.pad_value = zero_of(tensor(n.inputs[0]));
    const auto* conv = std::get_if<graph::Conv>(&n.op);
    if (conv != nullptr && conv->sums == graph::Sums::bytes) {
        // STORE writes the bytes of a sum side by side.
        layer.output.element = kSumBytes;
        layer.output.channels /= kSumBytes;
        layer.output.block /= kSumBytes;
        if (architecture_.exact)
            tell(index, "sums as they are", std::vector<Fit>(at(layer.filters())));
        operations.push_back({index, std::move(layer), {in.area}, out.area});
        return;
    }
    std::vector<std::int32_t> bias(at(layer.filters()));
    if (n.inputs.size() > 2 && n.inputs[2] != graph::kNone) bias = integers(graph_, n.inputs[2]);
    const std::vector<double> factors = graph::output_factors(graph_, n);
    const int channels = layer.input.channels / layer.groups;
    const int filters = layer.filters() / layer.groups;
    for (int m = 0; m < layer.filters(); ++m) {
        std::int64_t sum = 0;
        for (int r = 0; r < layer.window.height; ++r)
            for (int s = 0; s < layer.window.width; ++s)
                for (int c = 0; c < channels; ++c)
                    sum += layer.weights(m, r, s, m / filters * channels + c);
        Scale scale = for_output(output, activation);
        scale.bias = static_cast<std::int32_t>(bias[at(m)] - layer.pad_value * sum);
        set_factor(scale, factors[at(m)]);
        layer.scales.push_back(scale);
    }
    if (architecture_.exact) set_exact_scales(index, layer, factors);
    operations.push_back({index, std::move(layer), {in.area}, out.area});
}

/// The picture as it is, or a copy with more padding around it than GEMM has fields for.
Value Lowering::with_margin(int index, const Value& in, const graph::Window& w, Window& window) {
    const int most = std::max({w.top, w.left, w.bottom, w.right});
    if (most <= kMostPadding) return in;
    if (most > kMostMargin)
        throw Unsupported{fmt::format("padding of {}: want at most {}", most, kMostMargin)};
    const TensorId id = graph_.nodes[at(index)].inputs[0];
    TensorLayout size = in.surface;
    size.height += w.top + w.bottom;
    size.width += w.left + w.right;
    Value whole = temporary(size, tensor(id).name);
    Area& area = areas[at(whole.area)];
    area.keep = area.bordered = true;
    area.fill = static_cast<std::int8_t>(zero_of(tensor(id)));
    const Value rows = part_of(whole, 0, w.top, in.surface);
    copy(index, id, in, id, part_of(rows, 1, w.left, in.surface));
    window.top = window.left = 0;
    return whole;
}

void Lowering::lower_conv(int index, const graph::Conv& op) {
    const Node& n = graph_.nodes[at(index)];
    const TensorLayout out = *size_of(tensor(n.outputs[0]));
    const int kernels = tensor(n.inputs[1]).shape[0];
    ConvLayer layer;
    layer.window = window_of(op.window);
    const Value in = with_margin(index, picture(n.inputs[0]), op.window, layer.window);
    layer.out_height = out.height;
    layer.out_width = out.width;
    layer.groups = op.groups;
    layer.bordered = shares_rows(n) && in.bordered;
    const graph::Window& w = op.window;
    const int channels = in.surface.channels / op.groups, filters = kernels / op.groups;
    const auto values = whole_weights(graph_, n.inputs[1]);
    layer.weights = [=](int m, int r, int s, int c) {
        const int own = c - m / filters * channels;
        if (own < 0 || own >= channels) return 0;
        return (
            *values)[((at(m) * at(w.kernel_h) + at(r)) * at(w.kernel_w) + at(s)) * at(channels) +
                     at(own)];
    };
    const Value repeated = repeat_input(layer, in, kernels, terms_of(*values));
    add_conv(index, std::move(layer), repeated, new_value(n.outputs[0]), op.activation);
}

/// A convolution of a window as large as what was flattened, or of 1 x 1.
void Lowering::lower_fully_connected(int index, const graph::FullyConnected& op) {
    const Node& n = graph_.nodes[at(index)];
    const auto found = values_.find(n.inputs[0]);
    if (found == values_.end())
        throw Unsupported{"an input that is constant: want one that is computed"};
    const Value& in = found->second;
    const Tensor& weights = tensor(n.inputs[1]);
    const TensorLayout& s = in.surface;
    const int length = weights.shape[1];
    ConvLayer layer;
    if (s.height * s.width * s.channels == length) {
        layer.window.height = s.height;
        layer.window.width = s.width;
    } else if (s.channels == length) {
        const auto out = size_of(tensor(n.outputs[0]));
        if (!out || out->height != s.height || out->width != s.width)
            throw Unsupported{
                "rows in another form than they have in memory: want that of its "
                "input",
                graph::maker(graph_, n.inputs[0])};
        layer.out_height = s.height;
        layer.out_width = s.width;
    } else {
        throw Unsupported{"rows that are not those of its input: want a reshape that keeps them"};
    }
    const auto values = whole_weights(graph_, n.inputs[1]);
    const int width = layer.window.width, channels = s.channels;
    layer.weights = [=](int m, int row, int column, int c) {
        return (*values)[at(m) * at(length) + (at(row) * at(width) + at(column)) * at(channels) +
                         at(c)];
    };
    const int kernels = tensor(n.inputs[1]).shape[0];
    const Value repeated = repeat_input(layer, in, kernels, terms_of(*values));
    add_conv(index, std::move(layer), repeated, new_value(n.outputs[0]), op.activation);
}

void Lowering::add(int index, AluLayer layer, const std::vector<const Value*>& in,
                   const Value& out) {
    Operation operation;
    operation.node = index;
    for (const Value* value : in) {
        layer.inputs.push_back(value->surface);
        operation.reads.push_back(value->area);
    }
    layer.output = out.surface;
    layer.name = tensor(graph_.nodes[at(index)].outputs[0]).name;
    operation.writes = out.area;
    operation.layer = std::move(layer);
    operations.push_back(std::move(operation));
}

void Lowering::copy(int index, TensorId from, const Value& in, TensorId to, const Value& out,
                    graph::Activation activation) {
    Scale scale = for_output(tensor(to), activation);
    AluLayer layer;
    const bool clamps = scale.low > -128 || scale.high < 127;
    if (architecture_.exact) {
        bool needed = false;
        scale = exact_copy(index, tensor(from), tensor(to), scale, needed);
        if (needed) layer.scale = [scale](int, int) { return scale; };
    } else if (clamps || !same_quantisation(tensor(from), tensor(to))) {
        scale.bias = -zero_of(tensor(from));
        set_factor(scale, scale_of(tensor(from)) / scale_of(tensor(to)));
        layer.scale = [scale](int, int) { return scale; };
    }
    add(index, std::move(layer), {&in}, out);
}

void Lowering::lower_binary(int index, const graph::Binary& op) {
    const Node& n = graph_.nodes[at(index)];
    if (constant(n.inputs[0]) || constant(n.inputs[1])) return lower_affine(index, op);
    const Tensor &a = tensor(n.inputs[0]), &b = tensor(n.inputs[1]), &y = tensor(n.outputs[0]);
    const Value &first = picture(n.inputs[0]), &second = picture(n.inputs[1]);
    if (a.shape != b.shape)
        throw Unsupported{"an operand that is broadcast: want two of one shape"};
    AluLayer layer;
    const bool sum = op.function == graph::Arithmetic::add || op.function == graph::Arithmetic::sub;
    if (sum && architecture_.exact) {
        layer = exact_sum(index, op, for_output(y, op.activation));
    } else if (sum) {
        const double largest = std::max(scale_of(a), scale_of(b));
        const auto factor = [&](const Tensor& t) {
            return static_cast<int>(std::lround(scale_of(t) / largest * kMostFactor));
        };
        const int sign = op.function == graph::Arithmetic::add ? 1 : -1;
        layer.factors = {factor(a), sign * factor(b)};
        Scale scale = for_output(y, op.activation);
        scale.bias = -(layer.factors[0] * zero_of(a) + layer.factors[1] * zero_of(b));
        set_factor(scale, largest / kMostFactor / scale_of(y));
        layer.scale = [scale](int, int) { return scale; };
    } else if (op.function == graph::Arithmetic::maximum ||
               op.function == graph::Arithmetic::minimum) {
        if (!same_quantisation(a, b) || !same_quantisation(a, y))
            throw Unsupported{
                "operands with different quantisations: want one scale and zero point for both"};
        layer.op = op.function == graph::Arithmetic::maximum ? AluOp::max : AluOp::min;
    } else {
        throw Unsupported{"ALU has no products of two tensors: want a constant"};
    }
    add(index, std::move(layer), {&first, &second}, new_value(n.outputs[0]));
}

/// A constant for all, or one for each channel: a factor and an addend of STORE.
void Lowering::lower_affine(int index, const graph::Binary& op) {
    const Node& n = graph_.nodes[at(index)];
    const bool swapped = constant(n.inputs[0]);
    const TensorId from = n.inputs[swapped ? 1 : 0], by = n.inputs[swapped ? 0 : 1];
    const Tensor &x = tensor(from), &k = tensor(by), &y = tensor(n.outputs[0]);
    const Value& in = picture(from);
    const std::vector<std::int32_t> values = integers(graph_, by);
    const auto channels = at(in.surface.channels);
    if (values.size() != 1 && (values.size() != channels || at(k.shape.back()) != channels))
        throw Unsupported{"a constant: want one number, or one for each channel"};
    AluLayer layer;
    layer.factors = {kMostFactor};
    const Scale output = for_output(y, op.activation);
    const graph::Arithmetic function = op.function;
    const bool larger = function == graph::Arithmetic::maximum;
    if (larger || function == graph::Arithmetic::minimum) {
        if (!same_quantisation(x, k) || !same_quantisation(x, y))
            throw Unsupported{
                "operands with different quantisations: want one scale and zero point for both"};
        layer.factors.clear();
        layer.scale = [=](int channel, int) {
            Scale scale = output;
            scale.zero_point = 0;
            scale.multiplier = 1;
            const int limit = values[values.size() == 1 ? 0 : at(channel)];
            (larger ? scale.low : scale.high) = limit;
            return scale;
        };
        return add(index, std::move(layer), {&in}, new_value(n.outputs[0]));
    }
    const auto zero_k = zero_of(k), zero_x = zero_of(x);
    const double scale_k = scale_of(k), scale_x = scale_of(x), scale_y = scale_of(y);
    if (architecture_.exact) {
        layer = exact_affine(index, op, swapped ? 1 : 0, values, output);
        return add(index, std::move(layer), {&in}, new_value(n.outputs[0]));
    }
    layer.scale = [=](int channel, int) {
        Scale scale = output;
        const double real = scale_k * (values[values.size() == 1 ? 0 : at(channel)] - zero_k);
        double factor = scale_x, offset = 0;  // real result: factor * (x - zero) + offset
        if (function == graph::Arithmetic::mul) {
            factor *= real;
        } else if (function == graph::Arithmetic::add) {
            offset = real;
        } else {
            factor = swapped ? -scale_x : scale_x;
            offset = swapped ? real : -real;
        }
        if (factor != 0)
            scale.bias = static_cast<std::int32_t>(
                std::clamp(kMostFactor * (offset / factor - zero_x), -2e9, 2e9));
        set_factor(scale, factor / scale_y / kMostFactor);
        return scale;
    };
    add(index, std::move(layer), {&in}, new_value(n.outputs[0]));
}

void Lowering::add_average(int index, const Window& window, graph::Activation activation) {
    const Node& n = graph_.nodes[at(index)];
    const Tensor &x = tensor(n.inputs[0]), &y = tensor(n.outputs[0]);
    AluLayer layer;
    layer.window = window;
    const Scale output = for_output(y, activation);
    if (architecture_.exact) {
        layer.scale = exact_average(
            index, elements_of(window, picture(n.inputs[0]).surface, *size_of(y)), output);
        return add(index, std::move(layer), {&picture(n.inputs[0])}, new_value(n.outputs[0]));
    }
    const bool same = same_quantisation(x, y);
    const bool tflite = graph_.rounding == graph::Rounding::tflite;
    const int zero = zero_of(x), middle = tflite ? -graph::shift_of(x) : 0;
    const double factor = scale_of(x) / scale_of(y);
    layer.scale = [=](int, int elements) {
        Scale scale = output;
        if (same) {
            // A little more than 1 / n: halves go away from the middle on both sides.
            scale.zero_point = middle;
            scale.bias = -middle * elements;
            set_factor(scale, (1 + std::ldexp(1.0, -17)) / elements);
        } else {
            scale.bias = -zero * elements;
            set_factor(scale, factor / elements);
        }
        return scale;
    };
    add(index, std::move(layer), {&picture(n.inputs[0])}, new_value(n.outputs[0]));
}

void Lowering::lower_pool(int index, const graph::Pool& op) {
    const Node& n = graph_.nodes[at(index)];
    if (op.window.dilation_h > 1 || op.window.dilation_w > 1) throw Unsupported{"dilation: want 1"};
    const Window window = window_of(op.window);
    if (op.function == graph::Pooling::average) return add_average(index, window, op.activation);
    AluLayer layer;
    layer.op = AluOp::max;
    layer.window = window;
    const Tensor &x = tensor(n.inputs[0]), &y = tensor(n.outputs[0]);
    Scale scale = for_output(y, op.activation);
    if (architecture_.exact) {
        bool needed = false;
        scale = exact_copy(index, x, y, scale, needed);
        if (needed) layer.scale = [scale](int, int) { return scale; };
    } else if (scale.low > -128 || scale.high < 127 || !same_quantisation(x, y)) {
        scale.bias = -zero_of(x);
        set_factor(scale, scale_of(x) / scale_of(y));
        layer.scale = [scale](int, int) { return scale; };
    }
    add(index, std::move(layer), {&picture(n.inputs[0])}, new_value(n.outputs[0]));
}

void Lowering::lower_mean(int index, const graph::Mean& op) {
    const Node& n = graph_.nodes[at(index)];
    if (op.axes != std::vector<int>{1, 2} || tensor(n.inputs[0]).shape.size() != 4)
        throw Unsupported{"axes: want height and width"};
    const TensorLayout& s = picture(n.inputs[0]).surface;
    Window window;
    window.height = s.height;
    window.width = s.width;
    add_average(index, window, graph::Activation::none);
}

void Lowering::lower_unary(int index, const graph::Unary& op) {
    const Node& n = graph_.nodes[at(index)];
    if (op.function == graph::Function::leaky_relu || op.function == graph::Function::abs)
        return lower_slopes(index);
    const graph::Activation activation = activation_of(op.function);
    copy(index, n.inputs[0], picture(n.inputs[0]), n.outputs[0], new_value(n.outputs[0]),
         activation);
}

}  // namespace macrame::systolic::compiler
