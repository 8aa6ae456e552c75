#pragma once
/// What instructions may say.

#include <string>

#include "verif/tcu/isa/architecture.hpp"
#include "verif/tcu/isa/instruction.hpp"

namespace macrame::tcu {

/// The opcode, or the kind of a DataMove, does not exist here: consumed without effect.
bool is_ignored(const Architecture& architecture, const Instruction& instruction);

/// The error flag of instruction validation, exactly as the original raises it: some rules are
/// stricter than the hardware needs, others (strides, DRAM) are not looked at. LoadLUT and Lookup,
/// which the original does not have, follow the same pattern.
bool raises_error(const Architecture& architecture, const Instruction& instruction);

/// Why the result of the instruction is undefined: "local memory 8195: want below 8192" or empty.
/// Instructions without effect are well defined.
std::string undefined(const Architecture& architecture, const Instruction& instruction);

/// Why programs made for `program` do not run on `machine`: "array_size 8: want 32". Empty if they
/// do: one coding of instructions and data, and no memory smaller.
std::string misfit(const Architecture& program, const Architecture& machine);

}  // namespace macrame::tcu
