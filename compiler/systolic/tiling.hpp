#pragma once
/// How a convolution is cut: tiles of outputs, folds of filters and channels, groups of taps, and
/// the order in which they are visited.

#include <cstdint>
#include <vector>

#include "compiler/systolic/layer.hpp"
#include "compiler/systolic/tap_packing.hpp"
#include "verif/systolic/isa/architecture.hpp"

namespace macrame::systolic::compiler {

/// What to make small.
enum class Goal { cycles, bytes };

/// Outputs of a layer: rows and columns from here to there, behind the pool and of the convolution.
struct Tile {
    int row = 0, column = 0, rows = 0, columns = 0;                  ///< behind the pool
    int sum_row = 0, sum_column = 0, sum_rows = 0, sum_columns = 0;  ///< of the convolution

    int sums() const { return sum_rows * sum_columns; }
};

/// Along one axis, what an image of the input has for a tile: positions `first`, `first + step`,
/// ...
struct Line {
    int first = 0, step = 1, count = 0;
};
/// A fold on such a line: where it begins, counted in positions of the line, and the step of its
/// outputs; outputs in front and behind that lie on padding.
struct LineFold {
    int begin = 0, step = 1, before = 0, behind = 0;
};

/// Folds that follow each other.
struct Group {
    int first = 0, end = 0;

    int size() const { return end - first; }
};

struct Tiling {
    Cover cover;
    int rows = 1, columns = 1;  ///< of a tile, behind the pool
    int filter_folds = 1;       ///< of a tile
    int channel_folds = 1;      ///< that are loaded together
    int folds = 1;              ///< of an image whose weights are loaded together, at most
    bool filters_outside = false;
    bool snake = true;
};

/// Numbers of a layer under a tiling.
class Plan {
public:
    Plan(const Architecture& architecture, const ConvLayer& layer, const Tiling& tiling);

    const Tiling& tiling() const { return tiling_; }
    int channel_folds() const { return channel_folds_; }
    int channel_groups() const { return ceil_div(channel_folds_, tiling_.channel_folds); }
    int filter_folds() const { return filter_folds_; }
    int filter_groups() const { return ceil_div(filter_folds_, tiling_.filter_folds); }
    int tiles() const { return tile_rows_ * tile_columns_; }
    int tile_rows() const { return tile_rows_; }
    int tile_columns() const { return tile_columns_; }
    Tile tile(int index) const;

    int channels(int fold) const;  ///< of a fold of channels
    int filters(int fold) const;
    /// Folds of a group.
    Group filters_of(int group) const;
    Group channels_of(int group) const;
    /// Whether any weight joins them.
    bool meet(int filter_fold, int channel_fold) const;
    /// Rows of the array that a fold takes.
    int active_rows(const Image& image, int channel_fold) const {
        return image.taps() * channels(channel_fold);
    }

    Line line_y(const Tile& tile, const Image& image) const;
    Line line_x(const Tile& tile, const Image& image) const;
    LineFold fold_y(const Tile& tile, const Line& line, const Fold& fold) const;
    LineFold fold_x(const Tile& tile, const Line& line, const Fold& fold) const;

    // Slots, in entries, and how many there are; 0: it does not fit.
    int input_slot() const { return input_slot_; }
    int weight_slot() const { return weight_slot_; }
    int output_slot() const { return output_slot_; }
    int input_slots() const;
    int weight_slots() const;
    int output_slots() const;
    int scale_slots() const;
    bool fits() const;

private:
    void measure();

    const Architecture& architecture_;
    const ConvLayer& layer_;
    Tiling tiling_;
    int channel_folds_, filter_folds_, tile_rows_, tile_columns_;
    int input_slot_ = 0, weight_slot_ = 0, output_slot_ = 0;
};

/// Busy cycles of each module, cycles in all, bytes.
struct PlanCost {
    std::int64_t load = 0, gemm = 0, alu = 0, store = 0;
    std::int64_t fill = 0;  ///< before the first fold and behind the last one
    std::int64_t cycles = 0;
    std::int64_t bytes = 0;
    std::int64_t folds = 0;  ///< instructions of GEMM
};
PlanCost plan_cost(const Architecture& architecture, const ConvLayer& layer, const Plan& plan);

/// Those that promise most, best first; empty if not one pixel fits.
std::vector<Tiling> tilings(const Architecture& architecture, const ConvLayer& layer, Goal goal,
                            std::size_t most);

}  // namespace macrame::systolic::compiler
