#pragma once
/// What instructions cost, as the contract of the units says.

#include <algorithm>
#include <cstdint>

namespace macrame::systolic::compiler {

/// Of memory, from a request to its first beat and from the last write to its response.
inline constexpr std::int64_t kMemoryLatency = 32;
/// LOAD and STORE from their start until they are done, without their vectors. STORE also waits for
/// its half of OBUF.
inline constexpr std::int64_t kLoadLatency = kMemoryLatency + 14;
inline constexpr std::int64_t kStoreLatency = kMemoryLatency + 24;
/// A vector that LOAD writes to OBUF.
inline constexpr std::int64_t kObufVector = 2;

/// Vectors that LOAD or STORE moves: one in a cycle, as far as the bus keeps up.
constexpr std::int64_t vector_cycles(std::int64_t vectors, std::int64_t vector_bytes,
                                     int bus_bytes) {
    return std::max(vectors, (vectors * vector_bytes + bus_bytes - 1) / bus_bytes);
}

/// Folds follow each other without a gap if they have more steps than rows of weights.
constexpr std::int64_t fold_cycles(std::int64_t steps, std::int64_t active_rows) {
    return std::max(steps, active_rows + 1);
}

/// From the first step of a fold to its last result.
constexpr std::int64_t drain_cycles(std::int64_t steps, int rows, int columns) {
    return steps + rows + columns + 4;
}

}  // namespace macrame::systolic::compiler
