#pragma once
/// Layers of a network in time, by the cycle model.

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/systolic/program.hpp"

namespace macrame::systolic::compiler {

/// Latency of the memory where nothing else is said; without stalls.
inline constexpr int kModelLatency = 32;

struct ModelCycles {
    /// When the last instruction of each layer has ended, in cycles from the start of the first
    /// program; the programs follow each other without a pause. Layers overlap: the next one may
    /// load and compute before.
    std::vector<std::uint64_t> ends;
    std::uint64_t cycles = 0;  ///< of all programs
    std::string problem;       ///< a program does not come to its end; empty: none
};

/// Memory moves at most so many bytes per cycle; 0: what the ports do.
ModelCycles model_cycles(const SystolicProgram& program, std::size_t layers,
                         int latency = kModelLatency, double bytes_per_cycle = 0);

}  // namespace macrame::systolic::compiler
