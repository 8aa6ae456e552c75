/// Two operands, of which one may be broadcast.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "compiler/graph/kernels.hpp"
#include "compiler/graph/quantised.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/graph/walk.hpp"

namespace macrame::graph {
namespace {

template <typename Value, typename Combine>
std::vector<Value> combine(const Call& call, const std::vector<Value>& a,
                           const std::vector<Value>& b, const Combine& function) {
    const std::vector<int>& shape = call.out().shape;
    Walk<2> walk(shape, {broadcast_strides(call.in(0).shape, shape),
                         broadcast_strides(call.in(1).shape, shape)});
    std::vector<Value> result(call.out().elements());
    for (Value& value : result) {
        value = function(a[walk.at(0)], b[walk.at(1)]);
        walk.next();
    }
    return result;
}

Bytes real(const Call& call, const Binary& op) {
    const auto apply = [&](float a, float b) {
        switch (op.function) {
            case Arithmetic::add:
                return a + b;
            case Arithmetic::sub:
                return a - b;
            case Arithmetic::mul:
                return a * b;
            case Arithmetic::maximum:
                return std::max(a, b);
            case Arithmetic::minimum:
                return std::min(a, b);
            case Arithmetic::squared_difference:
                return (a - b) * (a - b);
            case Arithmetic::div:
                return a / b;
            case Arithmetic::pow:
                return std::pow(a, b);
            case Arithmetic::floor_div:
                return std::floor(a / b);
            case Arithmetic::floor_mod: {
                const float rest = std::fmod(a, b);
                return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
            }
        }
        return a;
    };
    return pack(call, combine(call, call.reals(0), call.reals(1), apply), op.activation);
}

std::uint64_t bits(std::int64_t value) { return static_cast<std::uint64_t>(value); }

/// A divisor that is not 0.
std::int64_t divisor(const Call& call, std::int64_t value) {
    if (value == 0) throw BadValue(fmt::format("{}: divides by 0: want another", call.node.where));
    return value;
}

/// Rounded to 0. The least by -1 stays.
std::int64_t quotient(std::int64_t a, std::int64_t b) {
    return b == -1 ? static_cast<std::int64_t>(-bits(a)) : a / b;
}

std::int64_t rest(std::int64_t a, std::int64_t b) { return b == -1 ? 0 : a % b; }

std::int64_t power(std::int64_t a, std::int64_t b) {
    if (b < 0) return a == 1 || a == -1 ? (b % 2 == 0 ? 1 : a) : 0;
    std::uint64_t result = 1;
    for (std::uint64_t factor = bits(a); b > 0; b >>= 1, factor *= factor)
        if ((b & 1) != 0) result *= factor;
    return static_cast<std::int64_t>(result);
}

/// Of numbers of 64 bits. Those of 32 are the lower half, but where the upper one counts.
std::int64_t whole(const Call& call, Arithmetic function, std::int64_t a, std::int64_t b) {
    switch (function) {
        case Arithmetic::add:
            return static_cast<std::int64_t>(bits(a) + bits(b));
        case Arithmetic::sub:
            return static_cast<std::int64_t>(bits(a) - bits(b));
        case Arithmetic::mul:
            return static_cast<std::int64_t>(bits(a) * bits(b));
        case Arithmetic::maximum:
            return std::max(a, b);
        case Arithmetic::minimum:
            return std::min(a, b);
        case Arithmetic::squared_difference:
            return static_cast<std::int64_t>((bits(a) - bits(b)) * (bits(a) - bits(b)));
        case Arithmetic::div:
            return quotient(a, divisor(call, b));
        case Arithmetic::floor_div: {
            const bool down = rest(a, divisor(call, b)) != 0 && (a < 0) != (b < 0);
            return quotient(a, b) - (down ? 1 : 0);
        }
        case Arithmetic::floor_mod: {
            const std::int64_t left = rest(a, divisor(call, b));
            return left != 0 && (a < 0) != (b < 0) ? left + b : left;
        }
        case Arithmetic::pow:
            break;
    }
    return power(a, b);
}

Bytes numbers(const Call& call, const Binary& op) {
    const auto clamped = [&](std::int64_t value) {
        if (call.out().type == Type::int32) value = static_cast<std::int32_t>(bits(value));
        switch (op.activation) {
            case Activation::relu:
                return std::max<std::int64_t>(value, 0);
            case Activation::relu6:
                return std::clamp<std::int64_t>(value, 0, 6);
            case Activation::relu_n1_to_1:
                return std::clamp<std::int64_t>(value, -1, 1);
            case Activation::none:
                break;
        }
        return value;
    };
    return pack_whole(call.out(), combine(call, call.whole(0), call.whole(1),
                                          [&](std::int64_t a, std::int64_t b) {
                                              return clamped(whole(call, op.function, a, b));
                                          }));
}

/// Both operands in the scale of the output, which is that of one of them.
std::vector<std::int32_t> shifted_sums(const Call& call, Arithmetic function,
                                       std::pair<int, int> shifts) {
    const int sign = function == Arithmetic::sub ? -1 : 1;
    return combine(call, call.integers(0), call.integers(1), [&](std::int32_t x, std::int32_t y) {
        return rounded_shift(x, shifts.first) + sign * rounded_shift(y, shifts.second);
    });
}

/// Sums, or squares of differences.
std::vector<std::int32_t> sums(const Call& call, Arithmetic function) {
    if (const auto shifts = sum_shifts(call.in(0), call.in(1), call.out()))
        return shifted_sums(call, function, *shifts);
    const bool square = function == Arithmetic::squared_difference;
    const int fraction = sum_bits(function, call.out());
    const auto scale = [](const Tensor& tensor) {
        return static_cast<double>(tensor.quantisation.scale[0]);
    };
    const double unit = 2 * std::max(scale(call.in(0)), scale(call.in(1)));
    const Multiplier first = multiplier(scale(call.in(0)) / unit);
    const Multiplier second = multiplier(scale(call.in(1)) / unit);
    const double fine = (1 << (square ? 2 * fraction : fraction)) * scale(call.out());
    const Multiplier last = multiplier((square ? unit * unit : unit) / fine);
    const std::int32_t zero_a = call.in(0).quantisation.zero_point[0];
    const std::int32_t zero_b = call.in(1).quantisation.zero_point[0];
    return combine(call, call.integers(0), call.integers(1), [&](std::int32_t a, std::int32_t b) {
        const std::int32_t x = multiply((a - zero_a) * (1 << fraction), first);
        const std::int32_t y = multiply((b - zero_b) * (1 << fraction), second);
        if (square) return multiply((x - y) * (x - y), last);
        return multiply(function == Arithmetic::sub ? x - y : x + y, last);
    });
}

/// Of int16 that have zero points, too large ones wrap.
std::int32_t wrapped_product(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b));
}

std::vector<std::int32_t> products(const Call& call) {
    const Quantisation &a = call.in(0).quantisation, &b = call.in(1).quantisation;
    // In single precision, as TFLite does.
    const float factor = a.scale[0] * b.scale[0] / call.out().quantisation.scale[0];
    const Multiplier last = multiplier(static_cast<double>(factor));
    return combine(call, call.integers(0), call.integers(1), [&](std::int32_t x, std::int32_t y) {
        return multiply(wrapped_product(x - a.zero_point[0], y - b.zero_point[0]), last);
    });
}

/// Sums and products of ONNX Runtime's kernels, as far as it has them.
Bytes onnx(const Call& call, const Binary& op) {
    const Quantisation &a = call.in(0).quantisation, &b = call.in(1).quantisation;
    const Quantisation& out = call.out().quantisation;
    const OnnxSum sum(a.scale[0], a.zero_point[0], b.scale[0], b.zero_point[0], out.scale[0],
                      out.zero_point[0], shift_of(call.out()));
    const float factor = a.scale[0] * b.scale[0] / out.scale[0];
    const int shift = shift_of(call.out());
    const auto zero = static_cast<float>(out.zero_point[0] + shift);
    const auto [low, high] = bounds(op.activation, call.out());
    const auto apply = [&, least = low, most = high](std::int32_t x, std::int32_t y) {
        double value = 0;
        if (op.function == Arithmetic::add) {
            value = sum(x, y);
        } else {
            const std::int32_t product = (x - a.zero_point[0]) * (y - b.zero_point[0]);
            const float scaled = static_cast<float>(product) * factor;
            value = static_cast<double>(std::nearbyint(scaled + zero)) - shift;
        }
        return static_cast<std::int32_t>(
            std::clamp(value, static_cast<double>(least), static_cast<double>(most)));
    };
    return pack(call.out(), combine(call, call.integers(0), call.integers(1), apply));
}

}  // namespace

Bytes execute(const Call& call, const Binary& op) {
    if (call.out().type == Type::int32 || call.out().type == Type::int64) return numbers(call, op);
    // TFLite has no integers for these.
    const bool no_integers =
        op.function == Arithmetic::div || op.function == Arithmetic::pow ||
        (op.function == Arithmetic::squared_difference && call.out().type == Type::int16);
    if (!call.fixed_point() || no_integers) {
        const bool kernel =
            (op.function == Arithmetic::add || op.function == Arithmetic::mul) && !op.as_real;
        return call.out().type != Type::float32 && kernel ? onnx(call, op) : real(call, op);
    }
    if (op.function == Arithmetic::maximum || op.function == Arithmetic::minimum) {
        const bool most = op.function == Arithmetic::maximum;
        return pack(call.out(), combine(call, call.integers(0), call.integers(1),
                                        [&](std::int32_t a, std::int32_t b) {
                                            return most ? std::max(a, b) : std::min(a, b);
                                        }));
    }
    std::vector<std::int32_t> values =
        op.function == Arithmetic::mul ? products(call) : sums(call, op.function);
    const auto [least, most] = bounds(op.activation, call.out());
    const std::int32_t zero = call.out().quantisation.zero_point[0];
    for (std::int32_t& value : values) {
        const std::int64_t sum = std::int64_t{value} + zero;
        value = static_cast<std::int32_t>(std::clamp<std::int64_t>(sum, least, most));
    }
    return pack(call.out(), values);
}

}  // namespace macrame::graph
