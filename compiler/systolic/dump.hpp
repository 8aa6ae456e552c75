#pragma once
/// What passes have made, for people.

#include <string>

#include "compiler/systolic/lower.hpp"
#include "compiler/systolic/program.hpp"

namespace macrame::systolic::compiler {

/// Layers: what they do, on what sizes, what they read and write.
std::string text_of(const Lowering& lowering);

/// Instructions, by layer.
std::string text_of(const Lowering& lowering, const SystolicProgram& program);

}  // namespace macrame::systolic::compiler
