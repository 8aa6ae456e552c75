#pragma once
/// The registers of the unit `control`.

#include "regs/register_map.hpp"

namespace macrame::tcu {

const regs::RegisterMap& control_registers();

/// All registers of the family.
const regs::RegisterSet& registers();

/// Bits of a byte address of the port of the registers.
int control_address_bits();

}  // namespace macrame::tcu
