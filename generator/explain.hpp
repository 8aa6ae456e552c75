#pragma once

#include <string>
#include <vector>

#include "core/settings.hpp"
#include "emit/assets.hpp"
#include "request.hpp"

namespace macrame {

/// A change of one parameter that takes away one reason without making another.
struct Repair {
    const Param* param = nullptr;
    std::string values;  ///< the accepted values: "8 or 16", "a number in 1..65535"
};

/// Changes that would take away `violation` of the configuration asked for, that of its own
/// parameter first, then those of parameters that the user wrote. Lists and short ranges are tried
/// whole, of long ranges many numbers.
std::vector<Repair> repairs(const Request& request, const emit::Assets& assets,
                            const Violation& violation);

/// The values of a parameter, in words, with which the configuration asked for is accepted; empty:
/// there are none.
std::string accepted_values(const Param& param, const Request& request, const emit::Assets& assets);

/// The configuration asked for: its values and where they come from, or each reason why it is
/// refused with what would be accepted. `accepted` tells which.
std::string explain_configuration(const Request& request, const emit::Assets& assets,
                                  bool& accepted);

/// A unit in the configuration asked for: its files, registers and options.
std::string explain_unit(const Unit& unit, const Design& design, const emit::Assets& assets);

/// macrame explain [NAME] [options]: a parameter, a preset, a unit, or without a name the
/// configuration. Returns the exit status; 2 if the name is unknown or the configuration refused.
int run_explain(Request request, const emit::Assets& assets);

}  // namespace macrame
