#pragma once
/// What instructions may say.

#include <string>

#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/isa/instruction.hpp"

namespace macrame::systolic {

/// Why the instruction is illegal: "z_size 20: want at most 16, the banks of IBUF from bank 0".
/// Empty if it is legal.
std::string problem(const Architecture& architecture, const Instruction& instruction);

}  // namespace macrame::systolic
