#pragma once
/// What explore writes.

#include <string>
#include <vector>

#include "explore/front.hpp"
#include "explore/setup.hpp"
#include "explore/verify.hpp"

namespace macrame::explore {

/// All that a family was explored for.
struct Outcome {
    const Family& family;
    const std::vector<NetworkFile>& networks;
    const Setup& setup;
    std::string goal;
    std::string board;                                       ///< empty: limits alone
    std::vector<std::string> decided;                        ///< "cdp-enable false: ..."
    std::vector<Scored> points;                              ///< of the space, then presets
    std::vector<std::vector<compiler::LayerReport>> layers;  ///< of the chosen point, by network
    std::vector<Verified> verified = {};                     ///< points of the front
};

/// A line per point: `front_alone` those of the front by LUTs, else all in their order.
std::string csv_of(const Outcome& outcome, bool front_alone);
std::string json_of(const Outcome& outcome);
/// For people: the front, and presets with what dominates them.
std::string text_of(const Outcome& outcome);
/// A page that loads nothing.
std::string page_of(const Outcome& outcome);

}  // namespace macrame::explore
