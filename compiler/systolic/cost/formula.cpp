#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "compiler/systolic/cost/latencies.hpp"
#include "compiler/systolic/tiling.hpp"

namespace macrame::systolic::compiler {

namespace {

/// Tiles that are alike, told by one of them.
struct Kind {
    Tile tile;
    std::int64_t count;
};

std::vector<Kind> kinds(const Plan& plan) {
    const auto along = [](int tiles) {
        std::vector<std::pair<int, int>> out = {{tiles - 1, 1}};
        if (tiles > 1) out.emplace_back((tiles - 1) / 2, tiles - 1);
        return out;
    };
    std::vector<Kind> out;
    for (const auto& [row, rows] : along(plan.tile_rows()))
        for (const auto& [column, columns] : along(plan.tile_columns()))
            out.push_back(
                {plan.tile(row * plan.tile_columns() + column), std::int64_t{rows} * columns});
    return out;
}

/// How often something is loaded that `passes` passes over `keys` things ask for.
std::int64_t loads(std::int64_t keys, std::int64_t passes, std::int64_t slots, bool snake) {
    if (keys <= slots) return keys;
    return keys + (passes - 1) * (keys - (snake ? slots : 0));
}

class Counter {
public:
    Counter(const Architecture& architecture, const ConvLayer& layer, const Plan& plan)
        : architecture_(architecture), layer_(layer), plan_(plan), tiling_(plan.tiling()) {}

    PlanCost count() {
        for (const Kind& kind : kinds(plan_))
            add_tile(kind);
        add_weights();
        const Tile last = plan_.tile(plan_.tiles() - 1);
        out_.fill = plan_.input_slot() + plan_.weight_slot() + 2 * kLoadLatency + drain() +
                    tiling_.filter_folds * store_cycles(last);
        // Between equal ones the one with fewer instructions.
        out_.cycles = std::max({out_.load, tiles_, slots(), out_.alu, out_.store}) + out_.fill +
                      out_.folds / 4;
        return out_;
    }

private:
    std::int64_t input_keys() const {
        return plan_.channel_groups() * static_cast<std::int64_t>(tiling_.cover.size());
    }
    std::int64_t weight_keys() const {
        std::int64_t sum = 0;
        for (const Image& image : tiling_.cover)
            sum += ceil_div(static_cast<int>(image.folds.size()), tiling_.folds);
        return sum * plan_.channel_groups();
    }
    /// From the last step of a fold until another module knows of its results.
    std::int64_t drain() const {
        constexpr std::int64_t kTokens = 10;
        return drain_cycles(0, architecture_.rows, architecture_.columns) + kTokens;
    }
    /// LOAD fills slots again that GEMM has left: all steps, if they take turns at the slots.
    std::int64_t slots() const {
        const std::int64_t inputs = input_keys() * plan_.tiles();
        const std::int64_t weights = weight_keys() * plan_.filter_groups();
        std::int64_t turns = 0;
        const auto add = [&](std::int64_t keys, std::int64_t count) {
            if (keys > count) turns = turns == 0 ? count : std::min(turns, count);
        };
        add(inputs, plan_.input_slots());
        add(weights, plan_.weight_slots());
        if (turns == 0) return 0;
        const std::int64_t steps = weight_keys() * plan_.filter_groups() * plan_.tiles();
        return (out_.gemm + out_.load + steps * drain()) / turns;
    }
    /// Of a fold of filters.
    std::int64_t store_cycles(const Tile& tile) const {
        return kStoreLatency +
               vector_cycles(std::int64_t{tile.rows} * tile.columns,
                             architecture_.columns * std::int64_t{layer_.output.element},
                             architecture_.bus_bytes);
    }

    void add_load(std::int64_t times, std::int64_t vectors, std::int64_t bytes) {
        out_.load +=
            times * (kLoadLatency + vector_cycles(vectors, bytes, architecture_.bus_bytes));
        out_.bytes += times * vectors * bytes;
    }

    /// Folds of filters and channels that have weights.
    std::int64_t pairs() const {
        if (layer_.groups == 1) return std::int64_t{plan_.filter_folds()} * plan_.channel_folds();
        std::int64_t sum = 0;
        for (int m = 0; m < plan_.filter_folds(); ++m)
            for (int c = 0; c < plan_.channel_folds(); ++c)
                sum += plan_.meet(m, c) ? 1 : 0;
        return sum;
    }

    /// Loads of inputs, of all tiles.
    std::int64_t input_loads() const {
        const std::int64_t groups = plan_.filter_groups(), slots = plan_.input_slots();
        const std::int64_t tiles = plan_.tiles();
        if (layer_.groups > 1)
            return pairs() * tiles * static_cast<std::int64_t>(tiling_.cover.size());
        if (tiling_.filters_outside)
            return loads(input_keys() * tiles, groups, slots, tiling_.snake);
        return tiles * loads(input_keys(), groups, slots, tiling_.snake);
    }

    void add_tile(const Kind& kind) {
        const std::int64_t steps = kind.tile.sums();
        const auto images = static_cast<std::int64_t>(tiling_.cover.size());
        const std::int64_t times = input_loads() * kind.count / (plan_.tiles() * images);
        const int channels = plan_.channels(0);
        std::int64_t gemm = 0;
        for (const Image& image : tiling_.cover) {
            const std::int64_t pixels = std::int64_t{plan_.line_y(kind.tile, image).count} *
                                        plan_.line_x(kind.tile, image).count;
            add_load(times, pixels * image.taps() * plan_.channel_folds() / plan_.channel_groups(),
                     std::int64_t{channels} * layer_.input.element);
            const std::int64_t folds = pairs() * static_cast<std::int64_t>(image.folds.size());
            gemm += folds * fold_cycles(steps, plan_.active_rows(image, 0));
            out_.folds += folds * kind.count;
        }
        const std::int64_t outputs = std::int64_t{kind.tile.rows} * kind.tile.columns;
        const std::int64_t store = plan_.filter_folds() * store_cycles(kind.tile);
        std::int64_t alu = steps * static_cast<std::int64_t>(layer_.post.size());
        if (layer_.pool) alu += outputs * layer_.pool->height * layer_.pool->width;
        alu *= plan_.filter_folds();
        out_.gemm += kind.count * gemm;
        out_.alu += kind.count * alu;
        out_.store += kind.count * store;
        out_.bytes += outputs * layer_.filters() * layer_.output.element * kind.count;
        // Tiles take turns at the slots of OBUF.
        const std::int64_t turn = gemm + alu + store + plan_.filter_groups() * drain();
        tiles_ += kind.count * std::max(gemm, turn / plan_.output_slots());
    }

    void add_weights() {
        const std::int64_t groups = plan_.filter_groups(), slots = plan_.weight_slots();
        const std::int64_t keys = weight_keys();
        const std::int64_t tiles = plan_.tiles();
        // All of them so often, in parts.
        const std::int64_t times = tiling_.filters_outside
                                       ? groups * loads(keys, tiles, slots, tiling_.snake)
                                       : loads(keys * groups, tiles, slots, tiling_.snake);
        const std::int64_t rows =
            std::int64_t{layer_.window.height} * layer_.window.width * plan_.filter_folds() *
            (layer_.groups == 1 ? layer_.input.channels
                                : std::min(layer_.input.channels, architecture_.rows));
        const std::int64_t all = keys * groups;
        const std::int64_t bytes = element_bytes(architecture_.weight_width) *
                                   std::int64_t{std::min(architecture_.columns, layer_.filters())};
        add_load(times, rows / all, bytes);
    }

    const Architecture& architecture_;
    const ConvLayer& layer_;
    const Plan& plan_;
    const Tiling& tiling_;
    PlanCost out_;
    std::int64_t tiles_ = 0;  ///< cycles of GEMM, with waits for slots of OBUF
};

/// The sizes of parts that cut a length into equal ones.
std::vector<int> parts(int length, int most) {
    std::vector<int> out;
    for (int count = 1; count <= length; ++count) {
        const int size = ceil_div(length, count);
        if (size <= most && (out.empty() || out.back() != size)) out.push_back(size);
    }
    return out;
}

/// Largest groups of folds so that two, or at least one of them lie in WBUF.
std::vector<int> fold_groups(const Architecture& architecture, const Cover& cover, int rows,
                             int filter_folds) {
    int most = 1;
    for (const Image& image : cover)
        most = std::max(most, static_cast<int>(image.folds.size()));
    std::vector<int> out;
    for (const int slots : {2, 1}) {
        const int room = architecture.wbuf_entries / (rows * filter_folds * slots);
        const int size = ceil_div(most, ceil_div(most, std::clamp(room, 1, most)));
        if (out.empty() || out.back() != size) out.push_back(size);
    }
    return out;
}

struct Candidate {
    Tiling tiling;
    std::int64_t value;
};

}  // namespace

PlanCost plan_cost(const Architecture& architecture, const ConvLayer& layer, const Plan& plan) {
    return Counter(architecture, layer, plan).count();
}

std::vector<Tiling> tilings(const Architecture& architecture, const ConvLayer& layer, Goal goal,
                            std::size_t most) {
    constexpr int kMostPixels = 255;  // ofmap_height, ofmap_width
    const bool packed = layer.groups == 1 && layer.bordered;
    const Window pool = layer.last_window();
    std::vector<Candidate> found;
    // The best order of each.
    const auto orders = [&](Tiling tiling) {
        std::optional<Candidate> best;
        for (const bool outside : {false, true}) {
            tiling.filters_outside = outside;
            const Plan plan(architecture, layer, tiling);
            if (!plan.fits()) return;
            const PlanCost cost = plan_cost(architecture, layer, plan);
            const std::int64_t value = goal == Goal::cycles ? cost.cycles : cost.bytes;
            if (!best || value < best->value) best = {tiling, value};
        }
        found.push_back(std::move(*best));
    };
    const int filter_folds = ceil_div(layer.filters(), architecture.columns);
    const int channels = std::min(architecture.rows, layer.input.channels);
    const int channel_folds = ceil_div(layer.input.channels, architecture.rows);
    const int most_together = layer.groups == 1 ? channel_folds : 1;
    const int shared = packed ? architecture.rows / layer.input.channels : 1;
    const auto cut = [&](const Cover& cover) {
        const int taken = cover.front().taps() * channels;
        for (const int rows : parts(layer.output.height, kMostPixels / pool.stride_y - 1)) {
            for (const int columns : parts(layer.output.width, kMostPixels / pool.stride_x - 1)) {
                const int room = architecture.obuf_entries / (rows * columns);
                for (int m = 1; m <= std::min(filter_folds, room); ++m) {
                    for (int c = 1; c <= most_together; c *= 2) {
                        Tiling tiling{cover, rows, columns, m, c};
                        for (const int folds : fold_groups(architecture, cover, taken, m * c)) {
                            tiling.folds = folds;
                            orders(tiling);
                        }
                    }
                }
            }
        }
    };
    for (const Cover& cover : covers(layer.window.height, layer.window.width, shared))
        cut(cover);
    if (found.empty())
        for (const Cover& cover : split_covers(layer.window.height, layer.window.width))
            if (found.empty()) cut(cover);
    std::stable_sort(found.begin(), found.end(),
                     [](const Candidate& a, const Candidate& b) { return a.value < b.value; });
    std::vector<Tiling> out;
    for (std::size_t i = 0; i < found.size() && i < most; ++i)
        out.push_back(std::move(found[i].tiling));
    return out;
}

}  // namespace macrame::systolic::compiler
