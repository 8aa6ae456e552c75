#pragma once

#include <optional>
#include <string>

#include "families/family.hpp"

namespace macrame {

/// Names of modules in place of the usual ones.
struct ModuleNames {
    std::optional<std::string> prefix;  ///< before the name of every module
    std::optional<std::string> top;     ///< of the top, as it is
};

/// A configuration of a family that has passed all checks: what everything is generated from.
struct Design {
    const Family& family;
    std::string name;  ///< preset or file that the values started from
    AnyConfig config;
    ModuleNames names = {};

    AnySizes sizes() const { return family.derive(config); }

    const regs::RegisterSet& registers() const {
        return family.registers_of == nullptr ? family.registers : family.registers_of(config);
    }
};

}  // namespace macrame
