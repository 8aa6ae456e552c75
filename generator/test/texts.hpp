#pragma once
/// Messages without what belongs to them.

#include <string>
#include <vector>

#include "core/diag.hpp"

namespace macrame {

inline std::vector<std::string> texts(const Diags& diags) {
    std::vector<std::string> out;
    for (const Diag& diag : diags)
        out.push_back(diag.text);
    return out;
}

}  // namespace macrame
