#pragma once
/// The table of units and links of a family's top. Ports and widths are those of the modules that
/// the units have; the table says in which order the top's text has them.

#include <string>
#include <utility>
#include <vector>

namespace macrame {

/// Names in an order: patterns with blanks between, in which * is any text. A name goes to the
/// first pattern that it fits, * alone takes what is left; names of one pattern keep their order.
/// Before a pattern | begins a line, || a line for each name, ~ is out of the column and - takes
/// its names out of the list.
using Patterns = std::string;

/// A unit in the top. One whose module the design lacks is left out.
struct Joint {
    std::string name;    ///< of the instance u_NAME
    std::string module;  ///< with the name of the family
    Patterns pins;       ///< each port of the module fits one
    /// Ports that begin with the first text are at nets that begin with the second.
    std::vector<std::pair<std::string, std::string>> nets = {};
};

/// Units that follow each other in the text, behind nets that are declared there.
struct JointGroup {
    std::string part;   ///< of the template
    std::string title;  ///< of the comment above it; may be empty
    Patterns nets;      ///< in a pattern, nets are in the order of all joints and their ports
    std::vector<Joint> joints;
};

struct Wiring {
    std::vector<JointGroup> groups;
    int columns = 0;  ///< lines are filled up to here; 0: a pin per line, in columns
};

}  // namespace macrame
