#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/identity.hpp"
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

    /// What names in headers begin with: the prefix and the name of the family.
    std::string header_name() const {
        return names.prefix.value_or("") + std::string(family.name);
    }

    AnySizes sizes() const { return family.derive(config); }

    /// Of the programs that it runs.
    std::uint32_t identity() const { return program_identity(family.name, family.params, config); }
    std::string program_parameters() const {
        return macrame::program_parameters(family.params, config);
    }
    /// Where software reads the identity, a byte address; 0: nowhere.
    std::uint32_t identity_register() const {
        return family.identity_register == nullptr ? 0 : family.identity_register(config);
    }

    const regs::RegisterSet& registers() const {
        return family.registers_of == nullptr ? family.registers : family.registers_of(config);
    }
};

}  // namespace macrame
