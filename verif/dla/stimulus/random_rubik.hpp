#pragma once
/// Random layers of RUBIK.

#include "program_builder.hpp"

namespace macrame::dla::stimulus {

/// A layer of any mode that the configuration has.
void make_rubik(ProgramBuilder& b);

}  // namespace macrame::dla::stimulus
