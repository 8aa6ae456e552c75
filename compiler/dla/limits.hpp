#pragma once
/// What the registers of a layer have room for, and layers cut to that.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/dla/layer.hpp"
#include "verif/dla/model/sizes.hpp"

namespace macrame::dla::compiler {

/// A value that its register cannot hold.
struct Excess {
    const char* what;  ///< "kernels"
    std::int64_t value, most;
    const char* place;  ///< "csc.D_WEIGHT_SIZE_EXT_1"
};
std::string text_of(const Excess& excess);

/// The first of a layer; none if its registers hold all sizes.
std::optional<Excess> excess(const ConvLayer& conv);
std::optional<Excess> excess(const Layer& layer);

/// Width, height and channels of a cube, kernels of a convolution.
int most_size();

/// Lines or columns of a window of PDP, and of its steps.
constexpr int kMostPoolKernel = 8, kMostPoolStride = 16;
/// Columns of the output that PDP's line buffer holds.
int most_pool_columns(int kernel_h, int stride_h);
/// Phases of this size that RUBIK can bring together.
bool can_contract(const model::Architecture& sizes, int width, int height, int channels,
                  int stride_h, int stride_w);

/// Some kernels of a convolution, from a whole atom on; without its weights.
ConvLayer kernels_of(const model::Architecture& sizes, const ConvLayer& whole, int first,
                     int count);

/// Lines and columns of the output that registers and buffer have room for at a time.
struct Tile {
    int lines = 0, columns = 0;
};
/// The largest; none if not even the smallest fits. An image keeps its columns.
std::optional<Tile> largest_tile(const model::Architecture& sizes, const ConvLayer& conv);

/// The layer in pieces that registers have room for.
std::vector<SdpLayer> pieces_of(const model::Architecture& sizes, const SdpLayer& whole);

/// Channels of a cube from a whole atom on.
Cube channels_of(const model::Architecture& sizes, const Cube& cube, int first, int count);

}  // namespace macrame::dla::compiler
