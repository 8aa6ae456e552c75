/// Operators of TFLite that make constants, and one that reverses.
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <type_traits>

#include "compiler/front/tflite_importers.hpp"
#include "compiler/graph/at.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::Tensor;
using graph::TensorId;
using graph::Type;
using Shape = std::vector<int>;

namespace {

constexpr double kMostMade = 1 << 20;

template <typename Value>
Value single(const Tensor& tensor) {
    if (!tensor.constant || tensor.data.size() != sizeof(Value))
        throw Refusal{
            fmt::format("{} is computed, or not one number: want a constant of one", tensor.name)};
    Value value{};
    std::memcpy(&value, tensor.data.data(), sizeof value);
    return value;
}

/// Numbers from the first on, below the second, apart by the third.
template <typename Value>
std::vector<Value> stepped(const Tensor& start, const Tensor& limit, const Tensor& step) {
    const Value first = single<Value>(start), end = single<Value>(limit), by = single<Value>(step);
    const double count = std::ceil((static_cast<double>(end) - static_cast<double>(first)) /
                                   static_cast<double>(by));
    if (!(count >= 1 && count <= kMostMade))
        throw Refusal{
            fmt::format("{} to {} by {}: want 1 to {} numbers", first, end, by, kMostMade)};
    std::vector<Value> values(static_cast<std::size_t>(count));
    Value now = first;
    for (Value& value : values) {
        value = now;
        if constexpr (std::is_floating_point_v<Value>)
            now += by;
        else  // behind the last one it may wrap
            now = static_cast<Value>(static_cast<std::uint64_t>(now) +
                                     static_cast<std::uint64_t>(by));
    }
    return values;
}

}  // namespace

/// The shape that two shapes are broadcast to.
void TfliteImporters::broadcast_args(TfliteReader& r, const Op& op) {
    std::vector<std::int64_t> a = integers_of(r.tensor(r.input(op, 0))),
                              b = integers_of(r.tensor(r.input(op, 1)));
    a.insert(a.begin(), std::max(a.size(), b.size()) - a.size(), 1);
    b.insert(b.begin(), a.size() - b.size(), 1);
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] != b[i] && a[i] != 1 && b[i] != 1)
            throw Refusal{fmt::format("sizes {} and {}: want equal ones, or 1", a[i], b[i])};
        a[i] = a[i] == 1 ? b[i] : a[i];
    }
    give_numbers(r, r.output(op), a);
}

void TfliteImporters::give_numbers(TfliteReader& r, TensorId to,
                                   const std::vector<std::int64_t>& values) {
    Tensor& made = r.graph_.tensor(to);
    if (made.type != Type::int32 && made.type != Type::int64)
        throw Refusal{fmt::format("output of type {}: want int32 or int64", name_of(made.type))};
    if (made.elements() != values.size())
        throw Refusal{
            fmt::format("output of shape {}: want {}", graph::text_of(made.shape), values.size())};
    r.budget_.charge(made.bytes());
    made.constant = true;
    made.quantisation = {};
    made.data.assign(made.bytes(), 0);
    const std::size_t size = graph::size_of(made.type);
    for (std::size_t i = 0; i < values.size(); ++i)
        std::memcpy(&made.data[i * size], &values[i], size);
}

void TfliteImporters::shape(TfliteReader& r, const Op& op) {
    const Shape shape = r.tensor(r.input(op, 0)).shape;
    give_numbers(r, r.output(op), {shape.begin(), shape.end()});
}

void TfliteImporters::rank(TfliteReader& r, const Op& op) {
    const std::size_t axes = r.tensor(r.input(op, 0)).shape.size();
    give_numbers(r, r.output(op), {static_cast<std::int64_t>(axes)});
}

void TfliteImporters::range(TfliteReader& r, const Op& op) {
    const Tensor start = r.tensor(r.input(op, 0)), limit = r.tensor(r.input(op, 1)),
                 step = r.tensor(r.input(op, 2));
    const TensorId to = r.output(op);
    std::vector<float> reals;
    std::vector<std::int64_t> numbers;
    if (start.type == Type::float32) {
        reals = stepped<float>(start, limit, step);
    } else if (start.type == Type::int64) {
        numbers = stepped<std::int64_t>(start, limit, step);
    } else {
        const std::vector<std::int32_t> all = stepped<std::int32_t>(start, limit, step);
        numbers.assign(all.begin(), all.end());
    }
    Tensor& made = r.graph_.tensor(to);
    made.shape = {static_cast<int>(reals.size() + numbers.size())};
    if (reals.empty()) return give_numbers(r, to, numbers);
    if (made.type != Type::float32)
        throw Refusal{fmt::format("output of type {}: want float32", name_of(made.type))};
    r.budget_.charge(made.bytes());
    made.constant = true;
    made.data.resize(made.bytes());
    std::memcpy(made.data.own().data(), reals.data(), made.bytes());
}

void TfliteImporters::zeros_like(TfliteReader& r, const Op& op) {
    r.input(op, 0);
    Tensor& made = r.graph_.tensor(r.output(op));
    r.budget_.charge(made.bytes());
    made.constant = true;
    made.data.assign(made.bytes(), 0);
}

void TfliteImporters::fill(TfliteReader& r, const Op& op) {
    const TensorId from = r.input(op, 1);
    const Tensor value = r.tensor(from);
    const Shape shape = r.tensor(r.output(op)).shape;
    if (value.elements() != 1)
        throw Refusal{fmt::format("value of shape {}: want one", graph::text_of(value.shape))};
    if (!value.constant) {
        const TensorId one = r.add_tensor(value, Shape(shape.size(), 1));
        r.add(op, graph::Reshape{}, {from}, {one});
        r.add(op, graph::Reshape{}, {repeated(r, op, one, shape)}, {r.output(op)});
        return;
    }
    Tensor& made = r.graph_.tensor(r.output(op));
    if (made.type != value.type)
        throw Refusal{fmt::format("{} becomes {}: want the same type", name_of(value.type),
                                  name_of(made.type))};
    r.budget_.charge(made.bytes());
    made.constant = true;
    graph::Data::Bytes bytes;
    for (std::size_t i = 0; i < made.elements(); ++i)
        bytes.insert(bytes.end(), value.data.begin(), value.data.end());
    made.data = std::move(bytes);
}

void TfliteImporters::reverse(TfliteReader& r, const Op& op) {
    const TensorId from = r.input(op, 0);
    const Shape shape = r.tensor(from).shape;
    graph::Slice slice{Shape(shape.size(), 0), Shape(shape.size(), 1)};
    for (const std::int64_t value : integers_of(r.tensor(r.input(op, 1)))) {
        const std::size_t axis = at(axis_of(value, shape.size()));
        slice.begin[axis] = shape[axis] - 1;
        slice.stride[axis] = -1;
    }
    r.add(op, slice, {from}, {r.output(op)});
}

}  // namespace macrame::front
