#pragma once
/// Layers as parts of their height and width.

#include "compiler/dla/layer.hpp"
#include "verif/dla/model/sizes.hpp"

namespace macrame::dla::compiler {

/// Part of a layer: these lines of its output.
ConvLayer lines_of(const ConvLayer& whole, int first, int count);
SdpLayer lines_of(const SdpLayer& whole, int first, int count);

/// The same of its columns; a convolution reads a cube then.
ConvLayer columns_of(const model::Architecture& sizes, const ConvLayer& whole, int first,
                     int count);
SdpLayer columns_of(const model::Architecture& sizes, const SdpLayer& whole, int first, int count);

/// Does the hardware take these sizes and strides? A cube of 1 x 1 has to be packed.
bool is_legal(const model::Architecture& sizes, const Cube& cube);
bool is_legal(const model::Architecture& sizes, const ConvLayer& conv);
bool is_legal(const model::Architecture& sizes, const SdpLayer& sdp);

}  // namespace macrame::dla::compiler
