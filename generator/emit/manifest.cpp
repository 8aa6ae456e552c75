#include "emit/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "core/version.hpp"
#include "emit/file_io.hpp"
#include "emit/names.hpp"
#include "emit/sha256.hpp"
#include "emit/units.hpp"

namespace macrame::emit {

namespace fs = std::filesystem;

using Json = nlohmann::ordered_json;

namespace {

Json value_of(const AnyConfig& config, const Param& param) {
    const ParamValue value = param.get(config);
    const auto* number = std::get_if<int>(&value);
    if (number != nullptr && *number == 0 && param.allowed.or_none) return nullptr;
    return std::visit([](const auto& typed) { return Json(typed); }, value);
}

/// A row of the files in a manifest.
struct Listed {
    std::string path;
    std::string sha256;
};

/// Reads a row; what is wrong becomes `fault`.
Listed listed_file(const Json& row, std::string& fault) {
    const auto text = [&](const char* key) {
        const bool found = row.is_object() && row.contains(key) && row[key].is_string();
        return found ? row[key].get<std::string>() : std::string();
    };
    Listed out = {text("path"), text("sha256")};
    if (out.path == kManifest || !is_inside(out.path)) {
        fault = "path: want the path of a file in this folder";
    } else if (out.sha256.empty()) {
        fault = "sha256: want a checksum";
    }
    return out;
}

/// The files that a manifest lists; none if there is no manifest.
std::vector<Listed> listed_files(const fs::path& path, Diags& diags) {
    std::vector<Listed> result;
    const FileText text = read_file(path);
    if (text.missing) return result;
    if (!text.error.empty()) {
        diags.push_back({fmt::format("{}: {}", path.string(), text.error)});
        return result;
    }
    const Json json = Json::parse(text.bytes, nullptr, false);
    if (!json.is_object() || json.value("generator", Json()) != "macrame" ||
        !json.contains("files") || !json["files"].is_array()) {
        diags.push_back({fmt::format("{}: not made by macrame: want another folder, or remove it",
                                     path.string())});
        return result;
    }
    for (std::size_t i = 0; i < json["files"].size(); ++i) {
        std::string fault;
        const Listed row = listed_file(json["files"][i], fault);
        if (fault.empty()) {
            result.push_back(row);
            continue;
        }
        diags.push_back({fmt::format("{}: files[{}].{}; remove it if it is not needed",
                                     path.string(), i, fault)});
        return result;
    }
    return result;
}

}  // namespace

std::string manifest(const Design& design, const OutputSet& set) {
    Json json;
    json["generator"] = "macrame";
    json["version"] = kVersion;
    json["family"] = design.family.name;
    json["top"] = emitted_name(design, top_module(design));
    json["configuration"] = design.name;
    if (design.names.prefix) json["prefix"] = *design.names.prefix;
    for (const Param& param : design.family.params) {
        json["parameters"][std::string(param.key)] = value_of(design.config, param);
    }
    json["files"] = Json::array();
    for (const OutputFile& file : set.files()) {
        json["files"].push_back(
            {{"path", file.path}, {"bytes", file.bytes.size()}, {"sha256", sha256(file.bytes)}});
    }
    return json.dump(2) + "\n";
}

std::vector<std::string> stale_files(const fs::path& folder, const OutputSet& set, Diags& diags) {
    std::vector<Listed> listed = listed_files(folder / kManifest, diags);
    Diags of_killed_run;  // may end anywhere
    const std::vector<Listed> more = listed_files(folder / kStaging / kManifest, of_killed_run);
    listed.insert(listed.end(), more.begin(), more.end());
    std::vector<std::string> stale;
    for (const Listed& old : listed) {
        const auto& files = set.files();
        const bool wanted = std::any_of(files.begin(), files.end(), [&](const OutputFile& file) {
            return file.path == old.path;
        });
        if (wanted || std::find(stale.begin(), stale.end(), old.path) != stale.end()) continue;
        const FileText text = read_file(folder / old.path);
        if (text.error.empty() && sha256(text.bytes) == old.sha256) stale.push_back(old.path);
    }
    return stale;
}

}  // namespace macrame::emit
