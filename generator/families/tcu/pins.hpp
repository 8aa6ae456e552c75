#pragma once

#include "families/tcu/derived.hpp"
#include "text/value.hpp"

namespace macrame::tcu {

/// The AXI4 masters of the top, with the names that the original has. Records {name, pins}; a pin
/// is {bus, signal, is_output, bits, name, doc}.
text::List memory_ports(const Derived& derived);

/// The pins of the AXI4-Lite slave before the registers.
text::List control_pins();

}  // namespace macrame::tcu
