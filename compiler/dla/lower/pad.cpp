/// Pads: a border that is there before the run.

#include <algorithm>
#include <array>
#include <utility>

#include "compiler/dla/buffer.hpp"
#include "compiler/dla/lower/lowering.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

void Lowering::lower(int index, const graph::Pad& op) {
    if (!op.is_zero()) throw Unsupported{"pad: elements of its own: want zeros"};
    const graph::Node& n = node(index);
    const Location in = location_of(n.inputs[0]);
    const Shape from = shape_of(tensor(n.inputs[0]));
    const Shape out = shape_of(tensor(n.outputs[0]));
    if (is_collapsed(tensor(n.inputs[0])) || is_collapsed(tensor(n.outputs[0])))
        throw Unsupported{"pad: want axes of height, width and channels alone"};
    std::vector<int> before;
    for (const std::array<int, 2>& amount : op.amounts)
        before.push_back(amount[0]);
    const std::array<int, 3> begin = last_axes(before, 0);
    const int zero = zero_point(tensor(n.outputs[0]));
    Location source = in;
    if (from.channels != out.channels) {
        Selection selection;
        selection.filler = zero;
        for (int c = 0; c < out.channels; ++c) {
            const bool inside = c >= begin[2] && c < begin[2] + from.channels;
            selection.channels.push_back(inside ? c - begin[2] : -1);
        }
        source.cube =
            build.new_cube(tensor(n.outputs[0]).name, from.width, from.height, out.channels);
        source.writers = add_selection(index, in.cube, selection, source.cube, in.writers);
        if (from.height == out.height && from.width == out.width) {
            locations_[n.outputs[0]] = source;
            return;
        }
    }
    // The border is there before the run and nobody writes to it.
    Location& made = add_output(index, out.width, out.height, out.channels);
    made.writers =
        build.add_copy(source.cube, part_of(made.cube, begin[0], begin[1], from.height, from.width),
                       source.writers);
    Buffer& buffer = build.buffers[at(made.cube.place.buffer)];
    buffer.contents.assign(buffer.bytes, static_cast<std::uint8_t>(zero));
}

}  // namespace macrame::dla::compiler
