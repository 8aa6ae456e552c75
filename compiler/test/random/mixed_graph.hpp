#pragma once
/// Random networks for hardware and host together.

#include <cstdint>

#include "compiler/graph/graph.hpp"

namespace macrame::test {

/// A network with operators in between that arrays have no means for: functions, norms, sorts,
/// products of activations, transpositions that move channels. Of every other seed only the last
/// tensor is an output.
graph::Graph mixed(graph::Graph graph, std::uint64_t seed);

}  // namespace macrame::test
