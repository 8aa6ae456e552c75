#pragma once

#include <string>

#include "families/family.hpp"

namespace macrame {

/// A configuration of a family that has passed all checks: what everything is generated from.
struct Design {
    const Family& family;
    std::string name;  ///< preset or file that the values started from
    AnyConfig config;

    AnySizes sizes() const { return family.derive(config); }
};

}  // namespace macrame
