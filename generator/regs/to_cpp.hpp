#pragma once
/// RegisterMap -> C++ accessors, for golden models, testbenches and the trace player.

#include <string>
#include <vector>

#include "regs/register_map.hpp"

namespace macrame::regs {

/// Text of `<family>_regs.hpp`, C++17 with only the standard library. It has per unit a namespace
/// with one struct per register (later map) and one table of all registers per map version.
std::string to_cpp(const std::vector<const RegisterMap*>& maps, std::string_view family);

}  // namespace macrame::regs
