/// Bilinear resizing: each phase of the output - lines and columns with the same remainder of the
/// factor - is a convolution of its own.

#include <algorithm>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/limits.hpp"
#include "compiler/dla/lower/operators.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

namespace {

/// Two lines or columns.
struct Between {
    int begin, second, whole;
};

std::vector<int> add_bilinear_phase(Lowering& lowering, int index, const Cube& wide,
                                    const Cube& output, const Between& y, const Between& x,
                                    const std::vector<int>& after) {
    const int weights[4] = {(y.whole - y.second) * (x.whole - x.second),
                            (y.whole - y.second) * x.second, y.second * (x.whole - x.second),
                            y.second * x.second};
    const int sum = y.whole * x.whole;
    std::vector<int> writers;
    ConvLayer window;
    window.kernel_h = window.kernel_w = 2;
    window.out_h = output.height;
    window.out_w = output.width;
    window.input = lowering.part_of(wide, y.begin, x.begin, output.height + 1, output.width + 1);
    const int lanes = block_channels(lowering.context.sizes, window, output.channels,
                                     lowering.context.sizes.atom_bytes, 1);
    for (int c = 0; c < output.channels; c += lanes) {
        const int channels = std::min(lanes, output.channels - c);
        ConvLayer conv = window;
        conv.kernels = channels;
        conv.input = lowering.part_of(lowering.block(wide, c, channels), y.begin, x.begin,
                                      output.height + 1, output.width + 1);
        std::vector<std::int8_t> stream = diagonal(channels, 4);
        for (std::size_t i = 0; i < stream.size(); ++i)
            stream[i] = static_cast<std::int8_t>(stream[i] * weights[i / at(channels) % 4]);
        // Halves go away from the 0 of the file.
        const int zero_of_file = graph::shift_of(lowering.tensor(lowering.node(index).inputs[0]));
        LayerTarget target{Rounding::average, -zero_of_file, -128, 127, {}};
        ChannelTarget channel{1.0 / sum, std::int64_t{zero_of_file} * sum, -128ll * sum,
                              127ll * sum};
        if (lowering.context.graph.rounding == graph::Rounding::onnx) {
            // Of the distances from the zero point.
            const int zero = zero_point(lowering.tensor(lowering.node(index).outputs[0]));
            target = {Rounding::onnx, zero, -128, 127, {}};
            channel.bias = -std::int64_t{zero} * sum;
        }
        target.channels.assign(at(channels), channel);
        conv.post = post_process(lowering, index, target, lowering.block(output, c, channels));
        if (target.rounding == Rounding::onnx && sum > 1)
            add_ties(lowering, ties_of(index, channel));
        gather(writers,
               lowering.build.add_conv(std::move(conv), wide, std::move(stream), after, 0));
    }
    return writers;
}

}  // namespace

void add_bilinear(Lowering& lowering, int index, bool half_pixel, int up_h, int up_w) {
    const graph::Node& n = lowering.node(index);
    const Location in = lowering.location_of(n.inputs[0]);
    const Shape from = shape_of(lowering.tensor(n.inputs[0]));
    const Shape out = shape_of(lowering.tensor(n.outputs[0]));
    const std::string& name = lowering.tensor(n.outputs[0]).name;
    for (const int up : {up_h, up_w}) {
        if (up != 1 && up != 2 && up != 4)
            throw Unsupported{"bilinear resize: want factors of 1, 2 or 4"};
    }
    // Lines and columns at the border are there twice.
    const int height = from.height, width = from.width;
    const Cube wide =
        lowering.build.new_cube(name + " border", width + 2, height + 2, from.channels);
    std::vector<int> sides =
        lowering.build.add_copy(in.cube, lowering.part_of(wide, 1, 1, height, width), in.writers);
    for (const int y : {0, height + 1}) {
        const int line = y == 0 ? 0 : height - 1;
        gather(sides, lowering.build.add_copy(lowering.part_of(in.cube, line, 0, 1, width),
                                              lowering.part_of(wide, y, 1, 1, width), in.writers));
    }
    std::vector<int> border = sides;
    for (const int x : {0, width + 1}) {
        gather(border,
               lowering.build.add_copy(lowering.part_of(wide, 0, x == 0 ? 1 : width, height + 2, 1),
                                       lowering.part_of(wide, 0, x, height + 2, 1), sides));
    }
    // Weight of the second of the two lines that a phase lies between, in parts of `whole`.
    const auto between = [&](int phase, int up) -> Between {
        if (!half_pixel) return {1, phase, up};
        const int distance = 2 * phase + 1 - up;
        return distance < 0 ? Between{0, 2 * up + distance, 2 * up} : Between{1, distance, 2 * up};
    };
    const int atoms =
        static_cast<int>(round_up(at(from.channels), at(lowering.context.sizes.atom_bytes)));
    std::vector<PhaseMethod> methods{PhaseMethod::scattered};
    if (can_contract(lowering.context.sizes, width, height, atoms, up_h, up_w))
        methods.push_back(PhaseMethod::contracted);
    choose_method(lowering, methods, [&](PhaseMethod method) {
        Cube all = in.cube;
        all.height = out.height;
        all.width = out.width;
        Cube phases;
        if (method == PhaseMethod::contracted) {
            add_contracted(lowering, index, all, 0, 0, out.height, out.width);
            phases =
                lowering.build.new_rubik_cube(name + " phases", width, height, atoms * up_h * up_w);
        } else {
            lowering.add_output(index, out.width, out.height, out.channels);
        }
        std::vector<int> writers;
        Location& made = lowering.output_of(lowering.result_of(index));
        for (int phase = 0; phase < up_h * up_w; ++phase) {
            const Between y = between(phase / up_w, up_h), x = between(phase % up_w, up_w);
            const Cube output =
                method == PhaseMethod::contracted
                    ? lowering.block(phases, phase * atoms, from.channels)
                    : lowering.build.new_cube(name + " phase", width, height, from.channels);
            std::vector<int> done = add_bilinear_phase(lowering, index, wide, output, y, x, border);
            if (method == PhaseMethod::scattered)
                done = lowering.build.add_scatter(output, made.cube, phase / up_w, phase % up_w,
                                                  up_h, up_w, done);
            gather(writers, done);
        }
        if (method == PhaseMethod::contracted)
            writers = {lowering.build.add_contract(phases, made.cube, up_h, up_w, writers)};
        made.writers = std::move(writers);
    });
}

}  // namespace macrame::dla::compiler
