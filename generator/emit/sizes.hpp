#pragma once
/// The sizes of a design for programs: parameters and derived sizes by name.

#include <string>
#include <vector>

#include "core/design.hpp"

namespace macrame::emit {

/// All that are numbers or flags, by name; flags are 0 or 1.
std::vector<Size> numbers(const Design& design);

/// include/<family>_params.hpp: a constant each, and `sizes`, the table of numbers().
std::string sizes_hpp(const Design& design);

/// include/<family>_params.h: a macro each, <FAMILY>_<NAME>.
std::string sizes_h(const Design& design);

}  // namespace macrame::emit
