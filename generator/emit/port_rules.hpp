#pragma once
/// Rules of the ports of units that simulations check.

#include <string>
#include <string_view>

namespace macrame::emit {

/// The Verilog of a unit with checks of its ports in front of its end, between `ifdef
/// MACRAME_ASSERT and `endif: one for each link that its ports are by their names, X_valid and
/// X_ready with the payload X_* beside them in their group, and those of an AXI master. The unit
/// that offers checks; what comes from outside of the design is checked by the unit that takes it.
/// A unit with an input X_run may drop what it offers to other units while that is 0.
/// Unchanged if it has no ports clk and rst_n, or no link.
std::string with_port_rules(std::string verilog);

}  // namespace macrame::emit
