/// Inputs of a concat are written where its output wants them; what does not fall on whole atoms is
/// gathered side by side first.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/lower/operators.hpp"
#include "compiler/dla/tiling.hpp"
#include "compiler/dla/values.hpp"
#include "compiler/graph/work.hpp"

namespace macrame::dla::compiler {

using graph::TensorId;

const Cube& Lowering::gathered(TensorId id) {
    const auto found = gathered_.find(id);
    if (found != gathered_.end()) return found->second;
    const ConcatSize& size = plan.concats.at(id);
    return gathered_[id] = build.new_cube(tensor(id).name, size.width, size.height, size.channels);
}

void lower_concat(Lowering& lowering, int index) {
    const auto& op = std::get<graph::Concat>(lowering.node(index).op);
    const graph::Node& n = lowering.node(index);
    const graph::Tensor& out = lowering.tensor(n.outputs[0]);
    const int axis = axis_of(out, op.axis);
    if (lowering.plan.concats.count(n.outputs[0]) == 0)
        throw Unsupported{"concat: want no activation, and an axis of height, width or channels"};
    const Shape shape = shape_of(out);
    const Cube whole = lowering.gathered(n.outputs[0]);
    std::vector<int> writers;
    std::array<int, 3> offset{0, 0, 0};
    std::vector<int> channels;  // of the output in the gathered cube
    for (const TensorId id : n.inputs) {
        const Shape piece = shape_of(lowering.tensor(id));
        Cube to = lowering.part_of(whole, offset[0], offset[1], piece.height, piece.width);
        to = lowering.block(to, offset[2], piece.channels);
        const Location in = lowering.tensor(id).constant ? constant(lowering, lowering.tensor(id))
                                                         : lowering.location_of(id);
        const bool there =
            in.cube.place.buffer == to.place.buffer && in.cube.place.offset == to.place.offset;
        const graph::Quantisation& q = lowering.tensor(id).quantisation;
        const bool same =
            q.scale == out.quantisation.scale && q.zero_point == out.quantisation.zero_point;
        if (there) {
            gather(writers, in.writers);
        } else if (same) {
            gather(writers, lowering.build.add_copy(in.cube, to, in.writers));
        } else if (is_legal(lowering.context.sizes, to)) {
            gather(writers, add_rescaled(lowering, index, id, n.outputs[0], in, to));
        } else {
            const Cube packed = lowering.build.new_cube(out.name + " piece", 1, 1, piece.channels);
            const auto after = add_rescaled(lowering, index, id, n.outputs[0], in, packed);
            gather(writers, lowering.build.add_copy(packed, to, after));
        }
        for (int c = 0; c < piece.channels && axis == 2; ++c)
            channels.push_back(offset[2] + c);
        offset[0] += axis == 0 ? piece.height : 0;
        offset[1] += axis == 1 ? piece.width : 0;
        offset[2] += axis == 2 ? static_cast<int>(round_up(at(piece.channels),
                                                           at(lowering.context.sizes.atom_bytes)))
                               : 0;
    }
    Location& made = lowering.new_location(n.outputs[0]);
    if (axis != 2 || whole.channels == shape.channels) {
        made.cube = whole;
        made.writers = std::move(writers);
        return;
    }
    Selection selection;
    selection.channels = std::move(channels);
    made.cube = lowering.build.new_cube(out.name, shape.width, shape.height, shape.channels);
    made.writers = add_selection(lowering, index, whole, selection, made.cube, writers);
}

/// A constant as a cube.
Location constant(Lowering& lowering, const graph::Tensor& t) {
    if (t.type != graph::Type::int8)
        throw Unsupported{fmt::format("constant {}: {}: want {}", t.name, graph::name_of(t.type),
                                      graph::wanted_for_int8(t.type))};
    const Shape shape = shape_of(t);
    const std::size_t atom = at(lowering.context.sizes.atom_bytes);
    const std::size_t surface = at(shape.height) * at(shape.width) * atom;
    std::vector<std::uint8_t> bytes(surface * round_up(at(shape.channels), atom) / atom, 0);
    for (std::size_t i = 0; i < t.data.size(); ++i) {
        const std::size_t c = i % at(shape.channels);
        bytes[c / atom * surface + i / at(shape.channels) * atom + c % atom] = t.data[i];
    }
    Location made;
    made.cube = {shape.width,
                 shape.height,
                 shape.channels,
                 lowering.build.add_constant(t.name, std::move(bytes)),
                 static_cast<std::uint32_t>(at(shape.width) * atom),
                 static_cast<std::uint32_t>(surface)};
    return made;
}

}  // namespace macrame::dla::compiler
