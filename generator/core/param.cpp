#include "core/param.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace macrame {

namespace {

bool parse_number(int& number, const Allowed& allowed, std::string_view text) {
    if (allowed.or_none && text == "none") {
        number = 0;
        return true;
    }
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    return code == std::errc() && end == text.data() + text.size();
}

bool parse_flag(bool& flag, std::string_view text) {
    const auto is_one_of = [text](std::initializer_list<std::string_view> list) {
        return std::find(list.begin(), list.end(), text) != list.end();
    };
    flag = is_one_of({"true", "1", "on", "yes"});
    return flag || is_one_of({"false", "0", "off", "no"});
}

}  // namespace

Allowed choices(std::vector<int> numbers) { return {0, 0, false, false, std::move(numbers), {}}; }
Allowed choices_or_none(std::vector<int> numbers) {
    return {0, 0, false, true, std::move(numbers), {}};
}
Allowed power_of_two(int low, int high) { return {low, high, true, false, {}, {}}; }
Allowed power_of_two_or_none(int low, int high) { return {low, high, true, true, {}, {}}; }
Allowed range(int low, int high) { return {low, high, false, false, {}, {}}; }
Allowed range_or_none(int low, int high) { return {low, high, false, true, {}, {}}; }
Allowed words(std::vector<std::string_view> list) {
    return {0, 0, false, false, {}, std::move(list)};
}

const Param* find_param(const Params& params, std::string_view key) {
    for (const Param& param : params) {
        if (flag_name(param.key) == flag_name(key)) return &param;
    }
    return nullptr;
}

std::string value_text(const AnyConfig& config, const Param& param) {
    const ParamValue value = param.get(config);
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    const int number = std::get<int>(value);
    return number == 0 && param.allowed.or_none ? "none" : fmt::to_string(number);
}

std::string allowed_text(const Param& param) {
    const Allowed& allowed = param.allowed;
    if (param.is_flag()) return "true or false";
    std::vector<std::string> items(allowed.words.begin(), allowed.words.end());
    for (const int number : allowed.choices)
        items.push_back(fmt::to_string(number));
    if (items.empty()) {
        items.push_back(fmt::format("{} in {}..{}",
                                    allowed.power_of_two ? "a power of two" : "a number",
                                    allowed.low, allowed.high));
    }
    if (allowed.or_none) items.emplace_back("none");
    return join_or(items);
}

std::string markdown_table(const Params& params, const AnyConfig& defaults) {
    std::string out = "| parameter | values | default | meaning |\n|---|---|---|---|\n";
    for (const Param& param : params) {
        out += fmt::format("| `{}` | {}{}{} | {} | {} |\n", flag_name(param.key),
                           allowed_text(param), param.unit.empty() ? "" : " ", param.unit,
                           value_text(defaults, param), param.doc);
    }
    return out;
}

bool assign(AnyConfig& config, const Param& param, std::string_view text) {
    if (param.kind == Param::Kind::flag) {
        bool flag = false;
        if (!parse_flag(flag, text)) return false;
        param.set(config, flag);
    } else if (param.kind == Param::Kind::number) {
        int number = 0;
        if (!parse_number(number, param.allowed, text)) return false;
        param.set(config, number);
    } else {
        param.set(config, std::string(text));
    }
    return true;
}

bool in_range(const AnyConfig& config, const Param& param) {
    const Allowed& allowed = param.allowed;
    const ParamValue value = param.get(config);
    if (const auto* text = std::get_if<std::string>(&value)) {
        return std::find(allowed.words.begin(), allowed.words.end(), *text) != allowed.words.end();
    }
    const auto* number = std::get_if<int>(&value);
    if (number == nullptr || (*number == 0 && allowed.or_none)) return true;
    if (!allowed.choices.empty()) {
        const auto& list = allowed.choices;
        return std::find(list.begin(), list.end(), *number) != list.end();
    }
    return *number >= allowed.low && *number <= allowed.high &&
           (!allowed.power_of_two || (*number & (*number - 1)) == 0);
}

}  // namespace macrame
