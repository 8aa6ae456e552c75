#pragma once
/// Configurations in JSON, as conformance data has them: rows, cols, in_width, out_width and the
/// entries of the buffers, alone or as the member `config` of an object.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verif/systolic/isa/architecture.hpp"

namespace macrame::systolic::files {

/// A key with its limits and its place in an architecture.
struct ConfigKey {
    std::string_view name;
    int low;
    int high;
    int Architecture::*member;
    bool optional;  ///< the default if missing
};
extern const std::vector<ConfigKey> kConfigKeys;

/// The definition of scales, where it is not that of conformance files.
inline constexpr std::string_view kRequantiseKey = "requantise", kExact = "exact";

/// Mistakes go to `errors`: "case.json:4:3: rows = 0: want a whole number in 1..256".
std::optional<Architecture> read_architecture(const std::string& path,
                                              std::vector<std::string>& errors);

}  // namespace macrame::systolic::files
