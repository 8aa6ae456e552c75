#pragma once
/// Writes the program of a convolution.

#include <cstdint>
#include <map>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/systolic/stream.hpp"
#include "compiler/systolic/tiling.hpp"

namespace macrame::systolic::compiler {

/// The layer under a tiling that fits.
void write_conv(Stream& stream, Constants& constants, const ConvLayer& layer, const Tiling& tiling);

struct Choice {
    Tiling tiling;
    std::size_t instructions = 0;
};
/// The tiling that is written: of those that promise most the one with the fewest estimated cycles
/// or bytes. Empty cover: none fits.
Choice best_tiling(const Architecture& architecture, const ConvLayer& layer, Goal goal);

/// The best tilings. Layers of the same shape have the same one on a machine: each is looked for
/// once.
class Choices : public macrame::compiler::Kept {
public:
    const Choice& best(const Architecture& architecture, const ConvLayer& layer);

private:
    std::map<std::vector<std::int64_t>, Choice> known_;  ///< by machine and shape
};

/// Bytes that LOAD and STORE of a program move.
std::int64_t moved_bytes(const Architecture& architecture, const std::vector<Instruction>& program);

}  // namespace macrame::systolic::compiler
