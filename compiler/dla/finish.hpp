#pragma once
/// Everything behind the choice of layers: their places, the commands, cycles.

#include <cstdint>
#include <vector>

#include "compiler/dla/layer.hpp"
#include "compiler/dla/memory.hpp"
#include "compiler/program/program.hpp"
#include "verif/dla/model/sizes.hpp"

namespace macrame::dla::compiler {

void finish(const model::DeviceSizes& sizes, std::vector<Buffer>& buffers,
            std::vector<Layer>& layers, program::Program& program);

/// The same for a trial: what buffers hold does not matter for time.
std::vector<Buffer> without_contents(const std::vector<Buffer>& buffers);
/// Cycles that the layers take then.
std::uint64_t finished_cycles(const model::DeviceSizes& sizes, std::vector<Buffer> buffers,
                              std::vector<Layer> layers);

}  // namespace macrame::dla::compiler
