/// Phases of operators with more lines and columns behind them than in front, and RUBIK's contract
/// that brings them together.

#include <algorithm>
#include <optional>
#include <utility>

#include "compiler/dla/buffer.hpp"
#include "compiler/dla/lower.hpp"
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

Cube Lowering::new_rubik_cube(const std::string& name, int width, int height, int channels) {
    const int unit = std::max(1, kRubikUnit / sizes_.atom_bytes);
    Cube cube = new_cube(name, div_up(width, unit) * unit, height, channels);
    cube.width = width;
    return cube;
}

void Lowering::add_contracted(int index, const Cube& all, int y, int x, int height, int width) {
    const graph::TensorId id = result_of(index);
    if (plan_.placements.count(id) == 0 || plan_.clamp_layers.count(index) != 0) {
        locations_[id].cube =
            part_of(new_rubik_cube(tensor(id).name, all.width, all.height, all.channels), y, x,
                    height, width);
        return;
    }
    const Cube& cube = add_output(index, width, height, all.channels).cube;
    if (all.height != height || all.width != width || !is_aligned(cube))
        throw Unsupported{"phases: RUBIK cannot write them into a concat"};
}

int Lowering::add_contract(int index, const Cube& phases, const Cube& to, int stride_h,
                           int stride_w, const std::vector<int>& after) {
    Layer layer;
    layer.work = RubikLayer{phases, to, stride_h, stride_w};
    layer.name = tensor(node(index).outputs[0]).name;
    layer.node = index;
    layer.after = after;
    layer.choice = "contract";
    return add_layer(std::move(layer));
}

void Lowering::choose_way(const std::vector<Way>& ways, const std::function<void(Way)>& lower) {
    if (ways.size() == 1) return lower(ways.front());
    const Mark before = mark();
    std::optional<Way> best;
    std::pair<std::int64_t, std::uint64_t> least;
    std::optional<Unsupported> problem;
    for (const Way way : ways) {
        undo(before);
        try {
            lower(way);
        } catch (const Unsupported& found) {
            problem = found;
            continue;
        }
        std::pair<std::int64_t, std::uint64_t> cost{0, cycles_since(before)};
        for (std::size_t i = before.exactness; i < exactness.size(); ++i)
            cost.first += exactness[i].values;
        if (best && cost >= least) continue;
        best = way;
        least = cost;
    }
    if (!best) throw *problem;
    if (best == ways.back()) return;
    undo(before);
    lower(*best);
}

}  // namespace macrame::dla::compiler
