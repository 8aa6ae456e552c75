#pragma once

#include "families/family.hpp"

namespace macrame::systolic {

/// Instruction-driven systolic arrays: ShaktiMAAN's machine.
const Family& family();

/// Runs programs on its designs.
const Simulator& simulator();

/// Compiles networks for them.
const Target& target();

/// What it brings to boards with an FPGA.
const fpga::BoardSupport& board_support();

/// Files of the family inside the program.
const AssetList& assets();

}  // namespace macrame::systolic
