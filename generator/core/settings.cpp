#include "core/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <sstream>

#include "core/toml.hpp"

namespace macrame {

namespace {

bool is_choice(std::string_view key) {
    return std::find(std::begin(kTomlChoices), std::end(kTomlChoices), key) !=
           std::end(kTomlChoices);
}

std::vector<std::string> known_keys(const Params& params) {
    std::vector<std::string> keys(std::begin(kTomlChoices), std::end(kTomlChoices));
    for (const Param& param : params)
        keys.emplace_back(param.key);
    return keys;
}

/// Text of a TOML value as the user would give it to a flag; nothing if no parameter is like it.
std::optional<std::string> toml_text(const toml::node& node) {
    if (const auto* array = node.as_array()) {
        std::string text;
        for (const toml::node& item : *array) {
            const std::optional<std::string> part = toml_text(item);
            if (!part) return std::nullopt;
            text += (text.empty() ? "" : ",") + *part;
        }
        return text;
    }
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* number = node.as_integer()) return fmt::to_string(number->get());
    if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
    return std::nullopt;
}

/// The value as it stands in the file, with the name of its type: "16.0 (floating-point)".
std::string toml_found(const toml::node& node) {
    std::ostringstream type;  // the library prints to streams
    type << node.type();
    if (node.is_table() || node.is_array()) return fmt::format("({})", type.str());
    std::ostringstream value;
    node.visit([&value](const auto& typed) {
        if constexpr (toml::is_value<decltype(typed)>) value << typed;
    });
    return fmt::format("{} ({})", value.str(), type.str());
}

std::string place(std::string_view file, const toml::source_region& at) {
    return fmt::format("{}:{}", file, at.begin.line);
}

/// Parses and calls `each` with every key, or reports why that is not possible.
template <typename Each>
void for_each_key(std::string_view text, std::string_view file, Diags& diags, Each each) {
    try {
        const toml::table table = toml::parse(text, file);
        for (const auto& [key, node] : table)
            each(key.str(), node);
    } catch (const toml::parse_error& e) {
        diags.push_back({fmt::format("{}:{}: {}", place(file, e.source()), e.source().begin.column,
                                     e.description())});
    }
}

}  // namespace

Origin& Settings::origin(const Param& param) {
    return origins[static_cast<std::size_t>(&param - params().data())];
}

const Origin& Settings::origin(const Param& param) const {
    return origins[static_cast<std::size_t>(&param - params().data())];
}

void apply_setting(Settings& settings, std::string_view key, std::string_view value,
                   const Origin& origin, Diags& diags) {
    const Param* param = find_param(settings.params(), key);
    if (param == nullptr) {
        diags.push_back(
            {fmt::format("{}: want a parameter of {} ({}){}", key, settings.design.family.name,
                         origin.where, suggestion(key, known_keys(settings.params())))});
        return;
    }
    if (!assign(settings.design.config, *param, value)) {
        diags.push_back(
            {finding(flag_name(param->key), value, allowed_text(*param), origin.where)});
        settings.broken.insert(param->key);
        return;
    }
    settings.broken.erase(param->key);
    settings.origin(*param) = origin;
}

void apply_toml(Settings& settings, std::string_view text, std::string_view file,
                Origin::Level level, Diags& diags) {
    for_each_key(text, file, diags, [&](std::string_view key, const toml::node& node) {
        if (is_choice(key)) return;
        const std::string where =
            level == Origin::Level::kPreset ? std::string(file) : place(file, node.source());
        const Param* param = find_param(settings.params(), key);
        const std::optional<std::string> value = toml_text(node);
        if (param != nullptr && !value) {
            diags.push_back(
                {finding(flag_name(key), toml_found(node), allowed_text(*param), where)});
            settings.broken.insert(param->key);
            return;
        }
        apply_setting(settings, key, value.value_or(""), {level, where}, diags);
    });
}

std::string choice_of_toml(std::string_view text, std::string_view key, std::string_view file,
                           Diags& diags) {
    std::string found;
    Diags syntax;  // apply_toml() reports it
    for_each_key(text, file, syntax, [&](std::string_view name, const toml::node& node) {
        if (name != key) return;
        found = node.value_or(std::string());
        if (!found.empty()) return;
        const std::string value = node.is_string() ? "" : toml_found(node);
        diags.push_back({finding(key, value, fmt::format("the name of a {}", key),
                                 place(file, node.source()))});
    });
    return found;
}

void apply_derived_defaults(Settings& settings) {
    for (const DerivedDefault& row : settings.design.family.derived_defaults) {
        const Param& param = *find_param(settings.params(), row.key);
        const Param* leader = find_param(settings.params(), row.leader);
        // A bad leader is not followed: one message about it is enough.
        if (leader != nullptr && !in_range(settings.config(), *leader)) continue;
        Origin& origin = settings.origin(param);
        const ParamValue value = row.value(settings.config());
        if (origin.is_explicit() || param.get(settings.config()) == value) continue;
        param.set(settings.design.config, value);
        origin = {Origin::Level::kFollows, "follows " + flag_name(row.leader)};
    }
}

std::vector<Violation> violations(const Settings& settings) {
    std::vector<Violation> found;
    std::set<std::string_view> bad = settings.broken;
    const auto add = [&](const Param& param, const Rule* rule, const std::string& wanted) {
        found.push_back({&param, rule,
                         finding(flag_name(param.key), value_text(settings.config(), param), wanted,
                                 settings.origin(param).where)});
    };
    for (const Param& param : settings.params()) {
        if (bad.count(param.key) != 0 || in_range(settings.config(), param)) continue;
        add(param, nullptr, allowed_text(param));
        bad.insert(param.key);
    }
    for (const Rule& rule : settings.design.family.rules) {
        if (bad.count(rule.key) != 0 || bad.count(rule.other) != 0) continue;
        if (rule.holds(settings.config())) continue;
        add(*find_param(settings.params(), rule.key), &rule, rule.wanted(settings.config()));
    }
    return found;
}

Diags check(const Settings& settings) {
    Diags diags;
    for (const Violation& violation : violations(settings))
        diags.push_back({violation.text});
    return diags;
}

}  // namespace macrame
