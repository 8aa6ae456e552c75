#pragma once
/// Random quantised networks, for tests of back ends.

#include <cstdint>

#include "compiler/graph/graph.hpp"

namespace macrame::test {

/// A network of a few operators that the seed chooses: convolutions of all kinds, poolings, adds,
/// fully connected layers. All tensors that operators write are outputs.
graph::Graph random_graph(std::uint64_t seed);

}  // namespace macrame::test
