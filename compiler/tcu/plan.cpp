#include "compiler/tcu/plan.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "compiler/graph/at.hpp"

namespace macrame::tcu::compiler {

namespace {

constexpr double kTile = 50;  ///< cycles beside what memory and array take

/// What tiles of a size need.
struct Need {
    int tiles = 0;
    int tile_data = 0;   ///< inputs of a tile, at most
    int chunk_data = 0;  ///< inputs of a tile with one set, at most
    int all_data = 0;    ///< inputs of all
    std::int64_t loads = 0;
};

struct Weights {
    int all = 0, group = 0, set = 0;  ///< vectors; of the largest
    int sets = 0;
};

Weights weights_of(const Layer& layer, const Groups& groups) {
    Weights out;
    std::vector<int> group(groups.outputs.size());
    std::vector<int> seen(layer.sets.size(), -1);
    for (const Output& output : layer.outputs) {
        for (const Term term : output.terms) {
            if (layer.combine != Combine::sum || seen[at(term.set)] == output.group) continue;
            seen[at(term.set)] = output.group;
            const int vectors = layer.sets[at(term.set)].vectors();
            group[at(output.group)] += vectors;
            out.all += vectors;
            out.set = std::max(out.set, vectors);
            ++out.sets;
        }
    }
    for (const int vectors : group)
        out.group = std::max(out.group, vectors);
    return out;
}

/// Numbers of inputs, 0 ..., in place of vectors: tables are small then.
class Sources {
public:
    explicit Sources(const Layer& layer) {
        VectorId most = -1;
        for (const Output& output : layer.outputs)
            for (const Term term : output.terms)
                most = std::max(most, term.source);
        tile_.assign(at(most + 1), -1);
        ever_ = tile_;
    }

    Need need(const Layer& layer, const Groups& groups, int tile) {
        Need out;
        std::fill(ever_.begin(), ever_.end(), -1);
        for (int first = 0; first < groups.positions; first += tile) {
            ++number_;
            ++out.tiles;
            int data = 0;
            for (const std::vector<int>& group : groups.outputs) {
                const int end = std::min(first + tile, static_cast<int>(group.size()));
                by_set_.assign(layer.sets.size() + 1, 0);
                for (int p = first; p < end; ++p)
                    for (const Term term : layer.outputs[at(group[at(p)])].terms)
                        if (term.source != kZeros) count(term, data, out);
            }
            out.tile_data = std::max(out.tile_data, data);
            out.loads += data;
        }
        return out;
    }

private:
    void count(const Term& term, int& data, Need& out) {
        const std::size_t source = at(term.source);
        if (tile_[source] != number_) {
            tile_[source] = number_;
            ++data;
        }
        if (ever_[source] < 0) {
            ever_[source] = 0;
            ++out.all_data;
        }
        // A vector that a set reads twice counts twice: rare, and on the safe side.
        out.chunk_data = std::max(out.chunk_data, ++by_set_[at(term.set)]);
    }

    std::vector<int> tile_, ever_, by_set_;
    int number_ = 0;
};

/// Tiles to try: all, whole lines, parts of a line.
std::vector<int> tiles(const Layer& layer, int positions) {
    std::vector<int> out = {positions};
    const int line = std::max(1, std::min(layer.line, positions));
    for (int lines = (positions + line - 1) / line; lines > 1;) {
        lines = (lines + 1) / 2;
        out.push_back(lines * line);
    }
    for (int part = line; part > 1;) {
        part = (part + 1) / 2;
        out.push_back(part);
    }
    return out;
}

struct Choice {
    Plan plan;
    double cost = std::numeric_limits<double>::max();
};

void try_order(const Need& need, const Weights& weights, const Groups& groups, const Room& room,
               std::int64_t array, std::size_t outputs, Plan plan, Choice& best) {
    const auto group_count = static_cast<std::int64_t>(groups.outputs.size());
    const bool outside = plan.groups_outside;
    for (const int kept : {weights.all, 2 * weights.group, weights.group, 4 * weights.set,
                           2 * weights.set, weights.set}) {
        plan.weights = room.weights_local ? 0 : std::min(kept, weights.all);
        plan.data = room.local - plan.weights - plan.staging;
        const int least = need.chunk_data;
        if (!room.data_local && plan.data < least) continue;
        if (plan.data < 0) continue;
        const bool all_weights = plan.weights >= weights.all ||
                                 (outside && plan.weights >= weights.group) || need.tiles == 1;
        const std::int64_t weight_loads =
            room.weights_local ? 0 : weights.all * std::int64_t{all_weights ? 1 : need.tiles};
        const bool held = outside ? plan.data >= need.all_data : plan.data >= need.tile_data;
        std::int64_t data_loads = outside && held ? need.all_data : need.loads;
        if (!held) data_loads *= group_count;
        if (room.data_local) data_loads = 0;
        const auto moved = data_loads + static_cast<std::int64_t>(room.data_local ? 0 : outputs);
        const double bus0 = static_cast<double>(moved * room.beats);
        const double bus1 = static_cast<double>(weight_loads * room.beats);
        // The first tile is loaded before, the last one stored behind all else.
        const int ends = room.data_local ? 0 : std::min(need.tile_data, plan.data) + plan.tile;
        double cost = std::max({bus0, bus1, static_cast<double>(array)}) + 0.05 * (bus0 + bus1) +
                      static_cast<double>(ends * room.beats) + kTile * need.tiles;
        // Without room for the next tile nothing is loaded while the array works.
        if (need.tiles > 1 && plan.data < 2 * need.tile_data) cost += 0.5 * bus0;
        if (!room.weights_local && plan.weights < std::min(2 * weights.set, weights.all))
            cost += 0.5 * bus1;
        if (cost >= best.cost) continue;
        best = {plan, cost};
        if (room.data_local) best.plan.data = 0;
    }
}

}  // namespace

Groups groups_of(const Layer& layer) {
    Groups groups;
    for (std::size_t i = 0; i < layer.outputs.size(); ++i) {
        const std::size_t group = at(layer.outputs[i].group);
        if (groups.outputs.size() <= group) groups.outputs.resize(group + 1);
        groups.outputs[group].push_back(static_cast<int>(i));
        groups.positions =
            std::max(groups.positions, static_cast<int>(groups.outputs[group].size()));
    }
    return groups;
}

std::optional<Plan> plan(const Layer& layer, const Groups& groups, const Room& room) {
    Choice best;
    const Weights weights = weights_of(layer, groups);
    Sources sources(layer);
    const bool sum = layer.combine == Combine::sum;
    for (const int tile : tiles(layer, groups.positions)) {
        const bool only = tile >= groups.positions && groups.outputs.size() == 1;
        // More than there are, whatever its inputs.
        if (tile * (only ? 1 : 2) > room.accumulators && tile > 1) continue;
        // Padding leaves some sets with fewer products than the tile has outputs.
        const std::int64_t tile_count = (groups.positions + tile - 1) / tile;
        const std::int64_t array =
            sum ? tile_count * weights.sets * std::max(tile + 2, 3 * (room.swap + 2) / 2) : 0;
        // No order of so many tiles costs less.
        if (static_cast<double>(array) + kTile * static_cast<double>(tile_count) >= best.cost)
            continue;
        Need need = sources.need(layer, groups, tile);
        // Others have inputs and outputs of a tile and group in the accumulators.
        const int accumulators = sum                              ? tile
                                 : layer.combine == Combine::copy ? tile
                                                                  : tile + need.chunk_data;
        if (accumulators * (only ? 1 : 2) > room.accumulators && tile > 1) continue;
        if (accumulators > room.accumulators) continue;
        for (const bool outside : {false, true}) {
            Plan one;
            one.tile = tile;
            one.groups_outside = outside;
            one.staging = room.data_local ? 0 : tile * (only ? 1 : 2);
            try_order(need, weights, groups, room, array, layer.outputs.size(), one, best);
        }
    }
    if (best.cost == std::numeric_limits<double>::max()) return std::nullopt;
    return best.plan;
}

}  // namespace macrame::tcu::compiler
