#pragma once
/// What the template of a top needs to join the units.

#include <set>
#include <string>

#include "core/diag.hpp"
#include "core/wiring.hpp"
#include "emit/output_set.hpp"
#include "text/value.hpp"

namespace macrame::emit {

/// `parts.PART`: the groups of that part, `title`, `nets`, `declares` (there are nets), `units`. A
/// net has `name`, `bits`, `ranged` (it has a range) and `loose` (out of the column); a unit
/// `module`, `name` and `lines`, its pins. The modules are among the files of `set`. A port that no
/// pattern of its joint fits becomes a diagnostic.
text::Scope wiring_scope(const Wiring& wiring, const OutputSet& set,
                         const std::set<std::string>& known, Diags& diags);

}  // namespace macrame::emit
