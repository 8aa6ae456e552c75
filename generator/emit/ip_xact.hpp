#pragma once
/// A design as a component of IP-XACT.

#include <string>

#include "core/design.hpp"
#include "emit/output_set.hpp"
#include "regs/register_map.hpp"

namespace macrame::emit {

/// component.xml of IEEE 1685-2014: ports of the top, the Verilog files so far, the registers. Ports
/// with the attribute X_INTERFACE_INFO make bus interfaces; a slave for register access leads to the
/// registers.
std::string ip_xact(const Design& design, const OutputSet& set, const regs::RegisterSet& registers);

}  // namespace macrame::emit
