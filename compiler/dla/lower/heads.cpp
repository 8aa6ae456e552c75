/// Heads: a reshape of tokens x channels to tokens x heads x channels with the transposition to
/// heads x tokens x channels behind it, and both of them back. Channels of a head are some surfaces
/// of the cube, so heads are lines of a view of it.

#include <algorithm>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/lower/operators.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

namespace {

/// Do only operators read it that are so, and is it no output?
template <class Is>
bool read_only_by(const Lowering& lowering, graph::TensorId id, const Is& is) {
    const Context& context = lowering.context;
    const std::vector<int>& readers = context.readers(id);
    return !readers.empty() && context.used_only_by(id, readers) &&
           std::all_of(readers.begin(), readers.end(), is);
}

/// Has it the shape tokens x heads x channels, with whole atoms of channels?
bool are_heads(const Lowering& lowering, const Shape& shape, const Shape& tokens) {
    return tokens == Shape{1, shape.height, shape.width * shape.channels} && tokens.width > 1 &&
           shape.width > 1 && shape.channels % lowering.context.sizes.atom_bytes == 0;
}

Shape shape_of_output(const Lowering& lowering, int index) {
    return shape_of(lowering.tensor(lowering.node(index).outputs[0]));
}

}  // namespace

bool swaps_lines(const Lowering& lowering, int index) {
    const auto* op = std::get_if<graph::Transpose>(&lowering.node(index).op);
    if (op == nullptr) return false;
    const graph::Tensor& from = lowering.tensor(lowering.node(index).inputs[0]);
    const std::size_t rank = from.shape.size();
    const auto axis = [&](std::size_t back) { return op->order[rank - back]; };
    const auto last = static_cast<int>(rank) - 1;
    return rank >= 3 && !is_collapsed(from) && axis(1) == last && axis(2) == last - 2 &&
           axis(3) == last - 1;
}

Cube heads_of(const Lowering& lowering, const Cube& tokens, int heads) {
    Cube out = tokens;
    out.height = heads;
    out.channels = tokens.channels / heads;
    out.line_stride = tokens.surface_stride *
                      static_cast<unsigned>(out.channels / lowering.context.sizes.atom_bytes);
    return out;
}

bool lies_as_pixels(const Lowering& lowering, graph::TensorId id) {
    const Shape shape = shape_of(lowering.tensor(id));
    return shape.width == 1 && shape.height > 1 &&
           shape.channels % lowering.context.sizes.atom_bytes == 0 &&
           read_only_by(lowering, id, [&](int reader) {
               return std::holds_alternative<graph::MatMul>(lowering.node(reader).op);
           });
}

void put_pixels_together(const Lowering& lowering, Cube& cube) {
    cube.surface_stride = static_cast<unsigned>(lowering.context.sizes.atom_bytes);
    cube.line_stride =
        static_cast<unsigned>(round_up(at(cube.channels), at(lowering.context.sizes.atom_bytes)));
}

bool splits_heads(const Lowering& lowering, int index) {
    const graph::Node& n = lowering.node(index);
    if (!std::holds_alternative<graph::Reshape>(n.op) || !lowering.is_placed(n.inputs[0]))
        return false;
    const Location& in = lowering.location_of(n.inputs[0]);
    const Shape tokens{in.cube.height, in.cube.width, in.cube.channels};
    return !in.form && are_heads(lowering, shape_of_output(lowering, index), tokens) &&
           read_only_by(lowering, n.outputs[0],
                        [&](int reader) { return swaps_lines(lowering, reader); });
}

bool joins_heads(const Lowering& lowering, int index) {
    const graph::Node& n = lowering.node(index);
    if (!swaps_lines(lowering, index) || !lowering.is_placed(n.inputs[0])) return false;
    const Shape shape = shape_of_output(lowering, index);
    const Cube& in = lowering.location_of(n.inputs[0]).cube;
    const auto joins = [&](int reader) {
        return std::holds_alternative<graph::Reshape>(lowering.node(reader).op) &&
               are_heads(lowering, shape, shape_of_output(lowering, reader));
    };
    return in.height == shape.width && in.width == shape.height && in.channels == shape.channels &&
           read_only_by(lowering, n.outputs[0], joins);
}

Cube joined(const Lowering& lowering, const Cube& heads) {
    Cube out = heads;
    out.height = 1;
    out.channels = heads.height * heads.channels;
    out.line_stride = static_cast<unsigned>(heads.width * lowering.context.sizes.atom_bytes);
    return out;
}

void lower_joined_heads(Lowering& lowering, int transpose, int index) {
    const Location in = lowering.location_of(lowering.node(transpose).inputs[0]);
    Cube tokens = joined(lowering, in.cube);
    const Cube heads = heads_of(lowering, tokens, in.cube.height);
    if (heads.line_stride == in.cube.line_stride) {
        Location& made = lowering.new_location(lowering.node(index).outputs[0]);
        made = in;
        made.cube = tokens;
        return;
    }
    Location& made = lowering.add_output(index, tokens.width, 1, tokens.channels);
    made.writers =
        lowering.build.add_copy(in.cube, heads_of(lowering, made.cube, in.cube.height), in.writers);
}

}  // namespace macrame::dla::compiler
