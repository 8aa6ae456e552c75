/// Inputs and outputs of programs as codes in vectors.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "compiler/graph/kernels.hpp"
#include "compiler/host_c/lowering.hpp"

namespace macrame::compiler::host_c {

using graph::Bytes;
using graph::Tensor;

namespace {

std::uint32_t mask_of(const CodedTensor& coded) {
    return coded.code_bits == 32 ? ~0U : (1U << coded.code_bits) - 1;
}

Fields code_fields(const CodedTensor& coded, std::size_t count) {
    return Fields()
        .set("count", count)
        .set("size", coded.code_bytes)
        .set("mask", std::to_string(mask_of(coded)) + "u")
        .set("factor", coded.factor)
        .set("one", coded.one);
}

}  // namespace

Calls encoding_of(const graph::Graph& graph, graph::TensorId id, const CodedTensor& coded,
                  Constants& constants) {
    const graph::Node reader{graph::Reshape{}, {id}, {id}, ""};
    return Lowering(graph, reader, constants).encode(coded);
}

Calls decoding_of(const graph::Graph& graph, graph::TensorId id, const CodedTensor& coded,
                  Constants& constants) {
    const graph::Node writer{graph::Reshape{}, {id}, {id}, ""};
    return Lowering(graph, writer, constants).decode(coded);
}

void Lowering::move_codes(bool into_vectors, Operand vectors, Operand packed,
                          const CodedTensor& coded) {
    const auto codes = static_cast<std::int64_t>(coded.pixel_codes);
    const std::int64_t channels = coded.channels, pack = coded.pack, width = coded.width;
    const std::int64_t columns = (width + pack - 1) / pack;
    const auto move_pixels = [&](std::int64_t first, std::int64_t count, std::int64_t side) {
        if (count == 0) return;
        const std::vector<std::int64_t> shape = {coded.height, count, side, channels};
        const std::vector<std::int64_t> apart = {columns * codes, codes, channels, 1};
        const std::vector<std::int64_t> close = {width * channels, pack * channels, channels, 1};
        const std::int64_t start = first * codes, packed_start = first * pack * channels;
        const auto size = static_cast<std::size_t>(coded.code_bytes);
        if (into_vectors)
            move(vectors, packed, size, {shape, apart, close, start, packed_start});
        else
            move(packed, vectors, size, {shape, close, apart, packed_start, start});
    };
    move_pixels(0, width / pack, pack);
    move_pixels(width / pack, width % pack == 0 ? 0 : 1, width % pack);
}

Calls Lowering::encode(const CodedTensor& coded) {
    const Tensor& tensor = in();
    const auto bytes = static_cast<std::uint64_t>(coded.code_bytes);
    const std::uint64_t groups =
        static_cast<std::uint64_t>(coded.height) *
        static_cast<std::uint64_t>((coded.width + coded.pack - 1) / coded.pack);
    const Operand vectors = scratch(groups * coded.pixel_codes * bytes);
    const Operand packed = scratch(tensor.elements() * bytes);
    const double most = std::ldexp(1.0, coded.code_bits - 1) - 1;
    if (is_byte(tensor)) {
        const Bytes values = every_byte();
        graph::Graph one;
        one.tensors = {tensor};
        one.tensors[0].shape = {256};
        const graph::Node reader{graph::Reshape{}, {0}, {0}, ""};
        Bytes table;
        for (const float real : graph::Call{one, reader, {&values}}.reals()) {
            const double steps =
                std::floor(static_cast<double>(real) * coded.factor * coded.one + 0.5);
            const auto code = static_cast<std::uint32_t>(
                static_cast<std::int32_t>(std::clamp(steps, -most - 1, most)));
            for (int byte = 0; byte < coded.code_bytes; ++byte)
                table.push_back(static_cast<std::uint8_t>((code & mask_of(coded)) >> (8 * byte)));
        }
        look_up(packed, from(), table, tensor.elements());
    } else {
        const Operand values = reals(0);
        call("encode", {packed, values},
             code_fields(coded, tensor.elements())
                 .set("least", std::to_string(static_cast<std::int64_t>(-most)) + " - 1")
                 .set("most", static_cast<std::int64_t>(most)));
    }
    call("fill", {vectors},
         Fields()
             .set("size", 1)
             .set("count", groups * coded.pixel_codes * bytes)
             .set("value", constants_.add(graph::Type::uint8, Bytes(1, 0))));
    move_codes(true, vectors, packed, coded);
    return std::move(calls_);
}

Calls Lowering::decode(const CodedTensor& coded) {
    const auto bytes = static_cast<std::uint64_t>(coded.code_bytes);
    const std::uint64_t groups =
        static_cast<std::uint64_t>(coded.height) *
        static_cast<std::uint64_t>((coded.width + coded.pack - 1) / coded.pack);
    const Operand vectors = scratch(groups * coded.pixel_codes * bytes);
    const Operand packed = scratch(out().elements() * bytes);
    move_codes(false, vectors, packed, coded);
    const Operand result = real_output();
    call("decode", {result, packed}, code_fields(coded, out().elements()));
    finish(result, graph::Activation::none);
    return std::move(calls_);
}

}  // namespace macrame::compiler::host_c
