#pragma once
/// Compressed weights: those that are not 0, and a bit for each that tells which they are.

#include <cstdint>
#include <vector>

#include "compiler/dla/layer.hpp"
#include "compiler/dla/memory.hpp"
#include "verif/dla/model/sizes.hpp"

namespace macrame::dla::compiler {

/// The weights of a layer (NVDLA weight formats).
struct CompressedWeights {
    std::vector<std::uint8_t> stored;   ///< one behind the other through all groups
    std::vector<std::uint8_t> masks;    ///< the same
    std::vector<std::uint32_t> groups;  ///< bytes of `stored` of each kernel group

    std::size_t bytes() const { return stored.size() + masks.size(); }
};
/// `stream`: kernel groups of so many weights one behind the other, the last may be smaller.
CompressedWeights compressed(const std::uint8_t* stream, std::size_t weights,
                             std::size_t group_weights);

/// Compresses weights where that takes fewer cycles, or as many and fewer bytes of memory.
void compress_weights(const model::Architecture& sizes, std::vector<Layer>& layers,
                      std::vector<Buffer>& buffers);

}  // namespace macrame::dla::compiler
