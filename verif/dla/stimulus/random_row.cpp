#include "random_row.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "dla_regs.hpp"
#include "verif/dla/model/row_math.hpp"

namespace macrame::dla::stimulus {

namespace {

namespace r = dla_regs::row;
using dla::model::kRowDifferences;

enum RowMode : std::uint32_t { kSoftmax, kLayerNorm, kRmsNorm };

void add_word(std::vector<std::uint8_t>& bytes, std::int64_t word) {
    for (int i = 0; i < 4; ++i)
        bytes.push_back(static_cast<std::uint8_t>(word >> (8 * i)));
}

/// Records of exp(-scale * difference), as software makes them.
std::vector<std::uint8_t> exponentials(ProgramBuilder& b) {
    const double scale = std::ldexp(1.0, -b.random.in(1, 9)) * b.random.in(1, 3);
    std::vector<std::uint8_t> bytes;
    for (int i = 0; i < kRowDifferences; ++i) {
        const std::int64_t e =
            std::min<std::int64_t>(std::llround(std::ldexp(std::exp(-scale * i), 31)), 0x7fffffff);
        add_word(bytes, e >> 14);
        add_word(bytes, e & 0x3fff);
    }
    return bytes;
}

/// Gamma over the scale of the result with `bits` fraction bits, and beta.
std::vector<std::uint8_t> channels_of_norm(ProgramBuilder& b, int channels, int bits) {
    const double step = b.random.in(5, 60);  // of the result in a deviation
    std::vector<std::uint8_t> bytes;
    for (int i = 0; i < channels; ++i) {
        const double gamma = step * b.random.in(50, 150) / 100.0 * (b.random.chance(90) ? 1 : -1);
        add_word(bytes, std::llround(std::ldexp(gamma, bits)));
        add_word(bytes, b.random.in(-40 * 32768, 40 * 32768));
    }
    return bytes;
}

Cube choose_input(ProgramBuilder& b) {
    const Cube* result = b.result();
    if (result != nullptr && result->type == Precision::int8 && !result->pairs &&
        result->batches == 1 && result->channels <= b.sizes.row_length && b.random.chance(50)) {
        b.wait_layer(result->layer);
        return *result;
    }
    Cube cube = b.any_cube(6 * b.sizes.atom_bytes, Precision::int8);
    cube.channels = std::min(cube.channels, b.sizes.row_length);
    return b.input_cube(cube);
}

}  // namespace

void make_row(ProgramBuilder& b) {
    constexpr const char* kNames[] = {"softmax", "layer norm", "rms norm"};
    const Cube in = choose_input(b);
    const Cube out = b.output_cube(Cube{in.width, in.height, in.channels});
    const auto mode = static_cast<RowMode>(b.random.in(0, 2));
    const bool any = b.random.chance(20);  // records that mean nothing
    const int bits = b.random.in(10, 14);
    std::vector<std::uint8_t> bytes =
        mode == kSoftmax ? exponentials(b) : channels_of_norm(b, in.channels, bits);
    if (any) bytes = b.random_bytes(bytes.size(), b.any_noise(), Precision::int8);
    const trace::Port port =
        b.ram_type(in.base) != 0 ? trace::Port::primary : trace::Port::secondary;
    const std::uint64_t records = b.load_bytes(bytes, b.atom(), port);
    const int group = b.take(Unit::row);
    b.put(r::D_MISC_CFG(0).ROW_MODE(mode));
    b.put(r::D_DATA_CUBE_WIDTH(minus1(in.width)));
    b.put(r::D_DATA_CUBE_HEIGHT(minus1(in.height)));
    b.put(r::D_DATA_CUBE_CHANNEL(minus1(in.channels)));
    b.put(r::D_SRC_DMA_CFG(b.ram_type(in.base)));
    b.put(r::D_SRC_BASE_ADDR_LOW(low_of(in.base)));
    b.put(r::D_SRC_BASE_ADDR_HIGH(high_of(in.base)));
    b.put(r::D_SRC_LINE_STRIDE(in.line_stride));
    b.put(r::D_SRC_SURFACE_STRIDE(in.surface_stride));
    b.put(r::D_OPERAND_ADDR_LOW(low_of(records)));
    b.put(r::D_OPERAND_ADDR_HIGH(high_of(records)));
    b.put(r::D_DST_DMA_CFG(b.ram_type(out.base)));
    b.put(r::D_DST_BASE_ADDR_LOW(low_of(out.base)));
    b.put(r::D_DST_BASE_ADDR_HIGH(high_of(out.base)));
    b.put(r::D_DST_LINE_STRIDE(out.line_stride));
    b.put(r::D_DST_SURFACE_STRIDE(out.surface_stride));
    b.put(r::D_DATIN_OFFSET(mode == kRmsNorm ? b.random.word() & 0xffu : 0u));
    b.put(r::D_DATOUT_OFFSET(b.random.chance(50) ? 0x80u : b.random.word() & 0xffu));
    b.put(r::D_DATOUT_SHIFTER(any ? b.random.word() & 63u : static_cast<std::uint32_t>(18 + bits)));
    b.put(r::D_EPSILON(static_cast<std::uint32_t>(b.random.low(1, 1 << 20))));
    b.put(r::D_PERF_ENABLE(b.random.word() & 1u));
    b.add_output(out);
    b.expect("ROW", 10, group);
    b.enable(Unit::row);
    b.describe(std::string(kNames[mode]) + " " + std::to_string(in.width) + "x" +
               std::to_string(in.height) + "x" + std::to_string(in.channels));
}

}  // namespace macrame::dla::stimulus
