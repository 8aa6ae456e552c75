#pragma once
/// Register files of the dla family: a CSB port and, in most units, two register groups.

#include <string>
#include <string_view>

#include "core/unit.hpp"
#include "regs/register_map.hpp"

namespace macrame::dla {

/// Text of `<module>.v` with the ports and the timing of templates/dla/README.md.
/// Throws std::invalid_argument if `use` names a register or field that does not exist.
///
/// Fields with a port are flops (one set per group, the CONSUMER's set goes to the port). What
/// software reads back comes from one LUT RAM that holds a copy of all registers: reading flops
/// back would take a 64:1 multiplexer of 32 bits. A map with only a few bits has no RAM.
std::string register_file(const regs::RegisterMap& map, const RegUse& use, std::string_view module);

/// Cycles after reset in which a register file with RAM still writes the reset values into it.
int reset_sweep_cycles(const regs::RegisterMap& map);

}  // namespace macrame::dla
