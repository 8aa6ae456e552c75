/// Operators of ONNX that write into a tensor, and rows the other way round: by constant indices a
/// choice of elements, by computed ones ScatterNd.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "compiler/front/onnx_steps.hpp"
#include "compiler/graph/at.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::Arithmetic;
using graph::TensorId;

namespace {

std::vector<std::int64_t> numbers_to(std::int64_t count) {
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
    return numbers;
}

}  // namespace

/// Elements of x or, where `from` says so, of the updates behind them.
void OnnxImporters::give_mixed(OnnxReader& r, const OnnxOperator& op, const OnnxValue& x,
                               const OnnxValue& updates,
                               std::vector<std::vector<std::int64_t>> turns,
                               const std::string& reduction) {
    const Steps steps(r, op);
    const auto flat = [&](const OnnxValue& value) {
        return r.reshaped(op, r.plain(op, value), {static_cast<int>(elements_of(value.shape))});
    };
    const auto count = static_cast<int>(elements_of(x.shape)),
               all = count + static_cast<int>(elements_of(updates.shape));
    const bool sums = reduction == "add", products = reduction == "mul";
    std::vector<TensorId> parts = {flat(x), flat(updates)};
    if (sums || products) {  // what does not change an element
        const TensorId none = r.add_tensor("none", r.tensor(x.id).type, {1});
        r.add(op, graph::Cast{}, {r.reshaped(op, r.add_real("none", products ? 1.0F : 0.0F), {1})},
              {none});
        parts.push_back(none);
    }
    const OnnxValue both = like(r, op, x, {all + (sums || products ? 1 : 0)});
    r.add(op, graph::Concat{0, {}}, parts, {both.id});
    OnnxValue mixed = steps.shaped(x, {count});
    for (std::vector<std::int64_t>& from : turns) {
        if (sums || products)
            for (std::int64_t& place : from)
                if (place < count) place = all;
        const OnnxValue places = r.integers_value(op.node->output(0), from, {count});
        const OnnxValue taken = like(r, op, x, {count});
        r.add(op, graph::Gather{0}, {both.id, places.id}, {taken.id});
        if (reduction == "none") {
            mixed = taken;
            continue;
        }
        const Arithmetic function = sums                 ? Arithmetic::add
                                    : products           ? Arithmetic::mul
                                    : reduction == "max" ? Arithmetic::maximum
                                                         : Arithmetic::minimum;
        mixed =
            x.real ? steps.of(function, mixed, taken) : of_numbers(r, op, function, mixed, taken);
    }
    r.give(op, 0, in_shape(r, op, mixed, x.shape));
}

/// The same by lengths of a run: what is at each place of a row is told by its number.
void OnnxImporters::reverse_by_values(OnnxReader& r, const OnnxOperator& op, const OnnxValue& x,
                                      int batch, int time) {
    const OnnxValue lengths = as_wide(r, op, r.value(op, 1));
    const std::size_t rank = x.shape.size();
    if (batch == time || lengths.shape != std::vector<int>{x.shape[at(batch)]})
        throw Refusal{fmt::format("lengths of shape {} for {} of {}: want one for each of a batch",
                                  graph::text_of(lengths.shape), x.shape[at(batch)],
                                  graph::text_of(x.shape))};
    const Steps steps(r, op);
    std::vector<int> order = {batch, time}, back(rank);
    for (int axis = 0; axis < static_cast<int>(rank); ++axis)
        if (axis != batch && axis != time) order.push_back(axis);
    for (std::size_t i = 0; i < rank; ++i)
        back[at(order[i])] = static_cast<int>(i);
    const OnnxValue rows = steps.permuted(x, order);
    const int pictures = rows.shape[0], count = rows.shape[1];
    const OnnxValue number = r.integers_value("number", numbers_to(count), {1, count});
    const OnnxValue length = in_shape(r, op, lengths, {pictures, 1});
    // n becomes n + (length - 1 - 2 n) where it is less than the length.
    OnnxValue apart = of_numbers(
        r, op, Arithmetic::sub, length,
        of_numbers(r, op, Arithmetic::add, number,
                   of_numbers(r, op, Arithmetic::add, number, r.integers_value("one", {1}, {}))));
    OnnxValue inside = apart;
    inside.id = r.add_tensor(op.node->output(0), graph::Type::int8, apart.shape, {{1.0F}, {0}, 0});
    r.add(op, graph::Compare{graph::Relation::less}, {number.id, length.id}, {inside.id});
    apart = of_numbers(r, op, Arithmetic::mul, apart, as_wide(r, op, inside));
    const OnnxValue places =
        in_shape(r, op, of_numbers(r, op, Arithmetic::add, number, apart), {pictures, count, 1});
    const OnnxValue taken = like(r, op, rows, rows.shape);
    r.add(op, graph::GatherNd{1}, {rows.id, places.id}, {taken.id});
    r.give(op, 0, steps.permuted(taken, back));
}

/// The first elements of each row of a batch the other way round.
void OnnxImporters::reverse_sequence(OnnxReader& r, const OnnxOperator& op) {
    const OnnxValue x = as_it_is(r, op, 0);
    const std::size_t rank = x.shape.size();
    const auto batch = at(axis_of(op.integer("batch_axis", 1), rank)),
               time = at(axis_of(op.integer("time_axis", 0), rank));
    if (!r.tensor(r.value(op, 1).id).constant)
        return reverse_by_values(r, op, x, static_cast<int>(batch), static_cast<int>(time));
    const std::vector<std::int64_t> lengths = r.constants(op, 1);
    if (batch == time || lengths.size() != at(x.shape[batch]))
        throw Refusal{fmt::format("{} lengths for {} of {}: want one for each of a batch",
                                  lengths.size(), x.shape[batch], graph::text_of(x.shape))};
    const std::int64_t count = elements_of(x.shape);
    r.budget_.charge(static_cast<std::size_t>(count) * sizeof(std::int64_t));
    std::vector<std::int64_t> from(static_cast<std::size_t>(count)), strides(rank, 1);
    for (std::size_t i = rank; i-- > 1;)
        strides[i - 1] = strides[i] * x.shape[i];
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t step = i / strides[time] % x.shape[time];
        const std::int64_t length =
            lengths[at(static_cast<int>(i / strides[batch] % x.shape[batch]))];
        if (length < 0 || length > x.shape[time])
            throw Refusal{fmt::format("length {}: want 0 to {}", length, x.shape[time])};
        const std::int64_t other = step < length ? length - 1 - step : step;
        from[static_cast<std::size_t>(i)] = i + (other - step) * strides[time];
    }
    OnnxValue flat = like(r, op, x, {static_cast<int>(count)});
    const OnnxValue places = r.integers_value(op.node->output(0), from, {static_cast<int>(count)});
    r.add(op, graph::Gather{0}, {r.reshaped(op, x.id, {static_cast<int>(count)}), places.id},
          {flat.id});
    r.give(op, 0, in_shape(r, op, flat, x.shape));
}

void OnnxImporters::scatter(OnnxReader& r, const OnnxOperator& op) {
    OnnxValue x = as_it_is(r, op, 0), updates = as_it_is(r, op, 2);
    const std::string known[] = {"none", "add", "mul", "max", "min"},
                      reduction = op.text("reduction", "none");
    if (std::find(std::begin(known), std::end(known), reduction) == std::end(known))
        throw Refusal{fmt::format("reduction {}: want none, add, mul, max or min", reduction)};
    if (x.real || updates.real) {
        x = r.in_float(op, x);
        updates = r.in_float(op, updates);
    }
    if (r.tensor(x.id).type != r.tensor(updates.id).type)
        throw Refusal{fmt::format("updates of {} into {}: want one type",
                                  name_of(r.tensor(updates.id).type),
                                  name_of(r.tensor(x.id).type))};
    if (!r.tensor(r.value(op, 1).id).constant)
        return scatter_by_values(r, op, x, updates, reduction);
    r.budget_.charge(r.tensor(r.value(op, 1).id).elements() * sizeof(std::int64_t));
    const std::vector<std::int64_t> indices = integers_of(r.tensor(r.value(op, 1).id), 1 << 24);
    const std::vector<int> shape = x.shape, own = r.value(op, 1).shape;
    const std::int64_t count = elements_of(shape);
    r.budget_.charge(static_cast<std::size_t>(count) * sizeof(std::int64_t));
    std::vector<std::int64_t> strides(shape.size(), 1);
    // Where elements come from: behind those of x are those of updates. Where several meet one
    // element, they do so one after the other.
    const std::vector<std::int64_t> own_places = numbers_to(count);
    std::vector<std::vector<std::int64_t>> turns;
    std::vector<std::size_t> met(own_places.size());
    const auto hit = [&](std::int64_t element, std::size_t update) {
        const auto e = static_cast<std::size_t>(element);
        const std::size_t turn = reduction == "none" ? 0 : met[e]++;
        if (turn == turns.size()) {
            r.budget_.charge(own_places.size() * sizeof(std::int64_t));
            turns.push_back(own_places);
        }
        turns[turn][e] = count + static_cast<std::int64_t>(update);
    };
    for (std::size_t i = shape.size(); i-- > 1;)
        strides[i - 1] = strides[i] * shape[i];
    const auto place = [&](std::int64_t index, std::size_t axis) {
        const std::int64_t size = shape[axis], positive = index < 0 ? index + size : index;
        if (positive < 0 || positive >= size)
            throw Refusal{fmt::format("index {} of an axis of {}: want it inside", index, size)};
        return positive * strides[axis];
    };
    if (op.type() == "ScatterND") {
        const std::size_t depth = own.empty() ? 0 : at(own.back());
        if (depth < 1 || depth > shape.size())
            throw Refusal{fmt::format("indices of shape {} for {}: want at most {} in a row",
                                      graph::text_of(own), graph::text_of(shape), shape.size())};
        const auto inner = static_cast<std::size_t>(strides[depth - 1]);
        if (static_cast<std::size_t>(elements_of(updates.shape)) != indices.size() / depth * inner)
            throw Refusal{fmt::format("updates of shape {} at indices {}: want {} each",
                                      graph::text_of(updates.shape), graph::text_of(own), inner)};
        for (std::size_t row = 0; row < indices.size() / depth; ++row) {
            std::int64_t start = 0;
            for (std::size_t axis = 0; axis < depth; ++axis)
                start += place(indices[row * depth + axis], axis);
            for (std::size_t i = 0; i < inner; ++i)
                hit(start + static_cast<std::int64_t>(i), row * inner + i);
        }
    } else {
        const auto along = at(axis_of(op.integer("axis", 0), shape.size()));
        if (updates.shape != own || own.size() != shape.size())
            throw Refusal{fmt::format("updates of shape {}, indices {}, for {}: want one shape",
                                      graph::text_of(updates.shape), graph::text_of(own),
                                      graph::text_of(shape))};
        for (std::size_t i = 0; i < indices.size(); ++i) {
            std::int64_t start = 0;
            std::size_t rest = i;
            for (std::size_t axis = shape.size(); axis-- > 0;) {
                const auto here = static_cast<std::int64_t>(rest % at(own[axis]));
                rest /= at(own[axis]);
                start += place(axis == along ? indices[i] : here, axis);
            }
            hit(start, i);
        }
    }
    give_mixed(r, op, x, updates, turns, reduction);
}

/// Numbers of an axis, for each place of a tensor of this shape, as a column.
OnnxValue OnnxImporters::numbers_of_axis(OnnxReader& r, const std::vector<int>& shape,
                                         std::size_t axis) {
    const std::int64_t count = elements_of(shape);
    r.budget_.charge(static_cast<std::size_t>(count) * sizeof(std::int64_t));
    std::int64_t stride = 1;
    for (std::size_t i = axis + 1; i < shape.size(); ++i)
        stride *= shape[i];
    std::vector<std::int64_t> numbers = numbers_to(count);
    for (std::int64_t& number : numbers)
        number = number / stride % shape[axis];
    return r.integers_value("number", numbers, {static_cast<int>(count), 1});
}

/// x with updates at places whose numbers, a column for each axis, are these.
OnnxValue OnnxImporters::with_updates(OnnxReader& r, const OnnxOperator& op, const OnnxValue& x,
                                      const OnnxValue& updates,
                                      const std::vector<OnnxValue>& columns,
                                      const graph::ScatterNd& how) {
    const auto rows = columns[0].shape[0], axes = static_cast<int>(columns.size());
    TensorId places = columns[0].id;
    if (axes > 1) {
        std::vector<TensorId> ids;
        for (const OnnxValue& column : columns)
            ids.push_back(as_wide(r, op, column).id);
        places = r.add_tensor(op.node->output(0), graph::Type::int64, {rows, axes});
        r.add(op, graph::Concat{1, {}}, ids, {places});
    }
    std::vector<int> shape = {rows};
    shape.insert(shape.end(), x.shape.begin() + axes, x.shape.end());
    const OnnxValue y = like(r, op, x, x.shape);
    r.add(op, how, {x.id, places, r.reshaped(op, updates.id, shape)}, {y.id});
    return y;
}

void OnnxImporters::scatter_by_values(OnnxReader& r, const OnnxOperator& op, const OnnxValue& x,
                                      const OnnxValue& updates, const std::string& reduction) {
    const OnnxValue where = r.value(op, 1);
    const TensorId indices = r.plain(op, where);
    const bool of_rows = op.type() == "ScatterND" && reduction == "none" && !x.shape.empty() &&
                         updates.shape.size() == x.shape.size() &&
                         where.shape == std::vector<int>{updates.shape[0], 1};
    if (of_rows) return put_rows(r, op);
    if (where.real || r.tensor(indices).type == graph::Type::int8)
        throw Refusal{fmt::format("indices {} have type {}: want int32 or int64",
                                  r.tensor(indices).name, name_of(r.tensor(indices).type))};
    graph::ScatterNd how;
    if (reduction == "add") how.joined = graph::Reduction::sum;
    if (reduction == "mul") how.joined = graph::Reduction::product;
    if (reduction == "max") how.joined = graph::Reduction::maximum;
    if (reduction == "min") how.joined = graph::Reduction::minimum;
    if (op.type() == "ScatterND") {
        const OnnxValue y = like(r, op, x, x.shape);
        r.add(op, how, {x.id, indices, updates.id}, {y.id});
        return r.give(op, 0, y);
    }
    const auto along = at(axis_of(op.integer("axis", 0), x.shape.size()));
    if (updates.shape != where.shape || where.shape.size() != x.shape.size())
        throw Refusal{fmt::format("updates of shape {}, indices {}, for {}: want one shape",
                                  graph::text_of(updates.shape), graph::text_of(where.shape),
                                  graph::text_of(x.shape))};
    std::vector<OnnxValue> columns;
    const auto count = static_cast<int>(elements_of(where.shape));
    for (std::size_t axis = 0; axis < x.shape.size(); ++axis)
        columns.push_back(axis == along ? in_shape(r, op, where, {count, 1})
                                        : numbers_of_axis(r, where.shape, axis));
    r.give(op, 0, with_updates(r, op, x, updates, columns, how));
}

/// x with updates, as large but along an axis, from numbers on that are there for each of a batch;
/// `around`: what is behind the end is at the beginning.
OnnxValue OnnxImporters::with_part(OnnxReader& r, const OnnxOperator& op, const OnnxValue& x,
                                   const OnnxValue& updates, const OnnxValue& begins, int axis,
                                   bool around) {
    bool fits = axis > 0 && updates.shape.size() == x.shape.size() &&
                elements_of(begins.shape) == x.shape[0];
    for (std::size_t i = 0; fits && i < x.shape.size(); ++i)
        fits = updates.shape[i] == x.shape[i] || (i == at(axis) && updates.shape[i] < x.shape[i]);
    if (!fits)
        throw Refusal{
            fmt::format("updates {} in {} along axis {}, {} places: want the same shape but for "
                        "that axis, which is none of the batch, and a place for each of a batch",
                        graph::text_of(updates.shape), graph::text_of(x.shape), axis,
                        elements_of(begins.shape))};
    const std::vector<int> front(updates.shape.begin(), updates.shape.begin() + axis + 1);
    std::vector<OnnxValue> columns;
    for (std::size_t i = 0; i <= at(axis); ++i)
        columns.push_back(numbers_of_axis(r, front, i));
    OnnxValue begin = as_wide(r, op, begins);
    OnnxValue each = begin;
    each.shape = columns[0].shape;
    each.id = r.add_tensor(op.node->output(0), graph::Type::int64, each.shape);
    r.add(op, graph::Gather{0},
          {r.reshaped(op, begin.id, {x.shape[0], 1}),
           r.reshaped(op, columns[0].id, {columns[0].shape[0]})},
          {each.id});
    columns.back() = of_numbers(r, op, Arithmetic::add, columns.back(), each);
    if (around)
        columns.back() = of_numbers(r, op, Arithmetic::floor_mod, columns.back(),
                                    r.integers_value("length", {x.shape[at(axis)]}, {}));
    return with_updates(r, op, x, updates, columns, {});
}

/// A part of a cache of keys or values.
void OnnxImporters::tensor_scatter(OnnxReader& r, const OnnxOperator& op) {
    const std::vector<int>& cache = r.value(op, 0).shape;
    const bool one = !cache.empty() && cache[0] == 1 && r.value(op, 1).shape.size() == cache.size();
    if (one && op.text("mode", "linear") == "linear" &&
        axis_of(op.integer("axis", -2), cache.size()) > 0)
        return put_rows(r, op);
    OnnxValue x = as_it_is(r, op, 0), updates = as_it_is(r, op, 1);
    if (x.real || updates.real) {
        x = r.in_float(op, x);
        updates = r.in_float(op, updates);
    }
    const std::string mode = op.text("mode", "linear");
    if (mode != "linear" && mode != "circular")
        throw Refusal{fmt::format("mode {}: want linear or circular", mode)};
    const int axis = axis_of(op.integer("axis", -2), x.shape.size());
    const OnnxValue begins =
        r.has(op, 2) ? r.value(op, 2)
                     : r.integers_value("begins", std::vector<std::int64_t>(at(x.shape[0]), 0),
                                        {x.shape[0]});
    r.give(op, 0, with_part(r, op, x, updates, begins, axis, mode == "circular"));
}

}  // namespace macrame::front
