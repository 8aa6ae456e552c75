/// Operators of TFLite that put elements to places which are known: REVERSE_SEQUENCE, SCATTER_ND,
/// DYNAMIC_UPDATE_SLICE. Each is a gather by constant indices.
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

/// Of an input that says where elements go.
std::vector<std::int64_t> known_places(const Tensor& tensor, const char* what, std::size_t most) {
    if (!tensor.constant)
        throw Refusal{fmt::format("{} {} are computed: want constants", what, tensor.name)};
    return integers_of(tensor, most);
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
    const std::vector<std::int64_t> lengths =
        known_places(r.tensor(r.input(op, 1)), "lengths", at(shape[batch]) + 1);
    if (time == batch || lengths.size() != at(shape[batch]))
        throw Refusal{fmt::format("{} lengths for {} of {}: want one for each of a batch",
                                  lengths.size(), shape[batch], graph::text_of(shape))};
    const std::vector<std::int64_t> steps = steps_of(shape);
    Places places(r.tensor(input).elements());
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto here = static_cast<std::int64_t>(i);
        const std::int64_t length =
            lengths[static_cast<std::size_t>(here / steps[batch] % shape[batch])];
        if (length < 1 || length > shape[time])
            throw Refusal{fmt::format("length {}: want 1 to {}", length, shape[time])};
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
    const std::vector<std::int64_t> indices = known_places(where, "indices", where.elements());
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
    if (!r.tensor(r.input(op, 2)).constant) return put_rows(r, op);
    std::vector<std::int64_t> begin =
        known_places(r.tensor(r.input(op, 2)), "begins", shape.size() + 1);
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
        if (part[at(i)] > shape[at(i)] || part[at(axis)] != shape[at(axis)])
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
