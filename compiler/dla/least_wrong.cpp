#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/dla/channel_search.hpp"
#include "compiler/dla/sdp_arithmetic.hpp"

namespace macrame::dla::compiler {

namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

}  // namespace

double likelihood(double result) {
    constexpr double kUsual = 45, kRest = 0.25;
    return kRest + std::exp(-0.5 * (result / kUsual) * (result / kUsual));
}

double ChannelSearch::cost_at(std::int64_t a2, double per_sum, double limit) {
    const std::int64_t operand = alu_operand(a2, plan_.rest_shift);
    double total = 0;
    for (std::size_t n = 0; n < order_.size(); ++n) {
        if (n >= ranges_) find_ranges(n + 1);
        const std::size_t i = order_[n];
        const std::int64_t over = std::max(lows_[i] - operand, operand - highs_[i]);
        if (over > 0) total += std::ceil(static_cast<double>(over) * per_sum) * weights_[i];
        if (total >= limit) return limit;
    }
    return total;
}

void ChannelSearch::start_ranges(std::int64_t addend, int b1, int b2) {
    lows_.resize(order_.size());
    highs_.resize(order_.size());
    factors_ = {addend, b1, b2};
    ranges_ = 0;
}

void ChannelSearch::find_ranges(std::size_t count) {
    for (; ranges_ < count; ++ranges_) {
        const std::size_t i = order_[ranges_];
        const std::int64_t at = channel_.steps.at[i];
        const std::int64_t least = least_at(i, factors_.b2);
        lows_[i] = least - first_stage(at, factors_.addend, factors_.b1);
        highs_[i] = least - 1 - first_stage(at - 1, factors_.addend, factors_.b1);
    }
}

double ChannelSearch::cost(const ChannelOperands& operands, double limit) {
    if (operands.b1 == 0 || operands.b2 == 0) return kUnlimited;  // nothing was found
    start_ranges(alu_operand(operands.a1, plan_.bias_shift), operands.b1, operands.b2);
    return cost_at(operands.a2, std::ldexp(1.0, plan_.scale_shift) / operands.b1, limit);
}

double ChannelSearch::cost(std::int64_t addend, int b1, int b2, int& a2, double limit) {
    start_ranges(addend, b1, b2);
    // The sum of what A2 is away from all ranges is least at the median of their ends; the number
    // of ranges it is out of is least near there. Some steps, of all places, tell where that is.
    constexpr std::size_t kSample = 64;
    const std::size_t sample = std::min(order_.size(), kSample);
    find_ranges(sample);
    std::vector<std::int64_t> all;
    for (std::size_t n = 0; n < sample; ++n) {
        all.push_back(lows_[order_[n]]);
        all.push_back(highs_[order_[n]]);
    }
    const auto at = [&](std::size_t eighth) {
        const auto place = all.begin() + static_cast<std::ptrdiff_t>((all.size() - 1) * eighth / 8);
        std::nth_element(all.begin(), place, all.end());
        return *place;
    };
    const double per_sum = std::ldexp(1.0, plan_.scale_shift) / std::max(b1, 1);
    // Where A2 is finer than a sum by far, its neighbours are as good as it is.
    const std::int64_t around = std::ldexp(per_sum, plan_.rest_shift) > 0.1 ? 1 : 0;
    Range range{};
    ends(addend, b1, b2, range);
    double best = limit;
    for (std::size_t eighth : {4U, 3U, 5U}) {
        const std::int64_t middle = round_shift(
            std::clamp(at(eighth), std::min(range.low, range.high), range.high), plan_.rest_shift);
        for (std::int64_t candidate = middle - around; candidate <= middle + around; ++candidate) {
            if (candidate < -kMostOperand - 1 || candidate > kMostOperand) continue;
            const double wrong = cost_at(candidate, per_sum, best);
            if (wrong >= best) continue;
            best = wrong;
            a2 = static_cast<int>(candidate);
        }
    }
    return best;
}

Found ChannelSearch::least_wrong(const std::vector<Pair>& candidates, int reach) {
    Found found;
    found.operands.b3 = b3_;
    double best = kUnlimited;
    const std::size_t count = std::min<std::size_t>(candidates.size(), 64);
    for (std::size_t i = 0; i < count && best > 0; ++i) {
        for (int a1 : addends(reach)) {
            int a2 = 0;
            const double wrong = cost(alu_operand(a1, plan_.bias_shift), candidates[i].b1,
                                      candidates[i].b2, a2, best);
            if (wrong >= best) continue;
            best = wrong;
            found.operands = {a1, candidates[i].b1, a2, candidates[i].b2, b3_};
        }
    }
    return found;
}

Found ChannelSearch::tilted(int reach) {
    // TFLite's steps are half a unit of the first rounding further from 0. A slope that makes it
    // 0.7 of a unit at the outmost one leaves 0.2 of a unit on the average, instead of a half.
    const double outmost =
        std::ldexp(static_cast<double>(channel_.magnitude()) * channel_.gain.value,
                   std::max(channel_.gain.shift, 0));
    std::vector<Pair> candidates;
    for (double units : {0.7, 0.5, 0.35, 0.9, 0.2, 0.0}) {
        const std::vector<Pair> some = pairs(4, 1 + units / outmost);
        candidates.insert(candidates.end(), some.begin(), some.end());
    }
    return least_wrong(candidates, reach);
}

Found ChannelSearch::better(const Found& one, const Found& other) {
    const double cost_of_one = cost(one.operands, kUnlimited);
    return cost(other.operands, cost_of_one) < cost_of_one ? other : one;
}

}  // namespace macrame::dla::compiler
