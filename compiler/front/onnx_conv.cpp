/// Operators with weights.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "compiler/front/onnx_importers.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::kNone;
using graph::Tensor;
using graph::TensorId;
using graph::Type;

// ---------------------------------------------------------------- windows

std::array<int, 2> pair_of(const OnnxOperator& op, const char* name, int otherwise, int least) {
    const std::vector<std::int64_t> values = op.integers(name);
    if (values.empty()) return {otherwise, otherwise};
    if (values.size() > 2)
        throw Refusal{fmt::format("{} values of {}: want 2 (height and width), or 1 of a line",
                                  values.size(), name)};
    for (const std::int64_t value : values) {
        if (value < least || value > 1 << 20)
            throw Refusal{fmt::format("{} = {}: want {} to {}", name, value, least, 1 << 20)};
    }
    // A line is a picture of one row.
    if (values.size() == 1) return {std::max(otherwise, least), static_cast<int>(values[0])};
    return {static_cast<int>(values[0]), static_cast<int>(values[1])};
}

namespace {

constexpr std::array<const char*, 4> kPaddings = {"NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"};

/// Padding of an axis by auto_pad, if it is not NOTSET.
std::array<int, 2> automatic(const std::string& kind, int size, int kernel, int stride,
                             int dilation) {
    if (kind == "VALID") return {0, 0};
    std::array<int, 2> amounts = graph::same_padding(size, kernel, stride, dilation);
    if (kind == "SAME_LOWER") std::swap(amounts[0], amounts[1]);
    return amounts;
}

std::string padding_kind(const OnnxOperator& op) {
    const std::string kind = op.text("auto_pad", "NOTSET");
    if (std::find(kPaddings.begin(), kPaddings.end(), kind) == kPaddings.end())
        throw Refusal{fmt::format("auto_pad {}: want {}", kind, fmt::join(kPaddings, ", "))};
    return kind;
}

/// top, left, bottom, right.
std::array<int, 4> pads_of(const OnnxOperator& op) {
    std::vector<std::int64_t> values = op.integers("pads");
    if (values.empty()) return {0, 0, 0, 0};
    if (values.size() == 2) values = {0, values[0], 0, values[1]};
    std::array<int, 4> pads{};
    if (values.size() != pads.size())
        throw Refusal{fmt::format("{} values of pads: want 4", values.size())};
    for (std::size_t i = 0; i < pads.size(); ++i) {
        if (values[i] < 0 || values[i] > 1 << 20)
            throw Refusal{fmt::format("pads = {}: want 0 to {}", values[i], 1 << 20)};
        pads[i] = static_cast<int>(values[i]);
    }
    return pads;
}

/// Places of a window along an axis; `behind` grows where a part of a stride counts, too.
int places(int size, int kernel, int stride, int dilation, int before, int& behind, bool ceil) {
    const std::int64_t extent = std::int64_t{kernel - 1} * dilation + 1;
    const std::int64_t room = std::int64_t{size} + before + behind - extent;
    if (room < 0)
        throw Refusal{fmt::format("a kernel over {} of {} elements: want it inside", extent,
                                  std::int64_t{size} + before + behind)};
    std::int64_t count = room / stride + 1;
    if (ceil && room % stride != 0 && count * stride < std::int64_t{size} + before) {
        behind += static_cast<int>(stride - room % stride);
        ++count;
    }
    return static_cast<int>(count);
}

}  // namespace

Placed window_of(const OnnxOperator& op, int height, int width, int kernel_h, int kernel_w) {
    Placed result;
    graph::Window& w = result.window;
    if (std::max(kernel_h, kernel_w) > 1 << 20)
        throw Refusal{fmt::format("a kernel of {}x{}: want less", kernel_h, kernel_w)};
    w.kernel_h = kernel_h;
    w.kernel_w = kernel_w;
    auto kernel = op.integers("kernel_shape");
    if (kernel.size() == 1) kernel.insert(kernel.begin(), 1);
    if (!kernel.empty() && kernel != std::vector<std::int64_t>{kernel_h, kernel_w})
        throw Refusal{fmt::format("kernel_shape {}: want {}x{}, the weights",
                                  fmt::join(kernel, "x"), kernel_h, kernel_w)};
    std::tie(w.stride_h, w.stride_w) = std::tuple_cat(pair_of(op, "strides", 1, 1));
    std::tie(w.dilation_h, w.dilation_w) = std::tuple_cat(pair_of(op, "dilations", 1, 1));
    const std::string kind = padding_kind(op);
    if (kind == "NOTSET") {
        std::tie(w.top, w.left, w.bottom, w.right) = std::tuple_cat(pads_of(op));
    } else {
        std::tie(w.top, w.bottom) =
            std::tuple_cat(automatic(kind, height, kernel_h, w.stride_h, w.dilation_h));
        std::tie(w.left, w.right) =
            std::tuple_cat(automatic(kind, width, kernel_w, w.stride_w, w.dilation_w));
    }
    const bool ceil = op.integer("ceil_mode", 0) != 0;
    result.height = places(height, kernel_h, w.stride_h, w.dilation_h, w.top, w.bottom, ceil);
    result.width = places(width, kernel_w, w.stride_w, w.dilation_w, w.left, w.right, ceil);
    return result;
}

// ---------------------------------------------------------------- weights

namespace {

float element(const Tensor& tensor, std::size_t i) {
    float value = 0;
    std::memcpy(&value, &tensor.data[i * sizeof(float)], sizeof(float));
    return value;
}

void set_element(Tensor& tensor, std::size_t i, float value) {
    std::memcpy(&tensor.data[i * sizeof(float)], &value, sizeof(float));
}

void want_constant(const Tensor& weights) {
    if (!weights.constant)
        throw Refusal{fmt::format("weights {} are computed: want constants", weights.name)};
}

/// Bias k as an integer in the scale of the sums.
std::int32_t bias_element(const Tensor& from, std::size_t k, double unit) {
    const graph::Quantisation& q = from.quantisation;
    double real = 0;
    if (from.type == Type::float32) {
        real = static_cast<double>(element(from, k));
    } else {
        std::int32_t value = 0;
        std::memcpy(&value, &from.data[k * sizeof(value)], sizeof(value));
        if (q.scale.empty()) return value;
        const std::size_t c = q.per_channel() ? k : 0;
        const double scale = static_cast<double>(q.scale[c]);
        // The product of the scales as float32: the integer itself.
        if (q.zero_point[c] == 0 && std::abs(scale - unit) <= 1e-6 * unit) return value;
        real = scale * (static_cast<double>(value) - q.zero_point[c]);
    }
    const double steps = unit > 0 ? std::nearbyint(real / unit) : 0.0;
    return static_cast<std::int32_t>(
        std::clamp(std::isnan(steps) ? 0.0 : steps, -2147483648.0, 2147483647.0));
}

}  // namespace

TensorId OnnxImporters::bias_of(OnnxReader& r, const OnnxOperator& op, const Weighted& w,
                                int kernels) {
    if (!w.bias) return kNone;
    const Tensor from = r.tensor(w.bias->id);
    if (!from.constant)
        throw Refusal{fmt::format("bias {} is computed: want a constant", from.name)};
    if (from.elements() != static_cast<std::size_t>(kernels))
        throw Refusal{fmt::format("bias {} has shape {}: want {}", from.name,
                                  graph::text_of(from.shape), kernels)};
    if (!w.integers) return r.reshaped(op, r.in_float(op, *w.bias).id, {kernels});
    if (from.type != Type::float32 && from.type != Type::int32)
        throw Refusal{fmt::format("bias {} has type {}: want float32 or int32", from.name,
                                  name_of(from.type))};
    const graph::Quantisation& scales = r.tensor(w.weights.id).quantisation;
    const double input = static_cast<double>(r.tensor(w.input.id).quantisation.scale[0]);
    r.budget_.charge(from.data.size());
    Tensor to;
    to.name = from.name;
    to.type = Type::int32;
    to.shape = {kernels};
    to.constant = true;
    to.data.resize(to.bytes());
    for (std::size_t k = 0; k < from.elements(); ++k) {
        const float scale = scales.scale[scales.per_channel() ? k : 0];
        const std::int32_t value = bias_element(from, k, input * static_cast<double>(scale));
        std::memcpy(&to.data[k * sizeof(value)], &value, sizeof(value));
    }
    return r.add_tensor(std::move(to));
}

void OnnxImporters::settle(OnnxReader& r, const OnnxOperator& op, Weighted& w) {
    want_constant(r.tensor(w.weights.id));
    const Tensor& weights = r.tensor(w.weights.id);
    const bool integer_weights =
        weights.type == Type::int8 && w.weights.real && !weights.quantisation.scale.empty();
    if (!integer_weights) w.ending.quantisation.reset();
    w.integers = r.in_integers(op, {&w.input}, w.ending);
    if (!w.integers) w.weights = r.in_float(op, w.weights);
}

bool OnnxImporters::is_line(const OnnxReader& r, const Weighted& w) {
    return w.input.shape.size() == 3 && r.tensor(w.weights.id).shape.size() == 3;
}

/// An input and weights of three axes with one row.
void OnnxImporters::as_picture(OnnxReader& r, const OnnxOperator& op, Weighted& w) {
    const std::vector<int> from = w.input.shape, shape = r.tensor(w.weights.id).shape;
    w.input = in_shape(r, op, w.input, {from[0], from[1], 1, from[2]});
    const graph::Quantisation& q = r.tensor(w.weights.id).quantisation;
    w.weights.id = r.add_move(op, graph::Reshape{}, w.weights.id, {shape[0], shape[1], 1, shape[2]},
                              q.axis == 2 ? 3 : q.axis);
    w.weights.shape = r.tensor(w.weights.id).shape;
}

OnnxValue OnnxImporters::convolve(OnnxReader& r, const OnnxOperator& op, Weighted w) {
    const bool line = is_line(r, w);
    if (line) as_picture(r, op, w);
    const std::vector<int> shape = r.tensor(w.weights.id).shape;
    if (shape.size() != 4 || w.input.shape.size() != 4)
        throw Refusal{
            fmt::format("input of shape {}, weights of shape {}: want one or two axes of a "
                        "picture, three or four in all",
                        graph::text_of(w.input.shape), graph::text_of(shape))};
    const Placed placed = window_of(op, w.input.shape[2], w.input.shape[3], shape[2], shape[3]);
    graph::Conv conv;
    conv.window = placed.window;
    conv.groups = size_of(op.integer("group", 1), "group");
    conv.activation = w.ending.activation;
    const TensorId bias = bias_of(r, op, w, shape[0]);
    const TensorId input = r.image(op, w.input);
    const TensorId weights = r.permuted(op, w.weights.id, {0, 2, 3, 1});
    OnnxValue y;
    y.shape = {w.input.shape[0], shape[0], placed.height, placed.width};
    y.form = Form::image;
    y.real = !w.numbers;
    y.id = w.numbers ? r.add_tensor(w.ending.name, Type::int32, image_shape(y.shape))
                     : r.add_result(w.ending, image_shape(y.shape));
    r.add(op, conv, {input, weights, bias}, {y.id});
    return line ? in_shape(r, op, y, {y.shape[0], y.shape[1], y.shape[3]}) : y;
}

OnnxValue OnnxImporters::connect(OnnxReader& r, const OnnxOperator& op, Weighted w,
                                 bool transposed) {
    TensorId weights = w.weights.id;
    if (r.tensor(weights).shape.size() != 2)
        throw Refusal{fmt::format("weights of shape {}: want two axes",
                                  graph::text_of(r.tensor(weights).shape))};
    if (transposed) weights = r.permuted(op, weights, {1, 0});
    const std::vector<int> shape = r.tensor(weights).shape;
    if (w.input.shape.empty() || w.input.shape.back() != shape[1])
        throw Refusal{fmt::format("input of shape {}, weights for {} channels: want as many",
                                  graph::text_of(w.input.shape), shape[1])};
    const TensorId bias = bias_of(r, op, w, shape[0]);
    TensorId input = w.input.id;
    if (w.input.form == Form::flat) {
        // The order of the input is that of the picture; so is that of the weights.
        const auto [channels, height, width] = w.input.chw;
        weights = r.reshaped(op, weights, {shape[0], channels, height, width});
        weights = r.reshaped(op, r.permuted(op, weights, {0, 2, 3, 1}), shape);
    } else {
        input = r.plain(op, w.input);
    }
    OnnxValue y;
    y.shape = w.input.shape;
    y.shape.back() = shape[0];
    y.real = !w.numbers;
    y.id = w.numbers ? r.add_tensor(w.ending.name, Type::int32, y.shape)
                     : r.add_result(w.ending, y.shape);
    r.add(op, graph::FullyConnected{w.ending.activation}, {input, weights, bias}, {y.id});
    return y;
}

// ---------------------------------------------------------------- operators

namespace {

/// Factor and offset of a batch normalisation for each channel.
struct Affine {
    std::vector<float> factor, offset;
};

Affine affine_of(const std::vector<std::vector<float>>& inputs, float epsilon) {
    const auto& [scale, bias, mean, variance] =
        std::tie(inputs[0], inputs[1], inputs[2], inputs[3]);
    Affine result;
    for (std::size_t c = 0; c < scale.size(); ++c) {
        const double factor =
            static_cast<double>(scale[c]) /
            std::sqrt(static_cast<double>(variance[c]) + static_cast<double>(epsilon));
        result.factor.push_back(static_cast<float>(factor));
        result.offset.push_back(static_cast<float>(static_cast<double>(bias[c]) -
                                                   factor * static_cast<double>(mean[c])));
    }
    return result;
}

}  // namespace

/// A batch normalisation behind a convolution of float32 becomes a part of its weights.
std::optional<int> OnnxImporters::fold_batch_norm(OnnxReader& r, const OnnxOperator& op,
                                                  Weighted& w) {
    const auto reader = r.reader_of(op.node->output(0), op.index);
    if (!reader || r.model_.graph().node(*reader).op_type() != "BatchNormalization")
        return std::nullopt;
    const Tensor weights = r.tensor(w.weights.id);
    const auto kernels = static_cast<std::size_t>(weights.shape.empty() ? 0 : weights.shape[0]);
    const OnnxOperator norm = r.view_of(*reader);
    std::vector<std::vector<float>> inputs;
    if (w.integers || weights.type != Type::float32 || norm.inputs() != 5) return std::nullopt;
    for (std::size_t i = 1; i < 5; ++i) {
        const auto found = r.values_.find(norm.node->input(static_cast<int>(i)));
        if (found == r.values_.end() || !r.tensor(found->second.id).constant) return std::nullopt;
        inputs.push_back(r.reals(norm, i));
        if (inputs.back().size() != kernels) return std::nullopt;
    }
    const Affine affine = affine_of(inputs, norm.real("epsilon", 1e-5F));
    r.budget_.charge(weights.data.size());
    Tensor scaled = weights, bias;
    const std::size_t size = weights.elements() / kernels;
    for (std::size_t i = 0; i < weights.elements(); ++i)
        set_element(scaled, i, element(weights, i) * affine.factor[i / size]);
    bias.name = scaled.name + " offset";
    bias.type = Type::float32;
    bias.shape = {static_cast<int>(kernels)};
    bias.constant = true;
    bias.data.resize(bias.bytes());
    const TensorId before = bias_of(r, op, w, weights.shape[0]);
    for (std::size_t k = 0; k < kernels; ++k) {
        const float own = before == kNone ? 0.0F : element(r.tensor(before), k);
        set_element(bias, k, own * affine.factor[k] + affine.offset[k]);
    }
    w.weights.id = r.add_tensor(std::move(scaled));
    w.bias = OnnxValue{};
    w.bias->id = r.add_tensor(std::move(bias));
    w.bias->shape = {static_cast<int>(kernels)};
    w.bias->real = true;
    return reader;
}

void OnnxImporters::conv(OnnxReader& r, const OnnxOperator& op) {
    if (r.value(op, 0).shape.size() == 5) return conv_volume(r, op);
    const auto computed = [&](std::size_t i) {
        return r.has(op, i) && !r.tensor(r.value(op, i).id).constant;
    };
    if (computed(1) || computed(2)) return conv_by_values(r, op);
    Weighted w{r.value(op, 0), r.value(op, 1), {}, r.ending(op, true), false};
    if (r.has(op, 2)) w.bias = r.value(op, 2);
    settle(r, op, w);
    if (const auto norm = fold_batch_norm(r, op, w)) {
        w.ending = r.ending(op, true, norm);
        w.ending.quantisation.reset();
    }
    const Ending ending = w.ending;
    r.give(op, ending, convolve(r, op, std::move(w)));
}

/// Each group by itself: its channels, their weights [K, h, w, C] and biases; then all channels.
void OnnxImporters::groups_of_transposed(OnnxReader& r, const OnnxOperator& op,
                                         const graph::TransposeConv& conv,
                                         const std::vector<TensorId>& inputs, TensorId output,
                                         int groups) {
    const auto part = [&](TensorId id, int group) {
        if (id == kNone) return id;
        std::vector<int> shape = r.tensor(id).shape, begin(shape.size(), 0);
        begin.back() = shape.back() / groups * group;
        shape.back() /= groups;
        return r.add_move(op, graph::Slice{begin, std::vector<int>(shape.size(), 1)}, id, shape);
    };
    const Tensor whole = r.tensor(output);
    std::vector<int> shape = whole.shape;
    shape.back() /= groups;
    std::vector<TensorId> parts;
    for (int group = 0; group < groups; ++group) {
        parts.push_back(r.add_tensor(whole.name + " group", whole.type, shape, whole.quantisation));
        r.graph_.tensor(parts.back()).shifted = whole.shifted;
        r.add(op, conv, {part(inputs[0], group), part(inputs[1], group), part(inputs[2], group)},
              {parts.back()});
    }
    const graph::Concat all{static_cast<int>(shape.size()) - 1, graph::Activation::none};
    r.add(op, all, parts, {output});
}

int transposed_size(const std::array<int, 5>& sizes, const std::string& kind,
                    std::optional<std::int64_t> wanted, int& before, int& behind) {
    const auto [input, kernel, stride, dilation, extra] = sizes;
    const std::int64_t whole =
        std::int64_t{input - 1} * stride + std::int64_t{kernel - 1} * dilation + 1 + extra;
    if (wanted) {
        const int out = size_of(*wanted, "output_shape");
        const std::int64_t total = std::clamp<std::int64_t>(whole - out, 0, 1 << 20);
        before = static_cast<int>(kind == "SAME_UPPER" ? total / 2 : total - total / 2);
        behind = static_cast<int>(total) - before;
        return out;
    }
    if (kind == "SAME_UPPER" || kind == "SAME_LOWER") {
        const auto total = static_cast<int>(
            std::clamp<std::int64_t>(whole - std::int64_t{input} * stride, 0, 1 << 20));
        before = kind == "SAME_UPPER" ? total / 2 : total - total / 2;
        behind = total - before;
    }
    return size_of(std::min<std::int64_t>(whole - before - behind, 1 << 30), "an output");
}

void OnnxImporters::conv_transpose(OnnxReader& r, const OnnxOperator& op) {
    if (r.value(op, 0).shape.size() == 5) return transpose_conv_volume(r, op);
    Weighted w{r.value(op, 0), r.value(op, 1), {}, r.ending(op, true), false};
    if (r.has(op, 2)) w.bias = r.value(op, 2);
    settle(r, op, w);
    const Ending ending = w.ending;
    r.give(op, ending, transpose_convolve(r, op, std::move(w)));
}

OnnxValue OnnxImporters::transpose_convolve(OnnxReader& r, const OnnxOperator& op, Weighted w) {
    const bool line = is_line(r, w);
    if (line) as_picture(r, op, w);
    const std::vector<int> shape = r.tensor(w.weights.id).shape;
    if (shape.size() != 4 || w.input.shape.size() != 4)
        throw Refusal{fmt::format("weights of shape {}: want four axes", graph::text_of(shape))};
    const int groups = size_of(op.integer("group", 1), "group");
    const bool scales = r.tensor(w.weights.id).quantisation.per_channel();
    if (shape[0] != w.input.shape[1] || shape[0] % groups != 0 || (groups > 1 && scales))
        throw Refusal{fmt::format(
            "{} groups of {} channels, weights for {}: want a divisor, and one scale for all",
            groups, w.input.shape[1], shape[0])};
    const int kernels = shape[1] * groups;
    const std::vector<std::int64_t> wanted = op.integers("output_shape");
    if (!wanted.empty() && wanted.size() != w.input.shape.size() &&
        wanted.size() != (line ? 1U : 2U))
        throw Refusal{
            fmt::format("{} sizes of output_shape: want one for each axis", wanted.size())};
    graph::TransposeConv conv;
    graph::Window& window = conv.window;
    window.kernel_h = shape[2];
    window.kernel_w = shape[3];
    std::tie(window.stride_h, window.stride_w) = std::tuple_cat(pair_of(op, "strides", 1, 1));
    std::tie(window.dilation_h, window.dilation_w) = std::tuple_cat(pair_of(op, "dilations", 1, 1));
    std::tie(window.top, window.left, window.bottom, window.right) = std::tuple_cat(pads_of(op));
    const auto more = pair_of(op, "output_padding", 0, 0);
    const std::string kind = padding_kind(op);
    const auto size = [&](int input, int kernel, int stride, int dilation, int extra, int& before,
                          int& behind, std::size_t axis) {  // the axis from behind
        std::optional<std::int64_t> out;
        if (wanted.size() >= axis && (!line || axis == 1)) out = wanted[wanted.size() - axis];
        return transposed_size({input, kernel, stride, dilation, extra}, kind, out, before, behind);
    };
    const int height = size(w.input.shape[2], shape[2], window.stride_h, window.dilation_h, more[0],
                            window.top, window.bottom, 2);
    const int width = size(w.input.shape[3], shape[3], window.stride_w, window.dilation_w, more[1],
                           window.left, window.right, 1);
    conv.activation = w.ending.activation;
    const TensorId bias = bias_of(r, op, w, kernels);
    const TensorId input = r.image(op, w.input);
    const TensorId weights = r.permuted(op, w.weights.id, {1, 2, 3, 0});
    OnnxValue y;
    y.shape = {w.input.shape[0], kernels, height, width};
    y.form = Form::image;
    y.real = true;
    y.id = r.add_result(w.ending, image_shape(y.shape));
    if (groups == 1)
        r.add(op, conv, {input, weights, bias}, {y.id});
    else
        groups_of_transposed(r, op, conv, {input, weights, bias}, y.id, groups);
    return line ? in_shape(r, op, y, {y.shape[0], y.shape[1], y.shape[3]}) : y;
}

void OnnxImporters::batch_norm(OnnxReader& r, const OnnxOperator& op) {
    if (op.integer("training_mode", 0) != 0) throw Refusal{"training_mode = 1: want 0"};
    OnnxValue x = r.in_float(op, r.value(op, 0));
    if (x.shape.size() < 2) throw Refusal{"input without channels: want batch x channels x ..."};
    std::vector<std::vector<float>> inputs;
    for (std::size_t i = 1; i < 5; ++i) {
        inputs.push_back(r.reals(op, i));
        if (inputs.back().size() != static_cast<std::size_t>(x.shape[1]))
            throw Refusal{fmt::format("{} values for {} channels: want as many",
                                      inputs.back().size(), x.shape[1])};
    }
    const Affine affine = affine_of(inputs, op.real("epsilon", 1e-5F));
    const auto constant = [&](const std::vector<float>& values) {
        OnnxValue value;
        value.real = true;
        value.shape.assign(x.shape.size() - 1, 1);
        value.shape[0] = x.shape[1];
        Tensor tensor;
        tensor.name = readable(op.node->output(0));
        tensor.type = Type::float32;
        tensor.shape = value.shape;
        tensor.constant = true;
        tensor.data.resize(tensor.bytes());
        std::memcpy(tensor.data.own().data(), values.data(), tensor.data.size());
        value.id = r.add_tensor(std::move(tensor));
        return value;
    };
    Ending ending = r.ending(op, true);
    ending.quantisation.reset();
    Ending none;
    none.name = op.node->output(0);
    x = combine(r, op, graph::Arithmetic::mul, x, constant(affine.factor), none);
    r.give(op, ending, combine(r, op, graph::Arithmetic::add, x, constant(affine.offset), ending));
}

}  // namespace macrame::front
