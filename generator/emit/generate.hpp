#pragma once

#include <string>
#include <vector>

#include "core/design.hpp"
#include "core/diag.hpp"
#include "emit/assets.hpp"
#include "emit/output_set.hpp"
#include "text/value.hpp"

namespace macrame::emit {

/// Every name that all templates see: parameters by key, derived sizes by name.
text::Scope base_scope(const Design& design);

/// All files for a design. Mistakes in templates become diagnostics. A pure function of its
/// arguments and of the generator's version.
OutputSet generate(const Design& design, const Assets& assets, Diags& diags);

}  // namespace macrame::emit
