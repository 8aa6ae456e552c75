#pragma once
/// .tarch files: an architecture as a JSON object.
///
/// All keys of the original are wanted; lut_tables and lut_depth are ours and may be missing.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verif/common/json.hpp"
#include "verif/tcu/isa/architecture.hpp"

namespace macrame::tcu::files {

/// A number of an architecture: key, limits, member.
struct ArchKey {
    std::string_view name;
    std::int64_t low, high;
    int Architecture::*number;  ///< null: the one below
    std::int64_t Architecture::*large;
    bool optional;  ///< 0 if missing
};
/// In the order in which they are written; data_type stands before them.
extern const std::vector<ArchKey> kArchKeys;

/// The architecture that is `object`. Mistakes go to `errors`, each with file, line and column:
/// "x.tarch:3:5: array_size = 1: want a whole number in 2..256".
std::optional<Architecture> parse_architecture(const verif::Json& object, const std::string& file,
                                               std::vector<std::string>& errors);

/// A .tarch file, or the architecture in a .tmodel file.
std::optional<Architecture> read_architecture(const std::string& path,
                                              std::vector<std::string>& errors);

/// The JSON object. `indent` blanks before each key; 0: all on one line, as in .tmodel files.
std::string architecture_text(const Architecture& architecture, int indent = 4);

}  // namespace macrame::tcu::files
