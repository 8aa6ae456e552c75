#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "compiler/dla/channel_search.hpp"
#include "compiler/dla/sdp_arithmetic.hpp"

namespace macrame::dla::compiler {

namespace {

constexpr int kFew = 8;     // bits of a second rounding that a mantissa of 15 bits is enough for
constexpr int kAround = 2;  // values of A2 tried below and above the expected one

using Costs = std::array<double, 2 * kAround + 1>;

/// Adds what each A2 is away from low..high.
void add_distances(Costs& costs, std::int64_t low, std::int64_t high, std::int64_t middle,
                   std::int64_t unit, double weight) {
    std::int64_t operand = middle - kAround * unit;
    for (double& cost : costs) {
        cost += weight *
                static_cast<double>(std::max<std::int64_t>({0, low - operand, operand - high}));
        operand += unit;
    }
}

/// A1 with what its A2 << shift is expected to be.
struct Addend {
    double distance;  ///< of `exact` from what A2 can be
    int a1;
    double exact;
};

std::vector<Addend> near_whole(std::int64_t bias, double mantissa, const ScalingPlan& plan) {
    const std::int64_t unit = std::int64_t{1} << plan.bias_shift;
    const int grain = 1 << plan.rest_shift;
    const auto middle = static_cast<std::int64_t>(
        std::nearbyint(static_cast<double>(bias) / static_cast<double>(unit)));
    std::vector<Addend> result;
    const int reach = 96 * std::min(grain, 16);
    for (int j = -reach; j <= reach; ++j) {
        const std::int64_t a1 =
            std::clamp<std::int64_t>(middle + j, -kMostOperand - 1, kMostOperand);
        const double exact = static_cast<double>(bias - a1 * unit) * mantissa;
        const double whole = std::nearbyint(exact / grain) * grain;
        if (std::abs(whole) > std::ldexp(kMostOperand - 2 * kAround, plan.rest_shift)) continue;
        result.push_back({std::abs(exact - whole), static_cast<int>(a1), exact});
    }
    std::sort(result.begin(), result.end(), [](const Addend& a, const Addend& b) {
        return a.distance != b.distance ? a.distance < b.distance : a.a1 < b.a1;
    });
    return result;
}

}  // namespace

Found ChannelSearch::two_stage() {
    constexpr std::size_t kAddends = 48;
    const int right = std::max(channel_.gain.shift, 0);
    if (right > plan_.out_shift || plan_.out_shift - right > 14) return fine();
    const int b2 = 1 << (plan_.out_shift - right);
    const double mantissa = std::ldexp(channel_.gain.value, right);
    const double wanted = std::ldexp(mantissa, plan_.scale_shift);
    const int down = std::clamp(static_cast<int>(wanted), 1, kMostOperand);
    const int up = std::min(down + 1, kMostOperand);
    const bool nearer_down = wanted - down < 0.5;

    const Steps& steps = channel_.steps;
    std::vector<std::int64_t> least;
    for (std::int64_t level : levels_)
        least.push_back(least_sum(level, b2, plan_.out_shift));
    const std::vector<Addend> addends = near_whole(channel_.bias, mantissa, plan_);
    const std::int64_t grain = std::int64_t{1} << plan_.rest_shift;

    Found found{{0, 0, 0, b2, b3_}, false};
    double best = std::numeric_limits<double>::infinity();
    for (int b1 : {nearer_down ? down : up, nearer_down ? up : down}) {
        for (std::size_t n = 0; n < std::min(addends.size(), kAddends) && best > 0; ++n) {
            const Addend& a1 = addends[n];
            const std::int64_t addend = alu_operand(a1.a1, plan_.bias_shift);
            const auto middle = static_cast<std::int64_t>(
                std::nearbyint(a1.exact / static_cast<double>(grain)) * static_cast<double>(grain));
            Costs costs{};
            const auto lower = [&](std::int64_t raw, std::int64_t wanted_sum) {
                return wanted_sum - first_stage(raw, addend, b1);
            };
            if (steps.first > plan_.low)
                add_distances(costs, lower(steps.low, least.front()), kNever, middle, grain, 1);
            if (steps.last < plan_.high)
                add_distances(costs, kAlways, lower(steps.high, least.back()) - 1, middle, grain,
                              1);
            for (std::size_t k = 0; k < order_.size(); ++k) {
                const std::size_t i = order_[k];
                const std::int64_t at = steps.at[i];
                add_distances(costs, lower(at, least[i + 1]), lower(at - 1, least[i + 1]) - 1,
                              middle, grain, weights_[i]);
                if (k % 16 == 15 && *std::min_element(costs.begin(), costs.end()) >= best) break;
            }
            const auto place = std::min_element(costs.begin(), costs.end());
            if (*place >= best) continue;
            best = *place;
            const std::int64_t a2 = middle / grain + (place - costs.begin()) - kAround;
            found.operands = {a1.a1, b1, static_cast<int>(a2), b2, b3_};
        }
    }
    found.exact = best == 0;
    // Where B1 is not exact enough for a large factor, both roundings are no more than noise.
    return found.exact || right < kFew ? found : better(found, tilted(2));
}

}  // namespace macrame::dla::compiler
