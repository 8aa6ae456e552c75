#pragma once

#include <string>
#include <vector>

#include "cli.hpp"

namespace macrame {

/// A change of one parameter that repairs something.
struct Repair {
    const Param* param = nullptr;
    std::string values;  ///< what it may be set to, as part of a sentence: "8, 16 or 32"
};

/// Changes of one parameter, the rest as requested, after which `violation` is gone and nothing new
/// is wrong. The parameter of the message comes first, the others follow in the order of params().
std::vector<Repair> repairs(const Request& request, const emit::Assets& assets,
                            const Violation& violation);

/// Whether the configuration that the request asks for is built: its values and where they come
/// from, or every reason against it with what would be accepted instead. `accepted` says which.
std::string explain_configuration(const Request& request, const emit::Assets& assets,
                                  bool& accepted);

/// Answer to `macrame explain`, on standard output. Exit status: 0, or 2 if the configuration is
/// refused or the subject unknown.
int run_explain(Request request);

/// One line with the main sizes: "64 MACs, 128 KiB buffer, 64-bit memory port".
std::string size_text(const Config& config);

}  // namespace macrame
