#pragma once
/// Settings from the JSON files that users of a family have: an object with its parameters, or a
/// larger one that holds such an object.

#include <string>
#include <string_view>
#include <vector>

#include "core/settings.hpp"

namespace macrame {

/// The family that reads the file as JSON: by the extension of its name or, if the text is an
/// object, by keys; the first one if no key tells. Null: the file is TOML.
const Family* json_family(const std::vector<const Family*>& families, std::string_view text,
                          const std::string& file);

/// Applies the object. All that is missing or unknown becomes diagnostics.
void apply_json(Settings& settings, std::string_view text, const std::string& file, Diags& diags);

}  // namespace macrame
