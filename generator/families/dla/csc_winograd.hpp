#pragma once

#include "core/unit.hpp"
#include "families/dla/derived.hpp"

namespace macrame::dla {

/// Words of CSC's templates that only configurations with Winograd have, or have otherwise.
text::Scope csc_winograd_scope(const Config& config, const Derived& derived);

}  // namespace macrame::dla
