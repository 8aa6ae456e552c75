#pragma once
/// Cycles of a layer without simulation.

#include <cstdint>
#include <vector>

#include "compiler/dla/layer.hpp"
#include "compiler/program/program.hpp"
#include "verif/dla/model/sizes.hpp"

namespace macrame::dla::compiler {

/// Between two layers of which the second has its data when the first ends.
constexpr std::uint64_t kQueued = 30;

/// What bounds a layer, in cycles.
struct Bounds {
    std::uint64_t mac = 0;     ///< operations of the MAC array, with the shortest stripe
    std::uint64_t sdp = 0;     ///< elements through SDP or PDP
    std::uint64_t memory = 0;  ///< bytes over the width of the port, reads and writes apart
    /// Roughly what comes on top where it depends on the layer before: fetching, pipelines.
    std::uint64_t start = 0;

    std::uint64_t read_bytes = 0, write_bytes = 0;

    std::uint64_t most() const;
};
Bounds bounds(const model::Architecture& sizes, const Layer& layer);

/// Of ROW: records that it reads, cycles between two rows, and of what it does in between of the
/// sums of a row.
std::uint64_t row_records(const RowLayer& row);
std::uint64_t row_cycles(const model::Architecture& sizes, const RowLayer& row);
std::uint64_t row_solver_cycles(const RowLayer& row);

/// Elements per cycle through SDP.
int sdp_throughput(const model::Architecture& sizes, const PostProcess& post);

/// Sets the cycles of all layers of a program with these commands: from the end of the layer before
/// to its own. `latency`: cycles until memory answers.
void estimate(const model::Architecture& sizes, const std::vector<program::Command>& commands,
              std::vector<Layer>& layers, int latency = 32);

}  // namespace macrame::dla::compiler
