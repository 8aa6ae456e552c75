#pragma once
/// The sizes of a design for programs: parameters and derived sizes by name.

#include <string>

#include "core/design.hpp"

namespace macrame::emit {

/// include/<family>_params.hpp: a constant each, and `sizes`, a table of all that are numbers.
std::string sizes_hpp(const Design& design);

/// include/<family>_params.h: a macro each, <FAMILY>_<NAME>.
std::string sizes_h(const Design& design);

}  // namespace macrame::emit
