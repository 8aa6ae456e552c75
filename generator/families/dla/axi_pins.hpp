#pragma once
/// Pins of the memory ports of the system top, for its template.

#include <string_view>

#include "core/unit.hpp"
#include "families/dla/config.hpp"

namespace macrame::dla {

/// What a memory port has.
struct PortWidths {
    int addr;  ///< bits of an address
    int data;  ///< bits of a beat
};

/// Pins of a memory port of the core: {name, wire, port, range}; `wire` begins with
/// "nvdla_core2" and the name of the port, `core`.
text::List core_pins(std::string_view core, PortWidths widths);

/// Pins of the bus behind it: {name, signal, parameter, port, range, doc}; `signal` is the name in
/// X_INTERFACE_INFO, `parameter` is X_INTERFACE_PARAMETER of the bus at its first pin.
text::List axi_pins(const Config& config, PortWidths widths);

}  // namespace macrame::dla
