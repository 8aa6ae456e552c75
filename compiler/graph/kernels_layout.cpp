/// Operators that move elements.
#include <algorithm>
#include <cstring>

#include "compiler/graph/at.hpp"
#include "compiler/graph/kernels.hpp"
#include "compiler/graph/quantised.hpp"
#include "compiler/graph/walk.hpp"

namespace macrame::graph {
namespace {

/// Copies the elements of a box: 0 is the place in `to`, 1 that in `from`.
void copy(Bytes& to, const Bytes& from, std::size_t size, Walk<2> walk) {
    for (; !walk.done(); walk.next())
        std::memcpy(&to[walk.at(0) * size], &from[walk.at(1) * size], size);
}

/// Zero points in all elements.
Bytes filled(const Tensor& tensor) {
    const std::vector<std::int32_t>& zero = tensor.quantisation.zero_point;
    if (zero.empty() || tensor.type == Type::float32) return Bytes(tensor.bytes(), 0);
    return pack(tensor, std::vector<std::int32_t>(tensor.elements(), zero[0]));
}

/// Input of a concatenation as elements of the output.
Bytes converted(const Call& call, std::size_t i, Activation activation) {
    const Tensor &from = call.in(i), &to = call.out();
    const bool same =
        from.type == to.type && (from.quantisation.scale.empty() || to.quantisation.scale.empty() ||
                                 (from.quantisation.scale == to.quantisation.scale &&
                                  from.quantisation.zero_point == to.quantisation.zero_point));
    if (same && activation == Activation::none) return call.bytes(i);
    if (to.type == Type::float32) return pack(call, call.reals(i), activation);
    std::vector<std::int32_t> values = call.integers(i);
    if (!same) values = requantise(call.graph.rounding, from, to, std::move(values));
    const auto [least, most] = bounds(activation, to);
    for (std::int32_t& value : values)
        value = std::clamp(value, least, most);
    return pack(to, values);
}

}  // namespace

Bytes execute(const Call& call, const Concat& op) {
    const Tensor& output = call.out();
    const Strides to = strides_of(output.shape);
    Bytes bytes(output.bytes());
    std::int64_t start = 0;
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
        const std::vector<int>& shape = call.in(i).shape;
        copy(bytes, converted(call, i, op.activation), size_of(output.type),
             Walk<2>(shape, {to, strides_of(shape)}, {start, 0}));
        start += to[at(op.axis)] * shape[at(op.axis)];
    }
    return bytes;
}

Bytes execute(const Call& call, const Slice& op) {
    const Tensor& output = call.out();
    Strides from = strides_of(call.in().shape);
    std::int64_t start = 0;
    for (std::size_t i = 0; i < op.begin.size(); ++i) {
        start += from[i] * op.begin[i];
        from[i] *= op.stride[i];
    }
    Bytes bytes(output.bytes());
    copy(bytes, call.bytes(), size_of(output.type),
         Walk<2>(output.shape, {strides_of(output.shape), from}, {0, start}));
    return bytes;
}

std::vector<Bytes> execute(const Call& call, const Split& op) {
    const Strides from = strides_of(call.in().shape);
    std::vector<Bytes> outputs;
    std::int64_t start = 0;
    for (std::size_t i = 0; i < call.node.outputs.size(); ++i) {
        const Tensor& output = call.out(i);
        outputs.emplace_back(output.bytes());
        copy(outputs.back(), call.bytes(), size_of(output.type),
             Walk<2>(output.shape, {strides_of(output.shape), from}, {0, start}));
        start += from[at(op.axis)] * output.shape[at(op.axis)];
    }
    return outputs;
}

int repeated(Padding kind, int at, int size) {
    if (kind == Padding::edge || size == 1) return std::clamp(at, 0, size - 1);
    const int apart = kind == Padding::reflect ? 0 : 1;  // the outermost element is there twice
    if (at < 0) return -at - apart;
    return at < size ? at : 2 * (size - 1) - at + apart;
}

namespace {

Bytes repeat(const Call& call, const Pad& op) {
    const Tensor &input = call.in(), &output = call.out();
    const std::size_t size = size_of(output.type);
    const Strides to = strides_of(output.shape), from = strides_of(input.shape);
    Bytes bytes(output.bytes());
    for (std::size_t element = 0; element < output.elements(); ++element) {
        auto rest = static_cast<std::int64_t>(element);
        std::int64_t source = 0;
        for (std::size_t i = 0; i < op.amounts.size(); ++i) {
            const int at = static_cast<int>(rest / to[i]) - op.amounts[i][0];
            rest %= to[i];
            source += from[i] * repeated(op.kind, at, input.shape[i]);
        }
        std::memcpy(&bytes[element * size], &call.bytes()[static_cast<std::size_t>(source) * size],
                    size);
    }
    return bytes;
}

}  // namespace

Bytes execute(const Call& call, const Pad& op) {
    if (op.kind != Padding::constant) return repeat(call, op);
    const Tensor &input = call.in(), &output = call.out();
    const Strides to = strides_of(output.shape);
    std::int64_t start = 0;
    for (std::size_t i = 0; i < op.amounts.size(); ++i)
        start += to[i] * op.amounts[i][0];
    Bytes bytes = op.value == 0 ? filled(output)
                                : pack(call, std::vector<float>(output.elements(), op.value));
    copy(bytes, call.bytes(), size_of(output.type),
         Walk<2>(input.shape, {to, strides_of(input.shape)}, {start, 0}));
    return bytes;
}

Bytes execute(const Call& call, const Reshape&) { return call.bytes(); }

Bytes execute(const Call& call, const Transpose& op) {
    const Tensor& output = call.out();
    const Strides own = strides_of(call.in().shape);
    Strides from{};
    for (std::size_t i = 0; i < op.order.size(); ++i)
        from[i] = own[at(op.order[i])];
    Bytes bytes(output.bytes());
    copy(bytes, call.bytes(), size_of(output.type),
         Walk<2>(output.shape, {strides_of(output.shape), from}));
    return bytes;
}

}  // namespace macrame::graph
