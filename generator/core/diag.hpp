#pragma once

#include <string>
#include <vector>

namespace macrame {

/// One message for the user. Errors stop the run before anything is written; notes do not.
struct Diag {
    enum class Kind { kError, kNote };
    Kind kind = Kind::kError;
    std::string text;  ///< what was found, what was wanted, where
};

/// Messages in the order in which they were found.
using Diags = std::vector<Diag>;

/// True if one of the messages is an error.
inline bool has_errors(const Diags& diags) {
    for (const Diag& diag : diags) {
        if (diag.kind == Diag::Kind::kError) {
            return true;
        }
    }
    return false;
}

}  // namespace macrame
