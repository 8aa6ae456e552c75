#pragma once
/// How much there is to do in an operator.

#include <cstdint>
#include <string_view>

#include "compiler/graph/graph.hpp"

namespace macrame::graph {

/// Does it have sums of products with constant weights, what arrays of multipliers are for?
bool has_products(const Operator& op);

/// Has no operation in any array or vector unit: left to the host, wherever it stands.
bool is_for_host(const Operator& op);

/// What a machine for int8 wants instead of another type, and how to get it.
std::string_view wanted_for_int8(Type type);

/// Multiplications of such sums, without those of padding; 0 for all others.
std::uint64_t multiply_adds(const Graph& graph, const Node& node);

}  // namespace macrame::graph
