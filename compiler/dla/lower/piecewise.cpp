/// Functions of one tensor with a line for each channel: operators with a constant per channel,
/// PReLU.

#include <algorithm>
#include <cmath>
#include <utility>

#include "compiler/dla/lower/operators.hpp"
#include "compiler/dla/table_search.hpp"
#include "compiler/dla/values.hpp"
#include "compiler/graph/quantised.hpp"

namespace macrame::dla::compiler {

namespace {

/// Integer of an int8 constant for a channel.
int constant_at(const graph::Tensor& tensor, std::size_t channel) {
    const std::size_t index = tensor.elements() == 1 ? 0 : channel;
    return static_cast<std::int8_t>(tensor.data[index]);
}

float scale_of(const graph::Tensor& tensor) { return tensor.quantisation.scale[0]; }

/// The first rounding of TFLite is to units of so many bits.
int shift_of(double factor) { return -graph::multiplier(factor).exponent; }

}  // namespace

LineTarget line_target(Lowering& lowering, int index, std::size_t operand,
                       std::vector<Table> tables) {
    const graph::Node& n = lowering.node(index);
    const graph::Tensor &in = lowering.tensor(n.inputs[operand]),
                        &other = lowering.tensor(n.inputs[1 - operand]);
    const graph::Tensor& out = lowering.tensor(n.outputs[0]);
    const auto* binary = std::get_if<graph::Binary>(&n.op);
    LineTarget target{rounding_of(lowering.context.graph), zero_point(out), 127, {}};
    if (binary == nullptr) target.last = zero_point(in);
    const bool product = binary == nullptr || binary->function == graph::Arithmetic::mul;
    const auto factor = double{scale_of(in) * scale_of(other) / scale_of(out)};
    const double larger = std::max(scale_of(in), scale_of(other));
    const double last = 2 * larger / (std::ldexp(1.0, 20) * double{scale_of(out)});
    for (std::size_t c = 0; c < tables.size(); ++c) {
        LineTable line{tables[c], 0, 0, 1.0 * zero_point(in)};
        const int value = constant_at(other, c) - zero_point(other);
        if (product) {
            line.slope = factor * value;
            line.shift = shift_of(factor);
        } else {
            const bool subtract = binary->function == graph::Arithmetic::sub;
            const double sign = subtract && operand == 1 ? -1 : 1;
            line.slope = sign * double{scale_of(in)} / double{scale_of(out)};
            line.shift = shift_of(last);
            const double added = subtract && operand == 0 ? -value : value;
            line.zero -= sign * added * double{scale_of(other)} / double{scale_of(in)};
        }
        target.channels.push_back(line);
    }
    return target;
}

std::optional<Requantisation> constant_lines(Lowering& lowering, int index, std::size_t operand,
                                             const std::vector<Table>& tables) {
    const auto function = std::get<graph::Binary>(lowering.node(index).op).function;
    if (function == graph::Arithmetic::maximum || function == graph::Arithmetic::minimum) return {};
    // EW is what multiplies two tensors, too.
    const bool ew = lowering.context.sizes.sdp_ew &&
                    (lowering.exact_at(index) || function == graph::Arithmetic::mul);
    auto made = lowering.context.searches.requantise_lines(
        line_target(lowering, index, operand, tables), {true, true, ew});
    constexpr int kMost = 1;  // what two tensors are off by
    for (std::size_t i = 0; made && i < made->deviations.size(); ++i)
        if (made->deviations[i].most > kMost) made.reset();
    return made;
}

std::vector<int> add_lines(Lowering& lowering, const Requantisation& made, const Location& in,
                           const Cube& out) {
    return {lowering.build.add_sdp(
        in.cube, lowering.build.post_process(made, at(out.channels), out), in.writers)};
}

std::optional<std::vector<int>> add_two_lines(Lowering& lowering, int index,
                                              const std::vector<Table>& tables, const Location& in,
                                              const Cube& out) {
    if (!std::holds_alternative<graph::Prelu>(lowering.node(index).op)) return {};
    std::vector<Table> all = tables;
    if (all.size() == 1) all.assign(at(out.channels), tables[0]);
    const LineTarget below = line_target(lowering, index, 0, std::move(all));
    const auto made = lowering.context.searches.requantise_lines(
        below, {true, true, lowering.context.sizes.sdp_ew});
    const auto above = line_and_tensor(tables[0], below.last);
    if (!made || !made->proved() || !above) return {};
    const Cube part =
        lowering.build.new_cube(lowering.tensor(lowering.node(index).outputs[0]).name + " below",
                                out.width, out.height, out.channels);
    const std::vector<int> first = add_lines(lowering, *made, in, part);
    PostProcess post;
    post.bs.bypass = post.bs.alu_bypass = post.bs.mul_bypass = false;
    post.bs.alu_value = -above->first;
    post.bs.mul_value = above->multiplier;
    post.bs.relu = true;
    post.bn.bypass = post.bn.alu_bypass = false;
    post.bn.alu_shift = above->shift;
    post.bn.memory = operands({part, {}, true}, true);
    post.offset = above->offset;
    post.scale = above->scale;
    post.shift = above->out_shift;
    post.output = out;
    lowering.build.exactness.push_back(
        {index, "two lines", out.channels, out.channels, 0, 256 * std::int64_t{out.channels}, 0});
    std::vector<int> after = in.writers;
    gather(after, first);
    return std::vector<int>{lowering.build.add_sdp(in.cube, std::move(post), std::move(after))};
}

}  // namespace macrame::dla::compiler
