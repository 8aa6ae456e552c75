#pragma once

#include "core/design.hpp"
#include "core/diag.hpp"
#include "emit/assets.hpp"
#include "emit/output_set.hpp"
#include "text/value.hpp"

namespace macrame::emit {

/// Adds the testbench that is delivered with a design: sources as they are (tb/ and verif/, what
/// families share and what the family has; what runs compiled networks), and the build file from
/// its template.
void add_testbench(OutputSet& set, const Family& family, const Assets& assets,
                   const text::Scope& scope, Diags& diags);

/// For a design with a prefix: headers by which the testbench knows those of the design without it,
/// in tb/include/.
void add_plain_names(OutputSet& set, const Design& design);

}  // namespace macrame::emit
