/// Operators of ONNX without weights.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "compiler/front/onnx_importers.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::TensorId;
using graph::Type;

namespace {

graph::Function function_of(const std::string& type) {
    using graph::Function;
    constexpr std::pair<const char*, Function> kFunctions[] = {
        {"Abs", Function::abs},
        {"Ceil", Function::ceil},
        {"Cos", Function::cos},
        {"Elu", Function::elu},
        {"Erf", Function::erf},
        {"Exp", Function::exp},
        {"FastGelu", Function::gelu_tanh},
        {"Floor", Function::floor},
        {"Gelu", Function::gelu},
        {"HardSigmoid", Function::hard_sigmoid},
        {"HardSwish", Function::hard_swish},
        {"LeakyRelu", Function::leaky_relu},
        {"Log", Function::log},
        {"Mish", Function::mish},
        {"Neg", Function::neg},
        {"QuickGelu", Function::silu},
        {"Reciprocal", Function::reciprocal},
        {"Relu", Function::relu},
        {"Round", Function::round},
        {"Sigmoid", Function::sigmoid},
        {"Sign", Function::sign},
        {"Sin", Function::sin},
        {"Softplus", Function::softplus},
        {"Softsign", Function::softsign},
        {"Sqrt", Function::sqrt},
        {"Swish", Function::silu},
        {"Tanh", Function::tanh},
    };
    for (const auto& [name, function] : kFunctions) {
        if (type == name) return function;
    }
    return Function::relu;
}

/// On integers with scales as inputs; others are QDQ or float32.
bool is_qlinear(const OnnxOperator& op) { return op.type().rfind("QLinear", 0) == 0; }

}  // namespace

std::vector<int> broadcast(const std::vector<int>& a, const std::vector<int>& b) {
    std::vector<int> result(std::max(a.size(), b.size()), 1);
    for (std::size_t i = 0; i < result.size(); ++i) {
        const int x = i < a.size() ? a[a.size() - 1 - i] : 1;
        const int y = i < b.size() ? b[b.size() - 1 - i] : 1;
        if (x != y && x != 1 && y != 1)
            throw Refusal{fmt::format("shapes {} and {}: want equal sizes, or 1", graph::text_of(a),
                                      graph::text_of(b))};
        result[result.size() - 1 - i] = std::max(x, y);
    }
    return result;
}

// ---------------------------------------------------------------- two operands

OnnxValue OnnxImporters::combine(OnnxReader& r, const OnnxOperator& op, graph::Arithmetic function,
                                 OnnxValue a, OnnxValue b, const Ending& ending) {
    OnnxValue y;
    y.shape = broadcast(a.shape, b.shape);
    y.real = true;
    const bool pictures = a.form == Form::image || b.form == Form::image;
    if (pictures && y.shape.size() == 4) {
        y.form = Form::image;
        for (OnnxValue* value : {&a, &b}) {
            if (value->shape.empty()) continue;
            std::vector<int> shape(4 - value->shape.size(), 1);
            shape.insert(shape.end(), value->shape.begin(), value->shape.end());
            *value = in_shape(r, op, *value, std::move(shape));
            value->id = r.image(op, *value);
        }
    } else {
        a.id = r.plain(op, a);
        b.id = r.plain(op, b);
    }
    y.id = r.add_result(ending, y.form == Form::image ? image_shape(y.shape) : y.shape);
    // Of one tensor a table says it all; sums of two are those of the kernels for integers.
    const bool one = r.tensor(a.id).constant || r.tensor(b.id).constant;
    r.add(op, graph::Binary{function, ending.activation, one && !is_qlinear(op)}, {a.id, b.id},
          {y.id});
    return y;
}

void OnnxImporters::arithmetic(OnnxReader& r, const OnnxOperator& op) {
    using graph::Arithmetic;
    if (fold_integers(r, op)) return;
    Arithmetic function = Arithmetic::add;
    if (op.type() == "Sub") function = Arithmetic::sub;
    if (op.type() == "Mul" || op.type() == "Div") function = Arithmetic::mul;
    if (op.type() == "Max") function = Arithmetic::maximum;
    if (op.type() == "Min") function = Arithmetic::minimum;
    if (op.inputs() != 2) throw Refusal{fmt::format("{} inputs: want 2", op.inputs())};
    OnnxValue a = r.value(op, 0), b = r.value(op, 1);
    const auto is_number = [&](const OnnxValue& x) {
        return !x.real &&
               (r.tensor(x.id).type == Type::int32 || r.tensor(x.id).type == Type::int64);
    };
    if (is_number(a) && is_number(b)) {
        r.give(op, 0, of_numbers(r, op, op.type() == "Div" ? Arithmetic::div : function, a, b));
        return;
    }
    Ending ending = r.ending(op, true);
    const bool computed = op.type() == "Div" && !r.tensor(b.id).constant;
    if (computed) {
        function = Arithmetic::div;
    } else if (op.type() == "Div") {
        // By a constant: times its reciprocals.
        std::vector<float> values = r.reals(op, 1);
        for (float& value : values)
            value = 1 / value;
        b = r.in_float(op, b);
        graph::Tensor copy = r.tensor(b.id);
        r.budget_.charge(copy.data.size());
        std::memcpy(copy.data.own().data(), values.data(), copy.data.size());
        b.id = r.add_tensor(std::move(copy));
    }
    if (ending.quantisation && r.is_quantised(a)) b = r.as_step(b);
    if (ending.quantisation && r.is_quantised(b)) a = r.as_step(a);
    r.in_integers(op, {&a, &b}, ending);
    r.give(op, ending, combine(r, op, function, a, b, ending));
}

// ---------------------------------------------------------------- one operand

OnnxValue OnnxImporters::apply(OnnxReader& r, const OnnxOperator& op, const graph::Unary& function,
                               const OnnxValue& x, const Ending& ending) {
    OnnxValue y = x;
    y.real = true;
    y.id = r.add_result(ending, r.tensor(x.id).shape);
    r.add(op, function, {x.id}, {y.id});
    return y;
}

void OnnxImporters::unary(OnnxReader& r, const OnnxOperator& op) {
    OnnxValue x = r.value(op, 0);
    const bool number =
        !x.real && r.tensor(x.id).type != Type::int8 && r.tensor(x.id).type != Type::int16;
    if (number && (op.type() == "Neg" || op.type() == "Abs")) {
        const OnnxValue less =
            of_numbers(r, op, graph::Arithmetic::sub, r.integers_value("zero", {0}, {}), x);
        r.give(op, 0,
               op.type() == "Neg" ? less : of_numbers(r, op, graph::Arithmetic::maximum, x, less));
        return;
    }
    Ending ending = r.ending(op, false);
    r.in_integers(op, {&x}, ending);
    graph::Unary function{function_of(op.type()), 0};
    if (op.type() == "LeakyRelu") function.alpha = op.real("alpha", 0.01F);
    if (op.type() == "Elu") function.alpha = op.real("alpha", 1);
    if (op.type() == "Swish") function.alpha = op.real("alpha", 1);
    if (op.type() == "QuickGelu") function.alpha = op.real("alpha", 1.702F);
    if (op.type() == "Gelu" && op.text("approximate", "none") == "tanh")
        function.function = graph::Function::gelu_tanh;
    if (op.type() == "HardSigmoid") {
        function.alpha = op.real("alpha", 0.2F);
        function.beta = op.real("beta", 0.5F);
    }
    r.give(op, ending, apply(r, op, function, x, ending));
}

/// What is no activation of the graph: maximum and minimum with constants.
void OnnxImporters::clip(OnnxReader& r, const OnnxOperator& op) {
    for (std::size_t i = 1; i < op.inputs(); ++i)
        if (r.has(op, i) && !r.tensor(r.value(op, i).id).constant) return clip_to_values(r, op);
    OnnxValue x = r.value(op, 0);
    if (!x.real && (r.tensor(x.id).type == Type::int32 || r.tensor(x.id).type == Type::int64))
        return clip_to_values(r, op);
    Ending ending = r.ending(op, false);
    r.in_integers(op, {&x}, ending);
    const auto bounds = r.clip_bounds(op);
    if (!(bounds.first <= bounds.second))
        throw Refusal{
            fmt::format("bounds {} and {}: want numbers in order", bounds.first, bounds.second)};
    if (const auto activation = r.activation_of(*op.node)) {
        const auto function = *activation == graph::Activation::relu ? graph::Function::relu
                              : *activation == graph::Activation::relu6
                                  ? graph::Function::relu6
                                  : graph::Function::relu_n1_to_1;
        r.give(op, ending, apply(r, op, {function, 0}, x, ending));
        return;
    }
    const auto limit = [&](graph::Arithmetic function, float bound) {
        OnnxValue constant;
        constant.real = true;
        constant.id = r.add_real("bound", bound);
        if (ending.quantisation) {
            // Rounding keeps the order: the bound may be rounded first.
            const TensorId id = r.add_tensor("bound", Type::int8, {}, *ending.quantisation);
            r.add(op, graph::Requantise{}, {constant.id}, {id});
            constant.id = id;
        }
        x = combine(r, op, function, x, constant, ending);
    };
    constexpr float kMost = std::numeric_limits<float>::max();
    if (bounds.first > -kMost) limit(graph::Arithmetic::maximum, bounds.first);
    if (bounds.second < kMost) limit(graph::Arithmetic::minimum, bounds.second);
    r.give(op, ending, x);
}

/// Slopes for places, too: a choice between x and its product.
void OnnxImporters::bent_by_each(OnnxReader& r, const OnnxOperator& op) {
    OnnxValue x = r.in_float(op, r.value(op, 0));
    const OnnxValue slopes = r.in_float(op, r.value(op, 1));
    if (broadcast(x.shape, slopes.shape) != x.shape)
        throw Refusal{
            fmt::format("slopes of shape {} for {}: want one, one for each channel, or "
                        "a shape that is broadcast",
                        graph::text_of(slopes.shape), graph::text_of(x.shape))};
    Ending between;
    between.name = op.node->output(0);
    OnnxValue y = combine(r, op, graph::Arithmetic::mul, x, slopes, between);
    const TensorId product = r.plain(op, y), from = r.plain(op, x);
    const TensorId zero = r.add_real("zero", 0);
    const TensorId less = truth_of(r, op, graph::Relation::less, from, zero);
    y.form = Form::plain;
    y.id = r.add_tensor(between.name, Type::float32, x.shape);
    r.add(op, graph::Select{}, {less, product, from}, {y.id});
    r.give(op, 0, y);
}

void OnnxImporters::prelu(OnnxReader& r, const OnnxOperator& op) {
    OnnxValue x = r.value(op, 0), slopes = r.value(op, 1);
    // Channels of pictures are their second axis, those of other values the last.
    const std::vector<int> shape = x.shape;
    const bool line = shape.size() == 3 && slopes.shape.size() >= 2 && slopes.shape.back() == 1 &&
                      elements_of(slopes.shape) == shape[1];
    if (line) {
        x = in_shape(r, op, x, {shape[0], shape[1], 1, shape[2]});
        slopes = in_shape(r, op, slopes, {shape[1], 1, 1});
    }
    const bool picture = x.shape.size() == 4;
    const std::int64_t channels = x.shape.empty() ? 1 : picture ? x.shape[1] : x.shape.back();
    const std::int64_t behind = picture ? 3 : 1;
    const auto count = static_cast<std::int64_t>(r.tensor(slopes.id).elements());
    const auto rank = static_cast<std::int64_t>(slopes.shape.size());
    const bool along = rank >= behind && rank <= static_cast<std::int64_t>(x.shape.size()) &&
                       slopes.shape[static_cast<std::size_t>(rank - behind)] == channels;
    if (count != 1 && (count != channels || !along)) return bent_by_each(r, op);
    Ending ending = r.ending(op, false);
    r.in_integers(op, {&x, &slopes}, ending);
    TensorId per_channel = r.reshaped(op, r.plain(op, slopes), {static_cast<int>(count)});
    if (count != channels) {
        const graph::Tensor one = r.tensor(per_channel);
        const TensorId all =
            r.add_tensor(one.name, one.type, {static_cast<int>(channels)}, one.quantisation);
        const auto copies = static_cast<std::size_t>(channels);
        r.add(op, graph::Concat{0, {}}, std::vector<TensorId>(copies, per_channel), {all});
        per_channel = all;
    }
    OnnxValue y = x;
    y.form = picture ? Form::image : Form::plain;
    const TensorId input = picture ? r.image(op, x) : r.plain(op, x);
    y.id = r.add_result(ending, picture ? image_shape(y.shape) : r.tensor(input).shape);
    r.add(op, graph::Prelu{}, {input, per_channel}, {y.id});
    r.give(op, ending, line ? in_shape(r, op, y, shape) : y);
}

// ---------------------------------------------------------------- windows and sums

OnnxValue OnnxImporters::average(OnnxReader& r, const OnnxOperator& op, OnnxValue x,
                                 const Ending& ending) {
    TensorId input = r.image(op, x);
    const auto kernel = pair_of(op, "kernel_shape", 0, 1);
    Placed placed = window_of(op, x.shape[2], x.shape[3], kernel[0], kernel[1]);
    graph::Window& w = placed.window;
    const bool padded = w.top + w.left + w.bottom + w.right != 0;
    if (op.integer("count_include_pad", 0) != 0 && padded) {
        if (op.integer("ceil_mode", 0) != 0)
            throw Refusal{"count_include_pad with ceil_mode: want one of them"};
        std::vector<int> shape = image_shape(x.shape);
        shape[1] += w.top + w.bottom;
        shape[2] += w.left + w.right;
        input = r.add_move(op, graph::Pad{{{0, 0}, {w.top, w.bottom}, {w.left, w.right}, {0, 0}}},
                           input, shape);
        w.top = w.left = w.bottom = w.right = 0;
    }
    OnnxValue y;
    y.shape = {x.shape[0], x.shape[1], placed.height, placed.width};
    y.form = Form::image;
    y.real = true;
    y.id = r.add_result(ending, image_shape(y.shape));
    r.add(op, graph::Pool{graph::Pooling::average, w, {}, !is_qlinear(op)}, {input}, {y.id});
    return y;
}

void OnnxImporters::pool(OnnxReader& r, const OnnxOperator& op) {
    OnnxValue x = r.value(op, 0);
    if (x.shape.size() == 5) return pool_volume(r, op);
    const bool line = x.shape.size() == 3;
    if (line) x = in_shape(r, op, x, {x.shape[0], x.shape[1], 1, x.shape[2]});
    const auto in_file = [&](const OnnxValue& y) {
        return line ? in_shape(r, op, y, {y.shape[0], y.shape[1], y.shape[3]}) : y;
    };
    if (x.shape.size() != 4)
        throw Refusal{
            fmt::format("input of shape {}: want three to five axes", graph::text_of(x.shape))};
    if (op.find("kernel_shape") == nullptr) throw Refusal{"no kernel_shape: want one"};
    if (op.type() == "AveragePool") {
        Ending ending = r.ending(op, false);
        r.in_integers(op, {&x}, ending);
        r.give(op, ending, in_file(average(r, op, x, ending)));
        return;
    }
    const auto kernel = pair_of(op, "kernel_shape", 0, 1);
    const TensorId input = r.image(op, x);
    const Placed placed = window_of(op, x.shape[2], x.shape[3], kernel[0], kernel[1]);
    op.integer("storage_order", 0);  // of indices
    if (op.outputs() > 1 && !op.node->output(1).empty())
        give_places(r, op, x, placed,
                    line ? std::vector<int>{x.shape[0], x.shape[1], placed.width}
                         : std::vector<int>{x.shape[0], x.shape[1], placed.height, placed.width});
    x.shape = {x.shape[0], x.shape[1], placed.height, placed.width};
    x.form = Form::image;
    x.id = r.add_move(op, graph::Pool{graph::Pooling::maximum, placed.window, {}}, input,
                      image_shape(x.shape));
    r.give(op, 0, in_file(x));
}

void OnnxImporters::global_pool(OnnxReader& r, const OnnxOperator& op) {
    OnnxValue x = r.value(op, 0);
    if (x.shape.size() == 5) return pool_volume(r, op);
    const bool line = x.shape.size() == 3;
    const auto in_file = [&](const OnnxValue& y) {
        return line ? in_shape(r, op, y, {y.shape[0], y.shape[1], 1}) : y;
    };
    if (line) x = in_shape(r, op, x, {x.shape[0], x.shape[1], 1, x.shape[2]});
    const TensorId input = r.image(op, x);
    if (op.type() == "GlobalAveragePool") {
        Ending ending = r.ending(op, false);
        r.in_integers(op, {&x}, ending);
        r.give(op, ending, in_file(reduce(r, op, x, {2, 3}, true, ending)));
        return;
    }
    graph::Window window;
    window.kernel_h = x.shape[2];
    window.kernel_w = x.shape[3];
    x.shape[2] = x.shape[3] = 1;
    x.form = Form::image;
    x.id = r.add_move(op, graph::Pool{graph::Pooling::maximum, window, {}}, input,
                      image_shape(x.shape));
    r.give(op, 0, in_file(x));
}

OnnxValue OnnxImporters::reduce(OnnxReader& r, const OnnxOperator& op, OnnxValue x,
                                std::vector<int> axes, bool keep_dims, const Ending& ending) {
    std::sort(axes.begin(), axes.end());
    axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
    OnnxValue y;
    y.real = true;
    for (int axis = 0; axis < static_cast<int>(x.shape.size()); ++axis) {
        const bool gone = std::count(axes.begin(), axes.end(), axis) != 0;
        if (!gone || keep_dims)
            y.shape.push_back(gone ? 1 : x.shape[static_cast<std::size_t>(axis)]);
    }
    // Height and width of a picture go as they lie; so do single pixels.
    const bool picture = x.form == Form::image && (keep_dims || axes == std::vector<int>{2, 3});
    graph::Mean mean{axes, keep_dims};
    TensorId input = x.id;
    std::vector<int> shape = y.shape;
    if (picture) {
        std::transform(mean.axes.begin(), mean.axes.end(), mean.axes.begin(), image_axis);
        std::sort(mean.axes.begin(), mean.axes.end());
        if (keep_dims) {
            y.form = Form::image;
            shape = image_shape(y.shape);
        }
    } else {
        input = r.plain(op, x);
    }
    y.id = r.add_result(ending, shape);
    r.add(op, mean, {input}, {y.id});
    return y;
}

void OnnxImporters::mean(OnnxReader& r, const OnnxOperator& op) {
    OnnxValue x = r.value(op, 0);
    const auto axes = reduced_axes(r, op, x.shape.size());
    if (!axes) {
        r.give(op, 0, x);
        return;
    }
    Ending ending = r.ending(op, false);
    r.in_integers(op, {&x}, ending);
    r.give(op, ending, reduce(r, op, x, *axes, op.integer("keepdims", 1) != 0, ending));
}

// ---------------------------------------------------------------- classes

OnnxValue OnnxImporters::normalise(OnnxReader& r, const OnnxOperator& op, OnnxValue x,
                                   const Ending& ending) {
    // QLinearSoftmax names the version that it means.
    const bool own = op.node->domain().empty();
    const bool row = (own ? op.version : op.integer("opset", 13)) < 13;
    const int axis = axis_of(op.integer("axis", row ? 1 : -1), x.shape.size());
    graph::Softmax function;
    function.log = op.type() == "LogSoftmax";
    function.whole_steps = !own;
    const auto rank = static_cast<int>(x.shape.size());
    const auto softmax = [&](OnnxValue value) {
        value.id = r.add_result(ending, r.tensor(value.id).shape);
        return value;
    };
    OnnxValue y = x;
    if (x.form == Form::image && axis == 1 && !row) {
        y = softmax(x);
        r.add(op, function, {x.id}, {y.id});
        return y;
    }
    TensorId input = r.plain(op, x);
    // Older versions: all axes from there on are one.
    std::vector<int> order(x.shape.size()), shape = x.shape;
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<int>(i);
    const bool moved = !row && axis != rank - 1;
    if (moved) {
        std::swap(order[static_cast<std::size_t>(axis)], order.back());
        input = r.permuted(op, input, order);
    } else if (row && axis != rank - 1) {
        std::int64_t columns = 1;
        for (int i = axis; i < rank; ++i)
            columns *= x.shape[static_cast<std::size_t>(i)];
        const auto wide = static_cast<int>(columns);
        input = r.reshaped(op, input, {static_cast<int>(elements_of(x.shape) / columns), wide});
    }
    y.form = Form::plain;
    y.id = r.add_result(ending, r.tensor(input).shape);
    r.add(op, function, {input}, {y.id});
    if (moved) y.id = r.permuted(op, y.id, order);
    y.id = r.reshaped(op, y.id, shape);
    return y;
}

void OnnxImporters::softmax(OnnxReader& r, const OnnxOperator& op) {
    OnnxValue x = r.value(op, 0);
    Ending ending = r.ending(op, false);
    if (op.type() == "LogSoftmax") ending.quantisation.reset();  // no table has its range
    r.in_integers(op, {&x}, ending);
    r.give(op, ending, normalise(r, op, x, ending));
}

void OnnxImporters::argmax(OnnxReader& r, const OnnxOperator& op) {
    const OnnxValue x = r.value(op, 0);
    if (op.integer("select_last_index", 0) != 0)
        throw Refusal{"select_last_index = 1: want 0, the first of equal ones"};
    const int axis = axis_of(op.integer("axis", 0), x.shape.size());
    OnnxValue y;
    y.shape = x.shape;
    y.shape[static_cast<std::size_t>(axis)] = 1;
    const bool channels = x.form == Form::image && axis == 1;
    const TensorId input = channels ? x.id : r.plain(op, x);
    std::vector<int> shape = r.tensor(input).shape;
    const int own = channels ? 3 : axis;
    shape.erase(shape.begin() + own);
    y.id = r.add_tensor(op.node->output(0), Type::int64, shape);
    r.add(op, graph::Argmax{own, op.type() == "ArgMin"}, {input}, {y.id});
    if (op.integer("keepdims", 1) != 0)
        y.id = r.reshaped(op, y.id, y.shape);
    else
        y.shape = shape;
    r.give(op, 0, y);
}

}  // namespace macrame::front
