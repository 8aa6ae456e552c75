#pragma once
/// A configuration of the dla family as the testbench sees it: sizes in, Platform out.

#include <string>

#include "tb/system/simulate.hpp"
#include "verif/model/dla/cfgrom.hpp"

namespace macrame::tb {

/// Platform with the golden model; the owner of a Verilated design sets make_rtl. `sizes`: what the
/// configuration ROM speaks of, and with it all that model and testbench have to know.
Platform make_platform(const std::string& name, const model::dla::CfgromSizes& sizes);

}  // namespace macrame::tb
