#include "value_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <set>

namespace macrame {

namespace {

using Numbers = std::vector<std::int64_t>;

constexpr std::int64_t kShort = 512;   ///< ranges up to this are tried whole
constexpr std::int64_t kWindow = 256;  ///< at both ends of longer ones
constexpr std::int64_t kBetween = 128;
constexpr std::size_t kFewestInRow = 4;  ///< fewer are listed
constexpr std::size_t kExamples = 8;

bool is_power_of_two(std::int64_t number) { return number > 0 && (number & (number - 1)) == 0; }

/// Numbers first, first + step ... last, all multiples of the step.
std::string row_text(std::int64_t step, std::int64_t first, std::int64_t last) {
    const std::string kind = step == 1   ? "a number"
                             : step == 2 ? "an even number"
                                         : fmt::format("a multiple of {}", step);
    return fmt::format("{} in {}..{}", kind, first, last);
}

std::vector<std::string> listed(const Numbers& numbers) {
    std::vector<std::string> out;
    for (const std::int64_t number : numbers)
        out.push_back(fmt::to_string(number));
    return out;
}

std::string powers_text(const Numbers& numbers) {
    return fmt::format("a power of two in {}..{}", numbers.front(), numbers.back());
}

/// Each is twice the one before.
bool are_powers(const Numbers& numbers) {
    if (numbers.size() < kFewestInRow || !is_power_of_two(numbers.front())) return false;
    return std::adjacent_find(numbers.begin(), numbers.end(),
                              [](auto a, auto b) { return b != 2 * a; }) == numbers.end();
}

/// All numbers of a set, as rows where they are.
std::vector<std::string> all_items(const Numbers& numbers) {
    if (are_powers(numbers)) return {powers_text(numbers)};
    std::vector<std::string> out;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t end = i + 1;
        const std::int64_t step = end < numbers.size() ? numbers[end] - numbers[i] : 1;
        while (end < numbers.size() && numbers[end] - numbers[end - 1] == step)
            ++end;
        if (end - i >= kFewestInRow && numbers[i] % step == 0) {
            out.push_back(row_text(step, numbers[i], numbers[end - 1]));
            i = end;
        } else {
            out.push_back(fmt::to_string(numbers[i++]));
        }
    }
    return out;
}

/// Numbers of a long range to try: both ends, powers of two and their neighbours, some between.
Numbers probes(std::int64_t low, std::int64_t high) {
    std::set<std::int64_t> out;
    const auto add = [&](std::int64_t number) {
        if (number >= low && number <= high) out.insert(number);
    };
    for (std::int64_t i = 0; i < kWindow; ++i) {
        add(low + i);
        add(high - i);
    }
    for (std::int64_t power = 1; power <= high; power *= 2) {
        for (const std::int64_t off : {-1, 0, 1})
            add(power + off);
    }
    // The golden ratio leaves no step and no parity out.
    std::uint64_t place = 0;
    const auto span = static_cast<std::uint64_t>(high - low);
    for (std::int64_t i = 0; i < kBetween; ++i) {
        place = (place + 2654435769u) & 0xffffffffu;
        add(low + static_cast<std::int64_t>((place * span) >> 32));
    }
    return {out.begin(), out.end()};
}

/// A long range, of which some numbers are known.
class LongRange {
public:
    LongRange(std::int64_t low, std::int64_t high, const IsIn& is_in) : is_in_(is_in) {
        for (const std::int64_t number : probes(low, high)) {
            known_[number] = is_in(number);
            if (known_[number]) good_.push_back(number);
        }
    }

    std::vector<std::string> items() {
        if (good_.size() < kFewestInRow) return listed(good_);
        if (are_all_powers()) return {powers_text(good_)};
        std::int64_t step = 0;
        for (const std::int64_t number : good_)
            step = std::gcd(step, number);
        const std::int64_t first = end_of(step, good_.front(), known_.begin()->first);
        const std::int64_t last = end_of(step, good_.back(), known_.rbegin()->first);
        if (is_row(step, first, last)) return {row_text(step, first, last)};
        if (good_.size() > kExamples) good_.resize(kExamples);
        std::vector<std::string> out = listed(good_);
        out.emplace_back(kAmongOthers);
        return out;
    }

private:
    bool is_good(std::int64_t number) {
        const auto [at, is_new] = known_.emplace(number, false);
        if (is_new) at->second = is_in_(number);
        return at->second;
    }

    /// The last multiple of `step` from `good` towards `limit`, if there is one border only.
    std::int64_t end_of(std::int64_t step, std::int64_t good, std::int64_t limit) {
        std::int64_t near = good / step;
        const bool up = limit >= good;
        std::int64_t far = up ? limit / step : (limit + step - 1) / step;
        if (is_good(far * step)) return far * step;
        while (near + 1 < far || far + 1 < near) {
            const std::int64_t middle = (near + far) / 2;
            (is_good(middle * step) ? near : far) = middle;
        }
        return near * step;
    }

    bool are_all_powers() const {
        return std::all_of(good_.begin(), good_.end(), is_power_of_two) &&
               std::all_of(known_.begin(), known_.end(), [&](const auto& entry) {
                   const auto [number, good] = entry;
                   return good || !is_power_of_two(number) || number < good_.front() ||
                          number > good_.back();
               });
    }

    /// Is all that is known so? More of it is looked at.
    bool is_row(std::int64_t step, std::int64_t first, std::int64_t last) {
        for (const std::int64_t number : probes(first / step, last / step))
            is_good(number * step);
        return std::all_of(known_.begin(), known_.end(), [&](const auto& entry) {
            const auto [number, good] = entry;
            return good == (number >= first && number <= last && number % step == 0);
        });
    }

    const IsIn& is_in_;
    std::map<std::int64_t, bool> known_;
    Numbers good_;
};

}  // namespace

std::vector<std::string> number_items(std::int64_t low, std::int64_t high, const IsIn& is_in) {
    if (high - low > kShort) return LongRange(low, high, is_in).items();
    Numbers good;
    for (std::int64_t number = low; number <= high; ++number) {
        if (is_in(number)) good.push_back(number);
    }
    return all_items(good);
}

}  // namespace macrame
