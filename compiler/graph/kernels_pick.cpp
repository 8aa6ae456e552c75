/// The largest of rows, elements by their coordinates, sums up to each element.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <type_traits>

#include "compiler/graph/at.hpp"
#include "compiler/graph/kernels.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/graph/walk.hpp"

namespace macrame::graph {
namespace {

/// Places of the first `count` of each row, in the order that `before` has.
template <typename Value>
std::vector<std::int64_t> in_order(const std::vector<Value>& x, std::size_t row, std::size_t count,
                                   bool least) {
    std::vector<std::int64_t> all;
    std::vector<std::size_t> places(row);
    for (std::size_t start = 0; start < x.size(); start += row) {
        std::iota(places.begin(), places.end(), std::size_t{0});
        const auto before = [&](std::size_t a, std::size_t b) {
            const Value first = x[start + a], second = x[start + b];
            if (first != second) return least ? first < second : first > second;
            return a < b;
        };
        std::partial_sort(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(count),
                          places.end(), before);
        for (std::size_t i = 0; i < count; ++i)
            all.push_back(static_cast<std::int64_t>(places[i]));
    }
    return all;
}

/// An index that may count from behind, in range.
std::size_t place_of(const Call& call, std::int64_t index, int size) {
    if (index < -size || index >= size)
        throw BadValue(
            fmt::format("{}: index {}: want {} to {}", call.node.where, index, -size, size - 1));
    return static_cast<std::size_t>(index < 0 ? index + size : index);
}

/// Elements and those that are there already as one; numbers wrap.
template <typename Value>
void join(std::uint8_t* to, const std::uint8_t* from, std::size_t count, Reduction function) {
    for (std::size_t i = 0; i < count; ++i) {
        Value a{}, b{};
        std::memcpy(&a, to + i * sizeof a, sizeof a);
        std::memcpy(&b, from + i * sizeof b, sizeof b);
        using Wide = std::conditional_t<std::is_floating_point_v<Value>, Value, std::uint64_t>;
        if (function == Reduction::sum) a = static_cast<Value>(Wide(a) + Wide(b));
        if (function == Reduction::product) a = static_cast<Value>(Wide(a) * Wide(b));
        if (function == Reduction::maximum) a = std::max(a, b);
        if (function == Reduction::minimum) a = std::min(a, b);
        std::memcpy(to + i * sizeof a, &a, sizeof a);
    }
}

void join(Type type, std::uint8_t* to, const std::uint8_t* from, std::size_t count,
          Reduction function) {
    switch (type) {
        case Type::int8:
            return join<std::int8_t>(to, from, count, function);
        case Type::uint8:
            return join<std::uint8_t>(to, from, count, function);
        case Type::int16:
            return join<std::int16_t>(to, from, count, function);
        case Type::int32:
            return join<std::int32_t>(to, from, count, function);
        case Type::int64:
            return join<std::int64_t>(to, from, count, function);
        case Type::float32:
            return join<float>(to, from, count, function);
    }
}

template <typename Value>
std::vector<Value> summed(const Call& call, const Cumsum& op, std::vector<Value> x) {
    const std::vector<int>& shape = call.in().shape;
    const auto step = static_cast<std::size_t>(strides_of(shape)[at(op.axis)]);
    const std::size_t count = at(shape[at(op.axis)]);
    for (std::size_t i = 0; i < x.size() / count; ++i) {
        const std::size_t start = i / step * step * count + i % step;
        Value sum = 0;
        for (std::size_t n = 0; n < count; ++n) {
            Value& value = x[start + (op.reverse ? count - 1 - n : n) * step];
            const Value next = sum + value;
            value = op.exclusive ? sum : next;
            sum = next;
        }
    }
    return x;
}

}  // namespace

std::vector<Bytes> execute(const Call& call, const TopK& op) {
    const std::size_t row = at(call.in().shape.back()), count = at(call.out().shape.back());
    const std::size_t size = size_of(call.in().type);
    const std::vector<std::int64_t> places = call.in().type == Type::float32
                                                 ? in_order(call.reals(), row, count, op.least)
                                                 : in_order(call.whole(), row, count, op.least);
    Bytes values(call.out().bytes());
    for (std::size_t i = 0; i < places.size(); ++i) {
        const std::size_t from = i / count * row + static_cast<std::size_t>(places[i]);
        std::memcpy(&values[i * size], &call.bytes()[from * size], size);
    }
    return {std::move(values), pack_whole(call.out(1), places)};
}

Bytes execute(const Call& call, const GatherNd& op) {
    const std::vector<int>&shape = call.in().shape, &of_indices = call.in(1).shape;
    const std::size_t axes = at(of_indices.back()), batch = at(op.batch);
    const Strides strides = strides_of(shape);
    const auto inner =
        static_cast<std::size_t>(strides[batch + axes - 1]) * size_of(call.in().type);
    const std::vector<std::int64_t> indices = call.whole(1);
    std::size_t batches = 1;
    for (std::size_t i = 0; i < batch; ++i)
        batches *= at(shape[i]);
    const std::size_t picks = indices.size() / axes, each = call.in().elements() / batches;
    Bytes bytes;
    bytes.reserve(call.out().bytes());
    for (std::size_t i = 0; i < picks; ++i) {
        std::size_t from = i / (picks / batches) * each;
        for (std::size_t axis = 0; axis < axes; ++axis)
            from += place_of(call, indices[i * axes + axis], shape[batch + axis]) *
                    static_cast<std::size_t>(strides[batch + axis]);
        const std::uint8_t* const first = call.bytes().data() + from * size_of(call.in().type);
        bytes.insert(bytes.end(), first, first + inner);
    }
    return bytes;
}

Bytes execute(const Call& call, const GatherElements& op) {
    const std::vector<int>&shape = call.in().shape, &of_indices = call.in(1).shape;
    Strides strides = strides_of(shape);
    const auto along = static_cast<std::size_t>(strides[at(op.axis)]);
    strides[at(op.axis)] = 0;
    const std::size_t size = size_of(call.in().type);
    Walk<1> walk(of_indices, {strides});
    Bytes bytes(call.out().bytes());
    std::size_t to = 0;
    for (const std::int64_t index : call.whole(1)) {
        const std::size_t from = walk.at(0) + place_of(call, index, shape[at(op.axis)]) * along;
        std::memcpy(&bytes[to], &call.bytes()[from * size], size);
        to += size;
        walk.next();
    }
    return bytes;
}

Bytes execute(const Call& call, const PutRows& op) {
    const std::vector<int>&shape = call.in().shape, &of_rows = call.in(1).shape;
    const std::size_t axis = at(op.axis), count = at(of_rows[axis]);
    const std::size_t inner =
        static_cast<std::size_t>(strides_of(shape)[axis]) * size_of(call.in().type);
    const std::size_t outer =
        call.in().elements() * size_of(call.in().type) / (inner * at(shape[axis]));
    const std::vector<std::int64_t> places = call.whole(2);
    Bytes bytes = call.bytes();
    for (std::size_t i = 0; i < outer * count; ++i) {
        const std::size_t place = place_of(call, places[i % count], shape[axis]);
        std::memcpy(&bytes[(i / count * at(shape[axis]) + place) * inner],
                    &call.bytes(1)[i * inner], inner);
    }
    return bytes;
}

Bytes execute(const Call& call, const ScatterNd& op) {
    const std::vector<int>& shape = call.in().shape;
    const std::size_t axes = at(call.in(1).shape.back()), size = size_of(call.in().type);
    const Strides strides = strides_of(shape);
    const auto inner = static_cast<std::size_t>(strides[axes - 1]);
    const std::vector<std::int64_t> indices = call.whole(1);
    Bytes bytes = call.bytes();
    for (std::size_t i = 0; i < indices.size() / axes; ++i) {
        std::size_t to = 0;
        for (std::size_t axis = 0; axis < axes; ++axis)
            to += place_of(call, indices[i * axes + axis], shape[axis]) *
                  static_cast<std::size_t>(strides[axis]);
        const std::uint8_t* const from = &call.bytes(2)[i * inner * size];
        if (op.joined)
            join(call.in().type, &bytes[to * size], from, inner, *op.joined);
        else
            std::memcpy(&bytes[to * size], from, inner * size);
    }
    return bytes;
}

Bytes execute(const Call& call, const Cumsum& op) {
    if (call.in().type == Type::float32) return pack(call, summed(call, op, call.reals()));
    const std::vector<std::int64_t> numbers = call.whole();
    const auto sums =
        summed(call, op, std::vector<std::uint64_t>(numbers.begin(), numbers.end()));  // may wrap
    return pack_whole(call.out(), {sums.begin(), sums.end()});
}

}  // namespace macrame::graph
