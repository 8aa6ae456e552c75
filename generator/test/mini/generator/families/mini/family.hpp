#pragma once

#include "families/family.hpp"

namespace macrame::mini {

/// The smallest family there is: it shows what a family must bring.
const Family& family();
const Simulator& simulator();
const AssetList& assets();

}  // namespace macrame::mini
