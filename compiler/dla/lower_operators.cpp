/// What each operator becomes.

#include <algorithm>
#include <tuple>
#include <utility>

#include "compiler/dla/add.hpp"
#include "compiler/dla/buffer.hpp"
#include "compiler/dla/lower.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

using graph::kNone;
using graph::TensorId;

void Lowering::lower(int index, const graph::Conv& op) {
    const graph::Node& n = node(index);
    const Location in = locations_.at(n.inputs[0]);
    const graph::Tensor& weights = tensor(n.inputs[1]);
    if (!weights.constant) throw Unsupported{"weights: want a constant"};
    const Shape shape = shape_of(tensor(n.inputs[0]));
    const Shape out = shape_of(tensor(n.outputs[0]));
    const int kernels = weights.shape[0];
    const int positions = op.window.kernel_h * op.window.kernel_w;
    const int group_in = shape.channels / op.groups;
    const int group_out = kernels / op.groups;
    const std::vector<std::int8_t> w = values(weights);
    const std::vector<double> factors = graph::output_factors(graph_, n);
    const auto [low, high] = graph::bounds(op.activation, tensor(n.outputs[0]));
    const int input_zero = zero_point(tensor(n.inputs[0]));
    const std::size_t kernel = at(positions * group_in);
    const auto target = [&](int first, int count) {
        LayerTarget t{rounding_of(graph_), zero_point(tensor(n.outputs[0])), low, high, {}};
        for (int k = first; k < first + count; ++k) {
            const std::int64_t bias =
                n.inputs.size() > 2 && n.inputs[2] != kNone ? word(tensor(n.inputs[2]), at(k)) : 0;
            t.channels.push_back(
                channel_target(&w[at(k) * kernel], kernel, bias, input_zero, factors[at(k)]));
        }
        return t;
    };
    const Cube whole = add_output(index, out.width, out.height, kernels).cube;
    ConvLayer conv = geometry(index, op.window, in, out.height, out.width);
    const std::uint64_t outputs_per_kernel =
        static_cast<std::uint64_t>(out.width) * static_cast<unsigned>(out.height);

    // Groups side by side in one layer, as many as make whole atoms; zeros where they do not meet.
    const int atom = sizes_.atom_bytes;
    int groups = op.groups;
    if (op.groups > 1) {
        int unit = 1;  // groups whose channels are whole atoms at both ends
        while (unit < op.groups && (unit * group_in % atom != 0 || unit * group_out % atom != 0))
            ++unit;
        const int lanes = block_channels(shape.channels, positions);
        groups = std::min(op.groups, std::max(unit, lanes / group_in / unit * unit));
    }
    for (int g = 0; g < op.groups; g += groups) {
        const int count = std::min(groups, op.groups - g);
        const int channels_in = count * group_in;
        const int channels_out = count * group_out;
        ConvLayer part = conv;
        part.kernels = channels_out;
        std::vector<std::int8_t> stream;
        if (in.image) {
            // The host makes four components of three; their weights are 0.
            const int components = in.pixels.components;
            stream.resize(at(channels_out * positions * components), 0);
            for (std::size_t k = 0; k < at(channels_out); ++k)
                for (std::size_t p = 0; p < at(positions); ++p)
                    for (std::size_t c = 0; c < at(group_in); ++c)
                        stream[(k * at(positions) + p) * at(components) + c] =
                            w[k * kernel + p * at(group_in) + c];
        } else {
            part.input = block(std::get<Cube>(conv.input), g * group_in, channels_in);
            stream.resize(at(channels_out * positions * channels_in), 0);
            for (int k = 0; k < channels_out; ++k)
                for (int p = 0; p < positions; ++p)
                    for (int c = 0; c < group_in; ++c)
                        stream[at((k * positions + p) * channels_in + k / group_out * group_in +
                                  c)] = w[at(g * group_out + k) * kernel + at(p * group_in + c)];
        }
        part.post = post_process(index, target(g * group_out, channels_out),
                                 block(whole, g * group_out, channels_out));
        add_conv(index, std::move(part), stream, in.writers,
                 outputs_per_kernel * kernel * at(channels_out));
    }
}

void Lowering::lower(int index, const graph::FullyConnected& op) {
    const graph::Node& n = node(index);
    const Location in = locations_.at(n.inputs[0]);
    const graph::Tensor& weights = tensor(n.inputs[1]);
    if (!weights.constant) throw Unsupported{"weights: want a constant"};
    const int kernels = weights.shape[0];
    const int inputs = weights.shape[1];
    const std::vector<std::int8_t> w = values(weights);
    const std::vector<double> factors = graph::output_factors(graph_, n);
    const auto [low, high] = graph::bounds(op.activation, tensor(n.outputs[0]));
    LayerTarget t{rounding_of(graph_), zero_point(tensor(n.outputs[0])), low, high, {}};
    for (int k = 0; k < kernels; ++k) {
        const std::int64_t bias =
            n.inputs.size() > 2 && n.inputs[2] != kNone ? word(tensor(n.inputs[2]), at(k)) : 0;
        t.channels.push_back(channel_target(&w[at(k * inputs)], at(inputs), bias,
                                            zero_point(tensor(n.inputs[0])),
                                            factors[factors.size() > 1 ? at(k) : 0]));
    }
    // A kernel as large as what was flattened.
    graph::Window window;
    window.kernel_h = in.cube.height;
    window.kernel_w = in.cube.width;
    const Cube out = add_output(index, 1, 1, kernels).cube;
    ConvLayer conv = geometry(index, window, in, 1, 1);
    conv.kernels = kernels;
    conv.post = post_process(index, t, out);
    add_conv(index, std::move(conv), w, in.writers,
             static_cast<std::uint64_t>(kernels) * static_cast<unsigned>(inputs));
}

void Lowering::add_average(int index, const graph::Window& window, const ChannelTarget& channel,
                           LayerTarget target) {
    const graph::Node& n = node(index);
    const Location in = locations_.at(n.inputs[0]);
    const Shape out = shape_of(tensor(n.outputs[0]));
    const Cube whole = add_output(index, out.width, out.height, out.channels).cube;
    const ConvLayer conv = geometry(index, window, in, out.height, out.width);
    const int positions = window.kernel_h * window.kernel_w;
    const int lanes = block_channels(out.channels, positions);
    for (int c = 0; c < out.channels; c += lanes) {
        const int channels = std::min(lanes, out.channels - c);
        ConvLayer part = conv;
        part.kernels = channels;
        part.input = block(std::get<Cube>(conv.input), c, channels);
        target.channels.assign(at(channels), channel);
        part.post = post_process(index, target, block(whole, c, channels));
        add_conv(index, std::move(part), diagonal(channels, positions), in.writers, 0);
    }
}

void Lowering::lower(int index, const graph::Pool& op) {
    const graph::Node& n = node(index);
    const Location in = locations_.at(n.inputs[0]);
    const Shape out = shape_of(tensor(n.outputs[0]));
    const graph::Window& w = op.window;
    const auto [low, high] = graph::bounds(op.activation, tensor(n.outputs[0]));
    if (op.function == graph::Pooling::average) {
        if (w.top + w.left + w.bottom + w.right != 0)
            throw Unsupported{"average pooling with padding: want none (VALID)"};
        const int count = w.kernel_h * w.kernel_w;
        const ChannelTarget channel{1.0 / count, 0, -128ll * count, 127ll * count};
        add_average(index, w, channel, {Rounding::average, 0, low, high, {}});
        return;
    }
    if (!sizes_.pdp) throw Unsupported{"max pooling: want pdp-enable"};
    if (std::max(w.kernel_h, w.kernel_w) > 8 || std::max(w.stride_h, w.stride_w) > 8)
        throw Unsupported{"max pooling: want kernels and strides up to 8"};
    if (low != -128 || high != 127) throw Unsupported{"max pooling: want no activation"};
    const ConvLayer window = geometry(index, w, in, out.height, out.width);
    PdpLayer pdp;
    pdp.input = std::get<Cube>(window.input);
    Location& made = add_output(index, out.width, out.height, out.channels);
    pdp.output = made.cube;
    pdp.kernel_h = w.kernel_h;
    pdp.kernel_w = w.kernel_w;
    pdp.stride_h = w.stride_h;
    pdp.stride_w = w.stride_w;
    pdp.top = w.top;
    pdp.left = w.left;
    pdp.bottom = window.bottom;
    pdp.right = window.right;
    Layer layer;
    layer.work = pdp;
    layer.name = tensor(n.outputs[0]).name;
    layer.node = index;
    layer.after = in.writers;
    add_layer(std::move(layer));
    made.writers.push_back(static_cast<int>(layers.size()) - 1);
}

void Lowering::lower(int index, const graph::Mean& op) {
    const graph::Node& n = node(index);
    if (op.axes != std::vector<int>{1, 2}) throw Unsupported{"mean: want axes 1 and 2"};
    const Location in = locations_.at(n.inputs[0]);
    graph::Window window;
    window.kernel_h = in.cube.height;
    window.kernel_w = in.cube.width;
    const int count = window.kernel_h * window.kernel_w;
    const graph::Tensor& from = tensor(n.inputs[0]);
    const graph::Tensor& to = tensor(n.outputs[0]);
    const double factor = double{from.quantisation.scale[0]} / double{to.quantisation.scale[0]};
    ChannelTarget channel{factor / count, -std::int64_t{zero_point(from)} * count, -128ll * count,
                          127ll * count};
    if (graph_.rounding == graph::Rounding::tflite) {
        // The reference divides the mantissa.
        int bits = 0;
        while (2 << bits <= count)
            ++bits;
        const graph::Multiplier whole = graph::multiplier(factor);
        channel.mantissa =
            static_cast<std::int32_t>((std::int64_t{whole.mantissa} << bits) / count);
        channel.exponent = whole.exponent - bits;
    }
    add_average(index, window, channel, {rounding_of(graph_), zero_point(to), -128, 127, {}});
}

void Lowering::lower(int index, const graph::Binary& op) {
    const graph::Node& n = node(index);
    const Location a = locations_.at(n.inputs[0]);
    const Location b = locations_.at(n.inputs[1]);
    if (op.function != graph::Arithmetic::add) throw Unsupported{"element-wise operator: want add"};
    if (tensor(n.inputs[0]).shape != tensor(n.inputs[1]).shape)
        throw Unsupported{"add: want operands of the same shape"};
    if (!sizes_.sdp_bs || !sizes_.sdp_bn) throw Unsupported{"add: want sdp-bs and sdp-bn"};
    const graph::Tensor& out = tensor(n.outputs[0]);
    const auto scaled = [&](TensorId id) {
        return AddTensor{double{tensor(id).quantisation.scale[0]}, zero_point(tensor(id))};
    };
    AddTarget target{scaled(n.inputs[0]), scaled(n.inputs[1]), scaled(n.outputs[0])};
    std::tie(target.low, target.high) = graph::bounds(op.activation, out);
    target.rounding = rounding_of(graph_);
    const AddMapping p = add_parameters(target);
    exactness.push_back({index, "add", 1, p.wrong == 0, p.wrong, 65536, p.most});
    const Cube& main = p.main_is_b ? b.cube : a.cube;
    const Cube& other = p.main_is_b ? a.cube : b.cube;
    SdpLayer sum;
    sum.input = main;
    PostProcess& post = sum.post;
    post.bs.bypass = post.bs.alu_bypass = post.bs.mul_bypass = false;
    post.bs.alu_value = p.bs_alu;
    post.bs.mul_value = p.bs_mul;
    post.bn.bypass = post.bn.alu_bypass = false;
    post.bn.alu_shift = p.bn_shift;
    post.bn.memory =
        Operands{true, false, false, true, other.place, other.line_stride, other.surface_stride};
    post.offset = p.offset;
    post.scale = p.scale;
    post.shift = p.shift;
    Location& made = add_output(index, main.width, main.height, main.channels);
    const bool clamped = !p.maximum_left && !p.minimum_left;
    post.output =
        clamped ? made.cube : new_cube(out.name + " sum", main.width, main.height, main.channels);
    const auto add = [&](const SdpLayer& sdp, std::vector<int> after) {
        Layer layer;
        layer.work = sdp;
        layer.name = out.name;
        layer.node = index;
        layer.after = std::move(after);
        add_layer(std::move(layer));
    };
    std::vector<int> after = a.writers;
    after.insert(after.end(), b.writers.begin(), b.writers.end());
    add(sum, std::move(after));
    if (!clamped) {
        SdpLayer clamp;
        clamp.input = post.output;
        clamp.post.output = made.cube;
        const auto limit = [](XRegisters& stage, AluFunction function, int value) {
            stage.bypass = stage.alu_bypass = false;
            stage.function = function;
            stage.alu_value = value;
        };
        if (p.maximum_left) limit(clamp.post.bs, AluFunction::maximum, target.low);
        if (p.minimum_left) limit(clamp.post.bn, AluFunction::minimum, target.high);
        add(clamp, {static_cast<int>(layers.size()) - 1});
    }
    made.writers.push_back(static_cast<int>(layers.size()) - 1);
}

void Lowering::lower(int index, const graph::Reshape&) {
    const graph::Node& n = node(index);
    const Shape out = shape_of(tensor(n.outputs[0]));
    const Location in = locations_.at(n.inputs[0]);
    const Shape from = shape_of(tensor(n.inputs[0]));
    const bool same = out.height == from.height && out.width == from.width;
    // A vector keeps the cube that it was: the fully connected layer behind it has such a kernel.
    bool flattened = out.height == 1 && out.width == 1;
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
        const std::vector<TensorId>& inputs = graph_.nodes[i].inputs;
        if (std::count(inputs.begin(), inputs.end(), n.outputs[0]) != 0)
            flattened &= std::holds_alternative<graph::FullyConnected>(graph_.nodes[i].op);
    }
    if (!same && !flattened)
        throw Unsupported{"reshape: want a vector in front of fully connected layers"};
    locations_[n.outputs[0]] = in;
}

}  // namespace macrame::dla::compiler
