#pragma once
/// Programs of systolic arrays for networks.

#include "compiler/compiled.hpp"
#include "compiler/graph/graph.hpp"
#include "compiler/systolic/program.hpp"

namespace macrame::systolic::compiler {

struct CompiledSystolic {
    macrame::compiler::Compiled compiled;
    SystolicProgram program;
};

CompiledSystolic compile(const graph::Graph& graph, const Architecture& architecture);

}  // namespace macrame::systolic::compiler
