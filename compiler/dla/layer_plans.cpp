#include "compiler/dla/layer_plans.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "compiler/dla/sdp_arithmetic.hpp"
#include "compiler/parallel.hpp"

namespace macrame::dla::compiler {

namespace {

constexpr int kA2Shift = 16;         // of A2
constexpr int kOperandBits = 15;     // of an operand, without its sign
constexpr int kPlanFraction = 12;    // bits of v1 below what TFLite rounds to first
constexpr int kMostWithoutLoss = 4;  // of the shift of A1

/// Least shift that brings a value into an operand.
int shift_for(double value) {
    int shift = 0;
    while (shift < 31 && std::abs(value) > std::ldexp(kMostOperand - 1, shift))
        ++shift;
    return shift;
}

}  // namespace

PlannedLayer::PlannedLayer(const LayerTarget& layer, const Stages& stages)
    : layer_(layer), stages_(stages) {
    for (const ChannelTarget& target : layer.channels) {
        Channel channel{steps(layer, target), gain(layer, target), target.bias, 0};
        channel.clamp = least_raw(layer, target, layer.high + 1 - layer.zero_point) - 1;
        channels_.push_back(std::move(channel));
    }
    find_shifts();
    find_clamps();
    add_plans();
}

PlannedLayer::PlannedLayer(const LayerTarget& layer, const Stages& stages,
                           std::vector<Channel> channels, bool no_addend)
    : layer_(layer), stages_(stages), channels_(std::move(channels)), no_addend_(no_addend) {
    find_shifts();
    add_plans();
}

void PlannedLayer::find_shifts() {
    const auto all_constant = [](const Channel& channel) { return channel.constant(); };
    if (std::all_of(channels_.begin(), channels_.end(), all_constant)) return;
    least_right_ = least_slope_ = 64;
    most_right_ = -64;
    for (const Channel& channel : channels_) {
        if (channel.constant()) continue;
        least_right_ = std::min(least_right_, channel.gain.shift);
        most_right_ = std::max(most_right_, channel.gain.shift);
        least_slope_ = std::min(least_slope_, channel.slope_shift());
        least_unit_ =
            std::min(least_unit_, channel.slope_shift() - std::max(channel.gain.shift, 0));
    }
}

bool PlannedLayer::has_three_stages() const { return stages_.ew && most_right_ <= 22; }

void PlannedLayer::find_clamps() {
    bool low = false;
    for (const ChannelTarget& target : layer_.channels) {
        const std::int64_t zero = layer_.zero_point;
        low |= layer_.low > -128 && unclamped(layer_, target, target.low) + zero < layer_.low;
        high_clamp_ |=
            layer_.high < 127 && unclamped(layer_, target, target.high) + zero > layer_.high;
    }
    relu_ = low && layer_.low == layer_.zero_point;
    if (!stages_.ew) return;
    ew_clamp_ = high_clamp_ || (low && !relu_);
    ew_function_ = high_clamp_ ? AluFunction::minimum : AluFunction::maximum;
}

void PlannedLayer::add_plans() {
    plans_.push_back({one_stage_plan(), Method::one_stage});
    usual_ = 1;
    if (!stages_.bs || !stages_.bn) return;
    const std::vector<int> shifts = bias_shifts();
    const bool clamp_in_bs = high_clamp_ && !stages_.ew;
    if (clamp_in_bs) plans_.push_back({minimum_plan(), Method::fine});

    const bool once = layer_.rounding != Rounding::tflite ||
                      std::all_of(channels_.begin(), channels_.end(),
                                  [](const Channel& channel) { return channel.one_sided(); });
    const char* const name = layer_.rounding == Rounding::tflite ? "fine" : "once";
    for (int shift : shifts) {
        if (!once && has_three_stages()) plans_.push_back({three_stage_plan(shift), Method::fine});
        if (!once && !stages_.ew && most_right_ > 0 && most_right_ <= 20) {
            const int shift_there = convertor_shift();
            ScalingPlan plan = fine_plan("convertor", least_slope_ - shift_there, shift);
            plan.cvt_shift = shift_there;
            plans_.push_back({plan, Method::fine});
        }
        // B1 is given there, and all of the bias must be in A1.
        if (!once && shift == shifts.front() && least_slope_ == least_right_ && !no_addend_)
            plans_.push_back({two_stage_plan(shift), Method::two_stage});
        plans_.push_back({fine_plan(name, least_slope_, shift), Method::fine});
    }
    usual_ = plans_.size();
    add_finer_plans(once, shifts.front());
}

void PlannedLayer::add_finer_plans(bool once, int bias_shift) {
    const bool twice = layer_.rounding == Rounding::tflite;
    for (const int more : {0, 1, 2, -1, 3}) {
        if (twice && has_three_stages())
            plans_.push_back({three_stage_plan(bias_shift, more), Method::fine});
        if (once && !(high_clamp_ && !stages_.ew))
            plans_.push_back(
                {fine_plan(twice ? "fine" : "once", least_slope_, bias_shift, more), Method::fine});
    }
    for (std::size_t i = usual_; i < plans_.size(); ++i)
        plans_[i].plan.thorough = true;
}

std::vector<int> PlannedLayer::bias_shifts() const {
    if (no_addend_) return {0};
    std::vector<int> all;
    for (const Channel& channel : channels_) {
        if (!channel.constant()) all.push_back(shift_for(static_cast<double>(channel.bias)));
    }
    if (all.empty()) return {0};
    std::sort(all.begin(), all.end());
    // A few channels with large biases cost all the others bits: A2, shifted, can hold those.
    const int most = all[all.size() - 1 - all.size() / 16];
    if (all.back() <= kMostWithoutLoss || most == all.back()) return {all.back()};
    return {all.back(), std::max(most, kMostWithoutLoss)};
}

ScalingPlan PlannedLayer::common(const char* mapping) const {
    ScalingPlan plan;
    plan.mapping = mapping;
    plan.no_addend = no_addend_;
    plan.zero_point = layer_.zero_point;
    plan.rounds_twice = layer_.rounding == Rounding::tflite;
    plan.low = layer_.low - layer_.zero_point;
    plan.high = layer_.high - layer_.zero_point;
    return plan;
}

ScalingPlan PlannedLayer::one_stage_plan() const {
    ScalingPlan plan = common("one-stage");
    plan.bias_shift = bias_shifts().front();
    plan.scale_shift = std::clamp(kOperandBits + least_slope_, 0, 48);
    return plan;
}

int PlannedLayer::convertor_shift() const {
    // Distance of a step from where TFLite has it, in units of its first rounding: none where the
    // convertor's shift is that of the factor; towards 0 or away from it elsewhere. Between 0 and
    // the zero point halves go the other way.
    const double inverted = std::abs(layer_.zero_point) / 256.0;
    int best = most_right_;
    double least = std::numeric_limits<double>::infinity();
    for (int shift = std::max(1, least_right_); shift <= most_right_; ++shift) {
        double total = 0;
        for (const Channel& channel : channels_) {
            if (channel.one_sided()) continue;
            const double half = std::ldexp(0.5, channel.gain.shift - shift);
            const double distance = (1 - inverted) * std::abs(0.5 - half) + inverted * (0.5 + half);
            total += std::ldexp(distance, -channel.gain.shift);
        }
        if (total >= least) continue;
        least = total;
        best = shift;
    }
    return best;
}

void PlannedLayer::fit(ScalingPlan& plan) const {
    double room = std::numeric_limits<double>::infinity();  // of B1 * B2, in its factors
    for (const Channel& channel : channels_) {
        if (channel.constant()) continue;
        room = std::min(room, kMostOperand * ChannelSearch::largest_b1(channel, plan) /
                                  ChannelSearch::product(channel, plan));
    }
    if (room >= 2 / 0.9) ++plan.out_shift;
    for (; room < 1.1 && plan.out_shift > 0; room *= 2)
        --plan.out_shift;
}

ScalingPlan PlannedLayer::fine_plan(const char* mapping, int least_shift, int bias_shift,
                                    int more) const {
    ScalingPlan plan = common(mapping);
    plan.bias_shift = bias_shift;
    // A2 holds what A1 << bias_shift lacks of the bias, in units of v1, with a choice of A1; with
    // more fraction bits it is shifted. A constant reaches 255 with A2 << 16 only if the last shift
    // is at most 37.
    const int usual =
        std::clamp(std::min(kOperandBits - bias_shift - 1, 23 - least_shift), 0, kPlanFraction);
    const int fraction = std::clamp(usual + more, 0, kOperandBits);
    plan.scale_shift = kOperandBits - fraction;
    plan.out_shift = std::clamp(fraction + 14 + least_shift, 0, 46);
    return plan;
}

ScalingPlan PlannedLayer::three_stage_plan(int bias_shift, int more) const {
    ScalingPlan plan = fine_plan("three-stage", least_unit_, bias_shift, more);
    plan.ew_truncate = std::max(most_right_, 1);
    return plan;
}

ScalingPlan PlannedLayer::two_stage_plan(int bias_shift) const {
    ScalingPlan plan = common("two-stage");
    plan.bias_shift = bias_shift;
    plan.scale_shift = std::clamp(kOperandBits + std::min(least_right_, 0), 0, kOperandBits);
    plan.out_shift = std::min(14 + std::max(least_right_, 0), 46);
    return plan;
}

ScalingPlan PlannedLayer::minimum_plan() const {
    double most = 0;
    for (const Channel& channel : channels_) {
        if (!channel.constant() && channel.clamp < channel.steps.high)
            most = std::max(most, std::abs(static_cast<double>(channel.clamp)));
    }
    ScalingPlan plan = fine_plan(layer_.rounding == Rounding::tflite ? "fine" : "once",
                                 least_slope_, kOperandBits - 6);
    plan.bs_minimum = true;
    plan.bias_shift = shift_for(most);
    return plan;
}

int PlannedLayer::rest_shift(ScalingPlan plan) const {
    double most = 0;
    for (const Channel& channel : channels_) {
        if (channel.constant()) continue;
        const double product = ChannelSearch::product(channel, plan);
        const int b1 = ChannelSearch::b1_range(channel, plan, product).second;
        most = std::max(
            most, ChannelSearch::left_of_bias(channel, plan) * std::ldexp(b1, -plan.scale_shift));
    }
    plan.rest_shift = std::min(shift_for(most), kA2Shift);
    for (const Channel& channel : channels_) {
        if (!channel.constant()) continue;
        while (plan.rest_shift < kA2Shift && !ChannelSearch(channel, plan).constant())
            ++plan.rest_shift;
    }
    return plan.rest_shift;
}

LayerPlan PlannedLayer::completed(std::size_t plan) const {
    LayerPlan chosen = plans_[plan];
    if (chosen.method == Method::fine) fit(chosen.plan);
    if (chosen.method != Method::one_stage) chosen.plan.rest_shift = rest_shift(chosen.plan);
    return chosen;
}

bool PlannedLayer::exact(std::size_t plan, const std::vector<Deviation>& channels) const {
    const LayerPlan chosen = completed(plan);
    return std::all_of(channels.begin(), channels.end(), [&](const Deviation& deviation) {
        const Channel& channel = channels_[static_cast<std::size_t>(deviation.channel)];
        ChannelSearch search(channel, chosen.plan);
        return channel.constant() ? search.constant().has_value() : search.can_be_fine();
    });
}

std::optional<Requantisation> PlannedLayer::make(std::size_t index, std::size_t stride,
                                                 const Judge& judge) const {
    const LayerPlan chosen = completed(index);
    const bool must_be_exact = chosen.method == Method::one_stage && plans_.size() > 1;
    std::vector<ChannelOperands> operands(channels_.size());
    std::atomic<bool> wanted = true;
    macrame::compiler::for_each_item(channels_.size(), stride, [&](std::size_t c) {
        if (!wanted) return;
        const Channel& channel = channels_[c];
        ChannelSearch search(channel, chosen.plan);
        Found found;
        if (channel.constant() && chosen.method != Method::one_stage) {
            found = {search.constant().value_or(ChannelOperands{}), true};
        } else if (chosen.method == Method::one_stage) {
            found = search.one_stage();
        } else {
            found = chosen.method == Method::fine ? search.fine() : search.two_stage();
        }
        operands[c] = found.operands;
        if (must_be_exact && !found.exact) wanted = false;
        if (judge && wanted && !judge(c, assemble(chosen, {found.operands}))) wanted = false;
    });
    if (!wanted) return {};
    return assemble(chosen, operands);
}

Requantisation PlannedLayer::assemble(const LayerPlan& chosen,
                                      const std::vector<ChannelOperands>& operands) const {
    const ScalingPlan& plan = chosen.plan;
    Requantisation made;
    made.mapping = plan.mapping;
    made.offset = -(layer_.zero_point * (1 << plan.cvt_shift));
    made.shift = plan.cvt_shift;
    made.bs.bypass = false;
    made.bs.function = plan.bs_minimum ? AluFunction::minimum : AluFunction::sum;
    made.bs.alu_shift = plan.bias_shift;
    made.bs.mul_shift = plan.scale_shift;
    for (const ChannelOperands& channel : operands) {
        made.bs.alu.push_back(static_cast<std::int16_t>(channel.a1));
        made.bs.mul.push_back(static_cast<std::int16_t>(channel.b1));
    }
    if (chosen.method == Method::one_stage) {
        made.bs.relu = relu_;
        if (!stages_.bs) std::swap(made.bs, made.bn);
    } else {
        made.bn.bypass = false;
        made.bn.relu = relu_;
        made.bn.alu_shift = plan.rest_shift;
        made.bn.mul_shift = plan.out_shift;
        for (const ChannelOperands& channel : operands) {
            made.bn.alu.push_back(static_cast<std::int16_t>(channel.a2));
            made.bn.mul.push_back(static_cast<std::int16_t>(channel.b2));
        }
    }
    if (plan.ew_truncate > 0) {
        made.ew.bypass = false;
        made.ew.truncate = plan.ew_truncate;
        for (const ChannelOperands& channel : operands)
            made.ew.mul.push_back(static_cast<std::int16_t>(channel.b3));
    }
    if (ew_clamp_) {
        made.ew.bypass = false;
        made.ew.alu_bypass = false;
        made.ew.function = ew_function_;
        made.ew.alu =
            (ew_function_ == AluFunction::minimum ? layer_.high : layer_.low) - layer_.zero_point;
    }
    return made;
}

}  // namespace macrame::dla::compiler
