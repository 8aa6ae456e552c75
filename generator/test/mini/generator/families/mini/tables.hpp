#pragma once

#include "core/param.hpp"
#include "core/rule.hpp"
#include "core/unit.hpp"
#include "families/mini/config.hpp"

namespace macrame::mini {

const Params& params();
const std::vector<Rule>& rules();
const std::vector<const Unit*>& units();

}  // namespace macrame::mini
