/// Additions that have all pairs: the quotient of both scales as well as BS can have it, then the
/// rest by the levels of the sum.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "compiler/dla/add.hpp"
#include "compiler/dla/levels.hpp"
#include "compiler/dla/sdp_arithmetic.hpp"

namespace macrame::dla::compiler {

namespace {

constexpr double kFarthest = 1e-4;    // of a quotient, where all pairs cannot be right any more
constexpr std::size_t kSums = 64;     // of different quotients that are tried
constexpr std::size_t kInParts = 32;  // for each part
constexpr std::size_t kParts = 4;

/// The sum in front of BN's multiplier, as coefficients of a and b.
struct Sum {
    AddMapping mapping;
    std::int64_t a = 0, b = 0;
    double error = 0;  ///< of their quotient

    bool falls() const { return a < 0; }
};

/// All ways to a quotient of the coefficients of the main operand and the other one.
class Sums {
public:
    Sums(const AddTarget& target, bool twice) {
        const double quotient = target.a.scale / target.b.scale * (target.subtract ? -1 : 1);
        for (const bool main_is_b : {false, true}) {
            if (target.main_is_b && *target.main_is_b != main_is_b) continue;
            made_.main_is_b = main_is_b;
            wanted_ = main_is_b ? 1 / quotient : quotient;
            for (int right = 0; right <= kShift; ++right) {
                made_.bn_shift = right;
                const double added = std::ldexp(1.0, right);
                made_.bs_shift = -1;
                made_.again = false;
                near(wanted_ * added);
                for (int left = 0; twice && left <= kLeft; ++left) {
                    const double both = std::ldexp(1.0, left);
                    made_.bs_shift = left;
                    made_.again = false;
                    near(wanted_ * added / (1 - wanted_ * both));
                    made_.again = true;
                    near(added / (wanted_ * both - 1));
                }
            }
        }
        std::stable_sort(sums_.begin(), sums_.end(),
                         [](const Sum& x, const Sum& y) { return x.error < y.error; });
        // The same quotient again does no better.
        const auto same = [](const Sum& x, const Sum& y) { return x.a * y.b == x.b * y.a; };
        sums_.erase(std::unique(sums_.begin(), sums_.end(), same), sums_.end());
    }

    const std::vector<Sum>& sums() const { return sums_; }

private:
    static constexpr int kShift = 22, kLeft = 10;

    /// With multipliers of BS around that.
    void near(double multiplier) {
        if (!(std::abs(multiplier) < kMostOperand)) return;
        const int middle = static_cast<int>(std::nearbyint(multiplier));
        for (const int mul : {middle, middle - 1, middle + 1})
            if (mul != 0) add(mul);
    }
    void add(int mul) {
        const std::int64_t unit = std::int64_t{1} << made_.bn_shift;
        std::int64_t main = mul, other = 0;
        if (made_.bs_shift >= 0) other = mul * (std::int64_t{1} << made_.bs_shift);
        // All of it in 32 bits.
        const std::int64_t largest = 128 * (std::abs(main) + std::abs(other) + unit);
        if (largest >= std::numeric_limits<std::int32_t>::max()) return;
        (made_.again ? main : other) += unit;
        if (main == 0 || other == 0) return;
        Sum sum{made_, main, other, 0};
        const double found = static_cast<double>(main) / static_cast<double>(other);
        sum.error = std::abs(found / wanted_ - 1);
        if (sum.error > kFarthest) return;
        sum.mapping.bs_mul = static_cast<std::int16_t>(mul);
        if (made_.main_is_b) std::swap(sum.a, sum.b);
        sums_.push_back(sum);
    }

    AddMapping made_;
    double wanted_ = 1;
    std::vector<Sum> sums_;
};

/// Pairs that can be the first or the last of a result, whatever the quotient is.
class Ends {
public:
    Ends(const AddTarget& target, const std::vector<int>& table) : target_(target) {
        const double b_scale = target.subtract ? -target.b.scale : target.b.scale;
        struct Range {
            double least = 1e300, most = -1e300;
        };
        std::vector<Range> ranges(256);
        const auto sum = [&](int a, int b) { return target.a.scale * a + b_scale * b; };
        const auto each = [&](const auto& visit) {
            std::size_t i = 0;
            for (int a = -128; a < 128; ++a)
                for (int b = -128; b < 128; ++b)
                    visit(a, b, table[i++]);
        };
        each([&](int a, int b, int result) {
            Range& range = ranges[static_cast<std::size_t>(result + 128)];
            range.least = std::min(range.least, sum(a, b));
            range.most = std::max(range.most, sum(a, b));
        });
        // Sums of two pairs move by no more than that against each other.
        const double near = 256 * kFarthest * target.a.scale;
        each([&](int a, int b, int result) {
            const Range& range = ranges[static_cast<std::size_t>(result + 128)];
            if (sum(a, b) <= range.least + near || sum(a, b) >= range.most - near)
                pairs_.push_back({a, b, result});
        });
    }

    Levels levels(const Sum& sum) const {
        Levels out(target_.low, target_.high);
        const int sign = sum.falls() ? -1 : 1;
        for (const Pair& pair : pairs_)
            out.add(pair.result, sign * (sum.a * pair.a + sum.b * pair.b));
        return out;
    }

private:
    struct Pair {
        int a, b, result;
    };
    const AddTarget& target_;
    std::vector<Pair> pairs_;
};

AddMapping with_tail(const Sum& sum, const Tail& tail) {
    AddMapping made = sum.mapping;
    made.bn_mul = sum.falls() ? -tail.mul : tail.mul;
    made.bn_mul_shift = tail.mul_shift;
    made.offset = tail.offset;
    made.scale = static_cast<std::int16_t>(tail.scale);
    made.shift = tail.shift;
    return made;
}

/// Does it have all results, where what is beyond `low` and `high` counts as these?
template <class Apply>
bool all_right(const std::vector<int>& table, int low, int high, const Apply& apply) {
    std::size_t i = 0;
    for (int a = -128; a < 128; ++a)
        for (int b = -128; b < 128; ++b)
            if (std::clamp(apply(a, b), low, high) != table[i++]) return false;
    return true;
}

/// The parts of a sum, each as large as there are registers for it.
class Parts {
public:
    explicit Parts(const AddTarget& target)
        : target_(target), table_(add_table(target)), all_(target, true) {
        const Ends ends(target, table_);
        for (std::size_t i = 0; i < std::min(all_.sums().size(), kInParts); ++i)
            levels_.push_back(ends.levels(all_.sums()[i]));
    }

    std::optional<AddParts> run() const {
        AddParts made;
        int begin = *std::min_element(table_.begin(), table_.end());
        const int end = *std::max_element(table_.begin(), table_.end());
        while (begin < end) {
            if (made.parts.size() == kParts) return {};
            // What a part has, a smaller one has, too.
            std::optional<AddMapping> part;
            int low = begin, high = end + 1;
            while (high - low > 1) {
                const int middle = low == begin && high > end ? end : (low + high) / 2;
                if (const auto found = find(begin, middle, made.parts.empty(), middle == end)) {
                    part = found;
                    low = middle;
                } else {
                    high = middle;
                }
            }
            if (!part) return {};
            made.parts.push_back(*part);
            begin = low;
            if (begin < end) made.cuts.push_back(begin);
        }
        const auto apply = [&](int a, int b) { return made.apply(a, b); };
        if (!all_right(table_, target_.low, target_.high, apply)) return {};
        return made;
    }

private:
    std::optional<AddMapping> find(int begin, int end, bool first, bool last) const {
        const int low = first ? target_.low : begin, high = last ? target_.high : end;
        const int shift = first ? (last ? 0 : 127 - end) : -128 - begin;
        for (std::size_t i = 0; i < levels_.size(); ++i)
            if (const auto tail = levels_[i].part(low, high, shift).tail())
                return with_tail(all_.sums()[i], *tail);
        return {};
    }

    const AddTarget& target_;
    const std::vector<int> table_;
    const Sums all_;
    std::vector<Levels> levels_;
};

}  // namespace

std::optional<AddMapping> exact_add(const AddTarget& target, const std::vector<int>& table,
                                    bool twice) {
    const Sums all(target, twice);
    const Ends ends(target, table);
    for (std::size_t i = 0; i < std::min(all.sums().size(), kSums); ++i) {
        const Sum& sum = all.sums()[i];
        const auto tail = ends.levels(sum).tail();
        if (!tail) continue;
        const AddMapping made = with_tail(sum, *tail);
        const auto apply = [&](int a, int b) { return made.apply(a, b); };
        if (all_right(table, target.low, target.high, apply)) return made;
    }
    return {};
}

std::vector<int> AddParts::offsets() const {
    std::vector<int> out;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
        const int saturates = i + 1 < cuts.size() ? 127 - cuts[i + 1] : 0;
        out.push_back(cuts[i] + 1 + saturates);
    }
    return out;
}

int AddParts::apply(int a, int b) const {
    const std::vector<int> added = offsets();
    std::int64_t sum = parts[0].apply(a, b);
    for (std::size_t i = 1; i < parts.size(); ++i)
        sum = saturate(sum + parts[i].apply(a, b) + added[i - 1], 8);
    return static_cast<int>(sum);
}

std::optional<AddParts> exact_add_in_parts(const AddTarget& target) { return Parts(target).run(); }

}  // namespace macrame::dla::compiler
