#pragma once
/// What the units of the system top, around the core, have in common.

#include "core/unit.hpp"
#include "families/dla/derived.hpp"

namespace macrame::dla {

/// Names for the templates of the control bus: pages that can be reached, sources of errors.
text::Scope control_scope(const Config& config, const Derived& derived);

/// Names for the templates of the memory bus.
text::Scope memory_bus_scope(const Config& config, const Derived& derived);

}  // namespace macrame::dla
