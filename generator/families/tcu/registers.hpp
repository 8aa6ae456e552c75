#pragma once
/// The registers of the unit `control`.

#include <cstdint>

#include "regs/register_map.hpp"

namespace macrame::tcu {

/// Of the register with the identity of programs.
inline constexpr std::uint32_t kIdentityOffset = 0x14;

const regs::RegisterMap& control_registers();

/// All registers of the family.
const regs::RegisterSet& registers();

/// Bits of a byte address of the port of the registers.
int control_address_bits();

}  // namespace macrame::tcu
