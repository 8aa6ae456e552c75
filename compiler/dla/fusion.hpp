#pragma once
/// What SDP and PDP may do on the fly behind other operators.

#include <optional>

#include "compiler/dla/context.hpp"
#include "compiler/dla/plan.hpp"

namespace macrame::dla::compiler {

/// The function that alone reads the output of a node and is worth computing on the fly. Whether
/// the layers of the node leave room for it is not looked at.
std::optional<Fusion> fusion_behind(const Context& context, int index);

}  // namespace macrame::dla::compiler
