#pragma once
/// Points for an FPGA that has no room for all that the networks want.

#include <vector>

#include "emit/assets.hpp"
#include "explore/cost.hpp"
#include "explore/options.hpp"
#include "explore/points.hpp"

namespace macrame::explore {

/// What is over a limit: "120 LUTs of 100"; empty: nothing is.
std::string over_limits(const Area& area, const Limits& limits);

/// Those within `limits` of all configurations with less of what the networks have decided, and
/// nothing more: operators that want it go to the host. The name of a point ends with what it has
/// less: "8x8-2-64-8x512-true-no_sdp_ew".
std::vector<Point> lowered_points(const Family& family, const Decided& decided,
                                  const Limits& limits, const CostTable& costs,
                                  const emit::Assets& assets, Diags& diags);

}  // namespace macrame::explore
