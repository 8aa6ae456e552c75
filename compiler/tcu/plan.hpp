#pragma once
/// How a layer is cut into pieces that fit on the chip.

#include <optional>
#include <vector>

#include "compiler/tcu/layer.hpp"
#include "compiler/tcu/memory.hpp"

namespace macrame::tcu::compiler {

/// Room for a layer, in vectors.
struct Room {
    int local = 0;
    int accumulators = 0;
    int beats = 1;  ///< of the DRAM buses in a vector
    int swap = 1;   ///< cycles from one set of weights to the next, at least
    bool weights_local = false, data_local = false;  ///< need no room
};

/// Outputs of a group are made `tile` positions at a time.
struct Plan {
    int tile = 1;
    bool groups_outside = false;             ///< all tiles of a group, then the next group
    int weights = 0, data = 0, staging = 0;  ///< vectors of local memory
};

/// Outputs of each group.
struct Groups {
    std::vector<std::vector<int>> outputs;  ///< indices of Layer::outputs, by group
    int positions = 0;                      ///< of the largest group
};
Groups groups_of(const Layer& layer);

/// The cheapest plan; nothing where not even one output at a time fits.
std::optional<Plan> plan(const Layer& layer, const Groups& groups, const Room& room);

}  // namespace macrame::tcu::compiler
