#pragma once
/// The top of a design among the emitted files, for what describes the design as a whole.

#include <string>
#include <vector>

#include "core/design.hpp"
#include "emit/output_set.hpp"
#include "emit/verilog_text.hpp"

namespace macrame::emit {

/// Module of the top as it is emitted.
std::string top_name(const Design& design);

std::vector<PortGroup> top_ports(const Design& design, const OutputSet& set);

/// Paths of the Verilog files of the design.
std::vector<std::string> verilog_files(const OutputSet& set);

/// Configuration and size: "nv_small: 64 MACs, ...".
std::string description(const Design& design);

}  // namespace macrame::emit
