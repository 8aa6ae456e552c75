/// Convolutions.

#include <algorithm>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/convolutions.hpp"
#include "compiler/dla/lower/operators.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

Location with_border(Lowering& lowering, int index, const Location& in, const ConvLayer& conv) {
    const Cube& read = std::get<Cube>(conv.input);
    Location out = ConvParts::with_border(lowering.context.sizes, conv);
    out.cube = lowering.build.new_cube(
        lowering.tensor(lowering.node(index).inputs[0]).name + " with border", out.cube.width,
        out.cube.height, out.cube.channels);
    Buffer& buffer = lowering.build.buffers[at(out.cube.place.buffer)];
    buffer.contents.assign(buffer.bytes, static_cast<std::uint8_t>(conv.padding));
    const Cube inside = lowering.part_of(out.cube, conv.top, conv.left, read.height, read.width);
    out.writers = lowering.build.add_copy(read, inside, in.writers);
    return out;
}

Cube add_repeated(Lowering& lowering, int index, const Cube& in, int terms,
                  std::vector<int>& writers) {
    if (terms == 1) return in;
    const int step =
        static_cast<int>(round_up(at(in.channels), at(lowering.context.sizes.atom_bytes)));
    const Cube out =
        lowering.build.new_cube(lowering.tensor(lowering.node(index).inputs[0]).name + " repeated",
                                in.width, in.height, (terms - 1) * step + in.channels);
    std::vector<int> made;
    for (int i = 0; i < terms; ++i)
        gather(made,
               lowering.build.add_copy(in, lowering.block(out, i * step, in.channels), writers));
    writers = std::move(made);
    return out;
}

void lower_conv(Lowering& lowering, int index) {
    const graph::Node& n = lowering.node(index);
    Location in = lowering.location_of(n.inputs[0]);
    const std::optional<ConvLayer> border = ConvParts::border(lowering.context, index, in);
    const Shape out = shape_of(lowering.tensor(n.outputs[0]));
    Location& made = lowering.add_output(index, out.width, out.height, out.channels);
    const Cube whole = made.cube;
    if (border) in = with_border(lowering, index, in, *border);
    const ConvParts parts(lowering.context, index, in, border.has_value());
    for (const GroupedConv& part : parts.all()) {
        ConvLayer conv = part.layer;
        std::vector<int> writers = in.writers;
        Cube from = in.cube;
        if (!in.form) {
            from = add_repeated(lowering, index, lowering.block(in.cube, part.input, part.inputs),
                                parts.terms(), writers);
            Cube& read = std::get<Cube>(conv.input);
            read = lowering.part_of(from, 0, 0, read.height, read.width);
        }
        gather(made.writers,
               add_requantised_conv(lowering, index,
                                    {std::move(conv), parts.terms() == 1 ? in.cube : from,
                                     parts.weights(part), writers, parts.macs(part)},
                                    part.target, lowering.block(whole, part.kernel, part.kernels)));
    }
}

}  // namespace macrame::dla::compiler
