#pragma once
/// Programs of systolic arrays for networks.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/graph/graph.hpp"
#include "compiler/systolic/program.hpp"

namespace macrame::systolic::compiler {

struct CompiledSystolic {
    macrame::compiler::Compiled compiled;
    SystolicProgram program;
};

/// `keep_tensors`, `dump`, `own_begin` and `memo` as in the options of all families.
CompiledSystolic compile(const graph::Graph& graph, const Architecture& architecture,
                         bool keep_tensors = false, const std::string& dump = {},
                         std::optional<std::uint64_t> own_begin = std::nullopt,
                         macrame::compiler::Memo* memo = nullptr);

/// The passes of that, in order.
std::vector<std::string> pass_names();

}  // namespace macrame::systolic::compiler
