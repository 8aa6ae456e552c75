#pragma once
/// Networks in parts: what a back end refuses the host does, in front of programs of the hardware,
/// between them and behind.

#include <functional>
#include <string>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/graph/graph.hpp"
#include "compiler/graph/partition.hpp"

namespace macrame::compiler {

/// Operators that run in a row: on the host, or as a program of the hardware.
struct Part {
    bool hardware = false;
    std::vector<int> nodes;  ///< of the network, in order
    // Of hardware.
    graph::Cut cut;     ///< a network of its own
    Compiled compiled;  ///< its program, which the host may have to begin and end
};

struct InParts {
    std::vector<Part> parts;  ///< in the order in which they run; hardware and host in turn
    /// What parts and host are, all together, by nodes of the network: layers, exactness, buffers,
    /// all operators of the host in `host_nodes`, messages. It has no program.
    Compiled report;
};

/// What a back end makes of a network that has passed graph::check().
using BackEnd = std::function<Compiled(const graph::Graph&)>;

/// A network that the back end takes as it is has one part; of others it sees each operator a
/// bounded number of times. With `no_host` these are an error. Names in messages are those of the
/// network.
InParts compile_in_parts(const graph::Graph& graph, const BackEnd& back_end, bool no_host = false);

}  // namespace macrame::compiler
