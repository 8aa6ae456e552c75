#pragma once

#include "core/design.hpp"
#include "verif/tcu/run/simulate.hpp"

namespace macrame::tcu {

/// What runs have to know of a design, without a device to run on.
run::Platform platform_of(const Design& design);

}  // namespace macrame::tcu
