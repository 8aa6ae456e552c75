#pragma once

#include "regs/register_map.hpp"

namespace macrame::systolic {

/// Of the unit control: what software sees behind the AXI4 slave.
const regs::RegisterMap& control_registers();

/// The same for documents and headers.
const regs::RegisterSet& registers();

/// Of the register with the identity of programs.
inline constexpr std::uint32_t kIdentityOffset = 0x70;

/// Registers lie in words of the bus; all of them in so many bytes from config-address on.
inline constexpr int kControlWordBytes = 16;
inline constexpr int kControlBytes = 128;

}  // namespace macrame::systolic
