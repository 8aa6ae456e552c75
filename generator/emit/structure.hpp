#pragma once
/// The units of a design and the links between them, as the emitted top connects them.

#include <string>
#include <vector>

#include "core/design.hpp"
#include "emit/output_set.hpp"
#include "emit/verilog_text.hpp"

namespace macrame::emit {

/// A unit in the top; copies that have the same neighbours are one node.
struct Node {
    std::vector<std::string> names;  ///< of the instances, without "u_"
    const Unit* unit = nullptr;
    std::vector<PortGroup> pins;  ///< ports of the top that only this unit has
};

/// Signals between two nodes, in both directions.
struct Link {
    std::size_t a = 0, b = 0;  ///< nodes, a < b
    bool to_a = false, to_b = false;
    std::vector<std::string> nets;
    int bits = 0;  ///< of the widest signal
};

struct Structure {
    std::vector<Node> nodes;  ///< in the order of the unit table
    std::vector<Link> links;  ///< by a, then b
};

/// From the files of the set. Modules of the top that are no units are part of the links.
Structure structure_of(const Design& design, const OutputSet& set);

}  // namespace macrame::emit
