#pragma once
/// Writes the program of a convolution.

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/systolic/stream.hpp"
#include "compiler/systolic/tiling.hpp"

namespace macrame::systolic::compiler {

/// The layer under a tiling that fits. With `most` only its begin: about so many instructions. How
/// much of it that is, 1: all.
double write_conv(Stream& stream, Constants& constants, const ConvLayer& layer,
                  const Tiling& tiling, std::size_t most = std::numeric_limits<std::size_t>::max());

struct Choice {
    Tiling tiling;
    std::size_t instructions = 0;  ///< about, where they are more than a program has
};
/// The tiling that is written: of those that promise most the one with the fewest estimated cycles
/// or bytes, by about so many first instructions of each. Empty cover: none fits.
Choice best_tiling(const Architecture& architecture, const ConvLayer& layer, Goal goal,
                   std::size_t most = kMostInstructions);

/// The best tilings. Layers of the same shape have the same one on a machine: each is looked for
/// once.
class Choices : public macrame::compiler::Kept {
public:
    const Choice& best(const Architecture& architecture, const ConvLayer& layer,
                       std::size_t most = kMostInstructions);

private:
    std::map<std::vector<std::int64_t>, Choice> known_;  ///< by machine, shape and `most`
};

/// Bytes that an instruction moves; that LOAD and STORE of a program move.
std::int64_t moved_bytes(const Architecture& architecture, const Instruction& instruction);
std::int64_t moved_bytes(const Architecture& architecture, const std::vector<Instruction>& program);

}  // namespace macrame::systolic::compiler
