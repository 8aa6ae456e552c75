/// Convolutions.

#include <algorithm>
#include <numeric>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/convolutions.hpp"
#include "compiler/dla/lower/operators.hpp"
#include "compiler/dla/values.hpp"
#include "compiler/graph/sums.hpp"

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

namespace {

/// The sums less what the digits above `digit` count, then that digit of it.
PostProcess digit_process(const std::vector<BinaryOperand>& digits, std::size_t digit) {
    PostProcess post;
    post.output = digits[digit].cube;
    XRegisters* stage = &post.bs;
    for (std::size_t above = digits.size(); --above > digit; stage = &post.bn) {
        stage->bypass = stage->alu_bypass = false;
        stage->alu_shift = static_cast<int>(8 * above);
        stage->memory = operands(digits[above], true);
    }
    if (digit == 0) return post;
    // Twice as much, and odd: so no sum lies in the middle of two digits, where rounding decides.
    post.bs.bypass = post.bs.mul_bypass = false;
    post.bs.mul_value = -2;
    const std::int64_t step = -graph::digit_factor(digit);
    post.offset = static_cast<std::int32_t>(1 - 2 * graph::least_of_digits(digit) - step);
    post.shift = static_cast<int>(8 * digit) + 1;
    return post;
}

/// A layer of the same convolution for each digit of its sums, the highest first.
void add_digits(Lowering& lowering, int index, const GroupedConv& part, const WeightedConv& conv) {
    const graph::Node& n = lowering.node(index);
    std::vector<BinaryOperand> digits;
    for (const graph::TensorId id : n.outputs) {
        BinaryOperand digit;
        digit.cube = lowering.block(lowering.output_of(id).cube, part.kernel, part.kernels);
        digits.push_back(std::move(digit));
    }
    for (std::size_t d = digits.size(); d-- > 0;) {
        ConvLayer layer = conv.layer;
        layer.post = digit_process(digits, d);
        std::vector<int> after = conv.after;
        for (std::size_t above = d + 1; above < digits.size(); ++above)
            gather(after, digits[above].writers);
        // The network asks for one of them.
        digits[d].writers = lowering.build.add_conv(std::move(layer), conv.whole, conv.weights,
                                                    after, d == 0 ? conv.macs : 0);
        gather(lowering.output_of(n.outputs[d]).writers, digits[d].writers);
    }
    const auto reachable =
        std::accumulate(part.target.channels.begin(), part.target.channels.end(), std::int64_t{0},
                        [](std::int64_t sum, const ChannelTarget& channel) {
                            return sum + channel.high - channel.low + 1;
                        });
    lowering.build.exactness.push_back(
        {index, "digits of sums", part.kernels, part.kernels, 0, reachable, 0});
}

}  // namespace

void lower_conv(Lowering& lowering, int index) {
    const graph::Node& n = lowering.node(index);
    Location in = lowering.location_of(n.inputs[0]);
    const std::optional<ConvLayer> border = ConvParts::border(lowering.context, index, in);
    const Shape out = shape_of(lowering.tensor(n.outputs[0]));
    Location& made = lowering.add_output(index, out.width, out.height, out.channels);
    const Cube whole = made.cube;
    const bool sums = std::get<graph::Conv>(n.op).sums != graph::Sums::whole;
    for (std::size_t d = 1; d < n.outputs.size(); ++d)
        lowering.new_location(n.outputs[d]).cube = lowering.build.new_cube(
            lowering.tensor(n.outputs[d]).name, out.width, out.height, out.channels);
    if (border) in = with_border(lowering, index, in, *border);
    ConvParts parts(lowering.context, index, in, border.has_value());
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
        if (sums) {
            add_digits(lowering, index, part,
                       {std::move(conv), parts.terms() == 1 ? in.cube : from, parts.weights(part),
                        writers, parts.macs(part)});
            continue;
        }
        gather(made.writers,
               add_requantised_conv(lowering, index,
                                    {std::move(conv), parts.terms() == 1 ? in.cube : from,
                                     parts.weights(part), writers, parts.macs(part)},
                                    part.target, lowering.block(whole, part.kernel, part.kernels)));
    }
}

}  // namespace macrame::dla::compiler
