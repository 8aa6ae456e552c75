/// Weights of ONNX files that are quantised in blocks, of 8 bits or fewer: constants of float32.
#include <fmt/format.h>

#include <cstring>

#include "compiler/front/onnx_importers.hpp"
#include "compiler/front/onnx_types.hpp"
#include "compiler/graph/at.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::Type;

namespace {

/// An element of a constant of integers.
std::int32_t integer_at(const graph::Tensor& from, std::size_t i) {
    if (from.type == Type::int8) return static_cast<std::int8_t>(from.data[i]);
    if (from.type == Type::int16) {
        std::int16_t value = 0;
        std::memcpy(&value, &from.data[i * sizeof value], sizeof value);
        return value;
    }
    std::int32_t value = 0;
    std::memcpy(&value, &from.data[i * sizeof value], sizeof value);
    return value;
}

std::vector<std::int32_t> integers_in(const graph::Tensor& from) {
    std::vector<std::int32_t> values(from.elements());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = integer_at(from, i);
    return values;
}

/// Integers of a shape as real values: a zero point, `usual` where there is none, and a scale for
/// each block of so many along an axis.
struct Blocks {
    std::vector<int> shape;
    int axis = 0;
    std::size_t size = 1;
    std::vector<std::int32_t> numbers, zeros;
    std::int32_t usual = 0;
    std::vector<float> scales;

    /// How many there are along each axis.
    std::vector<int> counts() const {
        std::vector<int> out = shape;
        out[at(axis)] = static_cast<int>((at(out[at(axis)]) + size - 1) / size);
        return out;
    }
    std::vector<float> real() const {
        std::size_t inner = 1;
        for (std::size_t i = at(axis) + 1; i < shape.size(); ++i)
            inner *= at(shape[i]);
        const std::size_t along = at(shape[at(axis)]), each = at(counts()[at(axis)]);
        std::vector<float> values(numbers.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t outer = i / inner / along, place = i / inner % along;
            const std::size_t b = (outer * each + place / size) * inner + i % inner;
            values[i] =
                static_cast<float>(numbers[i] - (zeros.empty() ? usual : zeros[b])) * scales[b];
        }
        return values;
    }
};

void want_shape(const std::vector<int>& shape, const Blocks& blocks, std::size_t i) {
    if (shape != blocks.counts())
        throw Refusal{fmt::format("input {} of shape {}: want {}, one for each block of {}", i,
                                  graph::text_of(shape), graph::text_of(blocks.counts()),
                                  blocks.size)};
}

}  // namespace

OnnxValue OnnxImporters::real_constant(OnnxReader& r, const OnnxOperator& op,
                                       std::vector<int> shape, const std::vector<float>& values) {
    OnnxValue y;
    y.real = true;
    y.shape = shape;
    r.budget_.charge(values.size() * sizeof(float));
    y.id = r.add_tensor(op.node->output(0), Type::float32, std::move(shape));
    graph::Tensor& to = r.graph_.tensor(y.id);
    to.constant = true;
    to.data.resize(values.size() * sizeof(float));
    std::memcpy(to.data.own().data(), values.data(), to.data.size());
    return y;
}

/// One scale for so many elements along an axis.
void OnnxImporters::dequantize_blocks(OnnxReader& r, const OnnxOperator& op, std::int64_t size) {
    const OnnxValue x = r.value(op, 0);
    const graph::Tensor from = r.tensor(x.id);
    if (!from.constant || x.real || x.form != Form::plain || from.type == Type::int64 ||
        from.type == Type::float32)
        throw Refusal{
            fmt::format("{} in blocks of {} scales: want a constant of integers", from.name, size)};
    const int axis = axis_of(op.integer("axis", 1), x.shape.size());
    Blocks blocks{x.shape, axis, at(size_of(size, "block_size")), integers_in(from), {}, 0, {}};
    blocks.scales = r.reals(op, 1);
    want_shape(r.value(op, 1).shape, blocks, 1);
    if (r.has(op, 2)) {
        want_shape(r.value(op, 2).shape, blocks, 2);
        const graph::Tensor& zeros = r.tensor(r.value(op, 2).id);
        if (!zeros.constant || zeros.type != from.type)
            throw Refusal{fmt::format("zero points {}: want constants of the type of {}",
                                      zeros.name, from.name)};
        blocks.zeros = integers_in(zeros);
    }
    blocks.usual = !x.shifted ? 0 : from.type == Type::int8 ? -128 : -32768;
    r.give(op, 0, real_constant(r, op, x.shape, blocks.real()));
}

namespace {

/// Numbers of few bits, those at the lower bits first, in the bytes of rows of their own.
class Packed {
public:
    Packed(const graph::Tensor& from, int bits) : from_(from), bits_(bits) {}
    int at(std::size_t byte, std::size_t i) const {
        const auto in_byte = static_cast<std::size_t>(8 / bits_);
        // uint8 of the file is less by 128 here.
        const int whole = std::as_const(from_.data)[byte + i / in_byte] ^ 0x80;
        return whole >> (i % in_byte * static_cast<std::size_t>(bits_)) & ((1 << bits_) - 1);
    }

private:
    const graph::Tensor& from_;
    int bits_;
};

}  // namespace

/// Rows of a table whose blocks have scales. Of uint8 a byte is a number, or two.
void OnnxImporters::gather_blocks(OnnxReader& r, const OnnxOperator& op) {
    const OnnxValue x = r.value(op, 0);
    const graph::Tensor from = r.tensor(x.id);
    const std::int64_t bits = op.integer("bits", 4);
    const bool bytes = r.four_bits_.count(op.node->input(0)) == 0, pairs = bytes && bits == 4;
    if (!from.constant || x.form != Form::plain || from.type != Type::int8 ||
        (bytes && !x.shifted) || (bits != 4 && (bits != 8 || !bytes)))
        throw Refusal{
            fmt::format("table {} of type {}, {} bits: want a constant of uint8 with 4 or "
                        "8, of int4 or uint4 with 4",
                        from.name, name_of(from.type), bits)};
    Blocks blocks{x.shape,
                  axis_of(op.integer("quantize_axis", 1), x.shape.size()),
                  at(size_of(op.integer("block_size", 128), "block_size")),
                  {},
                  {},
                  0,
                  {}};
    const int axis = axis_of(op.integer("gather_axis", 0), x.shape.size());
    if (bytes && (at(blocks.axis) + 1 != x.shape.size() || axis != 0))
        throw Refusal{
            fmt::format("quantize_axis {}, gather_axis {} of {} in bytes: want the last "
                        "axis, and the first",
                        blocks.axis, axis, graph::text_of(x.shape))};
    if (pairs) blocks.shape.back() = size_of(std::int64_t{2} * x.shape.back(), "table");
    // Each row of blocks has bytes of its own.
    const auto numbers_of = [&](const graph::Tensor& tensor, std::size_t row) {
        if (!pairs) return integers_in(tensor);
        const Packed packed(tensor, 4);
        std::vector<std::int32_t> numbers(tensor.elements() / ((row + 1) / 2) * row);
        for (std::size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = packed.at(i / row * ((row + 1) / 2), i % row);
        return numbers;
    };
    blocks.numbers = numbers_of(from, at(blocks.shape.back()));
    blocks.scales = r.reals(op, 2);
    want_shape(r.value(op, 2).shape, blocks, 2);
    blocks.usual = pairs ? 8 : bytes || !x.shifted ? 0 : -128;
    if (r.has(op, 3)) {
        const graph::Tensor& zeros = r.tensor(r.value(op, 3).id);
        std::vector<int> shape = blocks.counts();
        if (pairs) shape.back() = (shape.back() + 1) / 2;
        if (!zeros.constant || zeros.type != from.type || zeros.shape != shape)
            throw Refusal{fmt::format(
                "zero points {} of shape {}: want a constant {} of the type "
                "of {}",
                zeros.name, graph::text_of(zeros.shape), graph::text_of(shape), from.name)};
        blocks.zeros = numbers_of(zeros, at(blocks.counts().back()));
    }
    select_rows(r, op, real_constant(r, op, blocks.shape, blocks.real()), r.value(op, 1), axis);
}

/// The product with weights [N, K] in blocks of a row.
void OnnxImporters::matmul_bits(OnnxReader& r, const OnnxOperator& op) {
    const int depth = size_of(op.integer("K", 0), "K"), kernels = size_of(op.integer("N", 0), "N");
    const int bits = size_of(op.integer("bits", 4), "bits");
    const auto block = static_cast<std::size_t>(size_of(op.integer("block_size", 0), "block_size"));
    op.integer("accuracy_level", 0);
    op.integer("weight_prepacked", 0);
    if (bits != 2 && bits != 4 && bits != 8)
        throw Refusal{fmt::format("weights of {} bits: want 2, 4 or 8", bits)};
    if (r.has(op, 4)) throw Refusal{"g_idx, an order of its own: want rows in order"};
    const OnnxValue b = r.value(op, 1);
    const graph::Tensor from = r.tensor(b.id);
    const std::size_t blocks = (at(depth) + block - 1) / block;
    const std::size_t row = block * at(bits) / 8, zero_row = (blocks * at(bits) + 7) / 8;
    if (!from.constant || !b.shifted || from.type != Type::int8 ||
        from.elements() != at(kernels) * blocks * row)
        throw Refusal{fmt::format("weights {} of shape {}: want a constant of uint8, {} x {} x {}",
                                  from.name, graph::text_of(b.shape), kernels, blocks, row)};
    const std::vector<float> scales = r.reals(op, 2);
    if (scales.size() != at(kernels) * blocks)
        throw Refusal{fmt::format("{} scales: want {}", scales.size(), at(kernels) * blocks)};
    graph::Tensor zeros;
    std::vector<float> real_zeros;
    if (r.has(op, 3)) {
        const OnnxValue& value = r.value(op, 3);
        zeros = r.tensor(value.id);
        if (value.real) real_zeros = r.reals(op, 3);
        const bool whole = zeros.constant && value.shifted && zeros.type == Type::int8;
        if (value.real ? real_zeros.size() != scales.size()
                       : !whole || zeros.elements() != at(kernels) * zero_row)
            throw Refusal{fmt::format("zero points {} of shape {}: want a constant of {} bytes",
                                      zeros.name, graph::text_of(value.shape),
                                      at(kernels) * zero_row)};
    }
    const Packed weight(from, bits), zero(zeros, bits);
    std::vector<float> values(at(kernels) * at(depth));
    for (std::size_t n = 0; n < at(kernels); ++n)
        for (std::size_t k = 0; k < at(depth); ++k) {
            const std::size_t i = k / block, scale = n * blocks + i;
            const float centre = !real_zeros.empty() ? real_zeros[scale]
                                 : zeros.data.size() == 0
                                     ? static_cast<float>(1 << (bits - 1))
                                     : static_cast<float>(zero.at(n * zero_row, i));
            const auto number = static_cast<float>(weight.at(scale * row, k % block));
            values[n * at(depth) + k] = (number - centre) * scales[scale];
        }
    Weighted w;
    w.input = r.in_float(op, r.value(op, 0));
    w.weights = real_constant(r, op, {kernels, depth}, values);
    if (r.has(op, 5)) w.bias = r.value(op, 5);
    w.ending.name = op.node->output(0);
    r.give(op, 0, connect(r, op, std::move(w), false));
}

}  // namespace macrame::front
