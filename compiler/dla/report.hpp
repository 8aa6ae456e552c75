#pragma once
/// What a program tells of its tensors, layers and buffers.

#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/dla/location.hpp"
#include "compiler/dla/memory.hpp"
#include "compiler/program/program.hpp"
#include "verif/dla/model/sizes.hpp"

namespace macrame::dla::compiler {

/// Layout of an input or output in memory.
program::Tensor tensor_of(const graph::Tensor& tensor, const Location& location,
                          const std::vector<Buffer>& buffers, int atom);

macrame::compiler::LayerReport report(const model::Architecture& sizes, const Layer& layer);
macrame::compiler::BufferReport report(const Buffer& buffer);

/// Layers take the register groups of a unit in turn.
void add_units(std::vector<macrame::compiler::LayerReport>& layers);

}  // namespace macrame::dla::compiler
