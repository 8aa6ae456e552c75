#pragma once
/// The tables of the tcu family, a file each; family.cpp puts them together.

#include <vector>

#include "core/param.hpp"
#include "core/rule.hpp"
#include "core/space.hpp"
#include "core/unit.hpp"
#include "families/tcu/config.hpp"

namespace macrame::tcu {

/// The keys of architecture files, then the parameters of the hardware.
const Params& params();

/// Constraints between them, and what this release does not build.
const std::vector<Rule>& rules();

/// The width of the buses follows the vector.
const std::vector<DerivedDefault>& derived_defaults();

/// The units in the order of the file list: leaves first, the top last. Their templates are the
/// files in their folders; family.cpp fills them in.
std::vector<Unit> unit_rows();

/// What `macrame explore` tries.
const Space& space();

}  // namespace macrame::tcu
