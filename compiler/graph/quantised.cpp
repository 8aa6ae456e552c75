#include "compiler/graph/quantised.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/host/macrame_fixed.h"

namespace macrame::graph {

namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int32_t>::max();
constexpr int kLargestExponent = 31;

std::pair<int, int> range_of(Type type) {
    switch (type) {
        case Type::int8:
            return {-128, 127};
        case Type::uint8:
            return {0, 255};
        case Type::int16:
            return {-32768, 32767};
        default:
            return {std::numeric_limits<int>::min(), std::numeric_limits<int>::max()};
    }
}

/// Integer of a real value; halves away from zero.
int integer_of(float real, const Tensor& tensor) {
    const double value = static_cast<double>(std::round(real / tensor.quantisation.scale[0])) +
                         tensor.quantisation.zero_point[0];
    return static_cast<int>(std::clamp(value, -2147483648.0, 2147483647.0));
}

}  // namespace

Multiplier multiplier(double real) {
    if (!(real > 0)) return {};
    int exponent = 0;
    auto mantissa = static_cast<std::int64_t>(
        std::round(std::frexp(std::min(real, 1e30), &exponent) * 2147483648.0));
    if (mantissa == std::int64_t{1} << 31) {
        mantissa /= 2;
        ++exponent;
    }
    if (exponent < -31) return {};
    if (exponent > kLargestExponent) return {static_cast<std::int32_t>(kLargest), kLargestExponent};
    return {static_cast<std::int32_t>(mantissa), exponent};
}

std::int32_t multiply(std::int32_t value, Multiplier factor) {
    // A left shift loses the upper bits, as in the reference.
    const auto shifted = static_cast<std::int32_t>(static_cast<std::uint32_t>(value)
                                                   << std::clamp(factor.exponent, 0, 31));
    const std::int64_t product = std::int64_t{shifted} * factor.mantissa;
    const std::int64_t nudge = product >= 0 ? std::int64_t{1} << 30 : 1 - (std::int64_t{1} << 30);
    const std::int64_t high = std::min((product + nudge) / (std::int64_t{1} << 31), kLargest);
    return rounded_shift(static_cast<std::int32_t>(high), std::clamp(-factor.exponent, 0, 31));
}

std::int32_t rounded_shift(std::int32_t value, int shift) {
    return macrame_shift_right(value, shift);
}

std::int32_t multiply_once(std::int32_t value, Multiplier factor) {
    const int shift = 31 - std::min(factor.exponent, 30);
    const std::int64_t product = std::int64_t{value} * factor.mantissa;
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(
        (product + (std::int64_t{1} << (shift - 1))) >> shift, -kLargest - 1, kLargest));
}

std::int32_t multiply_wide(std::int64_t value, Multiplier factor) {
    return macrame_multiply_wide(value, {factor.mantissa, factor.exponent});
}

std::int32_t multiply_wide_once(std::int64_t value, Multiplier factor) {
    return macrame_multiply_wide_once(value, {factor.mantissa, factor.exponent});
}

Multiplier inverse_square_root(std::int32_t value) {
    const macrame_factor made = macrame_inverse_square_root(value);
    return {made.mantissa, made.exponent};
}

std::int32_t compared_value(std::int32_t element, const Quantisation& quantisation) {
    constexpr int kFractions = 1 << 8;
    return multiply((element - quantisation.zero_point[0]) * kFractions,
                    multiplier(static_cast<double>(quantisation.scale[0])));
}

std::pair<int, int> bounds(Activation activation, const Tensor& output) {
    const auto [least, most] = range_of(output.type);
    const auto inside = [low = least, high = most](int value) {
        return std::clamp(value, low, high);
    };
    switch (activation) {
        case Activation::relu:
            return {inside(integer_of(0, output)), most};
        case Activation::relu6:
            return {inside(integer_of(0, output)), inside(integer_of(6, output))};
        case Activation::relu_n1_to_1:
            return {inside(integer_of(-1, output)), inside(integer_of(1, output))};
        case Activation::none:
            break;
    }
    return {least, most};
}

std::vector<double> output_factors(const Graph& graph, const Node& node) {
    const Tensor& weights = graph.tensor(node.inputs[1]);
    const float input = graph.tensor(node.inputs[0]).quantisation.scale[0];
    const float output = graph.tensor(node.outputs[0]).quantisation.scale[0];
    const std::vector<float>& scales = weights.quantisation.scale;
    const auto* matmul = std::get_if<MatMul>(&node.op);
    if (matmul != nullptr && scales.size() == 1)  // in single precision
        return {graph.rounding == Rounding::onnx
                    ? static_cast<double>(input * scales[0] / output)
                    : static_cast<double>(input * scales[0]) / static_cast<double>(output)};
    const auto channels =
        matmul != nullptr ? scales.size() : static_cast<std::size_t>(weights.shape[0]);
    // The older of its ways, from before there were scales of channels.
    const bool single = scales.size() == 1 && (std::holds_alternative<FullyConnected>(node.op) ||
                                               is_unsigned(graph.tensor(node.inputs[0])));
    std::vector<double> factors(channels);
    for (std::size_t c = 0; c < channels; ++c) {
        const float scale = scales[scales.size() == 1 ? 0 : c];
        if (graph.rounding == Rounding::onnx) {
            factors[c] = static_cast<double>(input * scale / output);
            continue;
        }
        const double product = single ? static_cast<double>(input * scale)
                                      : static_cast<double>(input) * static_cast<double>(scale);
        factors[c] = product / static_cast<double>(output);
    }
    return factors;
}

bool has_wide_sums(const Graph& graph, const Node& node) {
    if (graph.tensor(node.inputs[0]).type != Type::int16) return false;
    if (node.inputs.size() > 2 && node.inputs[2] != kNone)
        return graph.tensor(node.inputs[2]).type == Type::int64;
    return std::holds_alternative<Conv>(node.op) || std::holds_alternative<MatMul>(node.op);
}

int sum_bits(Arithmetic function, const Tensor& output) {
    if (function == Arithmetic::squared_difference) return 7;
    return output.type == Type::int16 ? 15 : 20;
}

std::optional<std::pair<int, int>> sum_shifts(const Tensor& a, const Tensor& b,
                                              const Tensor& output) {
    if (output.type != Type::int16) return {};
    int exponents[3] = {};
    const Tensor* const tensors[] = {&a, &b, &output};
    for (std::size_t i = 0; i < 3; ++i) {
        const Quantisation& q = tensors[i]->quantisation;
        if (std::frexp(q.scale[0], &exponents[i]) != 0.5F || q.zero_point[0] != 0) return {};
    }
    const int first = exponents[2] - exponents[0], second = exponents[2] - exponents[1];
    if (std::min(first, second) != 0 || std::max(first, second) > 31) return {};
    return std::pair(first, second);
}

Multiplier mean_multiplier(const Tensor& input, const Tensor& output, std::int64_t count) {
    Multiplier factor = multiplier(static_cast<double>(input.quantisation.scale[0]) /
                                   static_cast<double>(output.quantisation.scale[0]));
    int shift = 0;
    while (count >> (shift + 1) != 0)
        ++shift;
    shift = std::max(0, std::min({shift, 32, 31 + factor.exponent}));
    factor.mantissa = static_cast<std::int32_t>((std::int64_t{factor.mantissa} << shift) / count);
    factor.exponent -= shift;
    return factor;
}

float mean_factor(const Tensor& input, const Tensor& output, std::int64_t count) {
    return input.quantisation.scale[0] / (output.quantisation.scale[0] * static_cast<float>(count));
}

double scaled_to_even(std::int64_t sum, float factor) {
    return static_cast<double>(std::nearbyint(static_cast<float>(sum) * factor));
}

int shift_of(const Tensor& tensor) { return tensor.shifted ? 128 : 0; }

bool differ_in_sign(const Tensor& a, const Tensor& b) {
    const Quantisation &x = a.quantisation, &y = b.quantisation;
    const int apart = a.type == Type::int8 && b.type == Type::uint8   ? 128
                      : a.type == Type::uint8 && b.type == Type::int8 ? -128
                                                                      : 0;
    return apart != 0 && x.scale.size() == 1 && x.scale == y.scale &&
           y.zero_point[0] - x.zero_point[0] == apart;
}

bool is_unsigned(const Tensor& tensor) { return tensor.type == Type::uint8 || tensor.shifted; }

OnnxSum::OnnxSum(float scale_a, int zero_a, float scale_b, int zero_b, float scale, int zero,
                 int shift)
    : a_(scale_a / scale), b_(scale_b / scale), shift_(shift) {
    const float zeros =
        std::fma(a_, static_cast<float>(zero_a + shift), b_ * static_cast<float>(zero_b + shift));
    rest_ = static_cast<float>(zero + shift) - zeros;
}

double OnnxSum::operator()(int a, int b) const {
    const float first = std::fma(static_cast<float>(b + shift_), b_, rest_);
    const float sum = std::fma(static_cast<float>(a + shift_), a_, first);
    return static_cast<double>(std::nearbyint(sum)) - shift_;
}

}  // namespace macrame::graph
