#pragma once
/// The tables of the systolic family, a file each; family.cpp puts them together.

#include <vector>

#include "core/param.hpp"
#include "core/rule.hpp"
#include "core/space.hpp"
#include "core/unit.hpp"
#include "families/systolic/config.hpp"

namespace macrame::systolic {

const Params& params();

/// Constraints between them.
const std::vector<Rule>& rules();

/// Parameters whose usual value depends on others.
const std::vector<DerivedDefault>& derived_defaults();

/// Without their templates: all files of their folders.
std::vector<Unit> unit_rows();

/// What `macrame explore` tries.
const Space& space();

}  // namespace macrame::systolic
