#pragma once
/// Operators of one tensor as tables: what they make of each of its 256 values.

#include <array>
#include <cstdint>
#include <vector>

#include "compiler/graph/graph.hpp"

namespace macrame::dla::compiler {

/// Output for -128, -127, ... 127.
using Table = std::array<std::int8_t, 256>;

inline std::int8_t look_up(const Table& table, int value) {
    return table[static_cast<std::size_t>(value + 128)];
}

/// Tables of a node whose inputs but number `operand` are constants, as the reference executor has
/// them: one per index of the last axis, or a single one if they are all the same. Empty: it is not
/// such a function. Throws std::invalid_argument where the reference has none.
std::vector<Table> tables_of(const graph::Graph& graph, const graph::Node& node,
                             std::size_t operand);

/// Outputs of a node of two operands, both of one shape: for a = -128 and b = -128, -127, ..., then
/// those for a = -127.
std::vector<std::int8_t> pairs_of(const graph::Graph& graph, const graph::Node& node);

}  // namespace macrame::dla::compiler
