#pragma once
/// Dependent layers side by side.

#include <cstdint>
#include <functional>
#include <vector>

#include "compiler/dla/layer.hpp"
#include "verif/dla/model/sizes.hpp"

namespace macrame::dla::compiler {

/// Cuts operators into two parts of their height where that pays: the first part of an operator
/// needs the first part of the one before alone, so it is fetched while the second works. `cycles`
/// of all layers tells what pays. Before plan_memory().
std::vector<Layer> overlap(const model::Architecture& sizes, const std::vector<Layer>& layers,
                           const std::function<std::uint64_t(const std::vector<Layer>&)>& cycles);

}  // namespace macrame::dla::compiler
