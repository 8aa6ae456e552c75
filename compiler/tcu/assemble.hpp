#pragma once
/// Instructions of layers, in an order that runs as it stands.

#include <string>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/tcu/instructions.hpp"
#include "compiler/tcu/layer.hpp"
#include "compiler/tcu/memory.hpp"
#include "verif/tcu/isa/instruction.hpp"

namespace macrame::tcu::compiler {

struct Assembled {
    Instructions instructions;
    std::vector<int> layers;  ///< of each instruction
    std::vector<macrame::compiler::Refusal> refused;
    std::vector<std::string> errors;  ///< what is no operator's fault
    bool ok() const { return refused.empty() && errors.empty(); }
};

/// `beats` of a DRAM bus in a vector.
Assembled assemble(const Layers& layers, const Architecture& architecture,
                   const Placement& placement, const Strategy& strategy, int beats);

}  // namespace macrame::tcu::compiler
