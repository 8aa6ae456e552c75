/// Pads: a border that is there before the run.

#include <algorithm>
#include <array>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/lower/operators.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

void lower_pad(Lowering& lowering, int index) {
    const auto& op = std::get<graph::Pad>(lowering.node(index).op);
    if (!op.is_zero()) throw Unsupported{"pad: elements of its own: want zeros"};
    const graph::Node& n = lowering.node(index);
    const Location in = lowering.location_of(n.inputs[0]);
    const Shape from = shape_of(lowering.tensor(n.inputs[0]));
    const Shape out = shape_of(lowering.tensor(n.outputs[0]));
    if (is_collapsed(lowering.tensor(n.inputs[0])) || is_collapsed(lowering.tensor(n.outputs[0])))
        throw Unsupported{"pad: want axes of height, width and channels alone"};
    std::vector<int> before;
    for (const std::array<int, 2>& amount : op.amounts)
        before.push_back(amount[0]);
    const std::array<int, 3> begin = last_axes(before, 0);
    const int zero = zero_point(lowering.tensor(n.outputs[0]));
    Location source = in;
    if (from.channels != out.channels) {
        Selection selection;
        selection.filler = zero;
        for (int c = 0; c < out.channels; ++c) {
            const bool inside = c >= begin[2] && c < begin[2] + from.channels;
            selection.channels.push_back(inside ? c - begin[2] : -1);
        }
        source.cube = lowering.build.new_cube(lowering.tensor(n.outputs[0]).name, from.width,
                                              from.height, out.channels);
        source.writers =
            add_selection(lowering, index, in.cube, selection, source.cube, in.writers);
        if (from.height == out.height && from.width == out.width) {
            lowering.new_location(n.outputs[0]) = source;
            return;
        }
    }
    // The border is there before the run and nobody writes to it.
    Location& made = lowering.add_output(index, out.width, out.height, out.channels);
    made.writers = lowering.build.add_copy(
        source.cube, lowering.part_of(made.cube, begin[0], begin[1], from.height, from.width),
        source.writers);
    Buffer& buffer = lowering.build.buffers[at(made.cube.place.buffer)];
    buffer.contents.assign(buffer.bytes, static_cast<std::uint8_t>(zero));
}

}  // namespace macrame::dla::compiler
