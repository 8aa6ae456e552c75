#pragma once

#include "regs/register_map.hpp"
#include "text/xml.hpp"

namespace macrame::regs {

/// Name of the memory map that to_ipxact writes.
inline constexpr const char* kMemoryMap = "registers";

/// Registers -> the element memoryMaps of IP-XACT (IEEE 1685-2014), an address block per unit.
void to_ipxact(const RegisterSet& set, text::Xml& xml);

}  // namespace macrame::regs
