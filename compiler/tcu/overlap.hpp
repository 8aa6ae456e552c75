#pragma once
/// An order of instructions in which transfers run beside what is computed.

#include <vector>

#include "compiler/tcu/assemble.hpp"
#include "compiler/tcu/timing.hpp"

namespace macrame::tcu::compiler {

/// Loads from DRAM come as soon as they can begin, in their order, and in pieces; all else stays in
/// order. The same results on every machine that keeps the order of a program.
Assembled overlap(const TimingSizes& machine, const Architecture& architecture, Assembled program);

}  // namespace macrame::tcu::compiler
