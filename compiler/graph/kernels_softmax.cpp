/// Softmax in the 32-bit fixed point of TFLite's reference, by tables of int16, and in float.
///
/// Qn.m below: n integer bits, m = 31 - n fraction bits, and a sign.
#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/graph/int16.hpp"
#include "compiler/graph/kernels.hpp"
#include "compiler/graph/quantised.hpp"

namespace macrame::graph {
namespace {

constexpr std::int32_t kMost32 = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t kLeast32 = std::numeric_limits<std::int32_t>::min();

/// Product of Qa and Qb as Q(a + b), rounded, halves up.
std::int32_t product32(std::int32_t a, std::int32_t b) {
    if (a == kLeast32 && b == kLeast32) return kMost32;
    const std::int64_t full = std::int64_t{a} * b;
    const std::int64_t nudge = full >= 0 ? std::int64_t{1} << 30 : 1 - (std::int64_t{1} << 30);
    return static_cast<std::int32_t>((full + nudge) / (std::int64_t{1} << 31));
}

std::int32_t shift_left32(std::int32_t value, int shift) {
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(
        std::int64_t{value} * (std::int64_t{1} << shift), kLeast32, kMost32));
}

/// A real constant in Qn.
std::int32_t fixed32(double value, int integer_bits) {
    return static_cast<std::int32_t>(std::llround(std::ldexp(value, 31 - integer_bits)));
}

/// exp(a) for a in [-1/4, 0), both Q0: Taylor around -1/8 to the fourth power.
std::int32_t exp_of_quarter(std::int32_t a) {
    static const std::int32_t kExpEighth = fixed32(std::exp(-0.125), 0);
    static const std::int32_t kThird = fixed32(1.0 / 3.0, 0);
    const std::int32_t x = a + (1 << 28);
    const std::int32_t x2 = product32(x, x);
    const std::int32_t x3 = product32(x2, x);
    const std::int32_t x4 = product32(x2, x2);
    // x^4/24 + x^3/6 + x^2/2
    const std::int32_t rest = rounded_shift(product32(rounded_shift(x4, 2) + x3, kThird) + x2, 1);
    return kExpEighth + product32(kExpEighth, x + rest);
}

/// exp(a) as Q0 for a <= 0 in Q5.
std::int32_t exp_of_negative(std::int32_t a) {
    constexpr int kFraction = 26;
    if (a == 0) return kMost32;
    constexpr std::int32_t kQuarter = 1 << (kFraction - 2);
    const std::int32_t in_quarter = (a & (kQuarter - 1)) - kQuarter;
    std::int32_t result = exp_of_quarter(shift_left32(in_quarter, 5));
    // What is left is a sum of powers of two: a factor each.
    const std::int32_t remainder = in_quarter - a;
    for (int exponent = -2; exponent <= 4; ++exponent) {
        if ((remainder & (1 << (kFraction + exponent))) != 0)
            result = product32(result, fixed32(std::exp(-std::ldexp(1.0, exponent)), 0));
    }
    return result;
}

/// 1 / (1 + a) as Q0 for a in [0, 1) as Q0: three steps of Newton and Raphson.
std::int32_t reciprocal_above_one(std::int32_t a) {
    const std::int64_t sum = std::int64_t{a} + kMost32;
    const auto half = static_cast<std::int32_t>((sum + (sum >= 0 ? 1 : -1)) / 2);
    std::int32_t x = fixed32(48.0 / 17.0, 2) + product32(half, fixed32(-32.0 / 17.0, 2));
    for (int i = 0; i < 3; ++i) {
        const std::int32_t error = (1 << 29) - product32(half, x);  // Q2
        x += shift_left32(product32(x, error), 2);
    }
    return shift_left32(x, 1);
}

/// The rows of a softmax on integers.
class FixedSoftmax {
public:
    FixedSoftmax(const Call& call, const Softmax& op) {
        constexpr int kIntegerBits = 5;
        const double scale =
            static_cast<double>(op.beta) * static_cast<double>(call.in().quantisation.scale[0]);
        factor_ = multiplier(std::min(std::ldexp(scale, 31 - kIntegerBits), 2147483647.0));
        // Differences below this give 0.
        const double radius = std::ldexp(31.0, 31 - kIntegerBits - factor_.exponent);
        least_difference_ = -static_cast<std::int32_t>(std::min(std::floor(radius), 2147483647.0));
        unsigned_ = call.out().type == Type::uint8;
    }

    void row(const std::int32_t* in, std::int32_t* out, std::size_t size) const {
        constexpr int kSumBits = 12;
        const std::int32_t largest = *std::max_element(in, in + size);
        std::uint64_t total = 0;  // Q12
        for (std::size_t i = 0; i < size; ++i) {
            out[i] = exp_of_difference(in[i] - largest);
            total += static_cast<std::uint64_t>(rounded_shift(out[i], kSumBits));
        }
        const auto sum = static_cast<std::uint32_t>(std::min<std::uint64_t>(total, 0xffffffffU));
        int zeros = 0;  // before the first one
        while (zeros < 32 && (sum >> (31 - zeros) & 1U) == 0)
            ++zeros;
        const auto behind_one = static_cast<std::int32_t>((sum << zeros) & 0x7fffffffU);
        const std::int32_t scale = reciprocal_above_one(behind_one);
        const int shift = kSumBits - zeros + 31 - 8;
        const std::int32_t least = unsigned_ ? 0 : -128;
        for (std::size_t i = 0; i < size; ++i) {
            const std::int32_t value = rounded_shift(product32(scale, out[i]), shift) + least;
            out[i] = std::clamp(value, least, least + 255);
        }
    }

    std::vector<std::int32_t> table() const {
        std::vector<std::int32_t> out;
        for (int difference = 0; difference < 256; ++difference)
            out.push_back(exp_of_difference(-difference));
        return out;
    }

private:
    /// Q0; 0 where the difference is too large.
    std::int32_t exp_of_difference(std::int32_t difference) const {
        if (difference < least_difference_) return 0;
        return exp_of_negative(multiply(difference, factor_));
    }

    Multiplier factor_;
    std::int32_t least_difference_ = 0;
    bool unsigned_ = false;
};

/// The rows of a softmax on int16.
struct WideSoftmax {
    Softmax16 of;

    void row(const std::int32_t* in, std::int32_t* out, std::size_t size) const {
        const std::int32_t largest = *std::max_element(in, in + size);
        std::uint32_t sum = 0;  // 15 fraction bits
        for (std::size_t i = 0; i < size; ++i) {
            const std::int64_t place = std::int64_t{multiply(in[i] - largest, of.factor)} + 32767;
            out[i] = of.exp(static_cast<int>(std::clamp<std::int64_t>(place, -32768, 32767)));
            sum += static_cast<std::uint32_t>(out[i]);
        }
        int bits = 0;  // below the first one
        while (bits < 30 && sum >> (bits + 1) != 0)
            ++bits;
        // The sum over its first one, from 1 to 2 with 16 fraction bits.
        const std::int64_t behind = ((std::int64_t{sum} << (30 - bits)) + (1 << 13)) >> 14;
        const std::int64_t place = behind - (1 << 15) - (1 << 16);
        const int scale =
            of.reciprocal(static_cast<int>(std::clamp<std::int64_t>(place, -32768, 32767)));
        for (std::size_t i = 0; i < size; ++i) {
            const std::int64_t product = std::int64_t{out[i]} * scale;
            const std::int64_t half = bits > 0 ? std::int64_t{1} << (bits - 1) : 0;
            out[i] = static_cast<std::int32_t>(
                std::clamp<std::int64_t>((product + half) >> bits, 0, 32767));
        }
    }
};

std::vector<float> real(const Call& call, const Softmax& op, std::size_t size) {
    std::vector<float> values = call.reals();
    for (std::size_t start = 0; start < values.size(); start += size) {
        float* row = &values[start];
        const float largest = *std::max_element(row, row + size);
        float sum = 0;
        for (std::size_t i = 0; i < size; ++i) {
            const float part = std::exp((row[i] - largest) * op.beta);
            row[i] = op.log ? row[i] - largest : part;
            sum += part;
        }
        for (std::size_t i = 0; i < size; ++i)
            row[i] = op.log ? row[i] - std::log(sum) : row[i] / sum;
    }
    return values;
}

double softmax_scale(const Tensor& input, const Softmax& op) {
    return static_cast<double>(input.quantisation.scale[0] * op.beta);
}

/// Real values, rounded once.
Bytes onnx(const Call& call, const Softmax& op, std::size_t size) {
    const Quantisation& out = call.out().quantisation;
    const double scale = softmax_scale(call.in(), op), steps = softmax_steps(call.out(), op);
    std::vector<std::int32_t> values = call.integers();
    for (std::size_t start = 0; start < values.size(); start += size) {
        std::int32_t* row = &values[start];
        const std::int32_t largest = *std::max_element(row, row + size);
        double sum = 0;
        for (std::size_t i = 0; i < size; ++i)
            sum += std::exp(scale * (row[i] - largest));
        for (std::size_t i = 0; i < size; ++i) {
            const double part = std::exp(scale * (row[i] - largest)) / sum;
            row[i] = static_cast<std::int32_t>(
                std::clamp(std::nearbyint(part * steps) + out.zero_point[0], -32768.0, 32767.0));
        }
    }
    return pack(call.out(), values);
}

}  // namespace

Bytes execute(const Call& call, const Softmax& op) {
    const auto size = static_cast<std::size_t>(call.in().shape.back());
    if (call.out().type == Type::float32) return pack(call, real(call, op, size));
    if (!call.fixed_point()) return onnx(call, op, size);
    const std::vector<std::int32_t> in = call.integers();
    std::vector<std::int32_t> out(in.size());
    const auto rows = [&](const auto& softmax) {
        for (std::size_t start = 0; start < in.size(); start += size)
            softmax.row(&in[start], &out[start], size);
    };
    if (call.in().type == Type::int16)
        rows(WideSoftmax{Softmax16(call.in(), op)});
    else
        rows(FixedSoftmax(call, op));
    return pack(call.out(), out);
}

std::vector<std::int32_t> softmax_table(const Tensor& input, const Softmax& op) {
    Graph one;
    one.tensors = {input};
    one.nodes = {{op, {0}, {0}, ""}};
    return FixedSoftmax({one, one.nodes[0], {}}, op).table();
}

std::vector<double> real_softmax_table(const Tensor& input, const Softmax& op) {
    const double scale = softmax_scale(input, op);
    std::vector<double> out;
    for (int difference = 0; difference < 256; ++difference)
        out.push_back(std::exp(scale * -difference));
    return out;
}

double softmax_steps(const Tensor& output, const Softmax& op) {
    const float one = 1.0F / output.quantisation.scale[0];
    return static_cast<double>(op.whole_steps ? std::floor(one) : one);
}

}  // namespace macrame::graph
