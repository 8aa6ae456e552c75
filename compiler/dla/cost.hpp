#pragma once
/// Cycles of a layer without simulation.

#include <cstdint>
#include <vector>

#include "compiler/dla/layer.hpp"
#include "verif/dla/model/sizes.hpp"

namespace macrame::dla::compiler {

/// What bounds a layer, in cycles.
struct Bounds {
    std::uint64_t mac = 0;     ///< operations of the MAC array, with the shortest stripe
    std::uint64_t sdp = 0;     ///< elements through SDP or PDP
    std::uint64_t memory = 0;  ///< bytes over the width of the port, reads and writes apart
    std::uint64_t start = 0;   ///< fetching before the first operation, and pipelines

    std::uint64_t read_bytes = 0, write_bytes = 0;

    std::uint64_t most() const;
};
Bounds bounds(const model::DeviceSizes& sizes, const Layer& layer);

/// Sets the cycles of all layers of a program.
void estimate(const model::DeviceSizes& sizes, std::vector<Layer>& layers);

}  // namespace macrame::dla::compiler
