#pragma once
/// What SDP and PDP may do on the fly behind other operators.

#include <vector>

#include "compiler/dla/context.hpp"
#include "compiler/dla/plan.hpp"

namespace macrame::dla::compiler {

/// The functions that alone read the output of a node and are worth computing on the fly, the best
/// first. Whether the layers of the node leave room for them is not looked at.
std::vector<Fusion> fusions_behind(const Context& context, int index);

}  // namespace macrame::dla::compiler
