#pragma once
/// Random groups of copies of BDMA.

#include "program_builder.hpp"

namespace macrame::dla::stimulus {

/// A layer that is a group of copies.
void make_bdma(ProgramBuilder& b);

}  // namespace macrame::dla::stimulus
