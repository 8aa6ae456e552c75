#pragma once

#include "core/diag.hpp"
#include "emit/assets.hpp"
#include "emit/output_set.hpp"
#include "text/value.hpp"

namespace macrame::emit {

/// Adds the testbench that is delivered with the design: sources as they are, build file from its
/// template. What is delivered is one table in testbench.cpp.
void add_testbench(OutputSet& set, const Assets& assets, const text::Scope& scope, Diags& diags);

}  // namespace macrame::emit
