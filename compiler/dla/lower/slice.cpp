/// Slices and splits: a view of the cube that is there where atoms stay whole, else a selection.

#include <algorithm>
#include <array>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/lower/operators.hpp"
#include "compiler/dla/tiling.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

using graph::TensorId;

void add_slice(Lowering& lowering, int index, std::size_t output, const std::array<int, 3>& begin,
               std::array<int, 3> stride) {
    const TensorId id = lowering.node(index).outputs[output];
    const Location in = lowering.location_of(lowering.node(index).inputs[0]);
    const Shape out = shape_of(lowering.tensor(id));
    if (out.height == 1) stride[0] = 1;
    if (out.width == 1) stride[1] = 1;
    if (stride[0] < 1 || stride[1] < 1)
        throw Unsupported{"slice: want lines and columns in their order"};
    const int atom = lowering.context.sizes.atom_bytes;
    if (begin[2] % atom == 0 && stride[2] == 1 && (stride[1] == 1 || out.width == 1)) {
        Cube view = lowering.part_of(lowering.block(in.cube, begin[2], out.channels), begin[0],
                                     begin[1], out.height, out.width);
        view.line_stride *= static_cast<unsigned>(stride[0]);
        if (is_legal(lowering.context.sizes, view)) {
            Location& made = lowering.new_location(id);
            made.cube = view;
            made.writers = in.writers;
            return;
        }
    }
    Selection selection;
    for (int c = 0; c < out.channels; ++c)
        selection.channels.push_back(begin[2] + c * stride[2]);
    selection.y = begin[0];
    selection.x = begin[1];
    selection.stride_h = stride[0];
    selection.stride_w = stride[1];
    Location& made = lowering.new_location(id);
    made.cube =
        lowering.build.new_cube(lowering.tensor(id).name, out.width, out.height, out.channels);
    made.writers = add_selection(lowering, index, in.cube, selection, made.cube, in.writers);
}

void lower_slice(Lowering& lowering, int index) {
    const auto& op = std::get<graph::Slice>(lowering.node(index).op);
    if (is_collapsed(lowering.tensor(lowering.node(index).inputs[0])))
        throw Unsupported{"slice: want axes of height, width and channels alone"};
    add_slice(lowering, index, 0, last_axes(op.begin, 0), last_axes(op.stride, 1));
}

void lower_split(Lowering& lowering, int index) {
    const auto& op = std::get<graph::Split>(lowering.node(index).op);
    const graph::Node& n = lowering.node(index);
    const int axis = axis_of(lowering.tensor(n.inputs[0]), op.axis);
    const bool vectors = is_collapsed(lowering.tensor(n.inputs[0]));
    const bool parted = std::any_of(n.outputs.begin(), n.outputs.end(), [&](TensorId id) {
        const Shape piece = shape_of(lowering.tensor(id));
        return vectors && (piece.height != 1 || piece.width != 1);
    });
    if (axis < 0 || parted) throw Unsupported{"split: want an axis of height, width or channels"};
    std::array<int, 3> begin{0, 0, 0};
    for (std::size_t i = 0; i < n.outputs.size(); ++i) {
        add_slice(lowering, index, i, begin, {1, 1, 1});
        const Shape piece = shape_of(lowering.tensor(n.outputs[i]));
        begin[at(axis)] += std::array<int, 3>{piece.height, piece.width, piece.channels}[at(axis)];
    }
}

}  // namespace macrame::dla::compiler
