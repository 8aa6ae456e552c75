#pragma once
/// Windows of operators as those of convolutions, and parts of cubes: functions of sizes alone.

#include "compiler/dla/context.hpp"
#include "compiler/dla/location.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

/// Sizes of a convolution's kernel have 5 bits, its strides 3.
constexpr int kMaxKernel = 32, kMaxStride = 8;

/// A cube without gaps, to be placed.
Cube packed_cube(const model::Architecture& sizes, int width, int height, int channels);
/// Some channels of a cube, from a whole atom on.
Cube block(const model::Architecture& sizes, const Cube& cube, int first, int channels);
/// Some lines and columns of a cube; its strides stay.
Cube part_of(const model::Architecture& sizes, const Cube& cube, int y, int x, int height,
             int width);
/// A vector with more channels than registers count as a line of pixels: atom i is surface
/// i / width of pixel i % width.
Cube row_of(const model::Architecture& sizes, const Cube& vector);
/// A picture of that form, to be placed.
Location image(const model::Architecture& sizes, const Shape& shape, const PixelForm& form);

/// Window, padding and input; where windows do not reach the end, the rest is not read.
ConvLayer geometry(const Context& context, int index, const graph::Window& window,
                   const Location& in, int out_h, int out_w);
ConvLayer geometry(const Context& context, int index, const graph::Window& window, const Cube& in,
                   int out_h, int out_w);
/// Has it more padding than registers or window allow? Then it is a border in memory.
bool wants_border(const ConvLayer& conv);
/// Makes the kernel a column or a line larger where the input is a single pixel of `whole` that is
/// not packed: more than one pixel is read then. False: that is not needed.
bool widen(const model::Architecture& sizes, ConvLayer& conv, const Cube& whole);

/// Channels of a layer that keeps channels apart, a multiple of `unit`: more of them are fewer
/// layers and more zeros among the weights.
int block_channels(const model::Architecture& sizes, ConvLayer conv, int channels, int unit,
                   int kernels_per_channel);

/// Channels of an input that is there `terms` times, whole atoms behind each other: weights of more
/// than 8 bits are sums.
int repeated_channels(const model::Architecture& sizes, int channels, int terms);

}  // namespace macrame::dla::compiler
