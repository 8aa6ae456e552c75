#include "verif/systolic/timing/compute_only.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <vector>

namespace macrame::systolic::timing {

namespace {

constexpr double kPercent = 100.0;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// What lies on rows and columns, and the steps of a fold.
struct Mapping {
    std::int64_t rows;
    std::int64_t columns;
    std::int64_t steps;
};

Mapping mapping_of(const Product& p, Dataflow dataflow) {
    if (dataflow == Dataflow::weight_stationary) return {p.window, p.filters, p.pixels};
    if (dataflow == Dataflow::input_stationary) return {p.window, p.pixels, p.filters};
    return {p.pixels, p.filters, p.window};
}

/// Sizes of the pieces of `all`.
std::vector<std::int64_t> pieces(std::int64_t all, std::int64_t piece) {
    std::vector<std::int64_t> out;
    for (std::int64_t at = 0; at < all; at += piece)
        out.push_back(std::min(piece, all - at));
    return out;
}

/// Tiles of one filter fold in the accumulators, oldest first.
class Accumulators {
public:
    explicit Accumulators(std::int64_t pixels) : room_(pixels) {}

    /// True if the tile was here before and has left since.
    bool visit(std::size_t tile, std::int64_t pixels) {
        for (const auto& resident : tiles_)
            if (resident.first == tile) return false;
        while (!tiles_.empty() && room_ < pixels) {
            room_ += tiles_.front().second;
            tiles_.pop_front();
        }
        room_ -= pixels;
        tiles_.emplace_back(tile, pixels);
        return !seen_.insert(tile).second;
    }

private:
    std::int64_t room_;
    std::deque<std::pair<std::size_t, std::int64_t>> tiles_;
    std::set<std::size_t> seen_;
};

}  // namespace

ComputeOnly compute_only(const Product& product, const ArrayShape& array, Dataflow dataflow) {
    const Mapping map = mapping_of(product, dataflow);
    const bool outputs_stay = dataflow == Dataflow::output_stationary;
    const std::int64_t pes = array.rows * array.columns;
    ComputeOnly out;
    out.folds = ceil_div(map.rows, array.rows) * ceil_div(map.columns, array.columns);
    out.cycles_per_fold =
        map.steps + array.rows + array.columns - 2 + (outputs_stay ? 0 : array.rows);
    out.last_cycle = out.folds * out.cycles_per_fold - 1;
    const double macs = static_cast<double>(product.pixels) *
                        static_cast<double>(product.filters) *
                        static_cast<double>(product.window);
    const double slots = static_cast<double>(out.last_cycle) * static_cast<double>(pes);
    out.overall_utilisation = kPercent * macs / slots;
    out.mapping_efficiency = kPercent * static_cast<double>(map.rows * map.columns) /
                             static_cast<double>(out.folds * pes);
    const std::int64_t demand =
        outputs_stay ? out.cycles_per_fold : map.steps + 2 * array.rows + 2 * array.columns - 3;
    out.compute_utilisation = out.mapping_efficiency * static_cast<double>(map.steps) /
                              static_cast<double>(demand);
    return out;
}

GemmBusy gemm_busy(const TiledLayer& layer, const ArrayShape& array,
                   std::int64_t accumulator_pixels) {
    const std::int64_t height = (layer.height - layer.kernel_height) / layer.stride + 1;
    const std::int64_t width = (layer.width - layer.kernel_width) / layer.stride + 1;
    const std::int64_t taps = layer.kernel_height * layer.kernel_width;
    std::vector<std::int64_t> tiles;
    for (const std::int64_t h : pieces(height, layer.tile_height))
        for (const std::int64_t w : pieces(width, layer.tile_width))
            tiles.push_back(h * w);
    GemmBusy out;
    for (std::int64_t m = 0; m < ceil_div(layer.filters, array.columns); ++m) {
        Accumulators accumulators(accumulator_pixels);
        for (std::int64_t c = 0; c < ceil_div(layer.channels, array.rows); ++c) {
            for (std::size_t tile = 0; tile < tiles.size(); ++tile) {
                out.reloads += accumulators.visit(tile, tiles[tile]) ? 1 : 0;
                out.folds += taps;
                out.pixels += taps * tiles[tile];
            }
        }
    }
    out.cycles = out.pixels + out.folds * (array.rows + array.columns - 2) + out.reloads;
    return out;
}

}  // namespace macrame::systolic::timing
