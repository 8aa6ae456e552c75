#pragma once
/// The tables of the dla family, a file each; family.cpp puts them together.

#include "core/param.hpp"
#include "core/rule.hpp"
#include "core/space.hpp"
#include "families/dla/config.hpp"

namespace macrame::dla {

/// The scalability parameters, named as in the published configuration files.
const Params& params();

/// Constraints between them.
const std::vector<Rule>& rules();

/// Sizes that have to equal another one.
const std::vector<DerivedDefault>& derived_defaults();

/// What `macrame explore` tries.
const Space& space();

}  // namespace macrame::dla
