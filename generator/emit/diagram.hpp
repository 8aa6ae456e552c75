#pragma once

#include <string>

#include "core/design.hpp"
#include "emit/output_set.hpp"

namespace macrame::emit {

/// The block diagram of a design as SVG: the units below each other in the order of the unit table,
/// the buses of control units at the left and of memory units at the right. Links are those that
/// the top in the set has. Empty if the top has no units in it.
std::string block_diagram(const Design& design, const OutputSet& set);

}  // namespace macrame::emit
