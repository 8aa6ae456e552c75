#include "compiler/graph/int16.hpp"

#include <algorithm>

namespace macrame::graph {
namespace {

constexpr int kEntries = 256;

/// Sigmoid of i / 24 with 16 fraction bits, raised by half of what a line to the next entry lacks
/// in its middle; the last one is the end.
std::vector<std::uint16_t> sigmoid_table() {
    const auto exact = [](double i) { return 65536 / (1 + std::exp(-i / 24)); };
    std::vector<std::uint16_t> table;
    for (int i = 0; i < 255; ++i) {
        const double lack = exact(i + 0.5) - (exact(i) + exact(i + 1)) / 2;
        table.push_back(static_cast<std::uint16_t>(std::lround(exact(i) + lack / 2)));
    }
    table.push_back(65535);
    return table;
}

bool is_power_of_two(float scale, int& exponent) {
    const bool power = std::frexp(scale, &exponent) == 0.5F;
    --exponent;
    return power;
}

}  // namespace

bool suits_sigmoid16(const Tensor& in, const Tensor& out) {
    return in.quantisation.zero_point[0] == 0 && out.quantisation.zero_point[0] == 0 &&
           out.quantisation.scale[0] == std::ldexp(1.0F, -15);
}

Sigmoid16::Sigmoid16(Function function, float scale)
    : tanh(function == Function::tanh), table(sigmoid_table()) {
    int exponent = 0;
    const bool power = is_power_of_two(scale, exponent);
    const int bits = exponent + 12;
    if (power && (bits == 0 || (tanh && bits == 1))) {
        factor = 3 << bits;
        return;
    }
    double real = static_cast<double>(scale) * 4096 * 3;
    for (; real <= 32767.0 / 2 && shift <= 30; ++shift)
        real *= 2;
    factor = static_cast<int>(std::min(real, 2147483647.0));
}

std::int16_t Sigmoid16::operator()(int value) const {
    const std::int64_t round = shift > 0 ? std::int64_t{1} << (shift - 1) : 0;
    const std::int64_t place = (std::int64_t{value} * factor + round) >> shift;
    return tanh ? macrame_tanh16(table.data(), place) : macrame_sigmoid16(table.data(), place);
}

namespace {

constexpr double kSoftmaxRange = 10;  ///< below it, exp is nothing

}  // namespace

Softmax16::Softmax16(const Tensor& in, const Softmax& op)
    : exp(kSoftmaxRange / 65535, 32767, 2.0 / 65535, [](double x) { return std::exp(x); }),
      reciprocal(1.0 / 65535, -32768, 2.0 / 65535, [](double x) { return 1 / (1 + x); }),
      factor(multiplier(static_cast<double>(in.quantisation.scale[0] * op.beta) /
                        (kSoftmaxRange / 65535))) {}

}  // namespace macrame::graph
