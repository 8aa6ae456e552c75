/// Conditions, repetitions, powers and sums of ONNX: what masks and norms in pieces are made of.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "compiler/front/onnx_importers.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::Arithmetic;
using graph::TensorId;
using graph::Type;

namespace {

const graph::Quantisation kTruth = {{1.0F}, {0}, 0};

}  // namespace

// ---------------------------------------------------------------- conditions

void OnnxImporters::compare(OnnxReader& r, const OnnxOperator& op) {
    OnnxValue a = r.value(op, 0), b = r.value(op, 1);
    const std::string& type = op.type();
    if (type == "Greater" || type == "GreaterOrEqual") std::swap(a, b);
    const auto whole = [&](const OnnxValue& value) {
        return !value.real && r.tensor(value.id).type != Type::int8;
    };
    if (!whole(a) || !whole(b)) {
        a = r.in_float(op, a);
        b = r.in_float(op, b);
    }
    OnnxValue y;
    y.shape = broadcast(a.shape, b.shape);
    y.real = true;
    const TensorId first = r.plain(op, a), second = r.plain(op, b);
    y.id = r.add_tensor(op.node->output(0), Type::int8, y.shape, kTruth);
    const graph::Relation relation = type == "Equal" ? graph::Relation::equal
                                     : type == "Less" || type == "Greater"
                                         ? graph::Relation::less
                                         : graph::Relation::less_equal;
    r.add(op, graph::Compare{relation}, {first, second}, {y.id});
    r.give(op, 0, y);
}

/// Of truths, 0 and 1: sums and products.
void OnnxImporters::logic(OnnxReader& r, const OnnxOperator& op) {
    Ending ending;
    ending.name = op.node->output(0);
    ending.quantisation = kTruth;
    const auto truth = [&](std::size_t i) {
        const OnnxValue value = r.value(op, i);
        const graph::Tensor& t = r.tensor(value.id);
        if (t.type != Type::int8 || t.quantisation.scale != kTruth.scale)
            throw Refusal{fmt::format("{} has type {}: want bool", t.name, name_of(t.type))};
        return value;
    };
    if (op.type() == "Not") {
        OnnxValue one;
        one.real = true;
        one.id = r.add_real("one", 1);
        r.give(op, 0, combine(r, op, Arithmetic::sub, r.as_step(one), truth(0), ending));
        return;
    }
    if (op.type() == "Xor") {
        const OnnxValue a = truth(0), b = truth(1);
        OnnxValue y;
        y.real = true;
        y.shape = broadcast(a.shape, b.shape);
        const TensorId first = r.plain(op, a), second = r.plain(op, b);
        y.id = r.add_tensor(op.node->output(0), Type::int8, y.shape, kTruth);
        r.add(op, graph::Compare{graph::Relation::not_equal}, {first, second}, {y.id});
        r.give(op, 0, y);
        return;
    }
    const Arithmetic function = op.type() == "And" ? Arithmetic::mul : Arithmetic::maximum;
    r.give(op, 0, combine(r, op, function, truth(0), truth(1), ending));
}

void OnnxImporters::where(OnnxReader& r, const OnnxOperator& op) {
    const OnnxValue condition = r.value(op, 0);
    if (r.tensor(condition.id).type != Type::int8)
        throw Refusal{fmt::format("condition {} has type {}: want bool",
                                  r.tensor(condition.id).name,
                                  name_of(r.tensor(condition.id).type))};
    r.give(op, 0, chosen(r, op, condition, {r.value(op, 1), r.value(op, 2)}, r.ending(op, false)));
}

/// The first of two where the condition holds, else the second.
OnnxValue OnnxImporters::chosen(OnnxReader& r, const OnnxOperator& op, const OnnxValue& condition,
                                std::array<OnnxValue, 2> choices, const Ending& ending) {
    const std::vector<int> shape =
        broadcast(condition.shape, broadcast(choices[0].shape, choices[1].shape));
    const graph::Tensor &a = r.tensor(choices[0].id), &b = r.tensor(choices[1].id);
    const bool whole = !choices[0].real && !choices[1].real;
    const bool alike = a.type == b.type && choices[0].real == choices[1].real &&
                       a.quantisation.scale == b.quantisation.scale &&
                       a.quantisation.zero_point == b.quantisation.zero_point &&
                       !a.quantisation.per_channel();
    const bool as_they_are = whole || (alike && !ending.quantisation);
    std::vector<TensorId> inputs = {r.plain(op, condition)};
    for (OnnxValue& choice : choices) {
        if (!as_they_are && !ending.quantisation) choice = r.in_float(op, choice);
        TensorId id = r.plain(op, choice);
        if (!as_they_are && ending.quantisation) {
            // The choice is rounded before instead of behind it: the same integers.
            const TensorId rounded = r.add_result(ending, choice.shape);
            r.add(op, graph::Requantise{}, {id}, {rounded});
            id = rounded;
        }
        inputs.push_back(id);
    }
    OnnxValue y;
    if (as_they_are) {
        y = like(r, op, choices[0], shape);
    } else {
        y.shape = shape;
        y.real = true;
        y.id = r.add_result(ending, shape);
    }
    r.add(op, graph::Select{}, inputs, {y.id});
    return y;
}

/// What is below or above a diagonal.
void OnnxImporters::trilu(OnnxReader& r, const OnnxOperator& op) {
    const OnnxValue x = r.value(op, 0);
    if (x.shape.size() < 2) throw Refusal{"a vector: want matrices"};
    const std::int64_t apart = r.has(op, 1) ? r.constants(op, 1).at(0) : 0;
    const bool upper = op.integer("upper", 1) != 0;
    const int rows = x.shape[x.shape.size() - 2], columns = x.shape.back();
    r.budget_.charge(static_cast<std::size_t>(elements_of({rows, columns})));
    graph::Tensor mask;
    mask.name = readable(op.node->output(0));
    mask.shape = {rows, columns};
    mask.quantisation = kTruth;
    mask.constant = true;
    mask.data.resize(mask.bytes());
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
            mask.data[static_cast<std::size_t>(i) * static_cast<std::size_t>(columns) +
                      static_cast<std::size_t>(j)] = upper ? j - i >= apart : j - i <= apart;
    const graph::Tensor from = r.tensor(x.id);
    graph::Tensor zero;
    zero.name = mask.name;
    zero.type = from.type;
    zero.quantisation = from.quantisation;
    zero.constant = true;
    zero.data.resize(zero.bytes());
    if (from.type == Type::int8 && !from.quantisation.zero_point.empty())
        zero.data[0] = static_cast<std::uint8_t>(from.quantisation.zero_point[0]);
    const TensorId mask_id = r.add_tensor(std::move(mask));
    const TensorId zero_id = r.add_tensor(std::move(zero));
    OnnxValue y = x;
    y.form = Form::plain;
    const TensorId input = r.plain(op, x);
    y.id = r.add_tensor(op.node->output(0), from.type, y.shape, from.quantisation);
    r.add(op, graph::Select{}, {mask_id, input, zero_id}, {y.id});
    r.give(op, 0, y);
}

// ---------------------------------------------------------------- repetitions

/// Along each axis the elements of these numbers, if there are any.
OnnxValue OnnxImporters::repeated(OnnxReader& r, const OnnxOperator& op, OnnxValue x,
                                  const std::vector<std::vector<std::int64_t>>& indices) {
    OnnxValue y = x;
    y.id = r.plain(op, x);
    y.form = Form::plain;
    for (std::size_t axis = 0; axis < indices.size(); ++axis) {
        if (indices[axis].empty()) continue;
        const auto count = static_cast<int>(indices[axis].size());
        r.budget_.charge(indices[axis].size() * sizeof(std::int64_t));
        const OnnxValue which = r.integers_value(op.node->output(0), indices[axis], {count});
        y.shape[axis] = count;
        if (elements_of(y.shape) >= 1 << 28)
            throw Refusal{fmt::format("shape {}: want less", graph::text_of(y.shape))};
        const graph::Tensor from = r.tensor(y.id);
        const TensorId id = r.add_tensor(op.node->output(0), from.type, y.shape, from.quantisation);
        r.graph_.tensor(id).shifted = from.shifted;
        r.add(op, graph::Gather{static_cast<int>(axis)}, {y.id, which.id}, {id});
        y.id = id;
    }
    return y;
}

void OnnxImporters::expand(OnnxReader& r, const OnnxOperator& op) {
    OnnxValue x = r.value(op, 0);
    std::vector<int> want;
    for (const std::int64_t size : r.constants(op, 1))
        want.push_back(size_of(size, "a size"));
    const std::vector<int> shape = broadcast(x.shape, want);
    std::vector<int> own(shape.size() - x.shape.size(), 1);
    own.insert(own.end(), x.shape.begin(), x.shape.end());
    x = in_shape(r, op, x, own);
    std::vector<std::vector<std::int64_t>> indices(shape.size());
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (own[i] != shape[i]) indices[i].assign(static_cast<std::size_t>(shape[i]), 0);
    r.give(op, 0, repeated(r, op, x, indices));
}

void OnnxImporters::tile(OnnxReader& r, const OnnxOperator& op) {
    const OnnxValue x = r.value(op, 0);
    const std::vector<std::int64_t> times = r.constants(op, 1);
    if (times.size() != x.shape.size())
        throw Refusal{
            fmt::format("{} repeats of {} axes: want as many", times.size(), x.shape.size())};
    std::vector<std::vector<std::int64_t>> indices(times.size());
    for (std::size_t i = 0; i < times.size(); ++i) {
        const std::int64_t size = x.shape[i];
        if (times[i] < 1 || times[i] * size > 1 << 24)
            throw Refusal{fmt::format("{} repeats of {} elements: want 1 to {} elements", times[i],
                                      size, 1 << 24)};
        for (std::int64_t at = 0; times[i] > 1 && at < times[i] * size; ++at)
            indices[i].push_back(at % size);
    }
    r.give(op, 0, repeated(r, op, x, indices));
}

void OnnxImporters::range(OnnxReader& r, const OnnxOperator& op) {
    const auto count_of = [](double start, double limit, double delta) {
        const double count = std::ceil((limit - start) / delta);
        if (!(count >= 1 && count <= 1 << 24))
            throw Refusal{
                fmt::format("{} to {} by {}: want 1 to {} elements", start, limit, delta, 1 << 24)};
        return static_cast<std::size_t>(count);
    };
    if (!r.value(op, 0).real) {
        const std::int64_t start = r.constants(op, 0).at(0), delta = r.constants(op, 2).at(0);
        const std::size_t count =
            count_of(static_cast<double>(start), static_cast<double>(r.constants(op, 1).at(0)),
                     static_cast<double>(delta));
        r.budget_.charge(count * sizeof(std::int64_t));
        std::vector<std::int64_t> values(count);
        for (std::size_t i = 0; i < count; ++i)
            values[i] = start + static_cast<std::int64_t>(i) * delta;
        r.give(op, 0, r.integers_value(op.node->output(0), values, {static_cast<int>(count)}));
        return;
    }
    const float start = r.reals(op, 0).at(0), delta = r.reals(op, 2).at(0);
    const std::size_t count =
        count_of(static_cast<double>(start), static_cast<double>(r.reals(op, 1).at(0)),
                 static_cast<double>(delta));
    graph::Tensor to;
    to.name = readable(op.node->output(0));
    to.type = Type::float32;
    to.shape = {static_cast<int>(count)};
    to.constant = true;
    r.budget_.charge(to.bytes());
    to.data.resize(to.bytes());
    for (std::size_t i = 0; i < count; ++i) {
        const float value = start + static_cast<float>(i) * delta;
        std::memcpy(&to.data[i * sizeof(value)], &value, sizeof(value));
    }
    OnnxValue y;
    y.real = true;
    y.shape = to.shape;
    y.id = r.add_tensor(std::move(to));
    r.give(op, 0, y);
}

// ---------------------------------------------------------------- blocks of pixels

void OnnxImporters::depth_to_space(OnnxReader& r, const OnnxOperator& op) {
    const OnnxValue x = r.value(op, 0);
    if (x.shape.size() != 4)
        throw Refusal{fmt::format("input of shape {}: want four axes", graph::text_of(x.shape))};
    const int block = size_of(op.integer("blocksize", 0), "blocksize");
    const int n = x.shape[0], c = x.shape[1], h = x.shape[2], w = x.shape[3];
    const std::string mode = op.text("mode", "DCR");
    const bool apart = op.type() == "SpaceToDepth";
    if (mode != "DCR" && mode != "CRD")
        throw Refusal{fmt::format("mode {}: want DCR or CRD", mode)};
    if (block > 1 << 10 || (apart ? h % block + w % block : c % (block * block)) != 0)
        throw Refusal{fmt::format("blocks of {}x{} in {}: want a divisor", block, block,
                                  graph::text_of(x.shape))};
    std::vector<int> split, order, shape;
    if (apart) {
        split = {n, c, h / block, block, w / block, block};
        order =
            mode == "DCR" ? std::vector<int>{0, 3, 5, 1, 2, 4} : std::vector<int>{0, 1, 3, 5, 2, 4};
        shape = {n, c * block * block, h / block, w / block};
    } else {
        const int less = c / (block * block);
        split = mode == "DCR" ? std::vector<int>{n, block, block, less, h, w}
                              : std::vector<int>{n, less, block, block, h, w};
        order =
            mode == "DCR" ? std::vector<int>{0, 3, 4, 1, 5, 2} : std::vector<int>{0, 1, 4, 2, 5, 3};
        shape = {n, less, h * block, w * block};
    }
    OnnxValue y = x;
    y.form = Form::plain;
    y.shape = shape;
    const TensorId cut = r.reshaped(op, r.plain(op, x), split);
    y.id = r.reshaped(op, r.permuted(op, cut, order), shape);
    r.give(op, 0, y);
}

// ---------------------------------------------------------------- powers and sums

void OnnxImporters::pow(OnnxReader& r, const OnnxOperator& op) {
    OnnxValue x = r.value(op, 0), power = r.value(op, 1);
    Ending ending = r.ending(op, false);
    const bool one = r.tensor(power.id).constant && r.tensor(power.id).elements() == 1;
    const bool whole = !power.real && one;
    const float exponent = whole ? static_cast<float>(r.constants(op, 1).at(0))
                           : one ? r.reals(op, 1).at(0)
                                 : 0.0F;
    constexpr std::pair<float, graph::Function> kKnown[] = {
        {2.0F, graph::Function::square},
        {0.5F, graph::Function::sqrt},
        {-0.5F, graph::Function::rsqrt},
        {-1.0F, graph::Function::reciprocal},
    };
    for (const auto& [known, function] : kKnown) {
        if (!one || exponent != known) continue;
        r.in_integers(op, {&x}, ending);
        r.give(op, ending, apply(r, op, {function}, x, ending));
        return;
    }
    if (whole) {
        power.real = true;
        power.id = r.add_real("power", exponent);
    }
    ending.quantisation.reset();
    x = r.in_float(op, x);
    r.give(op, ending, combine(r, op, Arithmetic::pow, x, r.in_float(op, power), ending));
}

/// Sums, of squares, and their roots: of means.
void OnnxImporters::sum(OnnxReader& r, const OnnxOperator& op) {
    if (!r.value(op, 0).real && op.type() == "ReduceSum") return reduce_all(r, op);
    OnnxValue x = r.in_float(op, r.value(op, 0));
    const std::string& type = op.type();
    const auto axes = reduced_axes(r, op, x.shape.size());
    if (!axes) {
        r.give(op, 0, x);
        return;
    }
    std::int64_t count = 1;
    for (const int axis : *axes)
        count *= x.shape[static_cast<std::size_t>(axis)];
    Ending none;
    none.name = op.node->output(0);
    if (type != "ReduceSum") x = apply(r, op, {graph::Function::square}, x, none);
    OnnxValue times;
    times.real = true;
    times.id = r.add_real("count", static_cast<float>(count));
    x = reduce(r, op, x, *axes, op.integer("keepdims", 1) != 0, none);
    x = combine(r, op, Arithmetic::mul, x, times, none);
    if (type == "ReduceL2") x = apply(r, op, {graph::Function::sqrt}, x, none);
    r.give(op, 0, x);
}

/// A window over all that goes; what stays lies in the channels.
void OnnxImporters::most(OnnxReader& r, const OnnxOperator& op) {
    OnnxValue x = r.value(op, 0);
    if (!x.real) return reduce_all(r, op);
    const auto axes = reduced_axes(r, op, x.shape.size());
    if (!axes) {
        r.give(op, 0, x);
        return;
    }
    std::vector<int> order, kept, shape;
    int window = 1, channels = 1;
    for (int axis = 0; axis < static_cast<int>(x.shape.size()); ++axis) {
        const int size = x.shape[static_cast<std::size_t>(axis)];
        const bool gone = std::count(axes->begin(), axes->end(), axis) != 0;
        (gone ? order : kept).push_back(axis);
        (gone ? window : channels) *= size;
        if (!gone || op.integer("keepdims", 1) != 0) shape.push_back(gone ? 1 : size);
    }
    order.insert(order.end(), kept.begin(), kept.end());
    graph::TensorId now = r.plain(op, x);
    if (!std::is_sorted(order.begin(), order.end())) now = r.permuted(op, now, order);
    graph::Pool pool{graph::Pooling::maximum, {}, {}};
    pool.window.kernel_h = window;
    now = r.add_move(op, pool, r.reshaped(op, now, {1, window, 1, channels}), {1, 1, 1, channels});
    x.id = r.reshaped(op, now, shape);
    x.shape = std::move(shape);
    x.form = Form::plain;
    r.give(op, 0, x);
}

/// Of any number of operands.
void OnnxImporters::add_all(OnnxReader& r, const OnnxOperator& op) {
    if (op.inputs() == 0) throw Refusal{"no inputs: want some"};
    if (op.inputs() == 2) return arithmetic(r, op);
    const Arithmetic function = op.type() == "Max"   ? Arithmetic::maximum
                                : op.type() == "Min" ? Arithmetic::minimum
                                                     : Arithmetic::add;
    OnnxValue x = r.value(op, 0);
    if (op.inputs() == 1) {
        r.give(op, 0, x);
        return;
    }
    Ending ending;
    ending.name = op.node->output(0);
    x = r.in_float(op, x);
    for (std::size_t i = 1; i < op.inputs(); ++i)
        x = combine(r, op, function, x, r.in_float(op, r.value(op, i)), ending);
    r.give(op, 0, x);
}

}  // namespace macrame::front
