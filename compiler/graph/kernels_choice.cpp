/// Elements that others choose.
#include <fmt/format.h>

#include <cstring>

#include "compiler/graph/kernels.hpp"
#include "compiler/graph/quantised.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/graph/walk.hpp"

namespace macrame::graph {
namespace {

template <typename Value>
bool related(Relation relation, Value x, Value y) {
    switch (relation) {
        case Relation::equal:
            return x == y;
        case Relation::not_equal:
            return x != y;
        case Relation::less:
            return x < y;
        case Relation::less_equal:
            break;
    }
    return x <= y;
}

std::vector<std::int32_t> fine(const Call& call, std::size_t i) {
    std::vector<std::int32_t> values = call.integers(i);
    for (std::int32_t& value : values)
        value = compared_value(value, call.in(i).quantisation);
    return values;
}

template <typename Value>
Bytes compared(const Call& call, Relation relation, const std::vector<Value>& a,
               const std::vector<Value>& b) {
    const std::vector<int>& shape = call.out().shape;
    Walk<2> walk(shape, {broadcast_strides(call.in(0).shape, shape),
                         broadcast_strides(call.in(1).shape, shape)});
    Bytes bytes(call.out().elements());
    for (std::uint8_t& byte : bytes) {
        const Value x = a[walk.at(0)], y = b[walk.at(1)];
        byte = related(relation, x, y);
        walk.next();
    }
    return bytes;
}

}  // namespace

Bytes execute(const Call& call, const Gather& op) {
    const std::vector<int>& shape = call.in().shape;
    const auto axis = static_cast<std::size_t>(op.axis);
    const std::int64_t size = shape[axis];
    std::size_t outer = 1, inner = size_of(call.in().type);
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (i < axis) outer *= static_cast<std::size_t>(shape[i]);
        if (i > axis) inner *= static_cast<std::size_t>(shape[i]);
    }
    Bytes bytes;
    bytes.reserve(call.out().bytes());
    const std::vector<std::int64_t> indices = call.whole(1);
    for (std::size_t row = 0; row < outer; ++row) {
        for (const std::int64_t index : indices) {
            if (index < -size || index >= size)
                throw BadValue(fmt::format("{}: index {}: want {} to {}", call.node.where, index,
                                           -size, size - 1));
            const auto at = static_cast<std::size_t>(index < 0 ? index + size : index);
            const std::uint8_t* const from =
                call.bytes().data() + (row * static_cast<std::size_t>(size) + at) * inner;
            bytes.insert(bytes.end(), from, from + inner);
        }
    }
    return bytes;
}

Bytes execute(const Call& call, const Compare& op) {
    if (call.in().type == Type::float32)
        return compared(call, op.relation, call.reals(0), call.reals(1));
    const bool scaled = size_of(call.in().type) == 1 && !call.in().quantisation.scale.empty();
    if (scaled && call.graph.rounding == Rounding::tflite)
        return compared(call, op.relation, fine(call, 0), fine(call, 1));
    return compared(call, op.relation, call.whole(0), call.whole(1));
}

Bytes execute(const Call& call, const Select&) {
    const std::vector<int>& shape = call.out().shape;
    const std::size_t size = size_of(call.out().type);
    Walk<3> walk(shape, {broadcast_strides(call.in(0).shape, shape),
                         broadcast_strides(call.in(1).shape, shape),
                         broadcast_strides(call.in(2).shape, shape)});
    Bytes bytes(call.out().bytes());
    for (std::size_t i = 0; i < call.out().elements(); ++i) {
        const std::size_t from = call.bytes(0)[walk.at(0)] != 0 ? 1 : 2;
        std::memcpy(&bytes[i * size], &call.bytes(from)[walk.at(from) * size], size);
        walk.next();
    }
    return bytes;
}

}  // namespace macrame::graph
