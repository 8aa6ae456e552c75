#pragma once

#include "families/tcu/derived.hpp"
#include "text/value.hpp"

namespace macrame::tcu {

/// The AXI ports of the top, with the names that the original has: the slave in front of the
/// registers, if there is one, and the masters. Records {title, pins}; a pin is {bus, signal,
/// is_output, bits, name, doc}.
text::List bus_ports(const Config& config, const Derived& derived);

}  // namespace macrame::tcu
