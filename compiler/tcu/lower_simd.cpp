/// Operators on single values and on windows of them.

#include <algorithm>
#include <cstddef>
#include <utility>

#include "compiler/graph/at.hpp"
#include "compiler/graph/walk.hpp"
#include "compiler/tcu/lower.hpp"

namespace macrame::tcu::compiler {

using graph::TensorId;

namespace {

/// Index into a tensor that is broadcast along the axes where it has one.
VectorId broadcast(const TensorLayout& view, int block, int y, int x) {
    return view.at(view.shape.channels == 1 ? 0 : block, view.shape.height == 1 ? 0 : y,
                   view.shape.width == 1 ? 0 : x);
}

}  // namespace

void Lowering::add_clamp(Layer& layer, TensorId output, graph::Activation activation) {
    const Values of = values(output);
    const auto groups = at(blocks(shape_without_batch(tensor(output)).channels));
    const auto step = [&](StepKind kind, double bound) {
        layer.steps.push_back({kind, std::vector<VectorId>(groups, pool.same(bound * of.factor))});
    };
    if (activation == graph::Activation::relu || activation == graph::Activation::relu6 ||
        clamps_at_zero(output))
        layer.steps.push_back({StepKind::relu, {}});
    if (activation == graph::Activation::relu6) step(StepKind::minimum, 6);
    if (activation != graph::Activation::relu_n1_to_1) return;
    step(StepKind::minimum, 1);
    step(StepKind::maximum, -1);
}

// ---------------------------------------------------------------- two tensors

TensorLayout Lowering::constant_view(TensorId id, double factor) {
    return constant_view(id, factor, true);
}

TensorLayout Lowering::constant_view(TensorId id, double factor, bool in_all_lanes) {
    const std::optional<Shape> shape = shape_of(tensor(id));
    if (!shape) throw Unsupported{"constant with a batch: want one"};
    const std::vector<float> values = reals(id);
    TensorLayout view{*shape, {}};
    for (int block = 0; block < blocks(shape->channels); ++block) {
        for (int p = 0; p < shape->pixels(); ++p) {
            std::vector<double> lane_values;
            for (int lane = 0; lane < lanes(); ++lane) {
                const int c = shape->channels == 1 && in_all_lanes ? 0 : block * lanes() + lane;
                if (c >= shape->channels) break;
                lane_values.push_back(static_cast<double>(values[at(p * shape->channels + c)]) *
                                      factor);
            }
            view.vectors.push_back(pool.constant(lane_values));
        }
    }
    return view;
}

void Lowering::lower_binary(int index, const graph::Binary& op) {
    if (is_affine(node(index)) && fused_.count(node(index).inputs[0]) == 0 &&
        fused_.count(node(index).inputs[1]) == 0)
        return lower_affine(index);
    switch (op.function) {
        case graph::Arithmetic::add:
        case graph::Arithmetic::sub:
            return lower_sum(index, op);
        case graph::Arithmetic::mul:
            return lower_product(index, op);
        case graph::Arithmetic::maximum:
            return lower_choice(index, Combine::maximum, op.activation);
        case graph::Arithmetic::minimum:
            return lower_choice(index, Combine::minimum, op.activation);
        default:
            throw Unsupported{
                "the SIMD unit has no operation for it: want the host to do it (without "
                "--no-host)"};
    }
}

void Lowering::lower_sum(int index, const graph::Binary& op) {
    const graph::Node& n = node(index);
    const std::optional<Shape> shape = shape_of(tensor(n.outputs[0]));
    if (!shape) throw Unsupported{"output with a batch: want one"};
    Linear sum = new_sum(n.outputs[0]);
    const int pack = packs_[at(n.outputs[0])];
    std::uint64_t products = 0;
    for (std::size_t i = 0; i < 2; ++i) {
        const TensorId id = n.inputs[i];
        const double sign = i == 1 && op.function == graph::Arithmetic::sub ? -1 : 1;
        if (const auto fused = fused_.find(id); fused != fused_.end()) {
            products += add_products(sum, fused->second, pack);
            continue;
        }
        const std::vector<double> factor(at(shape->channels), sign);
        if (!constant(id)) {
            add_tensor(sum, view(id), values(id), *shape, pack, factor);
            continue;
        }
        const std::optional<Shape> small = shape_of(tensor(id));
        if (small && small->pixels() == 1) {
            const std::vector<float> real = reals(id);
            for (int c = 0; c < shape->channels * pack; ++c) {
                const std::size_t channel = at(c % shape->channels);
                sum.add_bias(c, sign * static_cast<double>(real[real.size() == 1 ? 0 : channel]));
            }
            continue;
        }
        const double scale = factors[at(n.outputs[0])];
        add_tensor(sum, constant_view(id, scale), {values(n.outputs[0]).range, scale}, *shape, 1,
                   factor);
    }
    finish_sum(sum, index, n.outputs[0], op.activation, products);
}

void Lowering::lower_product(int index, const graph::Binary& op) {
    const graph::Node& n = node(index);
    const TensorId output = n.outputs[0];
    const std::optional<Shape> shape = shape_of(tensor(output));
    if (!shape) throw Unsupported{"output with a batch: want one"};
    const std::size_t which = constant(n.inputs[0]) ? 1 : 0;
    const TensorId a = n.inputs[which], b = n.inputs[1 - which];
    const TensorLayout first = view(a);
    const double other_factor = constant(b) ? 1 : factors[at(b)];
    const TensorLayout second = constant(b) ? constant_view(b, 1) : view(b);
    for (const TensorLayout* view : {&first, &second})
        if (view->shape.channels == 1 && shape->channels > 1)
            throw Unsupported{"a factor with one channel: want as many as the other has"};
    Layer layer = new_layer(index, output);
    layer.combine = Combine::product;
    layer.line = shape->width;
    const double scale = factors[at(output)] / (factors[at(a)] * other_factor);
    if (scale != 1)
        layer.before = std::vector<VectorId>(at(blocks(shape->channels)), pool.same(scale));
    TensorLayout out = new_view(*shape);
    for (int block = 0; block < blocks(shape->channels); ++block) {
        for (int y = 0; y < shape->height; ++y) {
            for (int x = 0; x < shape->width; ++x) {
                layer.add_output(out.at(block, y, x), block,
                                 {{0, loadable(broadcast(first, block, y, x))},
                                  {0, loadable(broadcast(second, block, y, x))}});
            }
        }
    }
    add_clamp(layer, output, op.activation);
    views_[output] = std::move(out);
    layers.layers.push_back(std::move(layer));
}

/// x * hard sigmoid(x), the factor of which lies between 0 and 1.
void Lowering::lower_hard_swish(int index) {
    const TensorId input = node(index).inputs[0], output = node(index).outputs[0];
    const TensorLayout in = view(input);
    const Shape& shape = in.shape;
    Linear sum(pool, shape.channels, shape.pixels());
    add_tensor(sum, in, values(input), shape, 1, std::vector<double>(at(shape.channels), 1.0 / 6));
    for (int c = 0; c < shape.channels; ++c)
        sum.add_bias(c, 0.5);
    const TensorLayout gate = new_view(shape), out = new_view(shape);
    Layer first = new_layer(index, output);
    first.line = shape.width;
    sum.finish(first, gate.vectors, {{0, 1, true}, 1}, true, 1);
    layers.layers.push_back(std::move(first));
    Layer second = new_layer(index, output);
    second.combine = Combine::product;
    second.line = shape.width;
    for (std::size_t i = 0; i < out.vectors.size(); ++i)
        second.add_output(out.vectors[i], static_cast<int>(i) / shape.pixels(),
                          {{0, gate.vectors[i]}, {0, loadable(in.vectors[i])}});
    layers.layers.push_back(std::move(second));
    views_[output] = out;
}

void Lowering::lower_choice(int index, Combine combine, graph::Activation activation) {
    const graph::Node& n = node(index);
    const TensorId output = n.outputs[0];
    const std::optional<Shape> shape = shape_of(tensor(output));
    if (!shape) throw Unsupported{"output with a batch: want one"};
    Layer layer = new_layer(index, output);
    layer.combine = combine;
    layer.line = shape->width;
    TensorLayout out = new_view(*shape), in[2];
    for (std::size_t i = 0; i < 2; ++i) {
        const TensorId id = n.inputs[i];
        in[i] = constant(id) ? constant_view(id, factors[at(output)]) : view(id);
        if (in[i].shape.channels == 1 && shape->channels > 1 && !constant(id))
            throw Unsupported{"an operand with one channel: want as many as the other has"};
    }
    for (int block = 0; block < blocks(shape->channels); ++block) {
        for (int y = 0; y < shape->height; ++y) {
            for (int x = 0; x < shape->width; ++x) {
                layer.add_output(out.at(block, y, x), block,
                                 {{0, loadable(broadcast(in[0], block, y, x))},
                                  {0, loadable(broadcast(in[1], block, y, x))}});
            }
        }
    }
    add_clamp(layer, output, activation);
    views_[output] = std::move(out);
    layers.layers.push_back(std::move(layer));
}

// ---------------------------------------------------------------- windows

void Lowering::lower_pool(int index, const graph::Pool& op) {
    const graph::Node& n = node(index);
    const TensorId output = n.outputs[0];
    const Shape shape = shape_without_batch(tensor(output));
    if (op.function == graph::Pooling::average) {
        Linear sum(pool, shape.channels, shape.pixels());
        add_average(sum, index, shape, op.window);
        return finish_sum(sum, index, output, op.activation, 0);
    }
    const TensorLayout in = view(n.inputs[0]);
    const graph::Window& w = op.window;
    Layer layer = new_layer(index, output);
    layer.combine = Combine::maximum;
    layer.line = shape.width;
    TensorLayout out = new_view(shape);
    for (int block = 0; block < blocks(shape.channels); ++block) {
        for (int y = 0; y < shape.height; ++y) {
            const int top = y * w.stride_h - w.top;
            const auto rows = graph::taps(top, w.kernel_h, w.dilation_h, in.shape.height);
            for (int x = 0; x < shape.width; ++x) {
                const int left = x * w.stride_w - w.left;
                const auto columns = graph::taps(left, w.kernel_w, w.dilation_w, in.shape.width);
                std::vector<Term> terms;
                for (int ky = rows.first; ky < rows.end; ++ky)
                    for (int kx = columns.first; kx < columns.end; ++kx)
                        terms.push_back({0, loadable(in.at(block, top + ky * w.dilation_h,
                                                           left + kx * w.dilation_w))});
                if (terms.empty())
                    throw Unsupported{
                        "a window outside of the input: want each to have elements of it"};
                layer.add_output(out.at(block, y, x), block, std::move(terms));
            }
        }
    }
    add_clamp(layer, output, op.activation);
    views_[output] = std::move(out);
    layers.layers.push_back(std::move(layer));
}

void Lowering::lower_mean(int index, const graph::Mean& op) {
    const graph::Node& n = node(index);
    const TensorId input = n.inputs[0], output = n.outputs[0];
    const auto rank = static_cast<int>(tensor(input).shape.size());
    const Shape shape = view(input).shape;
    std::vector<int> axes;
    for (const int axis : op.axes)
        if (tensor(input).shape[at(axis)] != 1) axes.push_back(axis - rank + 4);
    if (!std::all_of(axes.begin(), axes.end(), [](int axis) { return axis == 1 || axis == 2; }))
        throw Unsupported{"along channels or a batch: want height and width"};
    graph::Window window;
    if (std::count(axes.begin(), axes.end(), 1) != 0) window.kernel_h = shape.height;
    if (std::count(axes.begin(), axes.end(), 2) != 0) window.kernel_w = shape.width;
    const int high = shape.height / window.kernel_h, wide = shape.width / window.kernel_w;
    Linear sum(pool, shape.channels, high * wide);
    add_average(sum, index, {high, wide, shape.channels}, window);
    finish_sum(sum, index, output, graph::Activation::none, 0);
}

// ---------------------------------------------------------------- one tensor

void Lowering::lower_steps(int index, std::vector<Step> steps) {
    const TensorId output = node(index).outputs[0];
    const TensorLayout in = view(node(index).inputs[0]);
    Layer layer = new_layer(index, output);
    layer.combine = Combine::copy;
    layer.line = in.shape.width;
    TensorLayout out = new_view(in.shape);
    for (std::size_t i = 0; i < out.vectors.size(); ++i)
        layer.add_output(out.vectors[i], static_cast<int>(i) / in.shape.pixels(),
                         {{0, loadable(in.vectors[i])}});
    layer.steps = std::move(steps);
    views_[output] = std::move(out);
    layers.layers.push_back(std::move(layer));
}

void Lowering::lower_unary(int index, const graph::Unary& op) {
    using graph::Function;
    const TensorId output = node(index).outputs[0];
    const Shape shape = view(node(index).inputs[0]).shape;
    const double factor = factors[at(output)];
    const auto step = [&](StepKind kind, double value) {
        return Step{kind, std::vector<VectorId>(at(blocks(shape.channels)), pool.same(value))};
    };
    const double alpha = static_cast<double>(op.alpha), beta = static_cast<double>(op.beta);
    switch (op.function) {
        case Function::relu:
            return lower_steps(index, {{StepKind::relu, {}}});
        case Function::relu6:
            return lower_steps(index, {{StepKind::relu, {}}, step(StepKind::minimum, 6 * factor)});
        case Function::relu_n1_to_1:
            return lower_steps(index,
                               {step(StepKind::minimum, factor), step(StepKind::maximum, -factor)});
        case Function::leaky_relu:
            if (alpha > 1) throw Unsupported{"a slope above 1: want at most 1"};
            return lower_steps(index, {step(StepKind::leaky, alpha)});
        case Function::abs:
            return lower_steps(index, {step(StepKind::leaky, -1)});
        case Function::neg:
            return lower_steps(index, {step(StepKind::multiply, -1)});
        case Function::hard_swish:
            return lower_hard_swish(index);
        case Function::hard_sigmoid: {
            Linear sum(pool, shape.channels, shape.pixels());
            const TensorId input = node(index).inputs[0];
            add_tensor(sum, view(input), values(input), shape, 1,
                       std::vector<double>(at(shape.channels), alpha));
            for (int c = 0; c < shape.channels; ++c)
                sum.add_bias(c, beta);
            finish_sum(sum, index, output, graph::Activation::relu, 0);
            layers.layers.back().steps.push_back(step(StepKind::minimum, factor));
            return;
        }
        default:
            throw Unsupported{
                "the SIMD unit has no operation for it: want the host to do it (without "
                "--no-host)"};
    }
}

void Lowering::lower_requantise(int index) {
    const TensorId input = node(index).inputs[0], output = node(index).outputs[0];
    const Range& range = ranges_[at(input)];
    const bool clamps = clamps_at_zero(output) && !(range.known && range.low >= 0);
    if (clamps) return lower_steps(index, {{StepKind::relu, {}}});
    views_[output] = view(input);
}

void Lowering::lower_prelu(int index) {
    const std::vector<float> slopes = reals(node(index).inputs[1]);
    Step step{StepKind::leaky, {}};
    for (int block = 0; block < blocks(static_cast<int>(slopes.size())); ++block) {
        std::vector<double> lane_values;
        for (int c = block * lanes(); c < static_cast<int>(slopes.size()); ++c) {
            if (static_cast<int>(lane_values.size()) == lanes()) break;
            if (slopes[at(c)] > 1) throw Unsupported{"a slope above 1: want at most 1"};
            lane_values.push_back(static_cast<double>(slopes[at(c)]));
        }
        step.constants.push_back(pool.constant(lane_values));
    }
    lower_steps(index, {step});
}

}  // namespace macrame::tcu::compiler
