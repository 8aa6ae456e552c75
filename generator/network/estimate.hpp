#pragma once
/// What a network will take, for programs.

#include <nlohmann/json_fwd.hpp>

#include "network/network.hpp"
#include "network/operators.hpp"

namespace macrame::network {

/// What `macrame estimate --json` writes; `measured` by the cycle model of the family, null: it has
/// none.
nlohmann::ordered_json estimate_json(const Network& network, const Design& design,
                                     const Measured* measured, int host_mhz);

}  // namespace macrame::network
