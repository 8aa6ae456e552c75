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

/// Pins of a memory port of the core: {name, is_output, bits, net, pin, first, last, doc}. `net`
/// begins with "nvdla_core2" and the name of the port, `core`; `pin` is the same.
text::List core_pins(const Config& config, std::string_view core, PortWidths widths);

/// Pins of the bus behind it, whose names begin with `axi`: {name, is_output, bits, pin, signal (of
/// X_INTERFACE_INFO), first, doc}.
text::List axi_pins(const Config& config, std::string_view axi, PortWidths widths);

}  // namespace macrame::dla
