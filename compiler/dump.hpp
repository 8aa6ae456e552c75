#pragma once
/// What passes of all families show.

#include <string>
#include <string_view>
#include <vector>

#include "compiler/compiled.hpp"

namespace macrame::compiler {

/// A picture of the buffers over time, for people: a line for each, by address, a column for each
/// of the `layers`, or for several. `unit`: what BufferReport counts.
std::string memory_picture(std::vector<BufferReport> buffers, int layers,
                           std::string_view unit = "bytes");

/// A table: what limits each layer, and when it is done. `post`: what the unit behind the MAC array
/// is called.
std::string times_table(const std::vector<LayerReport>& layers, std::string_view post);

}  // namespace macrame::compiler
