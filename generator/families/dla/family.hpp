#pragma once

#include <string>

#include "families/family.hpp"

namespace macrame::dla {

/// Accelerators with the register interface of the NVDLA documents.
const Family& family();

/// Runs register programs on its designs.
const Simulator& simulator();

/// Brings its designs onto boards.
const fpga::BoardSupport& board_support();

/// Runs networks on its designs.
const Target& target();

/// The picture of the example, a PPM.
std::string bundled_picture();

/// Files of the family inside the program.
const AssetList& assets();

}  // namespace macrame::dla
