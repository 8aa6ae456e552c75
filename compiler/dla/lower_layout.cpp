/// Operators that move values and compute nothing. An atom is the smallest piece that addresses can
/// reach: what keeps atoms whole is a view of the cube that is there, or SDP copies it; what takes
/// channels apart is a convolution with weights of 0 and 1.

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "compiler/dla/buffer.hpp"
#include "compiler/dla/limits.hpp"
#include "compiler/dla/lower.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

using graph::TensorId;

namespace {

/// Atoms of a vector that are worth a layer of their own.
constexpr int kLongRun = 4;

/// The last three axes; in front of them there are axes of 1 alone (shape_of() sees to that).
std::array<int, 3> last_axes(const std::vector<int>& of, int missing) {
    std::array<int, 3> out{missing, missing, missing};
    for (std::size_t i = 0; i < std::min<std::size_t>(3, of.size()); ++i)
        out[2 - i] = of[of.size() - 1 - i];
    return out;
}

}  // namespace

// ---------------------------------------------------------------- primitives

std::vector<int> Lowering::add_selection(int index, const Cube& whole, const Selection& selection,
                                         const Cube& to, const std::vector<int>& after) {
    std::vector<int> out;
    const int atom = sizes_.atom_bytes;
    const auto vector = [&](const Cube& cube) {
        return cube.width == 1 && cube.height == 1 && is_legal(sizes_, cube);
    };
    if (vector(whole) && vector(to) && to.channels > 2 * kLongRun * atom)
        return add_vector_selection(index, whole, selection, to, after);
    if (selection.stride_w > 8) throw Unsupported{"stride along the width: want at most 8"};
    const int lanes = std::max(sizes_.atomic_c, sizes_.atomic_k);
    for (int first = 0; first < to.channels; first += lanes) {
        const int count = std::min(lanes, to.channels - first);
        const auto begin = selection.channels.begin() + first;
        int low = whole.channels, high = 0;
        for (auto c = begin; c != begin + count; ++c) {
            if (*c < 0) continue;
            low = std::min(low, *c / atom * atom);
            high = std::max(high, *c + 1);
        }
        if (high == 0) {  // constants alone
            low = 0;
            high = std::min(atom, whole.channels);
        }
        ConvLayer conv;
        Cube in = part_of(block(whole, low, high - low), selection.y, selection.x,
                          (to.height - 1) * selection.stride_h + 1,
                          (to.width - 1) * selection.stride_w + 1);
        conv.stride_h = to.height == 1 ? 1 : selection.stride_h;
        conv.stride_w = to.width == 1 ? 1 : selection.stride_w;
        if (conv.stride_h > 1) {  // addresses step over lines
            in.line_stride *= static_cast<unsigned>(conv.stride_h);
            in.height = to.height;
            conv.stride_h = 1;
        }
        conv.input = in;
        conv.out_h = to.height;
        conv.out_w = to.width;
        conv.kernels = count;
        std::vector<std::int8_t> weights(at(count) * at(high - low), 0);
        LayerTarget target{Rounding::average, 0, -128, 127, {}};
        for (int k = 0; k < count; ++k) {
            const int c = begin[k];
            ChannelTarget channel{1.0, 0, -128, 127};
            if (c < 0) {
                channel = {1.0, selection.filler, 0, 0};
            } else {
                weights[at(k * (high - low) + c - low)] = 1;
            }
            target.channels.push_back(channel);
        }
        const Cube output = block(to, first, count);
        const bool constants = std::any_of(begin, begin + count, [](int c) { return c < 0; });
        if (constants) {
            conv.post = post_process(index, target, output);
        } else {
            conv.post.output = output;
        }
        gather(out, build.add_conv(std::move(conv), whole, std::move(weights), after, 0));
    }
    return out;
}

/// Packed vectors are lines of atoms: a run of channels goes to another lane of its atoms by a
/// window of two, in one layer.
std::vector<int> Lowering::add_vector_selection(int index, const Cube& whole,
                                                const Selection& selection, const Cube& to,
                                                const std::vector<int>& after) {
    const int atom = sizes_.atom_bytes;
    const std::vector<int>& channels = selection.channels;
    const auto line = [&](const Cube& cube, int first, int count) {
        Cube out = block(cube, first * atom, atom);
        out.width = count;
        out.line_stride = out.surface_stride = static_cast<unsigned>(count * atom);
        return out;
    };
    const auto rest = [&](int first, int end) {
        Selection part;
        part.filler = selection.filler;
        part.channels.assign(channels.begin() + first, channels.begin() + end);
        return add_selection(index, whole, part, block(to, first, end - first), after);
    };
    std::vector<int> out;
    int done = 0;  // channels in front of it
    for (int first = 0; first < to.channels;) {
        int end = first + 1;  // of a run of channels from there on
        while (channels[at(first)] >= 0 && end < to.channels &&
               channels[at(end)] == channels[at(end) - 1] + 1)
            ++end;
        const int begin = div_up(first, atom), count = end / atom - begin;
        first = end;
        if (count < kLongRun) continue;
        for (; done < begin * atom; done = std::min(done + kLongRun * atom, begin * atom))
            gather(out, rest(done, std::min(done + kLongRun * atom, begin * atom)));
        for (int part = 0; part < count; part += most_size() - 1) {
            const int atoms = std::min(most_size() - 1, count - part);
            const int source = channels[at((begin + part) * atom)], lane = source % atom;
            ConvLayer conv;
            conv.kernel_w = lane == 0 ? 1 : 2;
            const Cube in = line(whole, source / atom, atoms + conv.kernel_w - 1);
            conv.input = in;
            conv.out_w = atoms;
            conv.kernels = atom;
            conv.post.output = line(to, begin + part, atoms);
            std::vector<std::int8_t> weights(at(atom * conv.kernel_w * atom), 0);
            for (int k = 0; k < atom; ++k)
                weights[at(k * conv.kernel_w * atom + lane + k)] = 1;
            gather(out, build.add_conv(std::move(conv), in, std::move(weights), after, 0));
        }
        done = (begin + count) * atom;
    }
    for (; done < to.channels; done += kLongRun * atom)
        gather(out, rest(done, std::min(done + kLongRun * atom, to.channels)));
    return out;
}

// ---------------------------------------------------------------- slices

void Lowering::add_slice(int index, std::size_t output, const std::array<int, 3>& begin,
                         std::array<int, 3> stride) {
    const TensorId id = node(index).outputs[output];
    const Location in = location_of(node(index).inputs[0]);
    const Shape out = shape_of(tensor(id));
    if (out.height == 1) stride[0] = 1;
    if (out.width == 1) stride[1] = 1;
    if (stride[0] < 1 || stride[1] < 1)
        throw Unsupported{"slice: want lines and columns in their order"};
    const int atom = sizes_.atom_bytes;
    if (begin[2] % atom == 0 && stride[2] == 1 && (stride[1] == 1 || out.width == 1)) {
        Cube view = part_of(block(in.cube, begin[2], out.channels), begin[0], begin[1], out.height,
                            out.width);
        view.line_stride *= static_cast<unsigned>(stride[0]);
        if (is_legal(sizes_, view)) {
            Location& made = locations_[id];
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
    Location& made = locations_[id];
    made.cube = build.new_cube(tensor(id).name, out.width, out.height, out.channels);
    made.writers = add_selection(index, in.cube, selection, made.cube, in.writers);
}

void Lowering::lower(int index, const graph::Slice& op) {
    if (is_collapsed(tensor(node(index).inputs[0])))
        throw Unsupported{"slice: want axes of height, width and channels alone"};
    add_slice(index, 0, last_axes(op.begin, 0), last_axes(op.stride, 1));
}

void Lowering::lower(int index, const graph::Split& op) {
    const graph::Node& n = node(index);
    const int axis = axis_of(tensor(n.inputs[0]), op.axis);
    const bool vectors = is_collapsed(tensor(n.inputs[0]));
    const bool parted = std::any_of(n.outputs.begin(), n.outputs.end(), [&](TensorId id) {
        const Shape piece = shape_of(tensor(id));
        return vectors && (piece.height != 1 || piece.width != 1);
    });
    if (axis < 0 || parted) throw Unsupported{"split: want an axis of height, width or channels"};
    std::array<int, 3> begin{0, 0, 0};
    for (std::size_t i = 0; i < n.outputs.size(); ++i) {
        add_slice(index, i, begin, {1, 1, 1});
        const Shape piece = shape_of(tensor(n.outputs[i]));
        begin[at(axis)] += std::array<int, 3>{piece.height, piece.width, piece.channels}[at(axis)];
    }
}

// ---------------------------------------------------------------- pad, reshape, transpose, resize

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

void Lowering::lower(int index, const graph::Reshape&) {
    const graph::Node& n = node(index);
    const Shape out = shape_of(tensor(n.outputs[0]));
    const Location in = location_of(n.inputs[0]);
    const Shape from{in.cube.height, in.cube.width, in.cube.channels};
    Location& made = locations_[n.outputs[0]];
    if (out.height == from.height && out.width == from.width) {
        made = in;
        return;
    }
    // A vector keeps the cube that it was: the fully connected layer behind it has such a kernel,
    // and outputs are in the order of the network anyway.
    if (out.height == 1 && out.width == 1 && only_flattened(graph_, n.outputs[0])) {
        made = in;
        return;
    }
    const int atom = sizes_.atom_bytes;
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
        packed = build.new_cube(tensor(n.outputs[0]).name, from.width, from.height, from.channels);
        made.writers = build.add_copy(in.cube, packed, in.writers);
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
        ordered = build.new_cube(tensor(n.outputs[0]).name, 1, ordered.height, atom);
        writers = add_atoms(packed, from, ordered, false, after);
    }
    if (out.channels > atom && out.height * out.width > 1) {
        made.cube = build.new_cube(tensor(n.outputs[0]).name, out.width, out.height, out.channels);
        made.writers = add_atoms(made.cube, out, ordered, true, writers);
        return;
    }
    packed = ordered;
    made.cube = view(out.width, out.height, out.channels);
    made.writers = writers;
}

/// Copies atoms of a packed cube, surface by surface, to a row of them in the order of the network,
/// or from there.
std::vector<int> Lowering::add_atoms(const Cube& cube, const Shape& shape, const Cube& row,
                                     bool to_cube, const std::vector<int>& after) {
    const int atom = sizes_.atom_bytes;
    const int surfaces = shape.channels / atom;
    const int pixels = shape.height * shape.width;
    if (pixels > most_size()) throw Unsupported{"reshape: want at most 8192 pixels"};
    std::vector<int> out;
    for (int s = 0; s < surfaces; ++s) {
        Cube a = block(cube, s * atom, atom);
        a.width = 1;
        a.height = pixels;
        a.line_stride = static_cast<unsigned>(atom);
        Cube b = part_of(row, s, 0, pixels, 1);
        b.line_stride = static_cast<unsigned>(surfaces * atom);
        gather(out, to_cube ? build.add_copy(b, a, after) : build.add_copy(a, b, after));
    }
    return out;
}

void Lowering::lower(int index, const graph::Transpose& op) {
    const graph::Node& n = node(index);
    const graph::Tensor& from = tensor(n.inputs[0]);
    // Axes of 1 may go anywhere.
    std::vector<int> order;
    for (const int axis : op.order)
        if (from.shape[at(axis)] != 1) order.push_back(axis);
    if (std::is_sorted(order.begin(), order.end())) {
        lower(index, graph::Reshape{});
        return;
    }
    if (is_flattened(n.inputs[0]) || is_collapsed(from))
        throw Unsupported{"transpose of what was flattened: want the shape that it had"};
    const Location in = location_of(n.inputs[0]);
    const Shape shape = shape_of(from);
    const std::size_t rank = from.shape.size();
    const bool swapped = rank >= 3 && op.order[rank - 1] == static_cast<int>(rank) - 1 &&
                         op.order[rank - 2] == static_cast<int>(rank) - 3 &&
                         op.order[rank - 3] == static_cast<int>(rank) - 2;
    if (!swapped) throw Unsupported{"transpose: want height and width swapped, channels kept"};
    Location& made = add_output(index, shape.height, shape.width, shape.channels);
    const int atom = sizes_.atom_bytes;
    const auto add = [&](const Cube& a, const Cube& b) {
        gather(made.writers, build.add_copy(a, b, in.writers));
    };
    if (shape.width <= shape.height) {  // columns become lines
        for (int x = 0; x < shape.width; ++x) {
            Cube line = part_of(made.cube, x, 0, shape.height, 1);
            line.line_stride = static_cast<unsigned>(atom);
            add(part_of(in.cube, 0, x, shape.height, 1), line);
        }
        return;
    }
    for (int y = 0; y < shape.height; ++y) {
        Cube line = part_of(in.cube, y, 0, shape.width, 1);
        line.line_stride = static_cast<unsigned>(atom);
        add(line, part_of(made.cube, 0, y, shape.width, 1));
    }
}

void Lowering::lower(int index, const graph::Resize& op) {
    const graph::Node& n = node(index);
    const Location in = location_of(n.inputs[0]);
    const Shape from = shape_of(tensor(n.inputs[0]));
    const Shape out = shape_of(tensor(n.outputs[0]));
    if (out.height % from.height != 0 || out.width % from.width != 0 || op.align_corners)
        throw Unsupported{"resize: want a whole factor, and no align-corners"};
    const int up_h = out.height / from.height, up_w = out.width / from.width;
    if (op.function == graph::Resampling::bilinear) {
        add_bilinear(index, op.half_pixel_centers, up_h, up_w);
        return;
    }
    Location& made = add_output(index, out.width, out.height, out.channels);
    for (int y = 0; y < up_h; ++y) {
        for (int x = 0; x < up_w; ++x) {
            gather(made.writers,
                   build.add_scatter(in.cube, made.cube, y, x, up_h, up_w, in.writers));
        }
    }
}

}  // namespace macrame::dla::compiler
