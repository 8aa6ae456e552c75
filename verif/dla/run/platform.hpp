#pragma once
/// A configuration of the dla family as the testbench sees it: sizes in, Platform out.

#include <string>

#include "verif/dla/model/sizes.hpp"
#include "verif/dla/run/simulate.hpp"

namespace macrame::dla::run {

/// Platform with the golden model; the owner of a Verilated design sets make_rtl.
Platform make_platform(const std::string& name, const dla::model::Architecture& sizes);

}  // namespace macrame::dla::run
