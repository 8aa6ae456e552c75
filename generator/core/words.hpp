#pragma once
/// Words that users write and messages are made of.

#include <string>
#include <string_view>
#include <vector>

#include "core/diag.hpp"

namespace macrame {

/// "mac_atomic_c_size" -> "mac-atomic-c-size".
std::string flag_name(std::string_view key);

/// "8, 16 or 32"
std::string join_or(const std::vector<std::string>& items);

/// The candidate most like `name`, empty if none is near.
std::string closest(std::string_view name, const std::vector<std::string>& candidates);

/// "; did you mean X?", or nothing if no candidate is near.
std::string suggestion(std::string_view name, const std::vector<std::string>& candidates);

/// The one candidate that is or starts with `word`. If there is none, or more than one, `word`
/// itself and a diagnostic that starts with `what`.
std::string complete(std::string_view what, const std::string& word,
                     const std::vector<std::string>& candidates, Diags& diags);

/// "name = value: want wanted (where)", the shape of all messages about values.
std::string finding(std::string_view name, std::string_view value, std::string_view wanted,
                    std::string_view where);

}  // namespace macrame
