#pragma once

#include "core/design.hpp"
#include "core/diag.hpp"
#include "emit/assets.hpp"
#include "emit/output_set.hpp"
#include "text/value.hpp"

namespace macrame::emit {

/// Adds the files around a design: all below templates/<family>/project/, with the same paths in
/// the output. These templates see, beside what all see: `configuration` and `size_text`; `units`
/// {name, doc}; `register_maps` {unit, base, doc}; `port_groups` of the emitted top {title, clock,
/// ports, inputs, outputs}. `clock` is the port that the title names, if it names one; a port is
/// {name, direction, bits, doc}. `design_wires` declares a wire for each, `design_pins` connects these.
void add_project(OutputSet& set, const Design& design, const Assets& assets,
                 const std::vector<const regs::RegisterMap*>& maps, text::Scope scope,
                 Diags& diags);

}  // namespace macrame::emit
