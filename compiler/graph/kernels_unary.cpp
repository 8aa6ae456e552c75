/// Functions of one element, PReLU, requantisation.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "compiler/graph/int16.hpp"
#include "compiler/graph/kernels.hpp"
#include "compiler/graph/quantised.hpp"

namespace macrame::graph {
namespace {

/// log(1 + exp(x))
float softplus(float x) { return std::max(x, 0.0F) + std::log1p(std::exp(-std::abs(x))); }

float real_function(const Unary& op, float x) {
    switch (op.function) {
        case Function::relu:
            return std::max(x, 0.0F);
        case Function::relu6:
            return std::clamp(x, 0.0F, 6.0F);
        case Function::relu_n1_to_1:
            return std::clamp(x, -1.0F, 1.0F);
        case Function::relu_0_to_1:
            return std::clamp(x, 0.0F, 1.0F);
        case Function::leaky_relu:
            return x > 0 ? x : x * op.alpha;
        case Function::sigmoid:
            return 1.0F / (1.0F + std::exp(-x));
        case Function::tanh:
            return std::tanh(x);
        case Function::hard_swish:
            return x * std::clamp(x + 3.0F, 0.0F, 6.0F) / 6.0F;
        case Function::exp:
            return std::exp(x);
        case Function::elu:
            return x < 0 ? op.alpha * std::expm1(x) : x;
        case Function::abs:
            return std::abs(x);
        case Function::neg:
            return -x;
        case Function::square:
            return x * x;
        case Function::sqrt:
            return std::sqrt(x);
        case Function::rsqrt:
            return 1.0F / std::sqrt(x);
        case Function::hard_sigmoid:
            return std::clamp(op.alpha * x + op.beta, 0.0F, 1.0F);
        case Function::gelu:
            return 0.5F * x * std::erfc(x * static_cast<float>(-M_SQRT1_2));
        case Function::gelu_tanh:
            return 0.5F * x *
                   (1.0F + std::tanh(static_cast<float>(M_2_SQRTPI * M_SQRT1_2) *
                                     (x + 0.044715F * x * x * x)));
        case Function::erf:
            return std::erf(x);
        case Function::silu:
            return x / (1.0F + std::exp(-op.alpha * x));
        case Function::mish:
            return x * std::tanh(softplus(x));
        case Function::softplus:
            return softplus(x);
        case Function::softsign:
            return x / (1.0F + std::abs(x));
        case Function::log:
            return std::log(x);
        case Function::reciprocal:
            return 1.0F / x;
        case Function::sin:
            return std::sin(x);
        case Function::cos:
            return std::cos(x);
        case Function::floor:
            return std::floor(x);
        case Function::ceil:
            return std::ceil(x);
        case Function::round:
            return std::nearbyint(x);
        case Function::sign:
            return static_cast<float>((x > 0) - (x < 0));
    }
    return x;
}

std::int32_t clamped_to_int32(std::int64_t value) {
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(
        value, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
}

/// A factor in single precision, as TFLite computes those of activations.
Multiplier single(float factor) { return multiplier(static_cast<double>(factor)); }

// ---------------------------------------------------------------- hard-swish, 16-bit fixed point

std::int32_t clamp16(std::int32_t value) { return std::clamp(value, -32768, 32767); }

/// (2 * a * b) >> 16, half away from zero for positive products and up for negative ones.
std::int32_t high16(std::int32_t a, std::int32_t b) {
    const std::int32_t product = a * b;
    return clamp16((product + (product >= 0 ? 1 << 14 : 1 - (1 << 14))) / (1 << 15));
}

std::int32_t shift_left16(std::int32_t value, int shift) {
    return clamp16(value * (1 << std::min(shift, 15)));
}

struct Multiplier16 {
    std::int32_t mantissa;
    int exponent;
};
Multiplier16 multiplier16(float factor) {
    const Multiplier full = single(factor);
    constexpr std::int32_t kHalf = 1 << 15;
    if (full.mantissa >= std::numeric_limits<std::int32_t>::max() - kHalf)
        return {32767, full.exponent};
    return {(full.mantissa + kHalf) >> 16, full.exponent};
}

/// x * relu6(x + 3) / 6 of an input with 7 fraction bits.
std::int32_t hard_swish(std::int32_t distance, Multiplier16 output, Multiplier16 slope) {
    const std::int32_t fine = distance * (1 << 7);
    const std::int32_t scaled = high16(fine, output.mantissa);
    // x / 3 in -1..1 with 15 fraction bits, saturating.
    std::int32_t gate = fine;
    if (slope.exponent > 0) gate = shift_left16(gate, slope.exponent - 1);
    gate = high16(gate, slope.mantissa);
    if (slope.exponent > 0) gate = shift_left16(gate, 1);
    if (slope.exponent < 0) gate = rounded_shift(gate, std::min(-slope.exponent, 30));
    gate = (gate + (1 << 15)) >> 1;
    const std::int32_t product = clamp16(gate * scaled / (1 << 15));
    return rounded_shift(product, std::min(-output.exponent, 30));
}

// ---------------------------------------------------------------- integers to integers

/// Output of TFLite for one value of the input, before it saturates.
class Fixed {
public:
    Fixed(const Call& call, const Unary& op)
        : call_(call),
          op_(op),
          in_(call.in().quantisation),
          out_(call.out().quantisation),
          plain_(single(in_.scale[0] / out_.scale[0])),
          sloped_(single(in_.scale[0] * op.alpha / out_.scale[0])) {
        const float fine = in_.scale[0] * (1.0F / 128.0F);
        swish_output_ = multiplier16(fine / out_.scale[0]);
        swish_slope_ = multiplier16(fine / (3.0F / 32768.0F));
        root_ = multiplier(1.0 / static_cast<double>(std::sqrt(in_.scale[0]) * out_.scale[0]));
        if (op.function == Function::hard_swish && swish_output_.exponent > 0 &&
            call.in().type != Type::int16)
            throw std::invalid_argument(
                fmt::format("{}: {} of {} has no exact integer arithmetic here: want float32",
                            call.node.where, name_of(call.node.op), name_of(call.in().type)));
    }

    std::int64_t operator()(std::int32_t value) const {
        const std::int32_t distance = value - in_.zero_point[0];
        const std::int64_t zero = out_.zero_point[0];
        const bool real = op_.function == Function::rsqrt || op_.function == Function::hard_swish;
        if (real && call_.in().type == Type::int16) return table(distance);
        switch (op_.function) {
            case Function::relu:
                return std::max(clamped(distance, Activation::relu), zero);
            case Function::relu6:
                return clamped(distance, Activation::relu6);
            case Function::relu_n1_to_1:
                return clamped(distance, Activation::relu_n1_to_1);
            case Function::relu_0_to_1:
                return std::clamp(
                    clamped(distance, Activation::relu_n1_to_1), zero,
                    std::int64_t{bounds(Activation::relu_n1_to_1, call_.out()).second});
            case Function::leaky_relu:
                return multiply(distance, distance >= 0 ? plain_ : sloped_) + zero;
            case Function::abs:
                return multiply(std::abs(distance), plain_) + zero;
            case Function::rsqrt:
                return root(distance);
            case Function::sqrt:
                return square_root(distance) + zero;
            case Function::hard_swish:
                return hard_swish(distance, swish_output_, swish_slope_) + zero;
            default:
                return table(distance);
        }
    }

private:
    std::int64_t clamped(std::int32_t distance, Activation activation) const {
        const auto [least, most] = bounds(activation, call_.out());
        return std::clamp<std::int64_t>(
            std::int64_t{multiply(distance, plain_)} + out_.zero_point[0], least, most);
    }

    /// 1 / square root with 20 fraction bits; what is not positive has the largest output.
    std::int64_t root(std::int32_t distance) const {
        if (distance <= 0) return std::numeric_limits<std::int32_t>::max();
        constexpr int kFraction = 20;
        Multiplier inverse = inverse_square_root(distance), last = root_;
        inverse.exponent += kFraction;
        last.exponent -= kFraction;
        return std::int64_t{multiply(multiply(1, inverse), last)} + out_.zero_point[0];
    }

    /// Rounded to 0.
    std::int64_t square_root(std::int32_t distance) const {
        const float real = in_.scale[0] * static_cast<float>(std::max(distance, 0));
        return static_cast<std::int64_t>(std::min(std::sqrt(real) / out_.scale[0], 65536.0F));
    }

    /// Entry of the tables that TFLite makes with single precision.
    std::int64_t table(std::int32_t distance) const {
        const float inverse = 1 / out_.scale[0];
        float y = real_function(op_, in_.scale[0] * static_cast<float>(distance));
        // Of what has no value: the least one, or 0.
        if (std::isnan(y)) y = op_.function == Function::log ? -HUGE_VALF : 0.0F;
        const float steps = std::round(y * inverse) + static_cast<float>(out_.zero_point[0]);
        return static_cast<std::int64_t>(std::clamp(steps, -65536.0F, 65536.0F));
    }

    const Call& call_;
    const Unary& op_;
    const Quantisation &in_, &out_;
    Multiplier plain_, sloped_, root_;
    Multiplier16 swish_output_{}, swish_slope_{};
};

// ---------------------------------------------------------------- int16

/// Each value as what TFLite makes of it; of functions without a kernel there, as the real value.
void wide_function(const Call& call, const Unary& op, std::vector<std::int32_t>& values) {
    const auto apply = [&](const auto& function) {
        for (std::int32_t& value : values)
            value = clamped_to_int32(function(value));
    };
    const bool sigmoid = op.function == Function::sigmoid || op.function == Function::tanh;
    if (sigmoid && suits_sigmoid16(call.in(), call.out()))
        return apply(Sigmoid16(op.function, call.in().quantisation.scale[0]));
    if (const std::optional<Table16> table = table_of(op, call.in(), call.out()))
        return apply(*table);
    apply(Fixed(call, op));
}

}  // namespace

std::optional<Table16> table_of(const Unary& op, const Tensor& in, const Tensor& out) {
    const bool has = op.function == Function::exp || op.function == Function::log ||
                     op.function == Function::rsqrt || op.function == Function::gelu ||
                     op.function == Function::gelu_tanh;
    if (!has || in.quantisation.zero_point[0] != 0 || out.quantisation.zero_point[0] != 0)
        return {};
    const float fine = out.quantisation.scale[0];
    return Table16(in.quantisation.scale[0], 0, fine, [&](float x) {
        // Of what has no value: an end of the range.
        if (x <= 0 && op.function == Function::rsqrt) return 32767 * fine;
        if (x <= 0 && op.function == Function::log) return -32768 * fine;
        return real_function(op, x);
    });
}

Bytes execute(const Call& call, const Unary& op) {
    if (!call.fixed_point()) {
        std::vector<float> values = call.reals();
        for (float& value : values)
            value = real_function(op, value);
        return pack(call, values);
    }
    std::vector<std::int32_t> values = call.integers();
    if (call.in().type == Type::int16) {
        wide_function(call, op, values);
        return pack(call.out(), values);
    }
    const Fixed function(call, op);
    const int first = call.in().type == Type::uint8 ? 0 : -128;
    std::array<std::int32_t, 256> table{};
    for (int i = 0; i < 256; ++i)
        table[static_cast<std::size_t>(i)] = clamped_to_int32(function(first + i));
    for (std::int32_t& value : values)
        value = table[static_cast<std::size_t>(value - first)];
    return pack(call.out(), values);
}

Bytes execute(const Call& call, const Prelu&) {
    if (!call.fixed_point()) {
        const std::vector<float> slopes = call.reals(1);
        std::vector<float> values = call.reals();
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (values[i] < 0) values[i] *= slopes[i % slopes.size()];
        }
        return pack(call, values);
    }
    const Quantisation &in = call.in().quantisation, &slope = call.in(1).quantisation;
    const Quantisation& out = call.out().quantisation;
    const Multiplier plain = single(in.scale[0] / out.scale[0]);
    const Multiplier sloped = single(in.scale[0] * slope.scale[0] / out.scale[0]);
    const std::vector<std::int32_t> slopes = call.integers(1);
    std::vector<std::int32_t> values = call.integers();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::int32_t distance = values[i] - in.zero_point[0];
        const std::int32_t factor = slopes[i % slopes.size()] - slope.zero_point[0];
        // Of int16 with a zero point, what is too large wraps.
        const auto product = static_cast<std::int32_t>(static_cast<std::uint32_t>(distance) *
                                                       static_cast<std::uint32_t>(factor));
        const std::int32_t scaled =
            distance >= 0 ? multiply(distance, plain) : multiply(product, sloped);
        values[i] = clamped_to_int32(std::int64_t{scaled} + out.zero_point[0]);
    }
    return pack(call.out(), values);
}

Bytes execute(const Call& call, const Cast&) {
    const Tensor& out = call.out();
    if (call.in().type != Type::float32) {
        std::vector<std::int64_t> values = call.whole();
        for (std::int64_t& value : values)
            value += shift_of(call.in()) - shift_of(out);
        if (out.type != Type::float32) return pack_whole(out, values);
        return pack(call, std::vector<float>(values.begin(), values.end()));
    }
    const std::vector<float> reals = call.reals();
    if (out.type == Type::float32) return pack(call, reals);
    // As x86-64 converts: what does not fit, and what is no number, has the top bit alone.
    const auto least = out.type == Type::int64
                           ? std::numeric_limits<std::int64_t>::min()
                           : std::int64_t{std::numeric_limits<std::int32_t>::min()};
    const auto most = -static_cast<double>(least);
    std::vector<std::int64_t> values;
    for (const float real : reals) {
        const double whole = std::trunc(static_cast<double>(real));
        values.push_back(whole >= -most && whole < most ? static_cast<std::int64_t>(whole) : least);
        values.back() -= shift_of(out);
    }
    return pack_whole(out, values);
}

Bytes execute(const Call& call, const Requantise&) {
    if (differ_in_sign(call.in(), call.out())) {
        Bytes bytes = call.bytes();
        for (std::uint8_t& byte : bytes)
            byte ^= 0x80;
        return bytes;
    }
    if (call.in().type == Type::float32 || call.out().type == Type::float32)
        return pack(call, call.reals());
    return pack(call.out(),
                requantise(call.graph.rounding, call.in(), call.out(), call.integers()));
}

}  // namespace macrame::graph
