/// Phases of operators with more lines and columns behind them than in front, and RUBIK's contract
/// that brings them together.

#include <algorithm>
#include <optional>
#include <utility>

#include "compiler/dla/buffer.hpp"
#include "compiler/dla/lower/lowering.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

namespace {

/// RUBIK's addresses and strides count so many bytes.
constexpr int kRubikUnit = 32;

bool is_aligned(const Cube& cube) {
    return cube.place.offset % kRubikUnit == 0 && cube.line_stride % kRubikUnit == 0 &&
           cube.surface_stride % kRubikUnit == 0;
}

}  // namespace

void Lowering::add_contracted(int index, const Cube& all, int y, int x, int height, int width) {
    const graph::TensorId id = result_of(index);
    if (plan_.placements.count(id) == 0 || plan_.clamp_layers.count(index) != 0) {
        locations_[id].cube =
            part_of(build.new_rubik_cube(tensor(id).name, all.width, all.height, all.channels), y,
                    x, height, width);
        return;
    }
    const Cube& cube = add_output(index, width, height, all.channels).cube;
    if (all.height != height || all.width != width || !is_aligned(cube))
        throw Unsupported{"phases: RUBIK cannot write them into a concat"};
}

void Lowering::choose_way(const std::vector<Way>& ways, const std::function<void(Way)>& lower) {
    if (ways.size() == 1) return lower(ways.front());
    const Snapshot before = snapshot();
    std::optional<Way> best;
    std::pair<std::int64_t, std::uint64_t> least;
    std::optional<Unsupported> problem;
    for (const Way way : ways) {
        restore(before);
        try {
            lower(way);
        } catch (const Unsupported& found) {
            problem = found;
            continue;
        }
        const std::pair<std::int64_t, std::uint64_t> cost{build.wrong_since(before.build),
                                                          build.cycles_since(before.build)};
        if (best && cost >= least) continue;
        best = way;
        least = cost;
    }
    if (!best) throw *problem;
    if (best == ways.back()) return;
    restore(before);
    lower(*best);
}

}  // namespace macrame::dla::compiler
