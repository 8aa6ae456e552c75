#pragma once
/// Registers -> C++ accessors, for golden models, testbenches and the trace player.

#include <string>

#include "regs/register_map.hpp"

namespace macrame::regs {

/// Text of `<family>_regs.hpp`, C++17 with only the standard library. It has per unit a namespace
/// with one struct per register, and one table of all registers for the map and every variant.
std::string to_cpp(const RegisterSet& set);

}  // namespace macrame::regs
