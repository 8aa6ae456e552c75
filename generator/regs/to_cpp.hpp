#pragma once
/// Registers -> C++ accessors, for golden models, testbenches and the trace player.

#include <string>
#include <string_view>

#include "regs/register_map.hpp"

namespace macrame::regs {

/// Text of `<family>_regs.hpp`, C++17 with only the standard library. It has per unit a namespace
/// with one struct per register, and one table of all registers for the map and every variant. All
/// is in a namespace, `before` in front of `<family>_regs`.
std::string to_cpp(const RegisterSet& set, std::string_view before = "");

}  // namespace macrame::regs
