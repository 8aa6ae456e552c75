#pragma once
/// What passes have made, for people.

#include <string>

#include "compiler/tcu/assemble.hpp"
#include "compiler/tcu/layer.hpp"
#include "compiler/tcu/memory.hpp"
#include "compiler/tcu/program.hpp"

namespace macrame::tcu::compiler {

/// Layers: what they make of how many vectors.
std::string text_of(const Layers& layers);

/// How much of each memory is taken, and when variables of DRAM0 are in use.
std::string text_of(const Layers& layers, const Placement& placement,
                    const Architecture& architecture);

/// Instructions, by layer.
std::string text_of(const Layers& layers, const Assembled& assembled,
                    const Architecture& architecture);

/// Where inputs and outputs lie; how many elements of constants there are.
std::string text_of(const TcuProgram& program, std::size_t constants);

}  // namespace macrame::tcu::compiler
