/// Convolutions with their requantisation; in two halves and their sum where one cannot be exact.

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/halves.hpp"
#include "compiler/dla/lower/operators.hpp"
#include "compiler/dla/requantised.hpp"
#include "compiler/dla/tiling.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

std::vector<int> add_requantised_conv(Lowering& lowering, int index, WeightedConv conv,
                                      const LayerTarget& target, const Cube& output) {
    ConvLayer whole = conv.layer;
    const Fusion* fusion = lowering.plan.fusion(index);
    const bool table = fusion != nullptr && fusion->table;
    const Choice made = choose(lowering.context, index, with_clamps(lowering.plan, index, target),
                               table ? nullptr : &whole);
    lowering.build.exactness.push_back(made.exactness);
    if (made.halves) return add_halves(lowering, index, conv, *made.halves, output);
    whole.post = lowering.build.post_process(made.single, target.channels.size(), output);
    if (fusion != nullptr) whole.pool = fusion->pool;
    if (table) add_table(lowering, index, made.single, whole.post);
    return lowering.build.add_conv(std::move(whole), conv.whole, std::move(conv.weights),
                                   conv.after, conv.macs);
}

std::vector<int> add_halves(Lowering& lowering, int index, const WeightedConv& conv,
                            const Halves& halves, const Cube& output) {
    const std::string& name = lowering.tensor(lowering.node(index).outputs[0]).name;
    std::vector<BinaryOperand> sides;
    for (const Requantisation* made : {&halves.below, &halves.above}) {
        BinaryOperand side;
        side.cube = lowering.build.new_cube(name + (made == &halves.below ? " below" : " above"),
                                            output.width, output.height, output.channels);
        ConvLayer half = conv.layer;
        half.post = lowering.build.post_process(*made, at(output.channels), side.cube);
        // The network asks for one of them.
        const std::uint64_t macs = made == &halves.below ? conv.macs : 0;
        side.writers =
            lowering.build.add_conv(std::move(half), conv.whole, conv.weights, conv.after, macs);
        sides.push_back(std::move(side));
    }
    const bool legal = is_legal(lowering.context.sizes, output);
    PostProcess post;
    post.bn.bypass = post.bn.alu_bypass = false;
    post.bn.memory = operands(sides[1], true);
    post.offset = -halves.offset();
    post.output = legal ? output
                        : lowering.build.new_cube(name + " sum", output.width, output.height,
                                                  output.channels);
    const Cube sum = post.output;
    std::vector<int> after = sides[0].writers;
    gather(after, sides[1].writers);
    std::vector<int> writers = lowering.build.add_sdp(sides[0].cube, std::move(post), after);
    return legal ? writers : lowering.build.add_copy(sum, output, writers);
}

PostProcess post_process(Lowering& lowering, int index, const LayerTarget& plain,
                         const Cube& output) {
    const LayerTarget target = with_clamps(lowering.plan, index, plain);
    const Requantisation made = requantised(lowering.context, index, target, nullptr);
    lowering.build.exactness.push_back(
        exactness_of(index, made.mapping, made.deviations, target.channels.size()));
    PostProcess post = lowering.build.post_process(made, target.channels.size(), output);
    if (const Fusion* fusion = lowering.plan.fusion(index); fusion != nullptr && fusion->table)
        add_table(lowering, index, made, post);
    return post;
}

void add_table(Lowering& lowering, int index, const Requantisation& made, PostProcess& post) {
    // The table saturates as the output does, and is the last that happens to it.
    if (made.shift != 0)
        throw std::logic_error(fmt::format("lowering of {}: planned table does not fit",
                                           lowering.tensor(lowering.node(index).outputs[0]).name));
    post.ew.bypass = false;
    post.ew.lookup = Lookup{made.offset - 128, *lowering.plan.fusion(index)->table};
    post.offset = 0;
}

}  // namespace macrame::dla::compiler
