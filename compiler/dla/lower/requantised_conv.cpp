/// Convolutions with their requantisation; in two halves and their sum where one cannot be exact.

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "compiler/dla/buffer.hpp"
#include "compiler/dla/halves.hpp"
#include "compiler/dla/lower/lowering.hpp"
#include "compiler/dla/requantised.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

std::vector<int> Lowering::add_requantised_conv(int index, WeightedConv conv,
                                                const LayerTarget& target, const Cube& output) {
    ConvLayer whole = conv.layer;
    const Fusion* fusion = plan_.fusion(index);
    const bool table = fusion != nullptr && fusion->table;
    const Choice made =
        choose(context_, index, with_clamps(plan_, index, target), table ? nullptr : &whole);
    build.exactness.push_back(made.exactness);
    if (made.halves) return add_halves(index, conv, *made.halves, output);
    whole.post = build.post_process(made.single, target.channels.size(), output);
    if (fusion != nullptr) whole.pool = fusion->pool;
    if (table) add_table(index, made.single, whole.post);
    return build.add_conv(std::move(whole), conv.whole, std::move(conv.weights), conv.after,
                          conv.macs);
}

std::vector<int> Lowering::add_halves(int index, const WeightedConv& conv, const Halves& halves,
                                      const Cube& output) {
    const std::string& name = tensor(node(index).outputs[0]).name;
    std::vector<Side> sides;
    for (const Requantisation* made : {&halves.below, &halves.above}) {
        Side side;
        side.cube = build.new_cube(name + (made == &halves.below ? " below" : " above"),
                                   output.width, output.height, output.channels);
        ConvLayer half = conv.layer;
        half.post = build.post_process(*made, at(output.channels), side.cube);
        // The network asks for one of them.
        const std::uint64_t macs = made == &halves.below ? conv.macs : 0;
        side.writers = build.add_conv(std::move(half), conv.whole, conv.weights, conv.after, macs);
        sides.push_back(std::move(side));
    }
    const bool legal = is_legal(sizes_, output);
    PostProcess post;
    post.bn.bypass = post.bn.alu_bypass = false;
    post.bn.memory = operands(sides[1], true);
    post.offset = -halves.offset();
    post.output = legal
                      ? output
                      : build.new_cube(name + " sum", output.width, output.height, output.channels);
    const Cube sum = post.output;
    std::vector<int> after = sides[0].writers;
    gather(after, sides[1].writers);
    std::vector<int> writers = build.add_sdp(sides[0].cube, std::move(post), after);
    return legal ? writers : build.add_copy(sum, output, writers);
}

PostProcess Lowering::post_process(int index, const LayerTarget& plain, const Cube& output) {
    const LayerTarget target = with_clamps(plan_, index, plain);
    const Requantisation made = requantised(context_, index, target, nullptr);
    build.exactness.push_back(
        exactness_of(index, made.mapping, made.deviations, target.channels.size()));
    PostProcess post = build.post_process(made, target.channels.size(), output);
    if (const Fusion* fusion = plan_.fusion(index); fusion != nullptr && fusion->table)
        add_table(index, made, post);
    return post;
}

void Lowering::add_table(int index, const Requantisation& made, PostProcess& post) const {
    // The table saturates as the output does, and is the last that happens to it.
    if (made.shift != 0)
        throw std::logic_error(fmt::format("lowering of {}: planned table does not fit",
                                           tensor(node(index).outputs[0]).name));
    post.ew.bypass = false;
    post.ew.lookup = Lookup{made.offset - 128, *plan_.fusion(index)->table};
    post.offset = 0;
}

}  // namespace macrame::dla::compiler
