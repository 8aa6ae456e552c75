#pragma once
/// RegisterMap -> Verilog register file.

#include <string>

#include "core/unit.hpp"
#include "regs/register_map.hpp"

namespace macrame::regs {

/// Text of `dla_<use.unit>_regs.v` with the ports and the timing of templates/dla/README.md.
/// Throws std::invalid_argument if `use` names a register or field that does not exist.
///
/// Fields with a port are flops (one set per group, the CONSUMER's set goes to the port). What
/// software reads back comes from one LUT RAM that holds a copy of all registers: reading flops
/// back would take a 64:1 multiplexer of 32 bits. A map with only a few bits has no RAM.
std::string to_verilog(const RegisterMap& map, const RegUse& use);

/// Cycles after reset in which a register file with RAM still writes the reset values into it.
int reset_sweep_cycles(const RegisterMap& map);

}  // namespace macrame::regs
