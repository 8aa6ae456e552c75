#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/config.hpp"
#include "emit/output_set.hpp"

namespace macrame::emit {

inline constexpr const char* kManifest = "manifest.json";

/// Text of manifest.json: version, parameters, sizes and SHA-256 of all files of the set.
std::string manifest(const Config& config, const OutputSet& set);

/// Files that the manifest in `folder` lists, that `set` does not have and that nobody has
/// changed since: left over from an earlier configuration.
std::vector<std::string> stale_files(const std::filesystem::path& folder, const OutputSet& set);

}  // namespace macrame::emit
