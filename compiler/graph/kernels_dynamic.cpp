/// Quantisation by the values of a run, as TFLite's hybrid kernels and ONNX Runtime's
/// DynamicQuantizeLinear do it.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "compiler/graph/kernels.hpp"
#include "runtime/host/macrame_real.h"

namespace macrame::graph {
namespace {

constexpr int kLeastByte = -128, kMostByte = 127;

/// How one row becomes integers: value * factor + zero, or value / scale + zero.
struct Steps {
    float scale = 1;
    float factor = 1;
    int zero = 0;
    int least = kLeastByte;
};

Steps symmetric_steps(float least, float most) {
    const float range = std::max(std::abs(least), std::abs(most));
    if (range == 0) return {};
    return {range / kMostByte, kMostByte / range, 0, -kMostByte};
}

/// In double precision, the zero point from the end that is nearer to 0.
Steps tflite_steps(float low, float high) {
    const double least = std::min(0.0, static_cast<double>(low));
    const double most = std::max(0.0, static_cast<double>(high));
    if (least == most) return {};
    const double scale = (most - least) / (kMostByte - kLeastByte);
    const double from_least = kLeastByte - least / scale, from_most = kMostByte - most / scale;
    const double error_least = -kLeastByte + std::abs(least / scale),
                 error_most = kMostByte + std::abs(most / scale);
    const double zero = std::clamp(error_least < error_most ? from_least : from_most,
                                   1.0 * kLeastByte, 1.0 * kMostByte);
    const auto single = static_cast<float>(scale);
    return {single, 1.0F / single, static_cast<int>(std::round(zero)), kLeastByte};
}

/// In single precision, halves to even. Integers of uint8, less by 128.
Steps onnx_steps(float low, float high) {
    const float least = std::min(low, 0.0F), most = std::max(high, 0.0F);
    const float scale = least == most ? 1.0F : (most - least) / 255.0F;
    const float zero = std::nearbyint(std::clamp(0.0F - least / scale, 0.0F, 255.0F));
    return {scale, 1, static_cast<int>(zero) + kLeastByte, kLeastByte};
}

int integer_of(Rounding rounding, const Steps& steps, float value) {
    float whole = 0;
    if (rounding == Rounding::tflite) {
        whole = std::round(static_cast<float>(steps.zero) + value * steps.factor);
    } else {
        const auto low = static_cast<float>(kLeastByte - steps.zero),
                   high = static_cast<float>(kMostByte - steps.zero);
        whole = std::nearbyint(std::clamp(value / steps.scale, low, high)) +
                static_cast<float>(steps.zero);
    }
    if (std::isnan(whole)) return steps.zero;
    return static_cast<int>(
        std::clamp(whole, static_cast<float>(steps.least), static_cast<float>(kMostByte)));
}

}  // namespace

std::vector<Bytes> execute(const Call& call, const DynamicQuantise& op) {
    const Rounding rounding = call.graph.rounding;
    const std::vector<float> values = call.reals();
    const std::size_t rows = call.out(1).elements(), size = values.size() / rows;
    std::vector<std::int32_t> integers, zeros;
    std::vector<std::uint8_t> scales(rows * sizeof(float));
    for (std::size_t row = 0; row < rows; ++row) {
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(row * size);
        const auto [least, most] =
            std::minmax_element(first, first + static_cast<std::ptrdiff_t>(size));
        const Steps steps = op.symmetric                   ? symmetric_steps(*least, *most)
                            : rounding == Rounding::tflite ? tflite_steps(*least, *most)
                                                           : onnx_steps(*least, *most);
        std::memcpy(&scales[row * sizeof(float)], &steps.scale, sizeof(float));
        zeros.push_back(steps.zero);
        for (std::size_t i = 0; i < size; ++i)
            integers.push_back(integer_of(rounding, steps, first[static_cast<std::ptrdiff_t>(i)]));
    }
    return {pack(call.out(0), integers), Bytes(scales.begin(), scales.end()),
            pack(call.out(2), zeros)};
}

std::vector<Bytes> execute(const Call& call, const RealDigits&) {
    const std::vector<float> values = call.reals();
    std::vector<float> step(1);
    std::vector<std::int8_t> digits(2 * values.size());
    macrame_real_digits(values.data(), values.size(), digits.data(), step.data());
    Bytes numbers(digits.size()), bytes(sizeof(float));
    std::memcpy(numbers.data(), digits.data(), numbers.size());
    std::memcpy(bytes.data(), step.data(), bytes.size());
    return {numbers, bytes};
}

Bytes execute(const Call& call, const RealSums& op) {
    const std::vector<std::int32_t> sums = call.integers();
    const std::vector<float> step = call.reals(1), steps = call.reals(2);
    const std::vector<float> bias =
        call.has(3) ? call.reals(3) : std::vector<float>(steps.size(), 0.0F);
    const std::size_t kernels = steps.size(), rows = call.out().elements() / kernels;
    std::vector<float> values(rows * kernels);
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t k = 0; k < kernels; ++k)
            values[row * kernels + k] =
                macrame_real_sum(&sums[row * 2 * kernels + k], rows * 2 * kernels, kernels,
                                 step[0] * steps[k], bias[k]);
    return pack(call, values, op.activation);
}

}  // namespace macrame::graph
