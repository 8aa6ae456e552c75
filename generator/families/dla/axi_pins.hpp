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

/// Pins of a memory port of the core: {name, wire, bus_wire, port, range, comma} and {pin,
/// attribute, parameter, doc}, the last three empty. `wire` begins with "nvdla_core2" and the name
/// of the port, `core`; `bus_wire` is the one behind the crossing to the clock of the bus, if there
/// is one: it begins with `name`.
text::List core_pins(const Config& config, std::string_view core, std::string_view name,
                     PortWidths widths);

/// Pins of the bus behind it, whose names begin with `axi`: {name, pin, attribute, parameter, port,
/// range, doc}; `attribute` is X_INTERFACE_INFO, `parameter` X_INTERFACE_PARAMETER at the first pin.
text::List axi_pins(const Config& config, std::string_view axi, PortWidths widths);

}  // namespace macrame::dla
