#pragma once
/// Commands that run layers: register groups, enables and waits.

#include <vector>

#include "compiler/dla/layer.hpp"
#include "compiler/program/program.hpp"
#include "verif/dla/model/sizes.hpp"

namespace macrame::dla::compiler {

/// All layers in order. A layer is set up while the ones before it run, in the other register group
/// of each unit, and begins as soon as what it depends on is done.
std::vector<program::Command> schedule(const model::Architecture& sizes,
                                       const std::vector<Layer>& layers);

/// The units that these commands of schedule() write to, for the front of them: whoever runs the
/// program begins in the register group that each has next.
std::vector<program::Command> unit_commands(const std::vector<program::Command>& commands);

}  // namespace macrame::dla::compiler
