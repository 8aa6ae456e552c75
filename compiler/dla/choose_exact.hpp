#pragma once
/// Which operators are exact where that takes more cycles.

#include <memory>

#include "compiler/compiled.hpp"
#include "compiler/dla/lower/lowering.hpp"

namespace macrame::dla::compiler {

/// The layers of a network. With Options::exact every operator is as exact as it can be; without
/// it, those are for which that adds the fewest cycles, as many as add less than 2 % together.
std::unique_ptr<Lowering> lowered(const graph::Graph& graph, const model::Architecture& sizes,
                                  const macrame::compiler::Options& options);

}  // namespace macrame::dla::compiler
