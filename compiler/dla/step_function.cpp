#include "compiler/dla/step_function.hpp"

#include <algorithm>
#include <cmath>

#include "compiler/dla/sdp_arithmetic.hpp"
#include "compiler/graph/quantised.hpp"

namespace macrame::dla::compiler {

namespace {

__extension__ using Wide = __int128;

/// Not from zero, not to zero: down.
Wide floor_shift(Wide value, int shift) { return value >> shift; }

std::int64_t narrow(Wide value) {
    if (value > kNever) return kNever;
    if (value < kAlways) return kAlways;
    return static_cast<std::int64_t>(value);
}

Wide ceil_divide_wide(Wide value, std::int64_t divisor) {
    constexpr Wide kSmall = Wide{1} << 62;
    if (value < kSmall && value > -kSmall)
        return ceil_divide(static_cast<std::int64_t>(value), divisor);
    return value / divisor + (value % divisor > 0 ? 1 : 0);
}

Fixed factor_of(const ChannelTarget& channel) {
    if (channel.mantissa == 0) return fixed(channel.factor);
    if (channel.exponent < -31) return {};
    return {channel.mantissa, std::clamp(channel.exponent, 0, 30), std::max(-channel.exponent, 0)};
}

std::int64_t count_of(const ChannelTarget& channel) {
    return std::max<std::int64_t>(1, std::llround(1 / channel.factor));
}

std::int64_t least_tflite(const Fixed& factor, std::int64_t result) {
    if (factor.mantissa == 0) return result <= 0 ? kAlways : kNever;
    const Wide x = factor.right == 0 ? Wide{result}
                                     : Wide{result} * (Wide{1} << factor.right) -
                                           (Wide{1} << (factor.right - 1)) + (result <= 0 ? 1 : 0);
    return narrow(
        ceil_divide_wide(x * (Wide{1} << 31) - (Wide{1} << 30), factor.mantissa << factor.left));
}

std::int64_t unclamped_once(const Fixed& factor, std::int64_t sum) {
    const Wide product = Wide{sum} * (factor.mantissa << factor.left);
    return narrow(floor_shift(product + (Wide{1} << (30 + factor.right)), 31 + factor.right));
}

std::int64_t least_once(const Fixed& factor, std::int64_t result) {
    if (factor.mantissa == 0) return result <= 0 ? kAlways : kNever;
    const Wide least = (2 * Wide{result} - 1) * (Wide{1} << (30 + factor.right));
    return narrow(ceil_divide_wide(least, factor.mantissa << factor.left));
}

std::int64_t unclamped_onnx(float factor, std::int64_t sum) {
    return static_cast<std::int64_t>(graph::scaled_to_even(sum, factor));
}

/// Sums are rounded to float32 first: the exact place of the step is near.
std::int64_t least_onnx(float factor, std::int64_t result) {
    const double exact = (static_cast<double>(result) - 0.5) / static_cast<double>(factor);
    // Sums have less than 34 bits.
    constexpr double kLimit = 0x1p36;
    if (!(factor > 0)) return result <= 0 ? kAlways : kNever;
    if (exact > kLimit) return kNever;
    if (exact < -kLimit) return kAlways;
    auto below = static_cast<std::int64_t>(exact - std::abs(exact) * 0x1p-22) - 2;
    auto above = static_cast<std::int64_t>(exact + std::abs(exact) * 0x1p-22) + 2;
    while (above - below > 1) {
        const std::int64_t middle = below + (above - below) / 2;
        (unclamped_onnx(factor, middle) >= result ? above : below) = middle;
    }
    return above;
}

std::int64_t unclamped_average(std::int64_t count, std::int64_t sum) {
    return (sum > 0 ? sum + count / 2 : sum - count / 2) / count;
}

std::int64_t least_average(std::int64_t count, std::int64_t result) {
    return ceil_divide((2 * result - 1) * count + (result <= 0 ? 1 : 0), 2);
}

}  // namespace

Fixed fixed(double factor) {
    const graph::Multiplier made = graph::multiplier(factor);
    // 2^30 is above any factor with a second output value within reach of 32 bits.
    return {made.mantissa, std::clamp(made.exponent, 0, 30), std::max(-made.exponent, 0)};
}

std::int64_t multiply(std::int64_t value, const Fixed& factor) {
    const Wide product = Wide{value} * (factor.mantissa << factor.left);
    const std::int64_t x = narrow(floor_shift(product + (Wide{1} << 30), 31));
    if (factor.right == 0) return x;
    const std::int64_t half = std::int64_t{1} << (factor.right - 1);
    return x < 0 ? -((half - x) >> factor.right) : (x + half) >> factor.right;
}

Gain gain(const LayerTarget& layer, const ChannelTarget& channel) {
    double value = channel.factor;
    if (layer.rounding == Rounding::onnx) value = double{static_cast<float>(value)};
    if (layer.rounding == Rounding::tflite || layer.rounding == Rounding::tflite_once) {
        const Fixed factor = factor_of(channel);
        value = std::ldexp(static_cast<double>(factor.mantissa), factor.left - factor.right - 31);
    }
    if (!(value > 0)) return {};
    int exponent = 0;
    std::frexp(value, &exponent);
    return {value, -exponent};
}

std::int64_t unclamped(const LayerTarget& layer, const ChannelTarget& channel, std::int64_t raw) {
    const std::int64_t sum = raw + channel.bias;
    switch (layer.rounding) {
        case Rounding::tflite:
            return multiply(sum, factor_of(channel));
        case Rounding::tflite_once:
            return unclamped_once(factor_of(channel), sum);
        case Rounding::onnx:
            return unclamped_onnx(static_cast<float>(channel.factor), sum);
        case Rounding::average:
            return unclamped_average(count_of(channel), sum);
    }
    return 0;
}

std::int64_t least_raw(const LayerTarget& layer, const ChannelTarget& channel,
                       std::int64_t result) {
    std::int64_t sum = 0;
    switch (layer.rounding) {
        case Rounding::tflite:
            sum = least_tflite(factor_of(channel), result);
            break;
        case Rounding::tflite_once:
            sum = least_once(factor_of(channel), result);
            break;
        case Rounding::onnx:
            sum = least_onnx(static_cast<float>(channel.factor), result);
            break;
        case Rounding::average:
            sum = least_average(count_of(channel), result);
            break;
    }
    return sum == kNever || sum == kAlways ? sum : sum - channel.bias;
}

Steps steps(const LayerTarget& layer, const ChannelTarget& channel) {
    const auto clamped = [&](std::int64_t raw) {
        return static_cast<int>(std::clamp<std::int64_t>(unclamped(layer, channel, raw),
                                                         layer.low - layer.zero_point,
                                                         layer.high - layer.zero_point));
    };
    Steps result{channel.low, channel.high, clamped(channel.low), clamped(channel.high), {}};
    result.at.reserve(static_cast<std::size_t>(result.last - result.first));
    for (int k = result.first + 1; k <= result.last; ++k)
        result.at.push_back(least_raw(layer, channel, k));
    return result;
}

int reference(const LayerTarget& layer, std::size_t channel, std::int64_t raw) {
    const std::int64_t value = unclamped(layer, layer.channels[channel], raw) + layer.zero_point;
    return static_cast<int>(std::clamp<std::int64_t>(value, layer.low, layer.high));
}

}  // namespace macrame::dla::compiler
