#pragma once

#include "regs/register_map.hpp"

namespace macrame::mini {

const regs::RegisterSet& registers();

}  // namespace macrame::mini
