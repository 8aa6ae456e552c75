#include "core/settings.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <sstream>

#include "core/derived.hpp"

namespace macrame {

namespace {

std::vector<std::string> param_keys() {
    std::vector<std::string> keys = {"preset"};
    for (const Param& param : params()) {
        keys.emplace_back(param.key);
    }
    return keys;
}

std::string finding(const std::string& name, const std::string& value, const std::string& wanted,
                    const std::string& where) {
    return name + " = " + value + ": want " + wanted + " (" + where + ")";
}

/// Text of a TOML value as the user would give it to a flag; empty for tables and the like.
std::string toml_text(const toml::node& node) {
    if (const auto* array = node.as_array()) {
        std::string text;
        for (const toml::node& item : *array) {
            text += (text.empty() ? "" : ",") + toml_text(item);
        }
        return text;
    }
    if (const auto* text = node.as_string()) {
        return text->get();
    }
    if (const auto* number = node.as_integer()) {
        return std::to_string(number->get());
    }
    if (const auto* flag = node.as_boolean()) {
        return flag->get() ? "true" : "false";
    }
    return "";
}

/// Sets `key` to `value` because it has to equal `leader`. A bad leader is not followed: one
/// message about it is enough.
void follow(Settings& settings, std::string_view key, std::string_view leader, int value) {
    const Param* leading = find_param(leader);
    if (leading != nullptr && !in_range(settings.config, *leading)) {
        return;
    }
    const Param& param = *find_param(key);
    Origin& origin = settings.origin(param);
    int& member = settings.config.*std::get<int Config::*>(param.member);
    if (!origin.is_explicit() && member != value) {
        member = value;
        origin = {Origin::Level::kFollows, "follows " + flag_name(leader)};
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
    const Param* param = find_param(key);
    if (param == nullptr) {
        const std::string like = closest(key, param_keys());
        diags.push_back({std::string(key) + ": want a parameter name" +
                         (like.empty() ? "" : ", perhaps " + like) + " (" + origin.where + ")"});
        return;
    }
    if (!assign(settings.config, *param, value)) {
        diags.push_back({finding(flag_name(param->key), std::string(value), allowed_text(*param),
                                 origin.where)});
        return;
    }
    settings.origin(*param) = origin;
}

void apply_toml(Settings& settings, std::string_view text, std::string_view file,
                Origin::Level level, Diags& diags) {
    try {
        const toml::table table = toml::parse(text, file);
        for (const auto& [key, node] : table) {
            const std::string where =
                level == Origin::Level::kPreset
                    ? std::string(file)
                    : std::string(file) + ":" + std::to_string(node.source().begin.line);
            if (key.str() != "preset") {
                apply_setting(settings, key.str(), toml_text(node), {level, where}, diags);
            }
        }
    } catch (const toml::parse_error& e) {
        diags.push_back({std::string(file) + ":" + std::to_string(e.source().begin.line) + ":" +
                         std::to_string(e.source().begin.column) + ": " +
                         std::string(e.description())});
    }
}

std::optional<std::string> preset_of_toml(std::string_view text) {
    try {
        return toml::parse(text)["preset"].value<std::string>();
    } catch (const toml::parse_error&) {
        return std::nullopt;  // apply_toml() reports it
    }
}

void apply_followers(Settings& settings) {
    Config& config = settings.config;
    follow(settings, "cbuf_bank_width", "mac_atomic_c_size", config.mac_atomic_c_size);
    follow(settings, "memory_atomic_size", "mac_atomic_k_size", config.mac_atomic_k_size);
    follow(settings, "primary_memif_width", "memory_atomic_size",
           std::max(config.primary_memif_width, 8 * config.memory_atomic_size));
    const Config counted = config;
    follow(settings, "num_dma_read_clients", "enabled units", dma_read_clients(counted));
    follow(settings, "num_dma_write_clients", "enabled units", dma_write_clients(counted));
}

std::vector<Violation> violations(const Settings& settings) {
    std::vector<Violation> found;
    const Config& config = settings.config;
    const auto add = [&](const Param& param, const Rule* rule, const std::string& wanted) {
        found.push_back({&param, rule,
                         finding(flag_name(param.key), value_text(config, param), wanted,
                                 settings.origin(param).where)});
    };
    for (const Param& param : params()) {
        if (!in_range(config, param)) add(param, nullptr, allowed_text(param));
    }
    const std::size_t ranges = found.size();
    const auto is_bad = [&](std::string_view key) {
        return std::any_of(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(ranges),
                           [&](const Violation& v) { return v.param->key == key; });
    };
    for (const Rule& rule : rules()) {
        if (is_bad(rule.key) || is_bad(rule.other) || rule.holds(config)) continue;
        add(*find_param(rule.key), &rule, rule.wanted(config));
    }
    return found;
}

Diags check(const Settings& settings) {
    Diags diags;
    for (const Violation& violation : violations(settings)) {
        diags.push_back({violation.text});
    }
    return diags;
}

}  // namespace macrame
