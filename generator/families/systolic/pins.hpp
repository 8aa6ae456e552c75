#pragma once
/// Pins of the AXI4 ports, a table for the units that have them and for the top.

#include <string_view>

#include "families/systolic/config.hpp"
#include "text/value.hpp"

namespace macrame::systolic {

/// A memory port. Units have `m_axi_<unit>_` pins of the channels that they use.
struct Master {
    std::string_view unit;
    bool writes;  ///< channels aw, w, b; else ar, r
    int id;       ///< of all its transactions
};
inline constexpr Master kMasters[] = {
    {"fetch", false, 1}, {"load", false, 2}, {"store", true, 3}};

/// Null for units without a memory port.
const Master* find_master(std::string_view unit);

/// Records {bus, signal, is_output, bits, name, doc, constant, value}: "m_axi_load", "ARID", 1, 4,
/// "m_axi_load_arid", "constant", whether the output never changes, and its value.
text::List master_pins(const Config& config, const Master& master);

/// `s_axi_`, the port of software: the same records without constants.
text::List slave_pins();

/// `unit`, the pins of its memory port: `pins`.
text::Scope master_scope(const Config& config, std::string_view unit);

/// All ports: `masters`, records {unit, pins}, the same as `fetch_pins` and so on, `slave_pins`;
/// `busifs`, their names.
text::Scope top_scope(const Config& config);

}  // namespace macrame::systolic
