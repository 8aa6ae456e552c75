#pragma once

#include "families/family.hpp"

namespace macrame::dla {

/// Accelerators with the register interface of the NVDLA documents.
const Family& family();

/// Runs register programs on its designs.
const Simulator& simulator();

/// Files of the family inside the program.
const AssetList& assets();

}  // namespace macrame::dla
