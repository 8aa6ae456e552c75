#pragma once
/// What the identity of programs is made of, for the tests of all families.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/identity.hpp"
#include "families/family.hpp"

namespace macrame {

/// A value that the parameter does not have; legal or not does not matter here.
inline void change(AnyConfig& config, const Param& param) {
    const ParamValue value = param.get(config);
    if (const auto* flag = std::get_if<bool>(&value)) return param.set(config, !*flag);
    if (const auto* number = std::get_if<int>(&value)) return param.set(config, *number + 1);
    param.set(config, std::get<std::string>(value) + "x");
}

/// Each parameter but those of `ignored`, in the order of the rows, changes the identity.
inline void expect_identity_of_all_but(const Family& family,
                                       const std::vector<std::string_view>& ignored) {
    const auto identity = [&](const AnyConfig& config) {
        return program_identity(family.name, family.params, config);
    };
    const std::uint32_t before = identity(family.defaults);
    EXPECT_NE(before, 0u);
    std::vector<std::string_view> found;
    for (const Param& param : family.params) {
        AnyConfig config = family.defaults;
        change(config, param);
        if (identity(config) == before) found.push_back(param.key);
        const std::string line =
            "\n" + std::string(param.key) + "=" + value_text(config, param) + "\n";
        const std::string lines = "\n" + program_parameters(family.params, config);
        EXPECT_EQ(lines.find(line) == std::string::npos, param.programs == Programs::ignore)
            << param.key;
    }
    EXPECT_EQ(found, ignored) << "a parameter that cannot change what a program computes is one of "
                                 "these, all others are not";
}

}  // namespace macrame
