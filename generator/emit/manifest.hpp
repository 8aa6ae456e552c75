#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/design.hpp"
#include "core/diag.hpp"
#include "emit/output_set.hpp"

namespace macrame::emit {

inline constexpr const char* kManifest = "manifest.json";
/// Folder in the output folder for new contents while they are written.
inline constexpr const char* kStaging = ".macrame.new";

/// Text of manifest.json: version, parameters, sizes and SHA-256 of all files of the set.
std::string manifest(const Design& design, const OutputSet& set);

/// Files that an earlier run made, that `set` does not have and that nobody has changed since: the
/// manifest in `folder` lists them, or the one of a run that was killed and left `kStaging`. A
/// manifest that macrame cannot have made is a mistake.
std::vector<std::string> stale_files(const std::filesystem::path& folder, const OutputSet& set,
                                     Diags& diags);

}  // namespace macrame::emit
