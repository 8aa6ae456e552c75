#pragma once

#include <string>

#include "core/diag.hpp"
#include "core/settings.hpp"
#include "core/unit.hpp"
#include "emit/assets.hpp"
#include "emit/output_set.hpp"

namespace macrame::emit {

/// Every name that all templates see: parameters by key, derived sizes by name.
text::Scope base_scope(const Config& config, const Derived& derived);

/// All files for a configuration that has passed check(). Mistakes in templates become
/// diagnostics. A pure function of its arguments and of the generator's version.
OutputSet generate(const Config& config, const Assets& assets, Diags& diags);

}  // namespace macrame::emit
