/// Height and width swapped: lines are copied to columns.

#include <algorithm>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/lower/operators.hpp"
#include "compiler/dla/values.hpp"
#include "compiler/graph/links.hpp"

namespace macrame::dla::compiler {

void lower_transpose(Lowering& lowering, int index) {
    const auto& op = std::get<graph::Transpose>(lowering.node(index).op);
    const graph::Node& n = lowering.node(index);
    const graph::Tensor& from = lowering.tensor(n.inputs[0]);
    // Axes of 1 may go anywhere.
    std::vector<int> order;
    for (const int axis : op.order)
        if (from.shape[at(axis)] != 1) order.push_back(axis);
    if (std::is_sorted(order.begin(), order.end())) {
        lower_reshape(lowering, index);
        return;
    }
    const int maker = graph::maker(lowering.context.graph, n.inputs[0]);
    if (!lowering.is_placed(n.inputs[0]) && maker >= 0 && splits_heads(lowering, maker)) {
        Location& made = lowering.new_location(n.outputs[0]);
        made = lowering.location_of(lowering.node(maker).inputs[0]);
        made.cube = heads_of(lowering, made.cube, shape_of(from).width);
        return;
    }
    if (lowering.is_flattened(n.inputs[0]) || is_collapsed(from))
        throw Unsupported{"transpose of what was flattened: want the shape that it had"};
    if (!swaps_lines(lowering, index))
        throw Unsupported{"transpose: want height and width swapped, channels kept"};
    if (joins_heads(lowering, index)) return;
    const Location in = lowering.location_of(n.inputs[0]);
    const Shape shape = shape_of(from);
    Location& made = lowering.add_output(index, shape.height, shape.width, shape.channels);
    const int atom = lowering.context.sizes.atom_bytes;
    const auto add = [&](const Cube& a, const Cube& b) {
        gather(made.writers, lowering.build.add_copy(a, b, in.writers));
    };
    if (shape.width <= shape.height) {  // columns become lines
        for (int x = 0; x < shape.width; ++x) {
            Cube line = lowering.part_of(made.cube, x, 0, shape.height, 1);
            line.line_stride = static_cast<unsigned>(atom);
            add(lowering.part_of(in.cube, 0, x, shape.height, 1), line);
        }
        return;
    }
    for (int y = 0; y < shape.height; ++y) {
        Cube line = lowering.part_of(in.cube, y, 0, shape.width, 1);
        line.line_stride = static_cast<unsigned>(atom);
        add(line, lowering.part_of(made.cube, 0, y, shape.width, 1));
    }
}

}  // namespace macrame::dla::compiler
