#pragma once
/// Reference timing: each module has its own clock, an instruction begins when its module is free
/// and its tokens were given, and takes a time that its fields alone tell. Flat memory, queues
/// without limit. It is what published examples are computed with, not the time of the hardware.

#include <array>
#include <cstdint>
#include <vector>

#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/isa/instruction.hpp"

namespace macrame::systolic::timing {

/// LOAD and STORE 20 + bytes / 16, GEMM T + 2 * rows + columns - 2, ALU an element per cycle, no
/// operation 1.
std::int64_t reference_cycles(const Architecture& architecture, const Instruction& instruction);

struct Span {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

struct Timing {
    std::vector<Span> instructions;                ///< those that never begin: end 0
    std::array<std::int64_t, kModuleCount> busy{};  ///< cycles of each module
    std::int64_t end = 0;
    bool complete = true;  ///< false: it stops for a token that never comes
};

Timing reference_timing(const Architecture& architecture, const std::vector<Instruction>& program);

}  // namespace macrame::systolic::timing
