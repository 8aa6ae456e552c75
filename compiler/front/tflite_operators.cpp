/// Operators of TFLite that compute.
#include <fmt/format.h>

#include <algorithm>

#include "compiler/front/tflite_importers.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {
namespace {

using Code = schema::BuiltinOperator;
using Options = schema::OptionsType;
using graph::kNone;
using graph::Tensor;
using graph::TensorId;

void pad_axis(schema::Padding padding, int input, int kernel, int stride, int dilation, int& before,
              int& behind) {
    if (padding == schema::Padding::VALID) return;
    if (padding != schema::Padding::SAME)
        throw Refusal{fmt::format("padding {}: want SAME or VALID", static_cast<int>(padding))};
    const auto amounts = graph::same_padding(input, kernel, stride, dilation);
    before = amounts[0];
    behind = amounts[1];
}

/// Fills in the padding of a window over `shape`.
void pad_window(schema::Padding padding, const std::vector<int>& shape, graph::Window& w) {
    // The bounds of what check() allows: nothing overflows.
    for (const int value :
         {w.kernel_h, w.kernel_w, w.stride_h, w.stride_w, w.dilation_h, w.dilation_w}) {
        if (value > 1 << 20)
            throw Refusal{fmt::format("a size of {}: want at most {}", value, 1 << 20)};
    }
    pad_axis(padding, shape[1], w.kernel_h, w.stride_h, w.dilation_h, w.top, w.bottom);
    pad_axis(padding, shape[2], w.kernel_w, w.stride_w, w.dilation_w, w.left, w.right);
}

/// A tensor with four axes.
const Tensor& image(const Tensor& tensor) {
    if (tensor.shape.size() != 4)
        throw Refusal{fmt::format("{} has shape {}: want four axes", tensor.name,
                                  graph::text_of(tensor.shape))};
    return tensor;
}

/// Stride, dilation and padding of a convolution.
template <typename Table>
graph::Window window_of(const Table& options, const Tensor& input, const Tensor& weights) {
    graph::Window window;
    window.kernel_h = weights.shape[1];
    window.kernel_w = weights.shape[2];
    window.stride_h = positive(options.stride_h(), "stride_h");
    window.stride_w = positive(options.stride_w(), "stride_w");
    window.dilation_h = positive(options.dilation_h(), "dilation_h");
    window.dilation_w = positive(options.dilation_w(), "dilation_w");
    pad_window(options.padding(), input.shape, window);
    return window;
}

TensorId bias_of(const TfliteOperator& op, std::size_t i) {
    return i < op.inputs.size() ? op.inputs[i] : kNone;
}

graph::Function function_of(Code code) {
    switch (code) {
        case Code::ABS:
            return graph::Function::abs;
        case Code::CEIL:
            return graph::Function::ceil;
        case Code::COS:
            return graph::Function::cos;
        case Code::ELU:
            return graph::Function::elu;
        case Code::EXP:
            return graph::Function::exp;
        case Code::FLOOR:
            return graph::Function::floor;
        case Code::HARD_SWISH:
            return graph::Function::hard_swish;
        case Code::LOG:
            return graph::Function::log;
        case Code::LOGISTIC:
            return graph::Function::sigmoid;
        case Code::NEG:
            return graph::Function::neg;
        case Code::RELU_0_TO_1:
            return graph::Function::relu_0_to_1;
        case Code::RELU6:
            return graph::Function::relu6;
        case Code::RELU_N1_TO_1:
            return graph::Function::relu_n1_to_1;
        case Code::ROUND:
            return graph::Function::round;
        case Code::RSQRT:
            return graph::Function::rsqrt;
        case Code::SIGN:
            return graph::Function::sign;
        case Code::SIN:
            return graph::Function::sin;
        case Code::SQRT:
            return graph::Function::sqrt;
        case Code::SQUARE:
            return graph::Function::square;
        case Code::TANH:
            return graph::Function::tanh;
        default:
            return graph::Function::relu;
    }
}

}  // namespace

graph::Activation activation_of(schema::Activation activation) {
    switch (activation) {
        case schema::Activation::NONE:
            return graph::Activation::none;
        case schema::Activation::RELU:
            return graph::Activation::relu;
        case schema::Activation::RELU6:
            return graph::Activation::relu6;
        case schema::Activation::RELU_N1_TO_1:
            return graph::Activation::relu_n1_to_1;
        default:
            throw Refusal{fmt::format("fused activation {}: want NONE, RELU, RELU6, RELU_N1_TO_1",
                                      static_cast<int>(activation))};
    }
}

int positive(int value, const char* what) {
    if (value < 1) throw Refusal{fmt::format("{} {}: want at least 1", what, value)};
    return value;
}

void TfliteImporters::conv(TfliteReader& r, const Op& op) {
    const auto& options = r.options<schema::Conv2DOptions>(op, Options::CONV_2D);
    const TensorId input = r.input(op, 0), weights = r.input(op, 1);
    const Tensor &x = image(r.tensor(input)), &w = image(r.tensor(weights));
    graph::Conv conv;
    conv.window = window_of(options, x, w);
    if (x.shape[3] % w.shape[3] != 0)
        throw Refusal{fmt::format("weights for {} channels, {} of them: want a divisor", w.shape[3],
                                  x.shape[3])};
    conv.groups = x.shape[3] / w.shape[3];
    conv.activation = activation_of(options.activation());
    if (is_dynamic(r, op, 0, 1)) return convolve_dynamic(r, op, conv, weights, bias_of(op, 2));
    r.add(op, conv, {input, weights, bias_of(op, 2)}, {r.output(op)});
}

TensorId TfliteImporters::depthwise_weights(TfliteReader& r, TensorId from) {
    const Tensor& source = image(r.tensor(from));
    if (!source.constant)
        throw Refusal{fmt::format("weights {} are computed: want constants", source.name)};
    if (source.shape[0] != 1)
        throw Refusal{fmt::format("weights {} have shape {}: want 1 x height x width x kernels",
                                  source.name, graph::text_of(source.shape))};
    if (source.quantisation.per_channel() && source.quantisation.axis != 3)
        throw Refusal{fmt::format("weights {} have scales along axis {}: want 3", source.name,
                                  source.quantisation.axis)};
    Tensor to = source;
    r.budget_.charge(to.data.size());
    to.shape = {source.shape[3], source.shape[1], source.shape[2], 1};
    to.quantisation.axis = 0;
    const auto kernels = static_cast<std::size_t>(source.shape[3]);
    const std::size_t size = graph::size_of(source.type);
    const std::size_t taps = source.elements() / kernels;
    for (std::size_t tap = 0; tap < taps; ++tap) {
        for (std::size_t k = 0; k < kernels; ++k)
            std::copy_n(
                source.data.begin() + static_cast<std::ptrdiff_t>((tap * kernels + k) * size), size,
                to.data.begin() + static_cast<std::ptrdiff_t>((k * taps + tap) * size));
    }
    r.graph_.tensors.push_back(std::move(to));
    return static_cast<TensorId>(r.graph_.tensors.size()) - 1;
}

void TfliteImporters::depthwise(TfliteReader& r, const Op& op) {
    const auto& options = r.options<schema::DepthwiseConv2DOptions>(op, Options::DEPTHWISE_CONV_2D);
    const TensorId input = r.input(op, 0);
    const TensorId weights = depthwise_weights(r, r.input(op, 1));
    const Tensor& x = image(r.tensor(input));
    graph::Conv conv;
    conv.window = window_of(options, x, r.tensor(weights));
    conv.groups = x.shape[3];
    conv.activation = activation_of(options.activation());
    // The reference takes it from the weights elsewhere, whatever the option says.
    const bool counts = is_dynamic(r, op, 0, 1) || x.type == graph::Type::int16;
    const int kernels = r.tensor(weights).shape[0], each = options.depth_multiplier();
    if (counts && std::int64_t{each} * conv.groups != kernels)
        throw Refusal{fmt::format("depth_multiplier {}, {} kernels of {} channels: want {}", each,
                                  kernels, conv.groups, kernels / conv.groups)};
    if (is_dynamic(r, op, 0, 1)) return convolve_dynamic(r, op, conv, weights, bias_of(op, 2));
    r.add(op, conv, {input, weights, bias_of(op, 2)}, {r.output(op)});
}

void TfliteImporters::transpose_conv(TfliteReader& r, const Op& op) {
    const auto& options = r.options<schema::TransposeConvOptions>(op, Options::TRANSPOSE_CONV);
    const TensorId weights = r.input(op, 1), input = r.input(op, 2), output = r.output(op);
    const Tensor &w = image(r.tensor(weights)), &y = image(r.tensor(output));
    graph::TransposeConv conv;
    conv.window.kernel_h = w.shape[1];
    conv.window.kernel_w = w.shape[2];
    conv.window.stride_h = positive(options.stride_h(), "stride_h");
    conv.window.stride_w = positive(options.stride_w(), "stride_w");
    pad_window(options.padding(), y.shape, conv.window);
    conv.activation = activation_of(options.activation());
    r.add(op, conv, {input, weights, bias_of(op, 3)}, {output});
}

void TfliteImporters::fully_connected(TfliteReader& r, const Op& op) {
    const auto& options =
        r.options_or_none<schema::FullyConnectedOptions>(op, Options::FULLY_CONNECTED);
    if (options.weights_format() != 0)
        throw Refusal{fmt::format("weights format {}: want 0 (in order)",
                                  static_cast<int>(options.weights_format()))};
    if (is_dynamic(r, op, 0, 1))
        return connect_dynamic(r, op, !options.asymmetric_quantize_inputs(),
                               activation_of(options.activation()), bias_of(op, 2));
    if (!r.tensor(r.input(op, 1)).constant)
        return connect_computed(r, op, activation_of(options.activation()));
    r.add(op, graph::FullyConnected{activation_of(options.activation()), r.rounds_once_},
          {r.input(op, 0), r.input(op, 1), bias_of(op, 2)}, {r.output(op)});
}

void TfliteImporters::activate(TfliteReader& r, const Op& op, TensorId from,
                               graph::Activation activation, TensorId to) {
    graph::Function function = graph::Function::relu_n1_to_1;
    if (activation == graph::Activation::relu) function = graph::Function::relu;
    if (activation == graph::Activation::relu6) function = graph::Function::relu6;
    r.add(op, graph::Unary{function}, {from}, {to});
}

/// With weights that are computed: a product of matrices.
void TfliteImporters::connect_computed(TfliteReader& r, const Op& op,
                                       graph::Activation activation) {
    const TensorId input = r.input(op, 0), weights = r.input(op, 1), bias = bias_of(op, 2);
    const Tensor x = r.tensor(input), w = r.tensor(weights), y = r.tensor(r.output(op));
    if (w.shape.size() != 2 || x.elements() % static_cast<std::size_t>(w.shape[1]) != 0)
        throw Refusal{
            fmt::format("input {}, weights {}: want kernels x channels for rows of as many",
                        graph::text_of(x.shape), graph::text_of(w.shape))};
    if (bias != kNone && x.type != graph::Type::float32)
        throw Refusal{
            fmt::format("weights {} are computed, bias {} of integers: want constant "
                        "weights, or no bias",
                        w.name, r.tensor(bias).name)};
    const int channels = w.shape[1];
    const auto count = static_cast<int>(x.elements() / static_cast<std::size_t>(channels));
    const auto part = [&](const Tensor& model, std::vector<int> shape) {
        const TensorId id = r.add_tensor(model, std::move(shape));
        r.graph_.tensor(id).name += " in part";
        return id;
    };
    const TensorId rows = part(x, {count, channels});
    TensorId now = part(y, {count, w.shape[0]});
    r.add(op, graph::Reshape{}, {input}, {rows});
    r.add(op, graph::MatMul{false, true}, {rows, weights}, {now});
    if (bias != kNone) {
        const TensorId sum = part(y, {count, w.shape[0]});
        r.add(op, graph::Binary{graph::Arithmetic::add, graph::Activation::none}, {now, bias},
              {sum});
        now = sum;
    }
    if (activation != graph::Activation::none) {
        const TensorId clamped = part(y, {count, w.shape[0]});
        activate(r, op, now, activation, clamped);
        now = clamped;
    }
    r.add(op, graph::Reshape{}, {now}, {r.output(op)});
}

void TfliteImporters::batch_matmul(TfliteReader& r, const Op& op) {
    const auto& options = r.options_or_none<schema::BatchMatMulOptions>(op, Options::BATCH_MATMUL);
    const graph::MatMul product{options.adjoint_a(), options.adjoint_b()};
    if (is_dynamic(r, op, 0, 1))
        return multiply_dynamic(r, op, product, !options.asymmetric_quantize_inputs());
    r.add(op, product, {r.input(op, 0), r.input(op, 1)}, {r.output(op)});
}

graph::Pool TfliteImporters::pool_of(TfliteReader& r, const Op& op) {
    const auto& options = r.options<schema::Pool2DOptions>(op, Options::POOL_2D);
    graph::Pool pool;
    pool.function =
        op.code == Code::MAX_POOL_2D ? graph::Pooling::maximum : graph::Pooling::average;
    pool.window.kernel_h = positive(options.filter_h(), "filter_h");
    pool.window.kernel_w = positive(options.filter_w(), "filter_w");
    pool.window.stride_h = positive(options.stride_h(), "stride_h");
    pool.window.stride_w = positive(options.stride_w(), "stride_w");
    pad_window(options.padding(), image(r.tensor(r.input(op, 0))).shape, pool.window);
    pool.activation = activation_of(options.activation());
    return pool;
}

void TfliteImporters::pool(TfliteReader& r, const Op& op) {
    r.add(op, pool_of(r, op), {r.input(op, 0)}, {r.output(op)});
}

void TfliteImporters::arithmetic(TfliteReader& r, const Op& op) {
    graph::Binary binary;
    Options type = Options::NONE;
    switch (op.code) {
        case Code::SUB:
            binary.function = graph::Arithmetic::sub;
            type = Options::SUB;
            break;
        case Code::MUL:
            binary.function = graph::Arithmetic::mul;
            type = Options::MUL;
            break;
        case Code::MAXIMUM:
            binary.function = graph::Arithmetic::maximum;
            break;
        case Code::MINIMUM:
            binary.function = graph::Arithmetic::minimum;
            break;
        case Code::DIV:
            binary.function = graph::Arithmetic::div;
            type = Options::DIV;
            break;
        case Code::POW:
            binary.function = graph::Arithmetic::pow;
            break;
        case Code::FLOOR_DIV:
            binary.function = graph::Arithmetic::floor_div;
            break;
        case Code::FLOOR_MOD:
            binary.function = graph::Arithmetic::floor_mod;
            break;
        case Code::SQUARED_DIFFERENCE:
            binary.function = graph::Arithmetic::squared_difference;
            break;
        default:
            type = Options::ADD;
    }
    if (type != Options::NONE)
        binary.activation =
            activation_of(r.options_or_none<schema::ArithmeticOptions>(op, type).activation());
    r.add(op, binary, {r.input(op, 0), r.input(op, 1)}, {r.output(op)});
}

void TfliteImporters::unary(TfliteReader& r, const Op& op) {
    r.add(op, graph::Unary{function_of(op.code), op.code == Code::ELU ? 1.0F : 0.0F},
          {r.input(op, 0)}, {r.output(op)});
}

void TfliteImporters::gelu(TfliteReader& r, const Op& op) {
    const bool by_tanh = r.options_or_none<schema::GeluOptions>(op, Options::GELU).approximate();
    r.add(op, graph::Unary{by_tanh ? graph::Function::gelu_tanh : graph::Function::gelu},
          {r.input(op, 0)}, {r.output(op)});
}

void TfliteImporters::leaky_relu(TfliteReader& r, const Op& op) {
    const auto& options = r.options_or_none<schema::LeakyReluOptions>(op, Options::LEAKY_RELU);
    r.add(op, graph::Unary{graph::Function::leaky_relu, options.alpha()}, {r.input(op, 0)},
          {r.output(op)});
}

void TfliteImporters::prelu(TfliteReader& r, const Op& op) {
    const Tensor x = r.tensor(r.input(op, 0));
    TensorId slopes = r.input(op, 1);
    const Tensor given = r.tensor(slopes);
    const std::size_t count = given.elements();
    const int channels = x.shape.empty() ? 1 : x.shape.back();
    if (count != 1 &&
        (given.shape.back() != channels || count != static_cast<std::size_t>(channels)))
        throw Refusal{fmt::format("slopes of shape {} for {}: want one, or one for each channel",
                                  graph::text_of(given.shape), graph::text_of(x.shape))};
    if (count == 1 && channels > 1) {
        const std::vector<TensorId> copies(static_cast<std::size_t>(channels),
                                           r.add_tensor(given, {1}));
        r.add(op, graph::Reshape{}, {slopes}, {copies[0]});
        slopes = r.add_tensor(given, {channels});
        r.add(op, graph::Concat{0, {}}, copies, {slopes});
    }
    r.add(op, graph::Prelu{}, {r.input(op, 0), slopes}, {r.output(op)});
}

void TfliteImporters::requantise(TfliteReader& r, const Op& op) {
    r.add(op, graph::Requantise{}, {r.input(op, 0)}, {r.output(op)});
}

void TfliteImporters::mean(TfliteReader& r, const Op& op) {
    graph::Mean mean;
    mean.keep_dims = r.options_or_none<schema::ReducerOptions>(op, Options::REDUCER).keep_dims();
    const TensorId input = r.input(op, 0);
    for (const std::int64_t value : integers_of(r.tensor(r.input(op, 1))))
        mean.axes.push_back(axis_of(value, r.tensor(input).shape.size()));
    std::sort(mean.axes.begin(), mean.axes.end());
    mean.axes.erase(std::unique(mean.axes.begin(), mean.axes.end()), mean.axes.end());
    r.add(op, mean, {input}, {r.output(op)});
}

void TfliteImporters::log_softmax(TfliteReader& r, const Op& op) {
    r.add(op, graph::Softmax{1, true}, {r.input(op, 0)}, {r.output(op)});
}

void TfliteImporters::softmax(TfliteReader& r, const Op& op) {
    const auto& options = r.options<schema::SoftmaxOptions>(op, Options::SOFTMAX);
    r.add(op, graph::Softmax{options.beta()}, {r.input(op, 0)}, {r.output(op)});
}

void TfliteImporters::resize(TfliteReader& r, const Op& op) {
    graph::Resize resize;
    if (op.code == Code::RESIZE_BILINEAR) {
        const auto& options =
            r.options_or_none<schema::ResizeBilinearOptions>(op, Options::RESIZE_BILINEAR);
        resize = {graph::Resampling::bilinear, options.align_corners(),
                  options.half_pixel_centers()};
    } else {
        const auto& options = r.options_or_none<schema::ResizeNearestNeighborOptions>(
            op, Options::RESIZE_NEAREST_NEIGHBOR);
        resize = {graph::Resampling::nearest, options.align_corners(),
                  options.half_pixel_centers()};
    }
    r.add(op, resize, {r.input(op, 0)}, {r.output(op)});
}

void TfliteImporters::lstm(TfliteReader& r, const Op& op) {
    const auto& options =
        r.options<schema::SequenceLstmOptions>(op, Options::UNIDIRECTIONAL_SEQUENCE_LSTM);
    if (options.activation() != schema::Activation::TANH)
        throw Refusal{
            fmt::format("activation {}: want TANH", static_cast<int>(options.activation()))};
    // Of the file: input, 4 and 4 weights, 3 peepholes, 4 biases, 2 of a projection, output and
    // state, 4 of a normalisation.
    constexpr std::size_t kPeephole = 9, kBias = 12, kProjection = 16, kOutput = 18, kState = 19;
    if (r.tensor(r.input(op, 0)).type == graph::Type::float32)
        return static_cast<void>(
            lstm_in_steps(r, op,
                          {options.cell_clip(), options.projection_clip(), options.time_major(),
                           !options.asymmetric_quantize_inputs()},
                          r.output(op)));
    graph::Lstm lstm;
    std::vector<TensorId> inputs;
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
        const bool known =
            i < kPeephole || (i >= kBias && i < kProjection) || i == kOutput || i == kState;
        if (!known && op.inputs[i] != kNone)
            throw Refusal{
                fmt::format("input {} ({}): want neither peepholes, projection nor "
                            "normalisation in int8 (in float32 they are read)",
                            i, r.tensor(op.inputs[i]).name)};
        if (known) inputs.push_back(op.inputs[i]);
    }
    const TensorId output = r.input(op, kOutput), state = r.input(op, kState);
    const graph::Tensor of_output = r.tensor(output), of_state = r.tensor(state);
    if (options.time_major()) throw Refusal{"steps in front of the batch: want them behind it"};
    if (of_state.quantisation.scale.size() != 1 || of_output.quantisation.scale.size() != 1)
        throw Refusal{"states without a scale: want one of each"};
    if (options.cell_clip() > 0)
        lstm.clip = static_cast<int>(
            std::min(options.cell_clip() / of_state.quantisation.scale[0], 32767.0F));
    const TensorId next_output = r.add_tensor(of_output, of_output.shape),
                   next_state = r.add_tensor(of_state, of_state.shape);
    r.add(op, lstm, std::move(inputs), {r.output(op), next_output, next_state});
    // The real value 0.
    const auto zero = static_cast<std::uint8_t>(of_output.quantisation.zero_point[0]);
    r.keep(output, next_output, graph::Data::Bytes(of_output.bytes(), zero));
    r.keep(state, next_state, graph::Data::Bytes(of_state.bytes(), 0));
}

/// The reference gives places the type that the option says, whatever the file has for the tensor.
void TfliteImporters::want_type_of_places(const TfliteReader& r, const Op& op, Options type) {
    graph::Type told = graph::Type::float32;
    const bool known = convert(r.options_or_none<schema::PlaceOptions>(op, type).type(), told);
    const Tensor& places = r.tensor(r.output(op));
    if (known && told != graph::Type::float32 && told != places.type)
        throw Refusal{fmt::format("output_type {}, output {} of {}: want the same",
                                  graph::name_of(told), places.name, graph::name_of(places.type))};
}

void TfliteImporters::argmax(TfliteReader& r, const Op& op) {
    const TensorId input = r.input(op, 0);
    const std::vector<std::int64_t> axis = integers_of(r.tensor(r.input(op, 1)));
    if (axis.size() != 1) throw Refusal{fmt::format("{} axes: want 1", axis.size())};
    want_type_of_places(r, op, Options::ARG_MAX);
    r.add(op, graph::Argmax{axis_of(axis[0], r.tensor(input).shape.size())}, {input},
          {r.output(op)});
}

}  // namespace macrame::front
