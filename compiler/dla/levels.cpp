#include "compiler/dla/levels.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "compiler/dla/sdp_arithmetic.hpp"

namespace macrame::dla::compiler {

namespace {

constexpr int kResults = 256;
constexpr std::size_t kSlopes = 24;  // tried
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kSum = std::numeric_limits<std::int32_t>::max();
constexpr int kLevelShift = 48;

std::size_t entry(int result) { return static_cast<std::size_t>(result + kResults / 2); }

std::int64_t multiplied(std::int64_t sum, const Tail& tail) {
    return saturate(round_shift(sum * tail.mul, tail.mul_shift), 32);
}

/// A number as first * second / 2^shift, both with 15 bits.
struct LevelProduct {
    int first, second, shift;
    double error;
};

/// The nearest ones, the best first.
std::vector<LevelProduct> products(double number) {
    std::vector<LevelProduct> out;
    int exponent = 0;
    std::frexp(number, &exponent);
    const auto nearer = [](const LevelProduct& a, const LevelProduct& b) {
        return a.error < b.error;
    };
    for (const int bits : {29, 30}) {
        const int shift = bits - exponent;
        const double wanted = std::ldexp(number, shift);
        for (int first = (kMostOperand + 1) / 2; first <= kMostOperand; ++first) {
            const double second = std::nearbyint(wanted / first);
            if (second > kMostOperand || second < 1) continue;
            const LevelProduct found{first, static_cast<int>(second), shift,
                                     std::abs(first * second / wanted - 1)};
            if (out.size() == kSlopes && found.error >= out.back().error) continue;
            out.insert(std::upper_bound(out.begin(), out.end(), found, nearer), found);
            if (out.size() > kSlopes) out.pop_back();
        }
    }
    return out;
}

}  // namespace

int Tail::apply(std::int64_t sum) const {
    const std::int64_t v = multiplied(sum, *this) - offset;
    return static_cast<int>(saturate(saturate(round_shift(v * scale, shift), 17), 8));
}

Levels::Levels(int low, int high)
    : low_(low),
      high_(high),
      levels_(kResults, {0, std::numeric_limits<std::int64_t>::max(),
                         std::numeric_limits<std::int64_t>::min()}) {
    for (int result = -kResults / 2; result < kResults / 2; ++result)
        levels_[entry(result)].result = result;
}

void Levels::add(int result, std::int64_t sum) {
    Level& level = levels_[entry(result)];
    level.least = std::min(level.least, sum);
    level.most = std::max(level.most, sum);
}

std::vector<Level> Levels::present() const {
    std::vector<Level> out;
    for (const Level& level : levels_)
        if (level.least <= level.most) out.push_back(level);
    return out;
}

Levels Levels::part(int low, int high, int shift) const {
    Levels out(low + shift, high + shift);
    for (const Level& level : present()) {
        const int result = std::clamp(level.result, low, high) + shift;
        out.add(result, level.least);
        out.add(result, level.most);
    }
    return out;
}

Levels::Line Levels::line() const {
    const std::vector<Level> all = present();
    if (all.size() < 2) return {};
    // A line of sums over results has to pass between the levels: above the last sum of one, and at
    // most at the first sum of the next. The room for it is concave in its slope.
    const auto room = [&](double step) {
        double low = -kInfinity, high = kInfinity;
        for (std::size_t i = 0; i + 1 < all.size(); ++i) {
            low = std::max(low, static_cast<double>(all[i].most) - step * (all[i].result + 0.5));
            high = std::min(
                high, static_cast<double>(all[i + 1].least) - step * (all[i + 1].result - 0.5));
        }
        return high - low;
    };
    double least = 0;
    double most = 2 * static_cast<double>(all.back().least - all.front().most) /
                  std::max(1, all.back().result - all.front().result - 1);
    if (!(most > 0)) return {};
    for (int i = 0; i < 90; ++i) {
        const double a = least + (most - least) / 3, b = most - (most - least) / 3;
        (room(a) < room(b) ? least : most) = room(a) < room(b) ? a : b;
    }
    const double step = (least + most) / 2;
    return {room(step) / step, step};
}

/// All offsets that do are an interval.
std::optional<Tail> Levels::fit(Tail tail) const {
    std::int64_t least = -kSum, most = kSum;
    const auto begin = [&](int result) {
        return ceil_divide(least_shifted(result, tail.shift), tail.scale);
    };
    for (const Level& level : levels_) {
        if (level.least > level.most) continue;
        if (level.result < high_)
            least = std::max(least, multiplied(level.most, tail) - begin(level.result + 1) + 1);
        if (level.result > low_)
            most = std::min(most, multiplied(level.least, tail) - begin(level.result));
        if (least > most) return {};
    }
    tail.offset = static_cast<std::int32_t>(least + (most - least) / 2);
    return tail;
}

std::optional<Tail> Levels::tail() const {
    const Line found = line();
    if (found.margin <= 0) return {};
    std::int64_t largest = 1;
    for (const Level& level : present())
        largest = std::max({largest, std::abs(level.least), std::abs(level.most)});
    // The offset brings sums to any results.
    largest += static_cast<std::int64_t>(kResults * found.step);
    for (const LevelProduct& p : products(1 / found.step)) {
        for (const bool swapped : {false, true}) {
            Tail tail;
            tail.mul = swapped ? p.second : p.first;
            tail.scale = swapped ? p.first : p.second;
            // As many bits as fit go to the convertor.
            while (largest * tail.mul >> tail.mul_shift >= kSum)
                ++tail.mul_shift;
            tail.shift = p.shift - tail.mul_shift;
            if (tail.shift < 0 || tail.shift > kLevelShift || tail.mul_shift > kLevelShift)
                continue;
            if (const auto made = fit(tail)) return made;
        }
    }
    return {};
}

}  // namespace macrame::dla::compiler
