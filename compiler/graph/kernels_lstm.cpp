/// LSTM in the 16-bit fixed16 point of TFLite's reference for int8.
///
/// Qn below: n integer bits, 15 - n fraction bits, and a sign. Gates are computed in Q3, what
/// leaves them is Q0.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

#include "compiler/graph/at.hpp"
#include "compiler/graph/kernels.hpp"
#include "compiler/graph/quantised.hpp"

namespace macrame::graph {
namespace {

using Value = std::int16_t;

constexpr int kMost16 = std::numeric_limits<Value>::max();
constexpr int kLeast16 = std::numeric_limits<Value>::min();
constexpr int kGateBits = 3;

Value saturated16(std::int64_t value) {
    return static_cast<Value>(std::clamp<std::int64_t>(value, kLeast16, kMost16));
}

/// What does not fit wraps, as in the reference.
Value wrapped(int value) { return static_cast<Value>(static_cast<std::uint16_t>(value)); }

/// value / 2^shift, halves away from zero.
int shift_right16(int value, int shift) {
    const std::int64_t mask = (std::int64_t{1} << shift) - 1;
    const std::int64_t threshold = (mask >> 1) + (value < 0 ? 1 : 0);
    return (value >> shift) + ((value & mask) > threshold ? 1 : 0);
}

Value shift_left16(Value value, int shift) {
    return saturated16(std::int64_t{value} * (1 << shift));
}

/// Product of Qa and Qb as Q(a + b).
Value product16(Value a, Value b) {
    if (a == kLeast16 && b == kLeast16) return kMost16;
    const int full = a * b;
    return static_cast<Value>((full + (full >= 0 ? 1 << 14 : 1 - (1 << 14))) / (1 << 15));
}

/// A real constant in Qn, rounded twice: the reference has it in 32 bits.
Value fixed16(double value, int integer_bits) {
    const auto whole = static_cast<int>(std::llround(std::ldexp(value, 31 - integer_bits)));
    return static_cast<Value>(shift_right16(whole, 16));
}

/// exp(a) for a in [-1/4, 0), both Q0: Taylor around -1/8 to the fourth power.
Value exp_of_quarter(Value a) {
    static const Value kExpEighth = fixed16(std::exp(-0.125), 0);
    static const Value kThird = fixed16(1.0 / 3.0, 0);
    const Value x = wrapped(a + (1 << 12));
    const Value x2 = product16(x, x), x3 = product16(x2, x), x4 = product16(x2, x2);
    // x^4/24 + x^3/6 + x^2/2
    const Value sum = wrapped(product16(wrapped(shift_right16(x4, 2) + x3), kThird) + x2);
    return saturated16(kExpEighth + product16(kExpEighth, wrapped(x + shift_right16(sum, 1))));
}

/// exp(a) as Q0 for a <= 0 in Qn, n at least 1.
Value exp_of_negative(Value a, int integer_bits) {
    if (a == 0) return kMost16;
    const int fraction = 15 - integer_bits;
    const int quarter = 1 << (fraction - 2);
    const int in_quarter = (a & (quarter - 1)) - quarter;
    Value result = exp_of_quarter(shift_left16(wrapped(in_quarter), integer_bits));
    // What is left is a sum of powers of two: a factor each.
    const int remainder = in_quarter - a;
    for (int exponent = -2; exponent <= 4 && exponent < integer_bits; ++exponent) {
        if ((remainder & (1 << (fraction + exponent))) != 0)
            result = product16(result, fixed16(std::exp(-std::ldexp(1.0, exponent)), 0));
    }
    if (integer_bits > 5 && a < fixed16(-32, integer_bits)) return 0;
    return result;
}

/// 2 / (1 + a) as Q2 for a in [0, 1) as Q0: three steps of Newton and Raphson.
Value twice_reciprocal(Value a) {
    const int sum = a + kMost16;
    const auto half = static_cast<Value>((sum + 1) / 2);
    Value x = wrapped(fixed16(48.0 / 17.0, 2) + product16(half, fixed16(-32.0 / 17.0, 2)));
    for (int i = 0; i < 3; ++i) {
        const Value error = wrapped((1 << 13) - product16(half, x));
        x = wrapped(x + shift_left16(product16(x, error), 2));
    }
    return x;
}

/// 1 / (1 + exp(-a)) as Q0, a in Q3.
Value sigmoid(Value a) {
    if (a == 0) return 1 << 14;
    const Value negative = a < 0 ? a : wrapped(-a);
    const Value positive = shift_left16(twice_reciprocal(exp_of_negative(negative, kGateBits)), 1);
    return a > 0 ? positive : wrapped(kMost16 - positive);
}

/// As Q0, a in Qn.
Value tanh(Value a, int integer_bits) {
    if (a == 0) return 0;
    const Value negative = a < 0 ? a : wrapped(-a);
    // (1 - exp(2a)) / (1 + exp(2a)): the same bits are 2a in Q(n + 1).
    const Value reciprocal = twice_reciprocal(exp_of_negative(negative, integer_bits + 1));
    const Value t = shift_left16(wrapped(reciprocal - (1 << 13)), 2);
    return a < 0 ? wrapped(-t) : t;
}

/// One of the four.
class Gate {
public:
    Gate(const Call& call, int number) : inputs_(call.integers(at(1 + number))) {
        const int of_outputs = 5 + number, of_bias = 9 + number;
        outputs_ = call.integers(at(of_outputs));
        if (call.has(at(of_bias))) biases_ = call.integers(at(of_bias));
        from_input_ = factor(call, 0, 1 + number);
        from_output_ = factor(call, 13, of_outputs);
        zero_input_ = call.in(0).quantisation.zero_point[0];
        zero_output_ = call.in(13).quantisation.zero_point[0];
    }

    /// Of a cell, in Q3.
    Value operator()(std::size_t cell, const std::int32_t* input, std::size_t values,
                     const std::vector<std::int32_t>& output) const {
        std::int64_t sum = biases_.empty() ? 0 : biases_[cell];
        for (std::size_t i = 0; i < values; ++i)
            sum += inputs_[cell * values + i] * (input[i] - zero_input_);
        const Value first = saturated16(multiply(static_cast<std::int32_t>(sum), from_input_));
        sum = 0;
        for (std::size_t i = 0; i < output.size(); ++i)
            sum += outputs_[cell * output.size() + i] * (output[i] - zero_output_);
        return saturated16(std::int64_t{multiply(static_cast<std::int32_t>(sum), from_output_)} +
                           first);
    }

private:
    static Multiplier factor(const Call& call, int values, int weights) {
        const auto scale = [&](int i) { return call.in(at(i)).quantisation.scale[0]; };
        const float step = std::ldexp(1.0F, kGateBits - 15);
        return multiplier(static_cast<double>(scale(weights) * scale(values) / step));
    }

    std::vector<std::int32_t> inputs_, outputs_, biases_;
    Multiplier from_input_, from_output_;
    std::int32_t zero_input_ = 0, zero_output_ = 0;
};

}  // namespace

std::vector<Bytes> execute(const Call& call, const Lstm& op) {
    const std::size_t steps = at(call.in(0).shape[1]), values = at(call.in(0).shape[2]);
    const std::vector<std::int32_t> input = call.integers(0);
    std::vector<std::int32_t> output = call.integers(13), state = call.integers(14), all;
    const Quantisation& q = call.in(13).quantisation;
    const Multiplier to_output =
        multiplier(static_cast<double>(std::ldexp(1.0F, -15) / q.scale[0] * std::ldexp(1.0F, -15)));
    int power = 0;
    std::frexp(call.in(14).quantisation.scale[0], &power);
    const int exponent = power - 1;  // the scale of states is 2^exponent
    const Gate in(call, 0), forget(call, 1), cell(call, 2), out(call, 3);
    for (std::size_t step = 0; step < steps; ++step) {
        const std::int32_t* now = input.data() + step * values;
        std::vector<std::int32_t> next(output.size());
        for (std::size_t i = 0; i < output.size(); ++i) {
            const Value kept = sigmoid(forget(i, now, values, output));
            const Value taken = sigmoid(in(i, now, values, output));
            const Value fresh = tanh(cell(i, now, values, output), kGateBits);
            const Value given = sigmoid(out(i, now, values, output));
            const Value old = wrapped(shift_right16(kept * state[i], 15));
            const Value added = wrapped(shift_right16(taken * fresh, 30 + exponent));
            state[i] = saturated16(old + added);
            if (op.clip > 0) state[i] = std::clamp(state[i], -op.clip, op.clip);
            const Value shown = tanh(static_cast<Value>(state[i]), 15 + exponent);
            const int value = multiply(given * shown, to_output) + q.zero_point[0];
            next[i] = std::clamp(value, -128, 127);
        }
        output = std::move(next);
        all.insert(all.end(), output.begin(), output.end());
    }
    return {pack(call.out(0), all), pack(call.out(1), output), pack(call.out(2), state)};
}

}  // namespace macrame::graph
