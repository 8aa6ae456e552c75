#include "emit/manifest.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/params.hpp"
#include "core/version.hpp"
#include "emit/sha256.hpp"

namespace macrame::emit {

using Json = nlohmann::ordered_json;

namespace {

Json value_of(const Config& config, const Param& param) {
    if (const auto* flag = std::get_if<bool Config::*>(&param.member)) {
        return config.*(*flag);
    }
    if (const auto* text = std::get_if<std::string Config::*>(&param.member)) {
        return config.*(*text);
    }
    const int value = config.*std::get<int Config::*>(param.member);
    return value == 0 && param.allowed.or_none ? Json(nullptr) : Json(value);
}

}  // namespace

std::string manifest(const Config& config, const OutputSet& set) {
    Json json;
    json["generator"] = "macrame";
    json["version"] = kVersion;
    json["family"] = "dla";
    json["configuration"] = config.name;
    for (const Param& param : params()) {
        json["parameters"][std::string(param.key)] = value_of(config, param);
    }
    json["files"] = Json::array();
    for (const OutputFile& file : set.files()) {
        json["files"].push_back(
            {{"path", file.path}, {"bytes", file.bytes.size()}, {"sha256", sha256(file.bytes)}});
    }
    return json.dump(2) + "\n";
}

std::vector<std::string> stale_files(const std::filesystem::path& folder, const OutputSet& set) {
    std::vector<std::string> stale;
    std::ifstream in(folder / kManifest);
    const Json json = Json::parse(in, nullptr, false);
    if (!json.is_object() || !json.contains("files") || !json["files"].is_array()) {
        return stale;
    }
    for (const Json& row : json["files"]) {
        if (!row.is_object()) {
            continue;
        }
        const std::string path = row.value("path", "");
        const auto& files = set.files();
        if (std::any_of(files.begin(), files.end(),
                        [&](const OutputFile& file) { return file.path == path; })) {
            continue;
        }
        std::ifstream old(folder / path, std::ios::binary);
        const std::string bytes(std::istreambuf_iterator<char>(old), {});
        if (old && sha256(bytes) == row.value("sha256", "")) {
            stale.push_back(path);
        }
    }
    return stale;
}

}  // namespace macrame::emit
