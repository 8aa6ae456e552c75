#include "resolve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/json_settings.hpp"
#include "emit/file_io.hpp"
#include "emit/names.hpp"
#include "messages.hpp"

namespace macrame {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kConfigOption = "--config";

/// A name and where the user wrote it.
struct Choice {
    std::string name;
    std::string where;
    bool given = false;
};

/// What the options and the file choose.
struct Choices {
    std::string file_text;
    const Family* json = nullptr;  ///< whose JSON the file is; null: it is TOML or there is none
    Choice family;
    Choice preset;
};

/// Contents of the file with parameters; a diagnostic if it cannot be read.
std::string read_parameters(const std::string& path, Diags& diags) {
    if (path.empty()) {
        diags.push_back({finding(kConfigOption, path, "a file", "command line")});
        return "";
    }
    const emit::FileText file = emit::read_file(path);
    if (!file.error.empty()) diags.push_back({fmt::format("{}: {}", path, file.error)});
    return file.bytes;
}

Choice choice(const std::optional<std::string>& option, std::string_view key,
              const Request& request, const std::string& text, Diags& diags) {
    if (option) return {*option, fmt::format("--{}", key), true};
    if (!request.config_file) return {};
    const std::size_t before = diags.size();
    const std::string name = choice_of_toml(text, key, *request.config_file, diags);
    return {name, *request.config_file, !name.empty() && diags.size() == before};
}

Choices choices_of(const Request& request, const emit::Assets& assets, Diags& diags) {
    Choices out;
    std::string toml;
    if (request.config_file) {
        out.file_text = read_parameters(*request.config_file, diags);
        out.json = json_family(assets.families(), out.file_text, *request.config_file);
        if (out.json == nullptr) toml = out.file_text;
    }
    out.family = choice(request.family, "family", request, toml, diags);
    out.preset = choice(request.preset, "preset", request, toml, diags);
    return out;
}

std::string stem(const std::string& path) { return fs::path(path).stem().string(); }

std::string preset_folder(const Family& family) {
    return fmt::format("generator/families/{}/presets/", family.name);
}

/// Full names of presets that are or start with `name`; the name itself alone if it is one.
std::vector<std::string> matching(const std::vector<std::string>& names, const std::string& name) {
    std::vector<std::string> found;
    for (const std::string& candidate : names) {
        if (candidate == name) return {name};
        if (!name.empty() && candidate.compare(0, name.size(), name) == 0)
            found.push_back(candidate);
    }
    return found;
}

const PlannedPreset* planned(const Family& family, const std::string& name) {
    const auto& list = family.planned;
    const auto at = std::find_if(list.begin(), list.end(),
                                 [&](const PlannedPreset& row) { return row.name == name; });
    return at == list.end() ? nullptr : &*at;
}

/// Has this family a preset, or plans one, that the word can mean?
bool has_preset(const Family& family, const emit::Assets& assets, const std::string& name) {
    return !matching(preset_names(family, assets), name).empty() ||
           planned(family, name) != nullptr;
}

/// Full name of the preset; empty with a diagnostic if there is none.
std::string find_preset(const Family& family, const emit::Assets& assets, const Choice& wanted,
                        Diags& diags) {
    if (!wanted.given) return std::string(family.default_preset);
    const std::vector<std::string> names = preset_names(family, assets);
    const std::vector<std::string> found = matching(names, wanted.name);
    if (found.size() == 1) return found[0];
    if (const PlannedPreset* row = planned(family, wanted.name)) {
        diags.push_back({fmt::format("preset = {}: not built yet: {} ({})", row->name, row->lacks,
                                     wanted.where)});
        return "";
    }
    diags.push_back({finding("preset", wanted.name,
                             (found.empty() ? "one of " : "only one of ") +
                                 fmt::format("{}", fmt::join(found.empty() ? names : found, ", ")),
                             wanted.where) +
                     (found.empty() ? suggestion(wanted.name, names) : "")});
    return "";
}

const Family& family_of(const Choices& wanted, const emit::Assets& assets, Diags& diags) {
    const Families& families = assets.families();
    if (wanted.family.given) {
        if (const Family* family = find_family(families, wanted.family.name)) return *family;
        std::vector<std::string> names;
        for (const Family* family : families)
            names.emplace_back(family->name);
        diags.push_back(
            {finding("family", wanted.family.name, join_or(names), wanted.family.where) +
             suggestion(wanted.family.name, names)});
    } else if (wanted.preset.given) {
        for (const Family* family : families) {
            if (has_preset(*family, assets, wanted.preset.name)) return *family;
        }
    } else if (wanted.json != nullptr) {
        return *wanted.json;
    }
    return *families.front();
}

}  // namespace

std::vector<std::string> preset_names(const Family& family, const emit::Assets& assets) {
    std::vector<std::string> names;
    for (const std::string& path : assets.list(preset_folder(family)))
        names.push_back(stem(path));
    return names;
}

const Family& choose_family(const Request& request, const emit::Assets& assets, Diags& diags) {
    return family_of(choices_of(request, assets, diags), assets, diags);
}

Settings resolve_given(const Request& request, const emit::Assets& assets, Diags& diags) {
    const Choices wanted = choices_of(request, assets, diags);
    Settings settings(family_of(wanted, assets, diags));
    if (!diags.empty()) return settings;
    const Family& family = settings.design.family;
    const std::string base = find_preset(family, assets, wanted.preset, diags);
    if (base.empty()) return settings;
    const std::string file = base + ".toml";
    apply_toml(settings, assets.read(preset_folder(family) + file).value_or(""), file,
               Origin::Level::kPreset, diags);
    settings.design.name = base;
    settings.design.names = request.names;
    if (request.config_file) {
        const std::string& path = *request.config_file;
        if (wanted.json != nullptr) {
            apply_json(settings, wanted.file_text, path, diags);
        } else {
            apply_toml(settings, wanted.file_text, path, Origin::Level::kFile, diags);
        }
        settings.design.name = stem(*request.config_file);
    }
    for (const auto& [key, text] : request.values)
        apply_setting(settings, key, text, {Origin::Level::kFlag, "--" + flag_name(key)}, diags);
    return settings;
}

Settings resolve(const Request& request, const emit::Assets& assets, Diags& diags) {
    Settings settings = resolve_given(request, assets, diags);
    apply_derived_defaults(settings);
    return settings;
}

std::optional<Design> design_of(const Request& request, const emit::Assets& assets) {
    Diags diags;
    if (const std::string problem = assets.problem(); !problem.empty()) diags.push_back({problem});
    const Settings settings = resolve(request, assets, diags);
    for (const Diags& more : {check(settings), emit::check(request.names)})
        diags.insert(diags.end(), more.begin(), more.end());
    if (report(diags)) return std::nullopt;
    return settings.design;
}

}  // namespace macrame
