#pragma once
/// From a graph to a program for a configuration of the dla family.

#include <string>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/graph/graph.hpp"
#include "verif/dla/model/sizes.hpp"

namespace macrame::dla::compiler {

using macrame::compiler::Compiled;

/// `graph` has passed graph::check().
Compiled compile(const graph::Graph& graph, const model::Architecture& sizes,
                 const macrame::compiler::Options& options = {});

/// The passes of that, in order.
std::vector<std::string> pass_names();

}  // namespace macrame::dla::compiler
