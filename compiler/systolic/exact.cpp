#include "compiler/systolic/exact.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "verif/systolic/model/arithmetic.hpp"

namespace macrame::systolic::compiler {

using model::Rounding;

namespace {

constexpr int kMantissa = 31;  // bits of a multiplier without its sign
constexpr int kExactShift = 63;

constexpr Rounding kOnce[] = {Rounding::half_up, Rounding::half_away, Rounding::half_to_even};

/// The first sum with a result of at least `value`, or `high` + 1.
template <typename Apply>
std::int64_t first_of(int value, std::int64_t low, std::int64_t high, const Apply& apply) {
    ++high;
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (apply(middle) >= value) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/// The fewest wrong values, of some tries.
template <typename Try, typename Compare>
auto best(const std::vector<Try>& tries, const Compare& compare) {
    auto found = compare(tries.front());
    for (std::size_t i = 1; i < tries.size() && !found.fit.exact(); ++i) {
        auto other = compare(tries[i]);
        if (other.fit.wrong < found.fit.wrong) found = std::move(other);
    }
    return found;
}

}  // namespace

void set_as_tflite(Scale& scale, graph::Multiplier factor) {
    scale.multiplier = factor.mantissa;
    scale.shift = kMantissa - factor.exponent;
    scale.rounding = factor.exponent < 0 ? Rounding::twice : Rounding::half_up;
    // Larger factors than 2^31 have no shift; what is not 0 saturates.
    scale.shift = std::clamp(scale.shift, 0, kExactShift);
}

void set_nearest(Scale& scale, double factor, Rounding rounding, int nudge) {
    constexpr std::int64_t kMost = (std::int64_t{1} << kMantissa) - 1;
    int exponent = 0;
    std::frexp(factor, &exponent);  // |factor| < 2^exponent
    scale.shift = std::clamp(kMantissa - exponent, 0, kExactShift);
    const auto rounded = [&] { return std::llround(std::ldexp(factor, scale.shift)); };
    if (std::abs(rounded()) > kMost && scale.shift > 0) --scale.shift;
    scale.multiplier =
        static_cast<std::int32_t>(std::clamp<std::int64_t>(rounded() + nudge, -kMost, kMost));
    scale.rounding = rounding;
}

std::vector<Scale> candidates(const Scale& like, double factor) {
    std::vector<Scale> out;
    const auto single = static_cast<double>(static_cast<float>(factor));
    if (factor > 0) {
        for (const double one : {factor, single}) {
            out.push_back(like);
            set_as_tflite(out.back(), graph::multiplier(one));
        }
    }
    const auto add = [&](double one, Rounding rounding, int nudge) {
        out.push_back(like);
        set_nearest(out.back(), one, rounding, nudge);
    };
    add(single, Rounding::half_to_even, 0);
    for (const double one : {factor, single})
        for (const Rounding rounding : kOnce)
            add(one, rounding, 0);
    add(factor, Rounding::twice, 0);
    for (int nudge = 1; nudge <= 1 << 12; nudge *= 2)
        for (const int sign : {1, -1})
            for (const Rounding rounding : kOnce)
                add(factor, rounding, sign * nudge);
    return out;
}

void Fit::count(int found, int wanted) {
    ++values;
    if (found == wanted) return;
    ++wrong;
    most = std::max(most, std::abs(found - wanted));
}

Fitted best_scale(const std::vector<Scale>& among, const Function& wanted, std::int64_t low,
                  std::int64_t high, int step) {
    std::vector<int> values;
    for (std::int64_t sum = low; sum <= high; ++sum)
        values.push_back(wanted(sum));
    return best(among, [&](const Scale& scale) {
        Fitted out{scale, {}};
        for (std::int64_t sum = low; sum <= high; ++sum)
            out.fit.count(scale.apply(sum * step), values[static_cast<std::size_t>(sum - low)]);
        return out;
    });
}

Fitted best_rising_scale(const std::vector<Scale>& among, const Function& wanted, std::int64_t low,
                         std::int64_t high) {
    const int least = wanted(low), most = wanted(high);
    std::vector<std::int64_t> begins;
    for (int value = least + 1; value <= most; ++value)
        begins.push_back(first_of(value, low, high, wanted));
    return best(among, [&](const Scale& scale) {
        Fitted out{scale, {}};
        out.fit.values = high - low + 1;
        const auto apply = [&](std::int64_t sum) { return scale.apply(sum); };
        // Both do not fall: they are furthest from each other where one of them has just risen.
        const auto look = [&](std::int64_t sum) {
            if (sum < low || sum > high) return;
            out.fit.most = std::max(out.fit.most, std::abs(scale.apply(sum) - wanted(sum)));
        };
        for (int value = least + 1; value <= most; ++value) {
            const std::int64_t begin = begins[static_cast<std::size_t>(value - least - 1)];
            const bool same =
                scale.apply(begin) >= value && (begin == low || scale.apply(begin - 1) < value);
            if (same) continue;
            const std::int64_t found = first_of(value, low, high, apply);
            out.fit.wrong += std::abs(found - begin);
            for (const std::int64_t rise : {found, begin})
                for (const std::int64_t sum : {rise - 1, rise})
                    look(sum);
        }
        if (scale.apply(low) < least || scale.apply(high) > most) ++out.fit.wrong;
        look(low);
        look(high);
        return out;
    });
}

int SumOfTwo::apply(int a, int b) const {
    const std::int64_t sum = std::int64_t{factors[0]} * a + std::int64_t{factors[1]} * b;
    return scale.apply(sum * (1 << left) + std::int64_t{correction} * a);
}

namespace {

/// Immediates, without their signs, and how far their quotient is from that of two scales.
struct Immediates {
    int factors[2];
    int correction;
    double error;
};

/// Those of sums that are shifted by `left` bits, the closest first.
std::vector<Immediates> quotients(double scale_a, double scale_b, int left) {
    constexpr int kRound = 1 << 14;
    constexpr std::size_t kKept = 24;
    const bool second_is_larger = scale_b > scale_a;
    const double ratio = scale_a / scale_b, unit = 1 << left;
    std::vector<Immediates> all;
    for (int larger = kRound; larger <= kMostFactor; ++larger) {
        Immediates one{{larger, larger}, 0, 0};
        if (second_is_larger) {
            one.factors[0] = static_cast<int>(std::lround(larger * ratio));
        } else {
            one.factors[1] = static_cast<int>(std::lround(larger / ratio));
            if (one.factors[1] == 0) continue;
        }
        const double rest = ratio * one.factors[1] - one.factors[0];
        if (left > 0)
            one.correction = static_cast<int>(
                std::clamp<long>(std::lround(rest * unit), -kMostFactor, kMostFactor));
        one.error = std::abs(rest - one.correction / unit) / one.factors[1];
        all.push_back(one);
    }
    // 2^14 comes first where several are as close: ties stay ties.
    std::stable_sort(all.begin(), all.end(),
                     [](const Immediates& a, const Immediates& b) { return a.error < b.error; });
    all.resize(std::min(kKept, all.size()));
    return all;
}

/// Counts what differs, and stops where another is better. Pairs that differed in the last sums
/// come first: sums that are near each other differ in much the same pairs.
class Comparison {
public:
    explicit Comparison(const std::vector<std::int8_t>& wanted)
        : wanted_(wanted), order_(wanted.size()) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
    }

    /// Nothing: `best` is at least as good.
    bool better(const SumOfTwo& sum, const SumOfTwo& best, Fit& fit) {
        fit = {};
        for (std::size_t i = 0; i < order_.size(); ++i) {
            const std::size_t pair = order_[i];
            const std::int64_t before = fit.wrong;
            fit.count(found(sum, pair), wanted_[pair]);
            if (fit.wrong == before) continue;
            std::swap(order_[i], order_[static_cast<std::size_t>(before)]);
            if (fit.wrong >= best.fit.wrong) return false;
        }
        return true;
    }

private:
    static int found(const SumOfTwo& sum, std::size_t pair) {
        return sum.apply(static_cast<int>(pair / kInt8Values) - kInt8Values / 2,
                         static_cast<int>(pair % kInt8Values) - kInt8Values / 2);
    }

    const std::vector<std::int8_t>& wanted_;
    std::vector<std::size_t> order_;  ///< of all pairs
};

}  // namespace

SumOfTwo best_sum(const Addend& a, const Addend& b, double output_scale, const Scale& like,
                  const std::vector<std::int8_t>& wanted) {
    constexpr int kLeft = 5;
    SumOfTwo best;
    best.fit.wrong = static_cast<std::int64_t>(wanted.size()) + 1;
    Comparison comparison(wanted);
    /// What is tried beside the nearest numbers.
    struct Beside {
        int left = 0, multiplier = 0, bias = 0;
    };
    const auto attempt = [&](const Immediates& from, const Beside& beside, Rounding rounding) {
        const int sign_a = a.scale < 0 ? -1 : 1, sign_b = b.scale < 0 ? -1 : 1;
        SumOfTwo sum;
        sum.factors[0] = sign_a * from.factors[0];
        sum.factors[1] = sign_b * from.factors[1];
        sum.correction = sign_a * from.correction;
        sum.left = beside.left;
        sum.scale = like;
        const int zeros = sum.factors[0] * a.zero + sum.factors[1] * b.zero;
        sum.scale.bias = beside.bias - zeros * (1 << beside.left) - sum.correction * a.zero;
        const double unit = std::abs(b.scale) / from.factors[1];
        set_nearest(sum.scale, std::ldexp(unit / output_scale, -beside.left), rounding,
                    beside.multiplier);
        if (comparison.better(sum, best, sum.fit)) best = sum;
        return best.fit.exact();
    };
    const auto all = [&](const std::vector<Immediates>& from, const Beside& beside) {
        return std::any_of(from.begin(), from.end(), [&](const Immediates& one) {
            return attempt(one, beside, Rounding::half_away) ||
                   attempt(one, beside, Rounding::twice) ||
                   attempt(one, beside, Rounding::half_up) ||
                   attempt(one, beside, Rounding::half_to_even);
        });
    };
    std::vector<int> nudges = {0};
    for (int nudge = 1; nudge <= 1 << 12; nudge *= 4)
        nudges.insert(nudges.end(), {nudge, -nudge});
    // A bias beside the zero points moves all pairs alike, by little where sums have more bits.
    for (const int left : {0, kLeft}) {
        const std::vector<Immediates> from = quotients(std::abs(a.scale), std::abs(b.scale), left);
        for (const int bias : {0, 1, -1, 2, -2, 4, -4, 8, -8, 16, -16})
            for (const int nudge : nudges)
                if ((bias == 0 || left > 0) && all(from, {left, nudge, bias})) return best;
    }
    return best;
}

}  // namespace macrame::systolic::compiler
