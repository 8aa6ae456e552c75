#pragma once
/// Element-wise operators of one tensor and constants, one behind the other: one table.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/graph/graph.hpp"
#include "compiler/graph/links.hpp"

namespace macrame::graph {

/// Does it give an element for each of one tensor's, whatever its place?
bool is_element_wise(const Operator& op);

/// Operators that a table stands for. What lies between them may be of any type: nobody else reads
/// it.
struct Chain {
    TensorId root = kNone;                 ///< int8
    std::vector<int> nodes;                ///< at least two, ascending; the last one gives int8
    std::array<std::int8_t, 256> table{};  ///< output for -128, -127, ... 127
};

/// The longest chain of a tensor, up to 64 operators, that has one table for all channels. Exact by construction: the
/// table is what the reference executor makes of all 256 values. `readers` are those of the graph.
std::optional<Chain> chain_from(const Graph& graph, const Readers& readers, TensorId root);

}  // namespace macrame::graph
