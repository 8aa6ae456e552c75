#include "compiler/dla/channel_search.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "compiler/dla/sdp_arithmetic.hpp"

namespace macrame::dla::compiler {

namespace {

constexpr unsigned kPairsTried = 400;  // of multipliers tried before a channel counts as inexact
constexpr unsigned kManyPairs = 6000;  // of a thorough search

/// Indices in an order in which neighbours come late.
std::vector<std::uint16_t> scattered(std::size_t size) {
    std::vector<std::uint16_t> order;
    for (std::size_t step = 256; step > 0; step /= 2) {
        for (std::size_t i = 0; i < size; i += step) {
            if (step == 256 || i % (2 * step) != 0) order.push_back(static_cast<std::uint16_t>(i));
        }
    }
    return order;
}

/// Brings all channels to one shift in EW.
int ew_factor(const Channel& channel, const ScalingPlan& plan) {
    if (plan.ew_truncate == 0) return 1;
    // What never changes has v2 near its result.
    if (channel.constant()) return 1 << std::min(plan.ew_truncate, 14);
    return 1 << std::clamp(plan.ew_truncate - std::max(channel.gain.shift, 0), 0, 14);
}

/// As std::nearbyint(), of numbers from 0 to 2^51, without a call.
double nearest_whole(double value) {
    constexpr double kUnit = 0x1.0p52;  // from here on numbers are whole
    return value + kUnit - kUnit;
}

int nearest(std::int64_t value, int shift) {
    const std::int64_t rounded =
        value >= 0 ? round_shift(value, shift) : -round_shift(-value, shift);
    return static_cast<int>(std::clamp<std::int64_t>(rounded, -kMostOperand - 1, kMostOperand));
}

}  // namespace

int Channel::slope_shift() const {
    int exponent = 0;
    std::frexp(gain.value, &exponent);
    return -exponent;
}

std::int64_t Channel::magnitude() const {
    if (constant()) return 0;
    return std::max(std::abs(steps.at.front() - 1 + bias), std::abs(steps.at.back() + bias));
}

ChannelSearch::ChannelSearch(const Channel& channel, const ScalingPlan& plan)
    : channel_(channel), plan_(plan), order_(scattered(channel.steps.at.size())) {
    b3_ = ew_factor(channel, plan);
    const Steps& steps = channel.steps;
    if (plan.rounds_twice && plan.ew_truncate == 0 && !channel.one_sided()) {
        hopeless_ = plan.cvt_shift != channel.gain.shift || plan.zero_point != 0;
    }
    for (int k = steps.first; k <= steps.last + 1; ++k) {
        std::int64_t least = k;
        if (plan.cvt_shift > 0) {
            const std::int64_t zero = plan.zero_point * (std::int64_t{1} << plan.cvt_shift);
            least = least_shifted(k + plan.zero_point, plan.cvt_shift) - zero;
        }
        if (plan.ew_truncate > 0) least = least_sum(least, b3_, plan.ew_truncate);
        levels_.push_back(least);
        if (k > steps.first && k <= steps.last) weights_.push_back(likelihood(k - 0.5));
    }
    least_.resize(order_.size());
    least_for_.resize(order_.size());
}

std::int64_t ChannelSearch::least_at(std::size_t step, int b2) {
    if (least_for_[step] != b2) {
        least_for_[step] = b2;
        least_[step] = least_sum(levels_[step + 1], b2, plan_.out_shift);
    }
    return least_[step];
}

std::int64_t ChannelSearch::first_stage(std::int64_t raw, std::int64_t addend,
                                        std::int64_t b1) const {
    const std::int64_t sum = plan_.bs_minimum ? std::min(raw, addend) : raw + addend;
    return saturate(round_shift(sum * b1, plan_.scale_shift), 32);
}

double ChannelSearch::product(const Channel& channel, const ScalingPlan& plan) {
    return std::ldexp(channel.gain.value / ew_factor(channel, plan),
                      plan.scale_shift + plan.out_shift + plan.cvt_shift + plan.ew_truncate);
}

bool ChannelSearch::ends(std::int64_t addend, int b1, int b2, Range& range) const {
    const Steps& steps = channel_.steps;
    range.low = alu_operand(-kMostOperand - 1, plan_.rest_shift);
    range.high = alu_operand(kMostOperand, plan_.rest_shift);
    if (steps.first > plan_.low) {
        const std::int64_t least = least_sum(levels_.front(), b2, plan_.out_shift);
        range.low = std::max(range.low, least - first_stage(steps.low, addend, b1));
    }
    if (steps.last < plan_.high) {
        const std::int64_t least = least_sum(levels_.back(), b2, plan_.out_shift);
        range.high = std::min(range.high, least - 1 - first_stage(steps.high, addend, b1));
    }
    return range.low <= range.high;
}

bool ChannelSearch::interval(std::int64_t addend, int b1, int b2, Range& range) {
    if (!ends(addend, b1, b2, range)) return false;
    const auto begin = order_.begin();
    for (std::size_t n = 0; n < order_.size(); ++n) {
        const std::size_t i = order_[n];
        const std::int64_t at = channel_.steps.at[i];
        const std::int64_t least = least_at(i, b2);
        range.low = std::max(range.low, least - first_stage(at, addend, b1));
        range.high = std::min(range.high, least - 1 - first_stage(at - 1, addend, b1));
        if (range.low > range.high) {
            const auto place = begin + static_cast<std::ptrdiff_t>(n);
            std::rotate(begin, place, place + 1);
            return false;
        }
    }
    return true;
}

std::optional<int> ChannelSearch::choose(const Range& range) const {
    const std::int64_t middle = range.low + (range.high - range.low) / 2;
    const std::int64_t down = middle >> plan_.rest_shift;
    for (std::int64_t a2 : {down, down + 1}) {
        if (a2 < -kMostOperand - 1 || a2 > kMostOperand) continue;
        const std::int64_t operand = alu_operand(a2, plan_.rest_shift);
        if (operand >= range.low && operand <= range.high) return static_cast<int>(a2);
    }
    return {};
}

std::optional<ChannelOperands> ChannelSearch::constant() const {
    const bool zero_is_low = channel_.steps.first <= plan_.low || levels_.front() <= 0;
    const bool zero_is_high = channel_.steps.last >= plan_.high || levels_.back() > 0;
    if (zero_is_low && zero_is_high) return ChannelOperands{0, 0, 0, 0, b3_};
    const std::int64_t middle = channel_.steps.low + (channel_.steps.high - channel_.steps.low) / 2;
    for (int b1 : {0, kMostOperand, 1 << 12, 1 << 10, 1 << 8, 1 << 6, 1 << 4, 1}) {
        for (int b2 : {kMostOperand, 1 << 12, 1 << 8}) {
            ChannelOperands result{0, b1, 0, b2, b3_};
            const std::int64_t least = least_sum(levels_.front(), b2, plan_.out_shift);
            if (least == kNever) continue;
            if (b1 > 0 && !plan_.bs_minimum && !plan_.no_addend) {
                const std::int64_t sum =
                    floor_divide(least_shifted(least + 1, plan_.scale_shift), b1) - middle;
                result.a1 = nearest(sum, plan_.bias_shift);
            }
            Range range{};
            if (!ends(alu_operand(result.a1, plan_.bias_shift), b1, b2, range)) continue;
            const auto a2 = choose(range);
            if (!a2) continue;
            result.a2 = *a2;
            return result;
        }
    }
    return {};
}

double ChannelSearch::largest_b1(const Channel& channel, const ScalingPlan& plan) {
    const auto sum =
        static_cast<double>(channel.magnitude() + (std::int64_t{1} << plan.bias_shift));
    return std::clamp(std::ldexp(1.0, 31 + plan.scale_shift) / sum - 1, 1.0, 1.0 * kMostOperand);
}

double ChannelSearch::left_of_bias(const Channel& channel, const ScalingPlan& plan) {
    const auto bias = static_cast<double>(channel.bias);
    if (plan.bs_minimum || plan.no_addend) return std::abs(bias);
    const double unit = std::ldexp(1.0, plan.bias_shift);
    return std::abs(bias - unit * std::clamp(std::nearbyint(bias / unit), -kMostOperand - 1.0,
                                             1.0 * kMostOperand));
}

std::pair<int, int> ChannelSearch::b1_range(const Channel& channel, const ScalingPlan& plan,
                                            double product) {
    double high =
        std::clamp(std::min(largest_b1(channel, plan), product * 2), 1.0, 1.0 * kMostOperand);
    const double least = std::clamp(std::ceil(product / kMostOperand), 1.0, 1.0 * kMostOperand);
    // The less B1, the more of the bias A2 holds.
    if (!plan.bs_minimum && left_of_bias(channel, plan) > std::ldexp(1.0, plan.bias_shift))
        high = std::min(high, 4 * least);
    return {static_cast<int>(std::min(high, std::max(least, high / 8))), static_cast<int>(high)};
}

std::vector<ChannelSearch::Pair> ChannelSearch::pairs(std::size_t count, double tilt) const {
    const double wanted = product(channel_, plan_) * tilt;
    const double magnitude =
        static_cast<double>(channel_.magnitude() + (std::int64_t{1} << plan_.bias_shift));
    const auto [low, high] = b1_range(channel_, plan_, wanted);
    const int size = high - low + 1;
    int stride = std::min(7919, size);
    while (std::gcd(stride, size) != 1)
        ++stride;
    // Less than a sixteenth of a sum at the outmost step.
    const double enough = 1 / (16 * magnitude);
    std::vector<Pair> best;
    std::size_t good = 0;
    const auto better = [](const Pair& a, const Pair& b) { return a.error < b.error; };
    const double inverse = 1 / wanted;
    stride %= size;
    const auto after = [&](int i) { return i < size - stride ? i + stride : i + stride - size; };
    for (int n = 0, i = 0; n < size && good < count; ++n, i = after(i)) {
        const int b1 = low + i;
        const double b2 = std::max(nearest_whole(std::min(wanted / b1, 1.0 * kMostOperand)), 1.0);
        const Pair pair{std::abs(b1 * b2 * inverse - 1), b1, static_cast<int>(b2)};
        if (pair.error < enough) ++good;
        if (best.size() == count) {
            if (!better(pair, best.front())) continue;
            std::pop_heap(best.begin(), best.end(), better);
            best.pop_back();
        }
        best.push_back(pair);
        std::push_heap(best.begin(), best.end(), better);
    }
    std::sort_heap(best.begin(), best.end(), better);
    return best;
}

std::vector<int> ChannelSearch::addends(int reach) const {
    std::vector<int> result;
    if (plan_.no_addend) return {0};
    const auto add = [&](std::int64_t a1) {
        if (a1 >= -kMostOperand - 1 && a1 <= kMostOperand) result.push_back(static_cast<int>(a1));
    };
    if (plan_.bs_minimum) {
        // Any sum with the last result; the largest operand where nothing is to be clamped.
        const std::int64_t unit = std::int64_t{1} << plan_.bias_shift;
        if (channel_.steps.last < plan_.high || channel_.clamp >= channel_.steps.high) {
            add(kMostOperand);
        } else {
            const std::int64_t first = ceil_divide(channel_.steps.at.back(), unit);
            const std::int64_t last = floor_divide(channel_.clamp, unit);
            add((first + last) / 2);
        }
        return result;
    }
    const std::int64_t middle = nearest(channel_.bias, plan_.bias_shift);
    for (int j = 0; j <= reach; ++j) {
        add(middle + j);
        if (j > 0) add(middle - j);
    }
    return result;
}

bool ChannelSearch::has_line() const {
    if (plan_.bs_minimum) return true;
    // With v1 = t + e, |e| <= 1/2, a step from `at` - 1 to `at` where BN's sums reach `least` wants
    //   at - 1 - room < least * inverse - offset <= at + room
    // of the line through all of them; the room for the offset is concave in `inverse`.
    const double wanted = product(channel_, plan_);
    const int b1 = b1_range(channel_, plan_, wanted).first;
    if (1.0 * b1 * kMostOperand < wanted) return true;            // the slope is another one
    const double room = std::ldexp(0.5, plan_.scale_shift) / b1;  // of v1, in raw sums
    std::vector<double> least;
    for (std::size_t i = 1; i + 1 < levels_.size(); ++i)
        least.push_back(static_cast<double>(least_shifted(levels_[i], plan_.out_shift)));
    const auto left = [&](double inverse) {
        double from = -std::numeric_limits<double>::infinity(), to = -from;
        for (std::size_t i = 0; i < least.size(); ++i) {
            const double off = static_cast<double>(channel_.steps.at[i]) - least[i] * inverse;
            from = std::max(from, off - 1 - room);
            to = std::min(to, off + room);
        }
        return to - from;
    };
    const double unit = std::ldexp(1.0, plan_.scale_shift) / wanted;
    double low = 0, high = 4 * unit;
    constexpr double kNear = -0x1.0p-6;  // what rounding here can be, and more
    for (int i = 0; i < 90; ++i) {
        const double a = low + (high - low) / 3, b = high - (high - low) / 3;
        const double at_a = left(a), at_b = left(b);
        if (std::max(at_a, at_b) > kNear) return true;
        (at_a < at_b ? low : high) = at_a < at_b ? a : b;
    }
    return false;
}

std::optional<ChannelOperands> ChannelSearch::exact_pair(std::vector<Pair>& candidates) {
    Range range{};
    for (const auto& [count, reach] :
         {std::pair{24U, 2}, std::pair{kPairsTried, 12}, std::pair{kManyPairs, 1}}) {
        if (count == kManyPairs && !plan_.thorough) break;
        candidates = pairs(count, 1);
        const std::vector<int> a1s = addends(reach);
        for (const Pair& pair : candidates) {
            for (int a1 : a1s) {
                if (!interval(alu_operand(a1, plan_.bias_shift), pair.b1, pair.b2, range)) continue;
                if (const auto a2 = choose(range)) return {{a1, pair.b1, *a2, pair.b2, b3_}};
            }
        }
    }
    return {};
}

Found ChannelSearch::fine() {
    if (hopeless_) return tilted(0);
    std::vector<Pair> candidates;
    if (const auto found = exact_pair(candidates)) return {*found, true};
    return least_wrong(candidates, 1);
}

bool ChannelSearch::can_be_fine() {
    std::vector<Pair> candidates;
    return !hopeless_ && has_line() && exact_pair(candidates).has_value();
}

Found ChannelSearch::one_stage() {
    const double wanted = product(channel_, plan_);
    Found found{{nearest(channel_.bias, plan_.bias_shift), 0, 0, 1, b3_}, false};
    if (wanted > kMostOperand + 1.0) return found;
    const int middle = static_cast<int>(std::nearbyint(wanted));
    for (int b1 : {middle, middle + 1, middle - 1, middle + 2, middle - 2}) {
        if (b1 < 1 || b1 > kMostOperand) continue;
        for (int a1 : addends(1)) {
            Range range{};
            if (!interval(alu_operand(a1, plan_.bias_shift), b1, 1, range)) continue;
            if (range.low <= 0 && range.high >= 0) return {{a1, b1, 0, 1, b3_}, true};
        }
    }
    return found;
}

}  // namespace macrame::dla::compiler
