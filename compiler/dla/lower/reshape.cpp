/// Reshapes: a view of the cube that is there, or atoms copied to another order.

#include <algorithm>
#include <optional>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/limits.hpp"
#include "compiler/dla/lower/operators.hpp"
#include "compiler/dla/values.hpp"
#include "compiler/graph/links.hpp"

namespace macrame::dla::compiler {

namespace {

/// Atoms one behind the other, as those of a pixel: also lines of one pixel each.
bool is_pixel(const Lowering& lowering, const Cube& cube) {
    const auto atom = static_cast<unsigned>(lowering.context.sizes.atom_bytes);
    const auto atoms = static_cast<unsigned>(div_up(cube.channels, static_cast<int>(atom)));
    if (cube.width != 1 || (atoms > 1 && cube.surface_stride != atom)) return false;
    return cube.height == 1 || (at(cube.channels) % atom == 0 && cube.line_stride == atoms * atom);
}

/// A pixel as lines of one each, or these as a pixel; none: it is something else.
std::optional<Cube> view_of_pixel(const Lowering& lowering, const Cube& in, graph::TensorId to) {
    const Shape shape = shape_of(lowering.tensor(to));
    const bool lines = lies_as_pixels(lowering, to);
    if (!is_pixel(lowering, in) || !(lines || (shape.height == 1 && shape.width == 1))) return {};
    Cube out = in;
    out.height = shape.height;
    out.channels = shape.channels;
    put_pixels_together(lowering, out);
    return out;
}

}  // namespace

void lower_reshape(Lowering& lowering, int index) {
    const graph::Node& n = lowering.node(index);
    const Shape out = shape_of(lowering.tensor(n.outputs[0]));
    const int maker = graph::maker(lowering.context.graph, n.inputs[0]);
    if (!lowering.is_placed(n.inputs[0]) && maker >= 0 && joins_heads(lowering, maker))
        return lower_joined_heads(lowering, maker, index);
    if (splits_heads(lowering, index)) return;
    const Location in = lowering.location_of(n.inputs[0]);
    const Shape from{in.cube.height, in.cube.width, in.cube.channels};
    Location& made = lowering.new_location(n.outputs[0]);
    if (out.height == from.height && out.width == from.width) {
        made = in;
        return;
    }
    if (const auto view = view_of_pixel(lowering, in.cube, n.outputs[0])) {
        made = in;
        made.cube = *view;
        return;
    }
    // A vector keeps the cube that it was: the fully connected layer behind it has such a kernel,
    // and outputs are in the order of the network anyway.
    if (out.height == 1 && out.width == 1 && only_flattened(lowering.context.graph, n.outputs[0])) {
        made = in;
        return;
    }
    const int atom = lowering.context.sizes.atom_bytes;
    const bool whole_atoms = from.channels % atom == 0 && out.channels % atom == 0;
    if (from.channels != out.channels && !whole_atoms)
        throw Unsupported{
            "reshape: want the same channels, whole atoms of them, or a vector in front of fully "
            "connected layers"};
    Cube packed = in.cube;
    made.writers = in.writers;
    const auto line = static_cast<unsigned>(from.width * atom);
    if ((packed.height > 1 && packed.line_stride != line) ||
        (packed.channels > atom &&
         packed.surface_stride != line * static_cast<unsigned>(from.height))) {
        packed = lowering.build.new_cube(lowering.tensor(n.outputs[0]).name, from.width,
                                         from.height, from.channels);
        made.writers = lowering.build.add_copy(in.cube, packed, in.writers);
    }
    const auto view = [&](int width, int height, int channels) {
        Cube cube = packed;
        cube.width = width;
        cube.height = height;
        cube.channels = channels;
        cube.line_stride = static_cast<unsigned>(width * atom);
        cube.surface_stride = cube.line_stride * static_cast<unsigned>(height);
        return cube;
    };
    if (from.channels == out.channels) {
        made.cube = view(out.width, out.height, out.channels);
        return;
    }
    // Atoms in the order of the network and back; where one side has one pixel or one atom of
    // channels, it has that order.
    const std::vector<int> after = made.writers;
    Cube ordered = view(1, from.height * from.width * (from.channels / atom), atom);
    std::vector<int> writers = after;
    if (from.channels > atom && from.height * from.width > 1) {
        ordered =
            lowering.build.new_cube(lowering.tensor(n.outputs[0]).name, 1, ordered.height, atom);
        writers = add_atoms(lowering, packed, from, ordered, false, after);
    }
    if (out.channels > atom && out.height * out.width > 1) {
        made.cube = lowering.build.new_cube(lowering.tensor(n.outputs[0]).name, out.width,
                                            out.height, out.channels);
        made.writers = add_atoms(lowering, made.cube, out, ordered, true, writers);
        return;
    }
    packed = ordered;
    made.cube = view(out.width, out.height, out.channels);
    made.writers = writers;
}

/// Copies atoms of a packed cube, surface by surface, to a row of them in the order of the network,
/// or from there.
std::vector<int> add_atoms(Lowering& lowering, const Cube& cube, const Shape& shape,
                           const Cube& row, bool to_cube, const std::vector<int>& after) {
    const int atom = lowering.context.sizes.atom_bytes;
    const int surfaces = shape.channels / atom;
    const int pixels = shape.height * shape.width;
    if (pixels > most_size()) throw Unsupported{"reshape: want at most 8192 pixels"};
    std::vector<int> out;
    for (int s = 0; s < surfaces; ++s) {
        Cube a = lowering.block(cube, s * atom, atom);
        a.width = 1;
        a.height = pixels;
        a.line_stride = static_cast<unsigned>(atom);
        Cube b = lowering.part_of(row, s, 0, pixels, 1);
        b.line_stride = static_cast<unsigned>(surfaces * atom);
        gather(out, to_cube ? lowering.build.add_copy(b, a, after)
                            : lowering.build.add_copy(a, b, after));
    }
    return out;
}

}  // namespace macrame::dla::compiler
