#pragma once
/// Random layers of ROW.

#include "program_builder.hpp"

namespace macrame::dla::stimulus {

/// A layer of any mode.
void make_row(ProgramBuilder& b);

}  // namespace macrame::dla::stimulus
