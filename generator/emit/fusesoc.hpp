#pragma once
/// A design as a package of FuseSoC.

#include <string>

#include "core/design.hpp"
#include "emit/output_set.hpp"

namespace macrame::emit {

/// Name of the file: "<top>.core".
std::string fusesoc_name(const Design& design);

/// The file, in the format CAPI2: the Verilog files so far, a target to use them, one for lint.
std::string fusesoc_core(const Design& design, const OutputSet& set);

}  // namespace macrame::emit
