#pragma once
/// Random layers of CDP.

#include "program_builder.hpp"

namespace macrame::dla::stimulus {

/// A layer, sometimes after new tables.
void make_cdp(ProgramBuilder& b);

}  // namespace macrame::dla::stimulus
