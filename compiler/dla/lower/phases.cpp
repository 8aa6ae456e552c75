/// Phases of operators with more lines and columns behind them than in front, and RUBIK's contract
/// that brings them together.

#include <algorithm>
#include <optional>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/lower/operators.hpp"
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

void add_contracted(Lowering& lowering, int index, const Cube& all, int y, int x, int height,
                    int width) {
    const graph::TensorId id = lowering.result_of(index);
    if (lowering.plan.placements.count(id) == 0 || lowering.plan.clamp_layers.count(index) != 0) {
        lowering.new_location(id).cube =
            lowering.part_of(lowering.build.new_rubik_cube(lowering.tensor(id).name, all.width,
                                                           all.height, all.channels),
                             y, x, height, width);
        return;
    }
    const Cube& cube = lowering.add_output(index, width, height, all.channels).cube;
    if (all.height != height || all.width != width || !is_aligned(cube))
        throw Unsupported{
            "phases: RUBIK cannot write them into a concat: want an operator in between"};
}

void choose_method(Lowering& lowering, const std::vector<PhaseMethod>& methods,
                   const std::function<void(PhaseMethod)>& lower) {
    if (methods.size() == 1) return lower(methods.front());
    const Lowering::Snapshot before = lowering.snapshot();
    std::optional<PhaseMethod> best;
    std::pair<std::int64_t, std::uint64_t> least;
    std::optional<Unsupported> problem;
    for (const PhaseMethod method : methods) {
        lowering.restore(before);
        try {
            lower(method);
        } catch (const Unsupported& found) {
            problem = found;
            continue;
        }
        const std::pair<std::int64_t, std::uint64_t> cost{
            lowering.build.wrong_since(before.build), lowering.build.cycles_since(before.build)};
        if (best && cost >= least) continue;
        best = method;
        least = cost;
    }
    if (!best) throw *problem;
    if (best == methods.back()) return;
    lowering.restore(before);
    lower(*best);
}

}  // namespace macrame::dla::compiler
