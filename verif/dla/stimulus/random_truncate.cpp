/// What a convolution adds up and what is left of it: convertor and truncate such that the units
/// behind them can see the last bit. README.md says what hides what.

#include <algorithm>
#include <cmath>

#include "random_conv.hpp"

namespace macrame::dla::stimulus {

namespace {

/// Numbers of this noise are mostly within +-2^bits.
int noise_bits(Noise noise, Precision type) {
    if (noise == Noise::small) return 1;
    return type == Precision::int8 ? 6 : 14;
}

/// Logarithm of the size that sums mostly have.
int sum_bits(const Conv& c) {
    const double products = static_cast<double>(c.kernel_elements()) * c.density / 100 + 1;
    // Products of constants all have one sign.
    const double growth = std::log2(products) / (c.constant ? 1 : 2);
    return c.data_bits + c.weight_bits + static_cast<int>(std::lround(growth));
}

}  // namespace

std::uint32_t any_number(ProgramBuilder& b, int bits) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(b.random.word()) >> (31 - bits));
}

Slopes any_slopes(ProgramBuilder& b, int in_bits, int out_bits) {
    Slopes out;
    for (int side = 0; side < 2; ++side) {
        const int kind = b.random.in(0, 9);
        const bool follows = kind < 5, left = kind < 9;  // shifts left: just beyond the end
        const int scale = follows ? b.random.in(1, 15) : left ? b.random.in(1, 2) : 15;
        const int shift = follows
                              ? std::clamp(in_bits + scale - out_bits + b.random.in(-4, 2), -16, 15)
                              : (left ? -b.random.low(1, 16) : b.random.in(-16, 15));
        out.scale |= (any_number(b, scale) & 0xFFFFu) << (16 * side);
        out.shift |= (static_cast<std::uint32_t>(shift) & 0x1Fu) << (5 * side);
    }
    return out;
}

void choose_convertor(ProgramBuilder& b, Conv& c) {
    const bool needed = c.in != c.type;
    const bool on = (b.random.chance(60) || needed) && !c.winograd && !c.sums;
    c.convertor.on = on;
    const bool wild = c.in == Precision::fp16 || c.type == Precision::fp16 || b.random.chance(15);
    if (wild) {
        c.convertor.shift = b.random.chance(90) ? b.random.low(0, 16) : b.random.in(0, 63);
        c.convertor.offset = b.random.chance(50) ? any_number(b, 15) : any_number(b, 7);
        c.convertor.scale = b.random.chance(50) ? b.random.word()
                            : b.random.chance(10)
                                ? 1
                                : static_cast<std::uint32_t>(b.random.low(1, 300));
        return;
    }
    const int in_bits = c.in == Precision::int8 ? 7 : 15;
    const int out_bits = c.type == Precision::int8 ? 7 : 15;
    const bool far = b.random.chance(30);  // a shift that only the largest products survive
    const int offset = far                   ? 15
                       : b.random.chance(70) ? b.random.in(0, in_bits)
                                             : b.random.in(7, 15);
    const int scale = far ? 15 : b.random.in(0, 15);
    c.convertor.offset = any_number(b, offset);
    // A power of two makes ties.
    c.convertor.scale = scale == 0            ? 1
                        : b.random.chance(50) ? any_number(b, scale)
                                              : std::uint32_t{1} << (scale - 1);
    if (b.random.chance(30)) c.convertor.scale = ~c.convertor.scale + 1;
    const int shift = std::max(in_bits, offset) + scale - out_bits;
    c.convertor.shift = std::clamp(shift + b.random.in(-2, far ? 12 : 1), 0, 63);
    if (!c.data_reuse && on) {
        c.data_bits = std::clamp(shift + out_bits - c.convertor.shift, 1, out_bits - 1);
    }
}

void choose_truncate(ProgramBuilder& b, Conv& c, Noise data, Noise weights) {
    if (!c.data_reuse && !c.convertor.on) c.data_bits = noise_bits(data, c.type);
    if (!c.weight_reuse) c.weight_bits = noise_bits(weights, c.type);
    c.constant = data == Noise::constant && weights == Noise::constant;
    const int bits = sum_bits(c);
    if (c.sums) {
        // random_sums.cpp has chosen.
    } else if (b.random.chance(15)) {
        c.truncate = b.random.chance(40) ? 0 : b.random.low(0, b.random.chance(20) ? 31 : 12);
    } else {
        c.truncate = std::clamp(bits - 7 + b.random.in(-3, 2), 0, 31);
    }
    c.left = c.sums ? Numbers{7, true} : Numbers{std::clamp(bits - c.truncate, 1, 31), false};
}

}  // namespace macrame::dla::stimulus
