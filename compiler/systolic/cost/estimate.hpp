#pragma once
/// When the instructions of a program begin and end, as the contract of the units says. Modules
/// have clocks of their own; tokens, queues and the stream hold them up. What the performance
/// simulator tells cycle by cycle, in a form that is fast enough for choosing among programs.

#include <array>
#include <cstdint>
#include <vector>

#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/isa/instruction.hpp"

namespace macrame::systolic::compiler {

struct Estimate {
    std::vector<std::int64_t> ends;                 ///< by instruction
    std::vector<std::int64_t> busy_of;              ///< cycles that it keeps its module busy
    std::array<std::int64_t, kModuleCount> busy{};  ///< cycles of each module
    std::int64_t cycles = 0;
};

/// Of a program that comes to its end.
Estimate estimate(const Architecture& architecture, const std::vector<Instruction>& program);

}  // namespace macrame::systolic::compiler
