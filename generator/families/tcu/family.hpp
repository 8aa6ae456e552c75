#pragma once

#include "families/family.hpp"

namespace macrame::tcu {

/// Tensor compute units that run the programs of Tensil's compiler.
const Family& family();

/// Runs networks on its designs.
const Target& target();

/// Runs programs on its designs.
const Simulator& simulator();

/// What it brings to boards with an FPGA.
const fpga::BoardSupport& board_support();

/// Files of the family inside the program.
const AssetList& assets();

}  // namespace macrame::tcu
