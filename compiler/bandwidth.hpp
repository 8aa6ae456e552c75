#pragma once
/// Memories that move less than the port of the accelerator.

#include <vector>

#include "compiler/compiled.hpp"

namespace macrame::compiler {

/// Makes layers as long as their bytes take at so many per cycle; 0: memory is as fast as the port.
void limit_bandwidth(std::vector<LayerReport>& layers, double bytes_per_cycle);

}  // namespace macrame::compiler
