#include "core/json_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>

#include "verif/common/json.hpp"

namespace macrame {

namespace {

using verif::Json;

bool begins_object(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    return begin != text.npos && text[begin] == '{';
}

std::string place(const std::string& file, const Json& at) {
    return fmt::format("{}:{}:{}", file, at.line, at.column);
}

/// What JSON has for a parameter.
Json::Kind kind_of(const Param& param) {
    if (param.is_flag()) return Json::Kind::boolean;
    return param.kind == Param::Kind::number ? Json::Kind::number : Json::Kind::string;
}

/// The value as the user would give it to a flag.
std::string flag_text(const Json& value) {
    if (value.is(Json::Kind::boolean)) return value.boolean ? "true" : "false";
    return value.text;
}

/// The value with the parameters, which should be an object.
const Json& parameters_in(const Json& json, const JsonFiles& form) {
    const Json* inside = json.find(form.member);
    return inside == nullptr ? json : *inside;
}

std::vector<std::string_view> missing_keys(const Json& object, const JsonFiles& form) {
    std::vector<std::string_view> missing;
    std::copy_if(form.keys.begin(), form.keys.end(), std::back_inserter(missing),
                 [&](std::string_view key) { return object.find(key) == nullptr; });
    return missing;
}

std::string list(const std::vector<std::string_view>& keys) {
    return fmt::format("{}", fmt::join(keys, ", "));
}

}  // namespace

const Family* json_family(const std::vector<const Family*>& families, std::string_view text,
                          const std::string& file) {
    const std::string extension = std::filesystem::path(file).extension().string();
    std::vector<const Family*> candidates;
    for (const Family* family : families) {
        if (family->json == nullptr) continue;
        const auto& own = family->json->extensions;
        if (std::find(own.begin(), own.end(), extension) != own.end()) return family;
        candidates.push_back(family);
    }
    if (!begins_object(text) || candidates.empty()) return nullptr;
    std::string problem;  // apply_json() reports it
    const std::optional<Json> json = verif::parse_json(text, problem);
    for (const Family* family : candidates) {
        const JsonFiles& form = *family->json;
        if (json && missing_keys(parameters_in(*json, form), form).size() < form.keys.size())
            return family;
    }
    return candidates.front();
}

void apply_json(Settings& settings, std::string_view text, const std::string& file, Diags& diags) {
    const Family& family = settings.design.family;
    if (family.json == nullptr) {
        diags.push_back(
            {fmt::format("{}: found JSON: want TOML with parameters of {}", file, family.name)});
        return;
    }
    std::string problem;
    const std::optional<Json> json = verif::parse_json(text, problem);
    if (!json) {
        diags.push_back({fmt::format("{}:{}", file, problem)});
        return;
    }
    const JsonFiles& form = *family.json;
    const Json& object = parameters_in(*json, form);
    const std::vector<std::string_view> missing = missing_keys(object, form);
    if (missing.size() == form.keys.size()) {
        diags.push_back(
            {fmt::format("{}: found {}: want an object with {}, or one under \"{}\"",
                         place(file, object), object.shown(), list(missing), form.member)});
        return;
    }
    if (!missing.empty()) {
        diags.push_back({fmt::format("{}: {} missing: want these keys, too", place(file, object),
                                     list(missing))});
    }
    for (const auto& [key, value] : object.members) {
        const std::string where = place(file, value);
        const Param* param = find_param(settings.params(), key);
        if (param != nullptr && !value.is(kind_of(*param))) {
            diags.push_back({finding(flag_name(key), value.shown(), allowed_text(*param), where)});
            settings.broken.insert(param->key);
            continue;
        }
        apply_setting(settings, key, flag_text(value), {Origin::Level::kFile, where}, diags);
    }
}

}  // namespace macrame
