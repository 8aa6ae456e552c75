#pragma once
/// How documents name the properties of a field.

#include <fmt/format.h>

#include <string>

#include "regs/register_map.hpp"

namespace macrame::regs {

/// "12:0" or "4".
inline std::string bits_of(const Field& field) {
    return field.msb == field.lsb ? fmt::format("{}", field.msb)
                                  : fmt::format("{}:{}", field.msb, field.lsb);
}

/// "ro, counter"
inline std::string access_of(const Field& field) {
    return field.hw == Hw::plain
               ? std::string(to_string(field.access))
               : fmt::format("{}, {}", to_string(field.access), to_string(field.hw));
}

/// "0 DIRECT, 1 WINOGRAD"
inline std::string codes(const Field& field) {
    std::string out;
    for (std::size_t i = 0; i < field.values.size(); ++i)
        out += fmt::format("{}{} {}", i == 0 ? "" : ", ", i, field.values[i]);
    return out;
}

}  // namespace macrame::regs
