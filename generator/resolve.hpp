#pragma once
/// From what the user asked for to a configuration: which family, which preset, which values.

#include <optional>
#include <string>
#include <vector>

#include "core/settings.hpp"
#include "emit/assets.hpp"
#include "request.hpp"

namespace macrame {

/// Names of the presets of a family, sorted.
std::vector<std::string> preset_names(const Family& family, const emit::Assets& assets);

/// The family that --family, the preset or the file asks for; the first one if none does. Mistakes
/// become diagnostics.
const Family& choose_family(const Request& request, const emit::Assets& assets, Diags& diags);

/// Preset, then file, then flags: what nobody gave does not follow yet. Not checked.
Settings resolve_given(const Request& request, const emit::Assets& assets, Diags& diags);

/// The configuration asked for: preset, then file, then flags, then derived defaults. Not checked.
Settings resolve(const Request& request, const emit::Assets& assets, Diags& diags);

/// The configuration asked for, if it is legal and built; messages are reported.
std::optional<Design> design_of(const Request& request, const emit::Assets& assets);

}  // namespace macrame
