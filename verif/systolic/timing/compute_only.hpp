#pragma once
/// Cycles of whole layers on the array alone, without memory, in the two ways of published tools.

#include <cstdint>

namespace macrame::systolic::timing {

enum class Dataflow { weight_stationary, output_stationary, input_stationary };

/// A layer as a product of matrices: output pixels, filters, elements of an im2col window.
struct Product {
    std::int64_t pixels = 0;
    std::int64_t filters = 0;
    std::int64_t window = 0;
};

struct ArrayShape {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
};

/// As SCALE-Sim counts.
struct ComputeOnly {
    std::int64_t folds = 0;
    std::int64_t cycles_per_fold = 0;
    std::int64_t last_cycle = 0;  ///< what SCALE-Sim reports as the total: one less than the cycles
    double overall_utilisation = 0;  ///< percent; the same below
    double mapping_efficiency = 0;
    double compute_utilisation = 0;
};
ComputeOnly compute_only(const Product& product, const ArrayShape& array, Dataflow dataflow);

/// A convolution without padding, its outputs in tiles.
struct TiledLayer {
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::int64_t kernel_height = 0;
    std::int64_t kernel_width = 0;
    std::int64_t channels = 0;
    std::int64_t filters = 0;
    std::int64_t stride = 1;
    std::int64_t tile_height = 0;
    std::int64_t tile_width = 0;
};

/// GEMM of a layer, folds in the order filters, channels, tiles, taps; a tile that has left the
/// accumulators comes back with an instruction of one cycle, oldest out first.
struct GemmBusy {
    std::int64_t folds = 0;
    std::int64_t pixels = 0;   ///< sum of the tiles over all folds
    std::int64_t reloads = 0;  ///< of partial sums
    std::int64_t cycles = 0;   ///< weights come for nothing: pixels + rows + columns - 2 per fold
};
GemmBusy gemm_busy(const TiledLayer& layer, const ArrayShape& array,
                   std::int64_t accumulator_pixels);

}  // namespace macrame::systolic::timing
