#pragma once
/// Random layers and reference arithmetic for the tests of requantisation, written from the
/// definitions and not shared with what is tested.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

#include "compiler/dla/requantise.hpp"

namespace macrame::dla::compiler::test {

/// Uniform in [low, high), the same on every machine.
class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    double real(double low, double high) {
        return low + (high - low) * (static_cast<double>(engine_()) / 4294967296.0);
    }
    std::int64_t whole(std::int64_t low, std::int64_t high) {
        return low + static_cast<std::int64_t>(real(0, 1) * static_cast<double>(high - low));
    }

private:
    std::mt19937 engine_;
};

// TFLite's reference kernels.

inline std::int32_t rounding_doubling_high(std::int32_t a, std::int32_t b) {
    const std::int64_t product = std::int64_t{a} * b;
    const std::int64_t nudge = product >= 0 ? 1 << 30 : 1 - (1 << 30);
    return static_cast<std::int32_t>((product + nudge) / (std::int64_t{1} << 31));
}

inline std::int32_t rounding_divide(std::int32_t x, int exponent) {
    const auto mask = static_cast<std::int32_t>((std::int64_t{1} << exponent) - 1);
    const std::int32_t remainder = x & mask;
    const std::int32_t threshold = (mask >> 1) + (x < 0 ? 1 : 0);
    return (x >> exponent) + (remainder > threshold ? 1 : 0);
}

inline std::int32_t tflite_multiply(std::int64_t x, double factor) {
    int exponent = 0;
    auto mantissa =
        static_cast<std::int64_t>(std::round(std::frexp(factor, &exponent) * 2147483648.0));
    if (mantissa == std::int64_t{1} << 31) {
        mantissa /= 2;
        ++exponent;
    }
    const int left = std::max(exponent, 0), right = std::max(-exponent, 0);
    return rounding_divide(
        rounding_doubling_high(static_cast<std::int32_t>(x * (std::int64_t{1} << left)),
                               static_cast<std::int32_t>(mantissa)),
        right);
}

// SDP, from the description of its stages bit by bit.

__extension__ using Wide = __int128;

inline Wide sat(Wide value, int bits) {
    const Wide top = (Wide{1} << (bits - 1)) - 1, bottom = -(Wide{1} << (bits - 1));
    return value > top ? top : value < bottom ? bottom : value;
}

inline Wide rshr(Wide value, int shift, int in, int out) {
    if (shift >= in) return 0;
    const Wide floor = value >> shift;
    const bool guard = shift > 0 && ((value >> (shift - 1)) & 1) != 0;
    const bool below = shift > 1 && (value & ((Wide{1} << (shift - 1)) - 1)) != 0;
    return sat(guard && (value >= 0 || below) ? floor + 1 : floor, out);
}

inline Wide naive_x(const XStage& stage, std::size_t channel, Wide x) {
    if (stage.bypass) return x;
    const Wide operand = sat(Wide{stage.alu[channel]} * (Wide{1} << stage.alu_shift), 32);
    Wide v = x + operand;
    if (stage.function == AluFunction::maximum) v = x > operand ? x : operand;
    if (stage.function == AluFunction::minimum) v = x < operand ? x : operand;
    v = rshr(v * stage.mul[channel], stage.mul_shift % 64, 49, 32);
    return stage.relu && v < 0 ? 0 : v;
}

inline int naive_sdp(const Requantisation& made, std::size_t channel, std::int64_t accumulator) {
    Wide v = naive_x(made.bs, channel, accumulator);
    v = naive_x(made.bn, channel, v);
    if (!made.ew.bypass && !made.ew.mul.empty())
        v = rshr(v * made.ew.mul[channel], made.ew.truncate, 64, 32);
    if (!made.ew.bypass && !made.ew.alu_bypass) {
        const Wide operand = made.ew.alu;
        if (made.ew.function == AluFunction::minimum && v > operand) v = operand;
        if (made.ew.function == AluFunction::maximum && v < operand) v = operand;
        if (made.ew.function == AluFunction::sum) v = sat(v + operand, 32);
    }
    v = rshr(v - made.offset, made.shift, 49, 17);
    return static_cast<int>(sat(v, 8));
}

/// What a random layer is like.
struct Style {
    Rounding rounding = Rounding::tflite;
    int zero_point = -128;
    bool relu = true;
    double least_right = 4, most_right = 10;  ///< log2 of the largest factor, negated
    double spread = 2;                        ///< log2 of largest / least factor
    double reach = 9;                         ///< log2 of output values that can be reached
    int channels = 32;
};

inline LayerTarget random_layer(Random& random, const Style& style) {
    LayerTarget layer;
    layer.rounding = style.rounding;
    layer.zero_point = style.zero_point;
    if (style.relu) layer.low = style.zero_point;
    const double largest = -random.real(style.least_right, style.most_right);
    for (int c = 0; c < style.channels; ++c) {
        ChannelTarget channel;
        channel.factor = std::exp2(largest - random.real(0, style.spread));
        const double sums = std::min(
            std::exp2(random.real(style.reach - 2, style.reach)) / channel.factor, 16777216.0);
        channel.low = -static_cast<std::int64_t>(sums * random.real(0.3, 0.6));
        channel.high = static_cast<std::int64_t>(sums * random.real(0.3, 0.6));
        const double bias = std::min(sums * 0.3, 2097152.0);
        channel.bias = static_cast<std::int64_t>(random.real(-bias, bias));
        layer.channels.push_back(channel);
    }
    return layer;
}

}  // namespace macrame::dla::compiler::test
