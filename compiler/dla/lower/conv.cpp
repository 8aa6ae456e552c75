/// Convolutions.

#include <algorithm>
#include <utility>

#include "compiler/dla/buffer.hpp"
#include "compiler/dla/convolutions.hpp"
#include "compiler/dla/lower/lowering.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

Location Lowering::with_border(int index, const Location& in, const ConvLayer& conv) {
    const Cube& read = std::get<Cube>(conv.input);
    Location out = ConvParts::with_border(sizes_, conv);
    out.cube = build.new_cube(tensor(node(index).inputs[0]).name + " with border", out.cube.width,
                              out.cube.height, out.cube.channels);
    Buffer& buffer = build.buffers[at(out.cube.place.buffer)];
    buffer.contents.assign(buffer.bytes, static_cast<std::uint8_t>(conv.padding));
    const Cube inside = part_of(out.cube, conv.top, conv.left, read.height, read.width);
    out.writers = build.add_copy(read, inside, in.writers);
    return out;
}

Cube Lowering::add_repeated(int index, const Cube& in, int terms, std::vector<int>& writers) {
    if (terms == 1) return in;
    const int step = static_cast<int>(round_up(at(in.channels), at(sizes_.atom_bytes)));
    const Cube out = build.new_cube(tensor(node(index).inputs[0]).name + " repeated", in.width,
                                    in.height, (terms - 1) * step + in.channels);
    std::vector<int> made;
    for (int i = 0; i < terms; ++i)
        gather(made, build.add_copy(in, block(out, i * step, in.channels), writers));
    writers = std::move(made);
    return out;
}

void Lowering::lower(int index, const graph::Conv&) {
    const graph::Node& n = node(index);
    Location in = location_of(n.inputs[0]);
    const std::optional<ConvLayer> border = ConvParts::border(context_, index, in);
    const Shape out = shape_of(tensor(n.outputs[0]));
    Location& made = add_output(index, out.width, out.height, out.channels);
    const Cube whole = made.cube;
    if (border) in = with_border(index, in, *border);
    const ConvParts parts(context_, index, in, border.has_value());
    for (const GroupedConv& part : parts.all()) {
        ConvLayer conv = part.layer;
        std::vector<int> writers = in.writers;
        Cube from = in.cube;
        if (!in.form) {
            from = add_repeated(index, block(in.cube, part.input, part.inputs), parts.terms(),
                                writers);
            Cube& read = std::get<Cube>(conv.input);
            read = part_of(from, 0, 0, read.height, read.width);
        }
        gather(made.writers,
               add_requantised_conv(index,
                                    {std::move(conv), parts.terms() == 1 ? in.cube : from,
                                     parts.weights(part), writers, parts.macs(part)},
                                    part.target, block(whole, part.kernel, part.kernels)));
    }
}

}  // namespace macrame::dla::compiler
