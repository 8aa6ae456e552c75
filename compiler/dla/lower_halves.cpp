/// Convolutions with their requantisation; in two halves and their sum where one cannot be exact.

#include <utility>

#include "compiler/dla/buffer.hpp"
#include "compiler/dla/halves.hpp"
#include "compiler/dla/lower.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

std::vector<int> Lowering::add_requantised_conv(int index, WeightedConv conv,
                                                const LayerTarget& target, const Cube& output) {
    const std::size_t buffer = buffers.size(), told = exactness.size();
    ConvLayer whole = conv.layer;
    whole.post = post_process(index, target, output, &whole);
    const macrame::compiler::Exactness single = exactness.back();
    if (exact_at(index) && single.proved < single.channels && sizes_.sdp_bs && sizes_.sdp_bn) {
        const LayerTarget clamped = with_clamps(index, target);
        const auto& halves =
            searches_.requantise_in_halves(clamped, {sizes_.sdp_bs, sizes_.sdp_bn, sizes_.sdp_ew});
        if (halves) {
            const macrame::compiler::Exactness both =
                exactness_of(index, "two halves", halves->deviations, clamped.channels.size());
            if (both.values < single.values) {
                // What is on the fly behind the convolution would be behind either half.
                if (fused_.count(index) != 0 && (fused_.at(index).table || fused_.at(index).pool))
                    throw CannotFuse{};
                buffers.resize(buffer);
                exactness.resize(told);
                exactness.push_back(both);
                return add_halves(index, conv, *halves, output);
            }
        }
    }
    return add_conv(index, std::move(whole), conv.whole, std::move(conv.weights), conv.after,
                    conv.macs);
}

std::vector<int> Lowering::add_halves(int index, const WeightedConv& conv, const Halves& halves,
                                      const Cube& output) {
    const std::string& name = tensor(node(index).outputs[0]).name;
    std::vector<Side> sides;
    for (const Requantisation* made : {&halves.below, &halves.above}) {
        Side side;
        side.cube = new_cube(name + (made == &halves.below ? " below" : " above"), output.width,
                             output.height, output.channels);
        ConvLayer half = conv.layer;
        half.post = post_process(index, *made, at(output.channels), side.cube);
        // The network asks for one of them.
        const std::uint64_t macs = made == &halves.below ? conv.macs : 0;
        side.writers = add_conv(index, std::move(half), conv.whole, conv.weights, conv.after, macs);
        sides.push_back(std::move(side));
    }
    const bool legal = is_legal(sizes_, output);
    PostProcess post;
    post.bn.bypass = post.bn.alu_bypass = false;
    post.bn.memory = operands(sides[1], true);
    post.offset = -halves.offset();
    post.output =
        legal ? output : new_cube(name + " sum", output.width, output.height, output.channels);
    const Cube sum = post.output;
    std::vector<int> after = sides[0].writers;
    gather(after, sides[1].writers);
    std::vector<int> writers = add_sdp(index, sides[0].cube, std::move(post), after);
    return legal ? writers : add_copy(index, sum, output, writers);
}

}  // namespace macrame::dla::compiler
