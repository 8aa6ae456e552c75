/// What `explain` advises is true, for all parameters of all presets of all families: each value
/// that it names as accepted is.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

#include "explain.hpp"
#include "resolve.hpp"
#include "value_set.hpp"

namespace macrame {
namespace {

/// Values that a list of values names; of rows both ends and some between.
std::vector<std::string> named_values(const std::string& text) {
    static const std::regex kRow(
        "(a number|an even number|a power of two|a multiple of (\\d+)) in (\\d+)\\.\\.(\\d+)");
    std::vector<std::string> out;
    const std::string list = std::regex_replace(text, std::regex(", | or "), "\n");
    std::smatch parts;
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t end = std::min(list.find('\n', at), list.size());
        const std::string item = list.substr(at, end - at);
        at = end + 1;
        if (item == kAmongOthers) continue;
        if (!std::regex_match(item, parts, kRow)) {
            out.push_back(item);
            continue;
        }
        const std::int64_t low = std::stoll(parts[3]), high = std::stoll(parts[4]);
        if (parts[1] == "a power of two") {
            for (std::int64_t value = low; value <= high; value *= 2)
                out.push_back(fmt::to_string(value));
            continue;
        }
        const std::int64_t step = parts[2].matched               ? std::stoll(parts[2])
                                  : parts[1] == "an even number" ? 2
                                                                 : 1;
        const std::int64_t count = (high - low) / step;
        for (const std::int64_t place : {std::int64_t{0}, std::int64_t{1}, count / 7, count / 3,
                                         count / 2, count * 5 / 7, count - 1, count})
            out.push_back(fmt::to_string(low + step * std::clamp<std::int64_t>(place, 0, count)));
    }
    return out;
}

Request request_of(const Family& family, const std::string& preset) {
    Request request;
    request.family = std::string(family.name);
    request.preset = preset;
    return request;
}

/// The violations of a request with one more value.
std::vector<Violation> with(Request request, const Param& param, const std::string& value) {
    request.values.emplace_back(param.key, value);
    Diags diags;
    const Settings settings = resolve(request, emit::Assets(), diags);
    for (const Diag& diag : diags)
        ADD_FAILURE() << flag_name(param.key) << " = " << value << ": " << diag.text;
    return violations(settings);
}

/// Values to ask for: legal and illegal ones.
std::vector<std::string> asked_values(const Param& param) {
    const Allowed& allowed = param.allowed;
    if (param.is_flag()) return {"true", "false"};
    std::vector<std::string> out(allowed.words.begin(), allowed.words.end());
    for (const int number : allowed.choices)
        out.push_back(fmt::to_string(number));
    if (out.empty()) {
        const std::int64_t low = allowed.low, high = allowed.high;
        std::set<std::int64_t> numbers = {low,      low + 1, low + 3, (low + high) / 2 | 1,
                                          high - 1, high};
        if (low > 0) numbers.insert(low - 1);
        for (const std::int64_t number : numbers)
            out.push_back(fmt::to_string(number));
    }
    if (allowed.or_none) out.emplace_back("none");
    return out;
}

/// Each repair of each violation takes it away and brings no other.
void check_repairs(const Request& request, std::set<std::string>& seen) {
    Diags diags;
    const Settings asked = resolve(request, emit::Assets(), diags);
    const std::vector<Violation> before = violations(asked);
    const auto is_in = [](const std::vector<Violation>& list, const Violation& wanted) {
        return std::any_of(list.begin(), list.end(), [&](const Violation& v) {
            return v.param == wanted.param && v.rule == wanted.rule;
        });
    };
    for (const Violation& violation : before) {
        if (!seen.insert(violation.text).second) continue;
        for (const Repair& repair : repairs(request, emit::Assets(), violation)) {
            for (const std::string& value : named_values(repair.values)) {
                const std::vector<Violation> after = with(request, *repair.param, value);
                EXPECT_FALSE(is_in(after, violation))
                    << violation.text << ": " << repair.param->key << " = " << value;
                for (const Violation& v : after)
                    EXPECT_TRUE(is_in(before, v)) << violation.text << ": " << repair.param->key
                                                  << " = " << value << ": " << v.text;
            }
        }
    }
}

template <typename Do>
void for_each_preset(Do run) {
    const emit::Assets assets;
    for (const Family* family : assets.families()) {
        std::vector<std::string> presets = preset_names(*family, assets);
        if (!LONG_TESTS && presets.size() > 2)
            presets.erase(presets.begin() + 1, presets.end() - 1);
        for (const std::string& preset : presets) {
            SCOPED_TRACE(fmt::format("{} {}", family->name, preset));
            run(*family, request_of(*family, preset));
        }
    }
}

TEST(ExplainAdvice, RepairsAreAccepted) {
    std::set<std::string> seen;
    for_each_preset([&](const Family& family, Request request) {
        if (LONG_TESTS) seen.clear();  // the same text with other values beside it
        for (const Param& param : family.params) {
            for (const std::string& value : asked_values(param)) {
                request.values = {{std::string(param.key), value}};
                check_repairs(request, seen);
            }
        }
    });
}

TEST(ExplainAdvice, AcceptedValuesAreAccepted) {
    for_each_preset([](const Family& family, const Request& request) {
        for (const Param& param : family.params) {
            const std::string values = accepted_values(param, request, emit::Assets());
            EXPECT_FALSE(values.empty()) << param.key;
            for (const std::string& value : named_values(values))
                EXPECT_TRUE(with(request, param, value).empty()) << param.key << " = " << value;
        }
    });
}

/// A value that works is not left out, where the list does not say that there are others.
TEST(ExplainAdvice, NothingIsLeftOut) {
    for_each_preset([](const Family& family, const Request& request) {
        for (const Param& param : family.params) {
            const Allowed& allowed = param.allowed;
            const bool is_short = allowed.high - allowed.low <= 256 && !allowed.power_of_two &&
                                  allowed.choices.empty() && allowed.words.empty();
            if (param.is_flag() || !is_short) continue;
            const std::string text = accepted_values(param, request, emit::Assets());
            for (int number = allowed.low; number <= allowed.high; ++number) {
                const std::string value = fmt::to_string(number);
                const std::vector<std::string> named = named_values(text);
                const bool is_named = std::find(named.begin(), named.end(), value) != named.end();
                if (is_named || text.find(" in ") != text.npos) continue;
                EXPECT_FALSE(with(request, param, value).empty()) << param.key << " = " << value;
            }
        }
    });
}

TEST(ExplainAdvice, SizesOfTheArrayHaveAWidth) {
    Request request = request_of(*find_family(emit::Assets().families(), "tcu"), "artya7100t");
    request.values = {{"array_size", "5"}};
    bool accepted = true;
    EXPECT_EQ(explain_configuration(request, emit::Assets(), accepted).substr(0, 300),
              "axi-data-width = 32: want a part or a multiple of a vector, 80 bits in memory: no "
              "width is, scalars of 16 bits want an array-size that is even (follows array-size)\n"
              "    accepted: array-size = an even number in 2..256\n"
              "    or        data-type = FP18BP10 or FP32BP16\n"
              "artya7100t: refused, 1 reason\n");
    EXPECT_FALSE(accepted);
}

}  // namespace
}  // namespace macrame
