#pragma once
/// What programs must avoid on the original hardware, which does not keep the order of all
/// accesses: sequences that lose data, desynchronise or hang.

#include <cstddef>
#include <string>
#include <vector>

#include "compiler/tcu/assemble.hpp"
#include "verif/tcu/isa/instruction.hpp"

namespace macrame::tcu::compiler {

struct Hazard {
    std::size_t instruction = 0;  ///< index of the one that must not stand there
    std::string text;
};

/// Of a program that begins behind a reset. Nothing for one that runs the same everywhere.
///
/// - an accumulation behind another one at the same accumulator, with no write to another one and
///   no wait of the array between them; SIMD behind SIMD is safe
/// - an accumulation behind two writes of the same accumulator, likewise
/// - SIMD that reads without need, needs what it does not read, or a NoOp that does something
/// - an offset changed behind writes of its bank that may still be on the way
/// - what is undefined everywhere: see verif/tcu/isa/rules.hpp
std::vector<Hazard> hazards(const Architecture& architecture, const Instructions& program);

/// Uses of the vectors that drivers need to see the end of a program: the last of local memory, the
/// last two of DRAM0.
std::vector<Hazard> probe_conflicts(const Architecture& architecture, const Instructions& program);

/// Writes zeros to accumulator `spare` where accumulations would follow too closely.
Assembled spaced(const Architecture& architecture, const Assembled& program, int spare);

}  // namespace macrame::tcu::compiler
