/// SVDF: features of each step, weighted over the last steps.
#include <algorithm>
#include <cstring>

#include "compiler/graph/at.hpp"
#include "compiler/graph/kernels.hpp"
#include "compiler/graph/quantised.hpp"

namespace macrame::graph {
namespace {

constexpr std::size_t kFeature = 1, kTime = 2, kBias = 3, kState = 4;

/// Sizes of one.
struct Sizes {
    std::size_t batches, inputs, filters, steps, rank;
    std::size_t units() const { return filters / rank; }
};

Sizes sizes_of(const Call& call, const Svdf& op) {
    return {at(call.in(0).shape[0]), at(call.in(0).shape[1]), at(call.in(kFeature).shape[0]),
            at(call.in(kTime).shape[1]), at(op.rank)};
}

/// All features one step on: `feature(batch, filter)` behind those of before.
template <typename Value, typename Feature>
void step_on(const Sizes& s, std::vector<Value>& state, const Feature& feature) {
    for (std::size_t i = 0; i < s.batches * s.filters; ++i) {
        const auto first = state.begin() + static_cast<std::ptrdiff_t>(i * s.steps);
        std::rotate(first, first + 1, first + static_cast<std::ptrdiff_t>(s.steps));
        state[(i + 1) * s.steps - 1] = feature(i / s.filters, i % s.filters);
    }
}

/// Sums over the steps and the filters of each unit; `zero` of the state.
template <typename Sum, typename Value>
std::vector<Sum> over_time(const Sizes& s, const std::vector<Value>& state, Value zero,
                           const std::vector<Value>& weights, const std::vector<Value>& bias) {
    std::vector<Sum> sums(s.batches * s.units());
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const std::size_t batch = i / s.units(), unit = i % s.units();
        sums[i] = bias.empty() ? Sum{0} : static_cast<Sum>(bias[unit]);
        for (std::size_t r = 0; r < s.rank; ++r) {
            const std::size_t filter = unit * s.rank + r;
            Sum sum = 0;
            for (std::size_t t = 0; t < s.steps; ++t)
                sum += static_cast<Sum>(weights[filter * s.steps + t]) *
                       (state[(batch * s.filters + filter) * s.steps + t] - zero);
            sums[i] += sum;
        }
    }
    return sums;
}

std::vector<Bytes> of_reals(const Call& call, const Svdf& op) {
    const Sizes s = sizes_of(call, op);
    const std::vector<float> x = call.reals(0), weights = call.reals(kFeature);
    std::vector<float> state = call.reals(kState);
    step_on(s, state, [&](std::size_t batch, std::size_t filter) {
        float sum = 0;
        for (std::size_t i = 0; i < s.inputs; ++i)
            sum += weights[filter * s.inputs + i] * x[batch * s.inputs + i];
        return sum;
    });
    const std::vector<float> bias = call.has(kBias) ? call.reals(kBias) : std::vector<float>();
    Bytes kept(call.out(1).bytes());
    std::memcpy(kept.data(), state.data(), kept.size());
    return {pack(call, over_time<float>(s, state, 0.0F, call.reals(kTime), bias), op.activation),
            std::move(kept)};
}

}  // namespace

std::vector<Bytes> execute(const Call& call, const Svdf& op) {
    if (call.in(0).type == Type::float32) return of_reals(call, op);
    const Sizes s = sizes_of(call, op);
    const auto scale = [&](std::size_t i) { return call.in(i).quantisation.scale[0]; };
    const Quantisation& out = call.out().quantisation;
    // In single precision, as the reference has it.
    const Multiplier to_state =
        multiplier(static_cast<double>(scale(0) * scale(kFeature) / scale(kState)));
    const Multiplier to_output =
        multiplier(static_cast<double>(scale(kState) * scale(kTime) / out.scale[0]));
    const std::int32_t zero = call.in(kState).quantisation.zero_point[0];
    const std::int32_t zero_in = call.in(0).quantisation.zero_point[0];
    const std::int32_t most = call.in(kState).type == Type::int16 ? 32767 : 127;
    const std::vector<std::int32_t> x = call.integers(0), weights = call.integers(kFeature);
    std::vector<std::int32_t> state = call.integers(kState);
    step_on(s, state, [&](std::size_t batch, std::size_t filter) {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < s.inputs; ++i)
            sum +=
                std::int64_t{weights[filter * s.inputs + i]} * (x[batch * s.inputs + i] - zero_in);
        return std::clamp(multiply(static_cast<std::int32_t>(sum), to_state) + zero, -most - 1,
                          most);
    });
    const std::vector<std::int32_t> bias =
        call.has(kBias) ? call.integers(kBias) : std::vector<std::int32_t>();
    std::vector<std::int32_t> values;
    for (const std::int64_t sum :
         over_time<std::int64_t>(s, state, zero, call.integers(kTime), bias)) {
        const std::int64_t value =
            std::int64_t{multiply(static_cast<std::int32_t>(sum), to_output)} + out.zero_point[0];
        values.push_back(static_cast<std::int32_t>(std::clamp<std::int64_t>(value, -128, 127)));
    }
    return {pack(call.out(0), values), pack(call.out(1), state)};
}

}  // namespace macrame::graph
