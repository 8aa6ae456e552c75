/// Operators of TFLite that put elements to places: REVERSE_SEQUENCE, SCATTER_ND,
/// DYNAMIC_UPDATE_SLICE. Each is a gather by constant indices where places are known, else a gather
/// or scatter by what a run computes.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "compiler/front/tflite_importers.hpp"
#include "compiler/graph/at.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::Tensor;
using graph::TensorId;
using graph::Type;

namespace {

using Places = std::vector<std::int32_t>;

/// Elements from one index of an axis to the next.
std::vector<std::int64_t> steps_of(const std::vector<int>& shape) {
    std::vector<std::int64_t> out(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;)
        out[i - 1] = out[i] * shape[i];
    return out;
}

}  // namespace

/// The elements of tensors, one behind the other, at these places.
void TfliteImporters::give_gathered(TfliteReader& r, const Op& op, std::vector<TensorId> from,
                                    const std::vector<std::int32_t>& places) {
    const auto line = [&](const Tensor& model, std::size_t count) {
        return r.add_tensor(model, {static_cast<int>(count)});
    };
    const Tensor y = r.tensor(r.output(op));
    if (places.size() != y.elements())
        throw Refusal{fmt::format("{} elements for an output {}: want as many", places.size(),
                                  graph::text_of(y.shape))};
    std::size_t all = 0;
    for (TensorId& id : from) {
        const Tensor x = r.tensor(id);
        if (x.type != y.type)
            throw Refusal{fmt::format("{} of {} in an output of {}: want one type", x.name,
                                      name_of(x.type), name_of(y.type))};
        const TensorId flat = line(x, x.elements());
        r.add(op, graph::Reshape{}, {id}, {flat});
        all += x.elements();
        id = flat;
    }
    TensorId pool = from[0];
    if (from.size() > 1) {
        pool = line(r.tensor(from[0]), all);
        r.add(op, graph::Concat{0, {}}, std::move(from), {pool});
    }
    r.budget_.charge(places.size() * sizeof(std::int32_t));
    const TensorId indices = new_part(r, op, Type::int32, {static_cast<int>(places.size())});
    Tensor& to = r.graph_.tensor(indices);
    to.constant = true;
    to.data.resize(places.size() * sizeof(std::int32_t));
    std::memcpy(to.data.own().data(), places.data(), to.data.size());
    const TensorId picked = line(y, places.size());
    r.add(op, graph::Gather{0}, {pool, indices}, {picked});
    r.add(op, graph::Reshape{}, {picked}, {r.output(op)});
}

/// The first elements of each row of a batch the other way round.
void TfliteImporters::reverse_sequence(TfliteReader& r, const Op& op) {
    const auto& options =
        r.options<schema::ReverseSequenceOptions>(op, schema::OptionsType::REVERSE_SEQUENCE);
    const TensorId input = r.input(op, 0);
    const std::vector<int> shape = r.tensor(input).shape;
    const std::size_t time = at(axis_of(options.seq_dim(), shape.size())),
                      batch = at(axis_of(options.batch_dim(), shape.size()));
    if (!r.tensor(r.input(op, 1)).constant)
        return reverse_by_values(r, op, static_cast<int>(time), static_cast<int>(batch));
    const std::vector<std::int64_t> lengths =
        integers_of(r.tensor(r.input(op, 1)), at(shape[batch]) + 1);
    if (time == batch || lengths.size() != at(shape[batch]))
        throw Refusal{fmt::format("{} lengths for {} of {}: want one for each of a batch",
                                  lengths.size(), shape[batch], graph::text_of(shape))};
    const std::vector<std::int64_t> steps = steps_of(shape);
    Places places(r.tensor(input).elements());
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto here = static_cast<std::int64_t>(i);
        const std::int64_t length =
            lengths[static_cast<std::size_t>(here / steps[batch] % shape[batch])];
        if (length < 0 || length > shape[time])
            throw Refusal{fmt::format("length {}: want 0 to {}", length, shape[time])};
        const std::int64_t now = here / steps[time] % shape[time];
        const std::int64_t other = now < length ? length - 1 - now : now;
        places[i] = static_cast<std::int32_t>(here + (other - now) * steps[time]);
    }
    give_gathered(r, op, {input}, places);
}

/// Updates in a tensor of elements 0.
void TfliteImporters::scatter(TfliteReader& r, const Op& op) {
    const Tensor where = r.tensor(r.input(op, 0)), updates = r.tensor(r.input(op, 1));
    const std::vector<int> shape = r.tensor(r.output(op)).shape;
    if (!where.constant) return scatter_by_values(r, op);
    const std::vector<std::int64_t> indices = integers_of(where, where.elements());
    const std::size_t depth = where.shape.empty() ? 0 : at(where.shape.back());
    if (depth < 1 || depth > shape.size())
        throw Refusal{fmt::format("indices {} for {}: want 1 to {} in a row",
                                  graph::text_of(where.shape), graph::text_of(shape),
                                  shape.size())};
    const std::vector<std::int64_t> steps = steps_of(shape);
    const auto inner = static_cast<std::size_t>(steps[depth - 1]);
    if (updates.elements() != indices.size() / depth * inner)
        throw Refusal{fmt::format("updates {} at indices {}: want {} each",
                                  graph::text_of(updates.shape), graph::text_of(where.shape),
                                  inner)};
    const auto zero = static_cast<std::int32_t>(updates.elements());
    Places places(r.tensor(r.output(op)).elements(), zero);
    for (std::size_t row = 0; row < indices.size() / depth; ++row) {
        std::int64_t start = 0;
        for (std::size_t axis = 0; axis < depth; ++axis) {
            const std::int64_t index = indices[row * depth + axis];
            if (index < 0 || index >= shape[axis])
                throw Refusal{
                    fmt::format("index {} of an axis of {}: want it inside", index, shape[axis])};
            start += index * steps[axis];
        }
        for (std::size_t i = 0; i < inner; ++i) {
            std::int32_t& place = places[static_cast<std::size_t>(start) + i];
            if (place != zero)
                throw Refusal{"two updates of one place, which are added: want each place once"};
            place = static_cast<std::int32_t>(row * inner + i);
        }
    }
    const TensorId none = r.add_tensor(updates, {1});
    r.graph_.tensor(none).constant = true;
    r.graph_.tensor(none).data.assign(graph::size_of(updates.type), 0);
    give_gathered(r, op, {r.input(op, 1), none}, places);
}

/// A tensor with a part of it replaced, which is moved where it would reach beyond it.
void TfliteImporters::update_slice(TfliteReader& r, const Op& op) {
    const TensorId input = r.input(op, 0), update = r.input(op, 1);
    const std::vector<int> shape = r.tensor(input).shape, part = r.tensor(update).shape;
    if (!r.tensor(r.input(op, 2)).constant) {
        std::size_t shorter = 0;
        for (std::size_t i = 0; i < std::min(shape.size(), part.size()); ++i)
            shorter += part[i] < shape[i] ? 1 : 0;
        return shorter <= 1 ? put_rows(r, op) : update_by_values(r, op);
    }
    std::vector<std::int64_t> begin = integers_of(r.tensor(r.input(op, 2)), shape.size() + 1);
    if (part.size() != shape.size() || begin.size() != shape.size())
        throw Refusal{fmt::format("{} begins, {} in {}: want as many axes", begin.size(),
                                  graph::text_of(part), graph::text_of(shape))};
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (part[i] > shape[i])
            throw Refusal{fmt::format("{} in {}: want it smaller", graph::text_of(part),
                                      graph::text_of(shape))};
        begin[i] = std::clamp<std::int64_t>(begin[i], 0, shape[i] - part[i]);
    }
    Places places(r.tensor(input).elements());
    std::iota(places.begin(), places.end(), 0);
    const std::vector<std::int64_t> steps = steps_of(shape), own = steps_of(part);
    const auto count = static_cast<std::int64_t>(r.tensor(update).elements());
    for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t to = 0;
        for (std::size_t axis = 0; axis < shape.size(); ++axis)
            to += (begin[axis] + i / own[axis] % part[axis]) * steps[axis];
        places[static_cast<std::size_t>(to)] =
            static_cast<std::int32_t>(static_cast<std::int64_t>(places.size()) + i);
    }
    give_gathered(r, op, {input, update}, places);
}

// ---------------------------------------------------------------- places that a run computes

/// A constant of int32.
TensorId TfliteImporters::numbers_part(TfliteReader& r, const Op& op, std::vector<int> shape,
                                       const std::vector<std::int64_t>& values) {
    const TensorId id = new_part(r, op, Type::int32, std::move(shape));
    give_numbers(r, id, values);
    return id;
}

/// Updates of one place are added.
void TfliteImporters::scatter_by_values(TfliteReader& r, const Op& op) {
    const TensorId where = r.input(op, 0), updates = r.input(op, 1), to = r.output(op);
    const Tensor from = r.tensor(updates);
    if (!r.tensor(r.input(op, 2)).constant)
        throw Refusal{
            fmt::format("shape {} is computed: want a constant", r.tensor(r.input(op, 2)).name)};
    const TensorId zeros = r.add_tensor(from, r.tensor(to).shape);
    Tensor& made = r.graph_.tensor(zeros);
    r.budget_.charge(made.bytes());
    made.constant = true;
    made.data.assign(made.bytes(), 0);
    r.add(op, graph::ScatterNd{graph::Reduction::sum}, {zeros, where, updates}, {to});
}

void TfliteImporters::update_by_values(TfliteReader& r, const Op& op) {
    const TensorId input = r.input(op, 0), update = r.input(op, 1), begin = r.input(op, 2);
    const std::vector<int> shape = r.tensor(input).shape, part = r.tensor(update).shape;
    const auto rank = static_cast<int>(shape.size());
    if (part.size() != shape.size() || r.tensor(begin).shape != std::vector<int>{rank})
        throw Refusal{fmt::format("begins {}, {} in {}: want as many axes",
                                  graph::text_of(r.tensor(begin).shape), graph::text_of(part),
                                  graph::text_of(shape))};
    // Axes up to the last one along which it can lie at several places.
    int axes = 0;
    for (int i = 0; i < rank; ++i) {
        if (part[at(i)] > shape[at(i)])
            throw Refusal{fmt::format("{} in {}: want it smaller", graph::text_of(part),
                                      graph::text_of(shape))};
        if (part[at(i)] < shape[at(i)]) axes = i + 1;
    }
    if (axes == 0) return r.add(op, graph::Reshape{}, {update}, {r.output(op)});
    const auto numbers = [&](graph::Operator what, std::vector<TensorId> from,
                             std::vector<int> made) {
        const TensorId id = new_part(r, op, Type::int32, std::move(made));
        r.add(op, std::move(what), std::move(from), {id});
        return id;
    };
    TensorId first = numbers(graph::Cast{}, {begin}, {rank});
    first = numbers(graph::Slice{{0}, {1}}, {first}, {axes});
    std::vector<std::int64_t> most;
    for (int i = 0; i < axes; ++i)
        most.push_back(shape[at(i)] - part[at(i)]);
    first = numbers(graph::Binary{graph::Arithmetic::maximum, {}},
                    {first, numbers_part(r, op, {axes}, std::vector<std::int64_t>(at(axes), 0))},
                    {axes});
    first = numbers(graph::Binary{graph::Arithmetic::minimum, {}},
                    {first, numbers_part(r, op, {axes}, most)}, {axes});
    std::vector<int> rows(part.begin(), part.begin() + axes);
    std::int64_t count = 1;
    for (const int size : rows)
        count *= size;
    r.budget_.charge(static_cast<std::size_t>(count) * at(axes) * sizeof(std::int64_t));
    const std::vector<std::int64_t> steps = steps_of(rows);
    std::vector<std::int64_t> places;
    for (std::int64_t i = 0; i < count; ++i)
        for (int axis = 0; axis < axes; ++axis)
            places.push_back(i / steps[at(axis)] % rows[at(axis)]);
    rows.push_back(axes);
    const TensorId where =
        numbers(graph::Binary{}, {numbers_part(r, op, rows, places), first}, rows);
    r.add(op, graph::ScatterNd{}, {input, where, update}, {r.output(op)});
}

/// What is at each place of a row is told by its number: n becomes length - 1 - n within the
/// length.
void TfliteImporters::reverse_by_values(TfliteReader& r, const Op& op, int time, int batch) {
    const TensorId input = r.input(op, 0), lengths = r.input(op, 1);
    const std::vector<int> shape = r.tensor(input).shape;
    const int count = shape[at(time)], pictures = shape[at(batch)];
    if (time == batch || r.tensor(lengths).shape != std::vector<int>{pictures})
        throw Refusal{fmt::format("lengths {} for {} of {}: want one for each of a batch",
                                  graph::text_of(r.tensor(lengths).shape), pictures,
                                  graph::text_of(shape))};
    const auto part = [&](Type type, graph::Operator what, std::vector<TensorId> from,
                          std::vector<int> made) {
        const TensorId id = new_part(r, op, type, std::move(made));
        if (type == Type::int8) r.graph_.tensor(id).quantisation = {{1.0F}, {0}, 0};
        r.add(op, std::move(what), std::move(from), {id});
        return id;
    };
    std::vector<std::int64_t> numbers(at(count)), twice;
    std::iota(numbers.begin(), numbers.end(), 0);
    for (const std::int64_t number : numbers)
        twice.push_back(2 * number + 1);
    const std::vector<int> all = {pictures, count};
    const TensorId wide = part(Type::int32, graph::Cast{}, {lengths}, {pictures}),
                   column = part(Type::int32, graph::Reshape{}, {wide}, {pictures, 1}),
                   number = numbers_part(r, op, {1, count}, numbers);
    const graph::Binary less{graph::Arithmetic::sub, {}}, times{graph::Arithmetic::mul, {}};
    const TensorId apart =
        part(Type::int32, less, {column, numbers_part(r, op, {1, count}, twice)}, all);
    const TensorId inside =
        part(Type::int8, graph::Compare{graph::Relation::less}, {number, column}, all);
    const TensorId moved =
        part(Type::int32, times, {apart, part(Type::int32, graph::Cast{}, {inside}, all)}, all);
    const TensorId places = part(Type::int32, graph::Binary{}, {number, moved}, all);
    const TensorId which = part(Type::int32, graph::Reshape{}, {places}, {pictures, count, 1});
    // Batch and steps in front.
    graph::Transpose front{{batch, time}}, back;
    std::vector<int> turned = {pictures, count};
    for (int axis = 0; axis < static_cast<int>(shape.size()); ++axis) {
        if (axis == batch || axis == time) continue;
        front.order.push_back(axis);
        turned.push_back(shape[at(axis)]);
    }
    back.order.resize(shape.size());
    for (std::size_t i = 0; i < front.order.size(); ++i)
        back.order[at(front.order[i])] = static_cast<int>(i);
    const Tensor model = r.tensor(input);
    const TensorId rows = r.add_tensor(model, turned), taken = r.add_tensor(model, turned);
    r.add(op, front, {input}, {rows});
    r.add(op, graph::GatherNd{1}, {rows, which}, {taken});
    r.add(op, back, {taken}, {r.output(op)});
}

/// The same at a computed place of one axis; the others are whole.
void TfliteImporters::put_rows(TfliteReader& r, const Op& op) {
    const TensorId input = r.input(op, 0), update = r.input(op, 1), begin = r.input(op, 2);
    const std::vector<int> shape = r.tensor(input).shape, part = r.tensor(update).shape;
    const Type type = r.tensor(begin).type;
    const auto rank = static_cast<int>(shape.size());
    if (part.size() != shape.size() || r.tensor(begin).shape != std::vector<int>{rank})
        throw Refusal{fmt::format("begins {}, {} in {}: want as many axes",
                                  graph::text_of(r.tensor(begin).shape), graph::text_of(part),
                                  graph::text_of(shape))};
    if (type != Type::int32 && type != Type::int64)
        throw Refusal{fmt::format("begins of {}: want int32 or int64", name_of(type))};
    int axis = 0;
    for (int i = 0; i < rank; ++i) {
        if (part[at(i)] == shape[at(i)]) continue;
        if (part[at(i)] > shape[at(i)] || (axis != i && part[at(axis)] != shape[at(axis)]))
            throw Refusal{fmt::format("{} at a computed place in {}: want one axis shorter",
                                      graph::text_of(part), graph::text_of(shape))};
        axis = i;
    }
    // A part that would reach beyond the end is moved.
    const int count = part[at(axis)], last = shape[at(axis)] - count;
    const auto numbers = [&](const std::vector<std::int64_t>& values) {
        const TensorId id = new_part(r, op, type, {static_cast<int>(values.size())});
        Tensor& to = r.graph_.tensor(id);
        to.constant = true;
        const std::size_t size = graph::size_of(type);  // little-endian
        to.data.resize(values.size() * size);
        for (std::size_t i = 0; i < values.size(); ++i)
            std::memcpy(to.data.own().data() + i * size, &values[i], size);
        return id;
    };
    const auto made = [&](graph::Operator what, std::vector<TensorId> from, int size) {
        const TensorId id = new_part(r, op, type, {size});
        r.add(op, std::move(what), std::move(from), {id});
        return id;
    };
    std::vector<std::int64_t> steps(at(count));
    std::iota(steps.begin(), steps.end(), std::int64_t{0});
    TensorId first = made(graph::Slice{{axis}, {1}}, {begin}, 1);
    first = made(graph::Binary{graph::Arithmetic::maximum}, {first, numbers({0})}, 1);
    first = made(graph::Binary{graph::Arithmetic::minimum}, {first, numbers({last})}, 1);
    if (count > 1)
        first = made(graph::Binary{graph::Arithmetic::add}, {first, numbers(steps)}, count);
    r.add(op, graph::PutRows{axis}, {input, update, first}, {r.output(op)});
}

}  // namespace macrame::front
