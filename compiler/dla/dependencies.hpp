#pragma once
/// What a layer really has to wait for.

#include <vector>

#include "compiler/dla/layer.hpp"
#include "verif/dla/model/sizes.hpp"

namespace macrame::dla::compiler {

/// Takes those layers out of Layer::after that write nothing of what the layer reads. Before
/// plan_memory(), where different buffers are different memory.
void limit_dependencies(const model::Architecture& sizes, std::vector<Layer>& layers);

}  // namespace macrame::dla::compiler
