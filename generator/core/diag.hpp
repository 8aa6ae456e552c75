#pragma once

#include <string>
#include <vector>

namespace macrame {

/// One mistake of the user. Any of them stops the run before something is written.
struct Diag {
    std::string text;  ///< what was found, what was wanted, where
};

/// Messages in the order in which they were found.
using Diags = std::vector<Diag>;

}  // namespace macrame
