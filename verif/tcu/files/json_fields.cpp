#include "verif/tcu/files/json_fields.hpp"

#include <algorithm>
#include <utility>

#include "verif/common/text.hpp"

namespace macrame::tcu::files {

using verif::Json;
using verif::text::shortest;

Fields::Fields(const Json& object, std::string file, std::string where,
               std::vector<std::string>& errors)
    : object_(object), file_(std::move(file)), where_(std::move(where)), errors_(errors) {}

void Fields::complain(const Json& at, std::string_view what) {
    errors_.push_back(file_ + ":" + shortest(at.line) + ":" + shortest(at.column) + ": " + where_ +
                      std::string(what));
}

const Json* Fields::member(std::string_view key, Json::Kind kind, std::string_view wanted,
                           bool optional) {
    asked_.push_back(key);
    const Json* found = object_.find(key);
    if (found == nullptr) {
        if (!optional)
            complain(object_, std::string(key) + ": is missing: want " + std::string(wanted));
        return nullptr;
    }
    if (found->is(kind)) return found;
    complain(*found, std::string(key) + " = " + found->shown() + ": want " + std::string(wanted));
    return nullptr;
}

std::int64_t Fields::number(std::string_view key, std::int64_t low, std::int64_t high,
                            bool optional) {
    const std::string wanted = "a whole number in " + shortest(low) + ".." + shortest(high);
    const Json* found = member(key, Json::Kind::number, wanted, optional);
    if (found == nullptr) return 0;
    const auto value = verif::text::decimal<std::int64_t>(found->text);
    if (value && *value >= low && *value <= high) return *value;
    complain(*found, std::string(key) + " = " + found->shown() + ": want " + wanted);
    return 0;
}

std::string Fields::string(std::string_view key) {
    const Json* found = member(key, Json::Kind::string, "text in quotes");
    return found == nullptr ? std::string() : found->text;
}

bool Fields::boolean(std::string_view key, bool missing) {
    const Json* found = member(key, Json::Kind::boolean, "true or false", true);
    return found == nullptr ? missing : found->boolean;
}

void Fields::finish() {
    for (const auto& [key, value] : object_.members) {
        if (std::find(asked_.begin(), asked_.end(), key) != asked_.end()) continue;
        const std::vector<std::string> known(asked_.begin(), asked_.end());
        complain(value, verif::text::shown(key) + " is no key here: want " +
                            verif::text::join(known, "or"));
    }
}

std::optional<Json> parse_json_object(std::string_view text, const std::string& file,
                                      std::vector<std::string>& errors) {
    std::string problem;
    std::optional<Json> json = verif::parse_json(text, problem);
    if (!json) {
        errors.push_back(file + ":" + problem);
    } else if (!json->is(Json::Kind::object)) {
        errors.push_back(file + ":" + shortest(json->line) + ":" + shortest(json->column) +
                         ": found " + json->shown() + ": want an object");
        return std::nullopt;
    }
    return json;
}

std::optional<Json> read_json_object(const std::string& path, std::vector<std::string>& errors) {
    std::string problem;
    const auto text = verif::text::read_file(path, problem);
    if (text) return parse_json_object(*text, path, errors);
    errors.push_back(path + ": " + problem);
    return std::nullopt;
}

}  // namespace macrame::tcu::files
