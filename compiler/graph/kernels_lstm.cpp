/// LSTM in the 16-bit fixed point of TFLite's reference for int8. Gates are computed in Q3, what
/// leaves them is Q0.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "compiler/graph/at.hpp"
#include "compiler/graph/kernels.hpp"
#include "compiler/graph/quantised.hpp"
#include "runtime/host/macrame_fixed16.h"

namespace macrame::graph {
namespace {

using Value = std::int16_t;

constexpr int kGateBits = 3;

Value saturated16(std::int64_t value) { return macrame_saturated16(value); }

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
        return lstm_factor(call.in(at(weights)), call.in(at(values)));
    }

    std::vector<std::int32_t> inputs_, outputs_, biases_;
    Multiplier from_input_, from_output_;
    std::int32_t zero_input_ = 0, zero_output_ = 0;
};

}  // namespace

Multiplier lstm_factor(const Tensor& weights, const Tensor& values) {
    const float step = std::ldexp(1.0F, kGateBits - 15);
    return multiplier(
        static_cast<double>(weights.quantisation.scale[0] * values.quantisation.scale[0] / step));
}

Multiplier lstm_output_factor(const Tensor& output) {
    const float step = std::ldexp(1.0F, -15);
    return multiplier(static_cast<double>(step / output.quantisation.scale[0] * step));
}

int lstm_exponent(const Tensor& state) {
    int power = 0;
    std::frexp(state.quantisation.scale[0], &power);
    return power - 1;
}

std::vector<Bytes> execute(const Call& call, const Lstm& op) {
    const std::size_t steps = at(call.in(0).shape[1]), values = at(call.in(0).shape[2]);
    const std::vector<std::int32_t> input = call.integers(0);
    std::vector<std::int32_t> output = call.integers(13), state = call.integers(14), all;
    const Quantisation& q = call.in(13).quantisation;
    const Multiplier to_output = lstm_output_factor(call.in(13));
    const int exponent = lstm_exponent(call.in(14));
    const Gate in(call, 0), forget(call, 1), cell(call, 2), out(call, 3);
    for (std::size_t step = 0; step < steps; ++step) {
        const std::int32_t* now = input.data() + step * values;
        std::vector<std::int32_t> next(output.size());
        for (std::size_t i = 0; i < output.size(); ++i) {
            const Value kept = macrame_sigmoid16(forget(i, now, values, output));
            const Value taken = macrame_sigmoid16(in(i, now, values, output));
            const Value fresh = macrame_tanh16(cell(i, now, values, output), kGateBits);
            const Value given = macrame_sigmoid16(out(i, now, values, output));
            const Value old = macrame_wrapped16(macrame_shift_right(kept * state[i], 15));
            const Value added =
                macrame_wrapped16(macrame_shift_right(taken * fresh, 30 + exponent));
            state[i] = saturated16(old + added);
            if (op.clip > 0) state[i] = std::clamp(state[i], -op.clip, op.clip);
            const Value shown = macrame_tanh16(static_cast<Value>(state[i]), 15 + exponent);
            const int value = multiply(given * shown, to_output) + q.zero_point[0];
            next[i] = std::clamp(value, -128, 127);
        }
        output = std::move(next);
        all.insert(all.end(), output.begin(), output.end());
    }
    return {pack(call.out(0), all), pack(call.out(1), output), pack(call.out(2), state)};
}

}  // namespace macrame::graph
