#include "compiler/dla/requantise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "compiler/dla/channel_search.hpp"
#include "compiler/dla/layer_plans.hpp"
#include "compiler/dla/sdp_arithmetic.hpp"
#include "compiler/dla/step_function.hpp"

namespace macrame::dla::compiler {

namespace {

std::int64_t alu(AluFunction function, std::int64_t value, std::int64_t operand) {
    switch (function) {
        case AluFunction::maximum:
            return std::max(value, operand);
        case AluFunction::minimum:
            return std::min(value, operand);
        case AluFunction::sum:
            break;
    }
    return value + operand;
}

std::int64_t apply_x(const XStage& stage, std::size_t channel, std::int64_t value) {
    if (stage.bypass) return value;
    if (!stage.alu.empty())
        value = alu(stage.function, value, alu_operand(stage.alu[channel], stage.alu_shift));
    if (!stage.mul.empty()) value *= stage.mul[channel];
    value = saturate(round_shift(value, stage.mul_shift & 63), 32);
    return stage.relu ? std::max<std::int64_t>(value, 0) : value;
}

std::int64_t apply_y(const YStage& stage, std::size_t channel, std::int64_t value) {
    if (stage.bypass) return value;
    if (!stage.mul.empty())
        value = saturate(round_shift(value * stage.mul[channel], stage.truncate, 64), 32);
    if (!stage.alu_bypass) value = saturate(alu(stage.function, value, stage.alu), 32);
    return value;
}

/// Whether all outputs of a channel are the reference's: both are monotone, so they are if they are
/// at the ends of the reach and on both sides of each step of the reference.
template <class Output>
bool proved_equal(const LayerTarget& layer, const Steps& steps, const Output& output) {
    const auto equal = [&](std::int64_t raw, int result) {
        return output(raw) == result + layer.zero_point;
    };
    if (!equal(steps.low, steps.first) || !equal(steps.high, steps.last)) return false;
    int before = steps.first;
    for (std::size_t i = 0; i < steps.at.size(); ++i) {
        // Several steps at one sum: the last one counts.
        if (i + 1 < steps.at.size() && steps.at[i + 1] == steps.at[i]) continue;
        const int behind = steps.first + 1 + static_cast<int>(i);
        if (!equal(steps.at[i] - 1, before) || !equal(steps.at[i], behind)) return false;
        before = behind;
    }
    return true;
}

/// All sums at which the output of SDP becomes another one.
template <class Output>
void add_steps(const Output& output, std::int64_t low, std::int64_t high,
               std::vector<std::int64_t>& sums) {
    const int last = output(high);
    for (std::int64_t from = low; output(from) < last;) {
        const int now = output(from);
        std::int64_t above = high;
        while (above - from > 1) {
            const std::int64_t middle = from + (above - from) / 2;
            (output(middle) > now ? above : from) = middle;
        }
        sums.push_back(above);
        from = above;
    }
}

/// A channel, and the share of its sums that is wrong, by distance and likelihood.
struct Measured {
    Deviation deviation;
    double share = 0;
};

template <class Output>
Measured measure(const LayerTarget& layer, const Steps& steps, std::size_t channel,
                 const Output& output) {
    Measured result{{static_cast<int>(channel), 0, steps.high - steps.low + 1, 0}, 0};
    if (proved_equal(layer, steps, output)) return result;
    std::vector<std::int64_t> sums{steps.low, steps.high + 1};
    sums.insert(sums.end(), steps.at.begin(), steps.at.end());
    add_steps(output, steps.low, steps.high, sums);
    std::sort(sums.begin(), sums.end());
    for (std::size_t i = 0; i + 1 < sums.size(); ++i) {
        if (sums[i] == sums[i + 1]) continue;
        const int wanted = reference(layer, channel, sums[i]);
        const int distance = std::abs(output(sums[i]) - wanted);
        if (distance == 0) continue;
        const std::int64_t values = sums[i + 1] - sums[i];
        result.deviation.values += values;
        result.deviation.most = std::max(result.deviation.most, distance);
        result.share +=
            static_cast<double>(values * distance) * likelihood(wanted - layer.zero_point);
    }
    result.share /= static_cast<double>(result.deviation.reachable);
    return result;
}

constexpr double kNothing = std::numeric_limits<double>::infinity();
constexpr std::size_t kRequantiseSample = 32;  // channels

/// What a plan gives, and the shares of wrong sums of all channels.
struct Tried {
    Requantisation made;
    double wrong = kNothing;
};

/// For every `stride`-th channel. Nothing where it would be `limit` or more.
Tried try_plan(const LayerTarget& layer, const PlannedLayer& planned, std::size_t plan,
               std::size_t stride, double limit) {
    if (limit <= 0) return {};
    std::vector<Measured> measured(layer.channels.size());
    std::mutex mutex;
    double so_far = 0;
    const double enough = limit * (1 + 1e-9);  // sums in another order are other sums
    std::optional<Requantisation> made =
        planned.make(plan, stride, [&](std::size_t c, const Requantisation& alone) {
            measured[c] = measure(layer, planned.channel(c).steps, c,
                                  [&](std::int64_t raw) { return alone.apply(0, raw); });
            if (measured[c].share == 0) return true;
            const std::lock_guard<std::mutex> lock(mutex);
            so_far += measured[c].share;
            return so_far < enough;
        });
    if (!made) return {};
    Tried tried{std::move(*made), 0};
    for (std::size_t c = 0; c < layer.channels.size(); c += stride) {
        if (measured[c].deviation.values > 0)
            tried.made.deviations.push_back(measured[c].deviation);
        tried.wrong += measured[c].share;
    }
    return tried;
}

void check(const LayerTarget& layer, const Stages& stages) {
    if (!stages.bs && !stages.bn) throw std::invalid_argument("no stage with a multiplier");
    if (layer.low > layer.high) throw std::invalid_argument("clamp: low is above high");
    for (const ChannelTarget& channel : layer.channels) {
        if (!std::isfinite(channel.factor) || channel.factor < 0 || channel.mantissa < 0)
            throw std::invalid_argument("a factor is negative or not finite");
        if (layer.rounding == Rounding::average && channel.factor <= 0)
            throw std::invalid_argument("an average over nothing");
        if (channel.low > channel.high) throw std::invalid_argument("reach: low is above high");
    }
}

}  // namespace

int Requantisation::apply(std::size_t channel, std::int64_t accumulator) const {
    std::int64_t value = saturate(accumulator, 32);
    value = apply_x(bs, channel, value);
    value = apply_x(bn, channel, value);
    value = apply_y(ew, channel, value);
    value = saturate(round_shift(value - offset, shift & 63), 17);
    return static_cast<int>(saturate(value, 8));
}

Requantisation requantise(const LayerTarget& layer, const Stages& stages) {
    check(layer, stages);
    const PlannedLayer planned(layer, stages);
    const std::size_t channels = layer.channels.size();
    Requantisation best;
    double least = kNothing;
    const auto consider = [&](std::size_t plan) {
        Tried tried = try_plan(layer, planned, plan, 1, least);
        if (tried.wrong >= least) return;
        least = tried.wrong;
        best = std::move(tried.made);
    };
    // All channels with every plan take long where there are many: some of them choose the plan.
    if (channels >= 4 * kRequantiseSample && planned.usual() > 1) {
        double wrong = kNothing;
        std::size_t first = 0;
        for (std::size_t i = 0; i < planned.usual(); ++i) {
            const Tried tried = try_plan(layer, planned, i, channels / kRequantiseSample, wrong);
            if (tried.wrong >= wrong) continue;
            wrong = tried.wrong;
            first = i;
        }
        consider(first);
    } else {
        // A handful of sums in a layer: nothing else will do better.
        for (std::size_t i = 0; i < planned.usual(); ++i)
            if (least > 1e-6 * static_cast<double>(channels)) consider(i);
    }
    for (std::size_t i = planned.usual(); i < planned.plans().size() && !best.proved(); ++i) {
        if (planned.exact(i, best.deviations)) consider(i);
    }
    return best;
}

Deviation deviation(const LayerTarget& layer, std::size_t channel,
                    const std::function<int(std::int64_t)>& output) {
    return measure(layer, steps(layer, layer.channels[channel]), channel, output).deviation;
}

}  // namespace macrame::dla::compiler
