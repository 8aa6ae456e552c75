#pragma once
/// Layers in parts that follow each other, as a program has a limit.

#include <vector>

#include "compiler/systolic/alu_layer.hpp"
#include "compiler/systolic/layer.hpp"

namespace macrame::systolic::compiler {

/// About so many parts of the same outputs: rows of them, where there are several, else channels.
/// One part: there is nothing to cut.
std::vector<ConvLayer> cut(const ConvLayer& layer, int parts);
std::vector<AluLayer> cut(const AluLayer& layer, int parts);

}  // namespace macrame::systolic::compiler
