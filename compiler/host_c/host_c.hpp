#pragma once
/// The host's share of a network as C99 for boards: calls of the functions of runtime/host/.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compiler/graph/graph.hpp"
#include "compiler/parts.hpp"

namespace macrame::compiler::host_c {

struct Written {
    std::map<std::string, std::string> files;  ///< by name; empty: there is a problem
    std::uint64_t memory_bytes = 0;            ///< NAME_ARENA_BYTES
    /// The first operator that has no function in C: its place, what it is, what would help.
    std::string problem;
};

/// NAME_host.c, .h and .mk of a network that is called `name`. Programs run by the driver of their
/// family in runtime/; where that cannot, by a function of whoever runs the network.
Written write(const graph::Graph& graph, const std::vector<Part>& parts, const std::string& name);

}  // namespace macrame::compiler::host_c
