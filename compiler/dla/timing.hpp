#pragma once
/// When the layers of a program run: the units of the accelerator, the memory port and the driver,
/// simulated in steps of stripes and lines.

#include <cstdint>
#include <vector>

#include "compiler/dla/layer.hpp"
#include "compiler/program/program.hpp"
#include "verif/dla/model/sizes.hpp"

namespace macrame::dla::compiler {

/// Cycles until memory answers, where nothing else is said.
constexpr int kMemoryLatency = 32;

/// Cycles from the first command to the interrupt of each layer. `commands` are those of
/// schedule(); memory answers after so many cycles.
std::vector<std::uint64_t> layer_ends(const model::Architecture& sizes,
                                      const std::vector<Layer>& layers,
                                      const std::vector<program::Command>& commands,
                                      int latency = kMemoryLatency);

}  // namespace macrame::dla::compiler
