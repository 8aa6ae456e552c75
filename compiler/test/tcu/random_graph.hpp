#pragma once
/// Random networks of real numbers for the back end of tensor units.

#include <cstdint>
#include <vector>

#include "compiler/graph/graph.hpp"
#include "compiler/graph/reference.hpp"

namespace macrame::tcu::compiler::test {

/// Up to so many operators of all kinds in a row, their weights such that values stay near 1.
graph::Graph random_graph(std::uint64_t seed, int operators);

/// Real values -1 .. 1 for its inputs.
std::vector<graph::Bytes> random_inputs(const graph::Graph& graph, std::uint64_t seed);

/// Largest difference of two results.
double difference(const std::vector<graph::Bytes>& a, const std::vector<graph::Bytes>& b);

}  // namespace macrame::tcu::compiler::test
