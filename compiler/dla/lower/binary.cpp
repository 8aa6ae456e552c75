/// Element-wise operators of two tensors.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "compiler/dla/add.hpp"
#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/lower/operators.hpp"
#include "compiler/dla/pairs.hpp"
#include "compiler/dla/requantised.hpp"
#include "compiler/dla/tiling.hpp"
#include "compiler/dla/values.hpp"
#include "compiler/graph/walk.hpp"

namespace macrame::dla::compiler {

using graph::Arithmetic;
using graph::TensorId;

namespace {

/// A constant in the shape of what it is broadcast to.
graph::Tensor broadcast(const graph::Tensor& from, const std::vector<int>& to) {
    graph::Tensor out = from;
    out.shape = to;
    out.data.clear();
    graph::Walk<1> walk(to, {graph::broadcast_strides(from.shape, to)});
    for (; !walk.done(); walk.next())
        out.data.push_back(from.data[walk.at(0)]);
    return out;
}

}  // namespace

BinaryOperand side(Lowering& lowering, int index, TensorId id, const Shape& out) {
    const graph::Tensor& t = lowering.tensor(id);
    if (t.type != graph::Type::int8) throw Unsupported{"operand: want int8"};
    Location in;
    Shape shape = shape_of(t);
    if (t.constant) {
        // One per channel is a pixel, everything else as large as the output.
        const bool channels = t.elements() == 1 || (t.elements() == at(shape.channels) &&
                                                    shape.channels == out.channels);
        shape = channels ? Shape{1, 1, out.channels} : out;
        in = constant(
            lowering,
            broadcast(t, channels ? std::vector<int>{1, 1, 1, out.channels}
                                  : lowering.tensor(lowering.node(index).outputs[0]).shape));
    } else {
        in = lowering.location_of(id);
    }
    if (in.form || in.cube.height != shape.height || in.cube.width != shape.width ||
        in.cube.channels != shape.channels)
        throw Unsupported{"operand that was flattened: want the shape that it had"};
    const auto fits = [](int size, int of) { return size == of || size == 1; };
    if (!fits(shape.height, out.height) || !fits(shape.width, out.width) ||
        !fits(shape.channels, out.channels))
        throw Unsupported{fmt::format(
            "operand {} of {} x {} x {} (height, width, channels) for an output of {} x {} x {}: "
            "want each size equal or 1",
            t.name, shape.height, shape.width, shape.channels, out.height, out.width,
            out.channels)};
    const bool pixel = shape.height == 1 && shape.width == 1;
    const bool whole = shape.height == out.height && shape.width == out.width;
    BinaryOperand made{in.cube, in.writers, whole};
    if (shape.channels != out.channels) {
        // One channel for all: a convolution that copies it.
        Selection copies;
        copies.channels.assign(at(out.channels), 0);
        made.cube =
            lowering.build.new_cube(t.name + " broadcast", shape.width, shape.height, out.channels);
        made.writers = add_selection(lowering, index, in.cube, copies, made.cube, in.writers);
    }
    if (!pixel && !whole) spread(lowering, index, made, out);
    if (pixel && !is_legal(lowering.context.sizes, made.cube)) {
        const Cube to = lowering.build.new_cube(t.name + " packed", 1, 1, out.channels);
        made.writers = lowering.build.add_copy(made.cube, to, made.writers);
        made.cube = to;
    }
    return made;
}

void spread(Lowering& lowering, int index, BinaryOperand& side, const Shape& out) {
    const Cube from = side.cube;
    const Cube to =
        lowering.build.new_cube(lowering.tensor(lowering.node(index).outputs[0]).name + " spread",
                                out.width, out.height, from.channels);
    std::vector<int> writers = lowering.build.add_copy(
        from, lowering.part_of(to, 0, 0, from.height, from.width), side.writers);
    // What is there is copied behind itself.
    for (int width = from.width; width < out.width;) {
        const int more = std::min(width, out.width - width);
        gather(writers,
               lowering.build.add_copy(lowering.part_of(to, 0, 0, from.height, more),
                                       lowering.part_of(to, 0, width, from.height, more), writers));
        width += more;
    }
    for (int height = from.height; height < out.height;) {
        const int more = std::min(height, out.height - height);
        gather(writers,
               lowering.build.add_copy(lowering.part_of(to, 0, 0, more, out.width),
                                       lowering.part_of(to, height, 0, more, out.width), writers));
        height += more;
    }
    side = {to, std::move(writers), true};
}

Operands operands(const BinaryOperand& side, bool alu) {
    return {alu,
            !alu,
            false,
            side.whole,
            side.cube.place,
            side.cube.line_stride,
            side.cube.surface_stride};
}

AddTarget add_target(Lowering& lowering, int index, bool a_whole, bool b_whole) {
    const graph::Node& n = lowering.node(index);
    const auto scaled = [&](TensorId id) {
        return AddTensor{double{lowering.tensor(id).quantisation.scale[0]},
                         zero_point(lowering.tensor(id))};
    };
    AddTarget target;
    target.a = scaled(n.inputs[0]);
    target.b = scaled(n.inputs[1]);
    target.output = scaled(n.outputs[0]);
    target.subtract = std::get<graph::Binary>(n.op).function == Arithmetic::sub;
    target.rounding = rounding_of(lowering.context.graph);
    target.shift = graph::shift_of(lowering.tensor(n.outputs[0]));
    if (!a_whole || !b_whole) target.main_is_b = b_whole;
    return target;
}

std::vector<int> add_sum(Lowering& lowering, const BinaryOperand& a, const BinaryOperand& b,
                         const AddMapping& p, const Cube& out) {
    const BinaryOperand &main = p.main_is_b ? b : a, &other = p.main_is_b ? a : b;
    PostProcess post;
    post.bs.bypass = post.bs.alu_bypass = post.bs.mul_bypass = false;
    post.bs.alu_value = p.bs_alu;
    if (p.bs_shift >= 0) {
        post.bs.alu_shift = p.bs_shift;
        post.bs.memory = operands(other, true);
    }
    post.bs.mul_value = p.bs_mul;
    post.bn.bypass = post.bn.alu_bypass = false;
    post.bn.alu_shift = p.bn_shift;
    post.bn.memory = operands(p.again ? main : other, true);
    if (p.bn_mul != 1 || p.bn_mul_shift != 0) {
        post.bn.mul_bypass = false;
        post.bn.mul_value = p.bn_mul;
        post.bn.mul_shift = p.bn_mul_shift;
    }
    if (p.ew) {
        post.ew.bypass = post.ew.mul_bypass = post.ew.alu_bypass = false;
        post.ew.mul_value = p.ew->factor;
        post.ew.truncate = p.ew->truncate;
        post.ew.alu_zero = p.ew->zero;
        post.ew.alu_scale = p.ew->scale;
        post.ew.alu_shift = p.ew->shift;
        post.ew.memory = operands(other, true);
    }
    post.offset = p.offset;
    post.scale = p.scale;
    post.shift = p.shift;
    post.output = out;
    return lowering.build.add_sdp(main.cube, std::move(post), both(a.writers, b.writers));
}

std::vector<int> add_sum(Lowering& lowering, int index, const BinaryOperand& a,
                         const BinaryOperand& b, const Cube& out) {
    const AddTarget target = add_target(lowering, index, a.whole, b.whole);
    const AddMapping& made = lowering.context.searches.add_parameters(
        target, lowering.context.sizes.sdp_ew && lowering.exact_at(index),
        lowering.exact_at(index));
    const std::vector<std::int8_t> wanted =
        pairs_of(lowering.context.graph, plain(lowering.node(index)));
    const std::string name = target.subtract ? "sub" : "add";
    if (made.wrong > 0 && lowering.exact_at(index)) {
        if (const auto& parts = lowering.context.searches.exact_add_in_parts(target)) {
            lowering.build.exactness.push_back(
                compare(index, name + " in parts", wanted,
                        [&](int x, int y) { return parts->apply(x, y); }));
            return add_in_parts(lowering, index, out, parts->offsets(),
                                [&](std::size_t part, const Cube& cube) {
                                    return add_sum(lowering, a, b, parts->parts[part], cube);
                                });
        }
    }
    lowering.build.exactness.push_back(
        compare(index, made.bs_shift < 0 ? name : name + ", operand twice", wanted,
                [&](int x, int y) { return made.apply(x, y); }));
    return add_sum(lowering, a, b, made, out);
}

std::vector<int> add_in_parts(
    Lowering& lowering, int index, const Cube& out, const std::vector<int>& offsets,
    const std::function<std::vector<int>(std::size_t part, const Cube& cube)>& add) {
    const auto cube = [&](const char* what, std::size_t i) {
        return lowering.build.new_cube(
            fmt::format("{} {} {}", lowering.tensor(lowering.node(index).outputs[0]).name, what, i),
            out.width, out.height, out.channels);
    };
    const auto part = [&](std::size_t i) {
        BinaryOperand made;
        made.cube = cube("part", i);
        made.writers = add(i, made.cube);
        return made;
    };
    BinaryOperand sum = part(0);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        const BinaryOperand next = part(i + 1);
        PostProcess post;
        post.bn.bypass = post.bn.alu_bypass = false;
        post.bn.memory = operands(next, true);
        post.offset = -offsets[i];
        post.output = i + 1 < offsets.size() ? cube("sum", i) : out;
        BinaryOperand made;
        made.cube = post.output;
        made.writers =
            lowering.build.add_sdp(sum.cube, std::move(post), both(sum.writers, next.writers));
        sum = std::move(made);
    }
    return sum.writers;
}

std::vector<int> add_choice(Lowering& lowering, int index, BinaryOperand a, BinaryOperand b,
                            const Cube& out) {
    const graph::Node& n = lowering.node(index);
    const bool larger = std::get<graph::Binary>(n.op).function == Arithmetic::maximum;
    // Rounding does not change which one is larger: both in the integers of the output first.
    std::vector<Table> tables;
    for (const std::size_t operand : {std::size_t{0}, std::size_t{1}}) {
        BinaryOperand& side = operand == 0 ? a : b;
        tables.push_back(rescaled(lowering, n.inputs[operand], n.outputs[0]));
        bool same = true;
        for (int x = -128; x < 128; ++x)
            same &= look_up(tables.back(), x) == x;
        if (same) continue;
        Location in;
        in.cube = side.cube;
        in.writers = side.writers;
        side.cube = lowering.build.new_cube(lowering.tensor(n.outputs[0]).name + " operand",
                                            in.cube.width, in.cube.height, in.cube.channels);
        side.writers =
            add_rescaled(lowering, index, n.inputs[operand], n.outputs[0], in, side.cube);
    }
    lowering.build.exactness.push_back(
        compare(index, larger ? "maximum" : "minimum", pairs_of(lowering.context.graph, plain(n)),
                [&](int x, int y) {
                    const int p = look_up(tables[0], x), q = look_up(tables[1], y);
                    return larger ? std::max(p, q) : std::min(p, q);
                }));
    const BinaryOperand &main = a.whole ? a : b, &other = a.whole ? b : a;
    PostProcess post;
    post.bn.bypass = post.bn.alu_bypass = false;
    post.bn.function = larger ? AluFunction::maximum : AluFunction::minimum;
    post.bn.memory = operands(other, true);
    post.output = out;
    return {lowering.build.add_sdp(main.cube, std::move(post), both(a.writers, b.writers))};
}

std::vector<int> add_binary(Lowering& lowering, int index, Arithmetic function,
                            const BinaryOperand& a, const BinaryOperand& b, const Cube& out) {
    switch (function) {
        case Arithmetic::add:
        case Arithmetic::sub:
            return add_sum(lowering, index, a, b, out);
        case Arithmetic::mul:
            return add_product(lowering, index, a, b, out);
        case Arithmetic::maximum:
        case Arithmetic::minimum:
            return add_choice(lowering, index, a, b, out);
        default:
            throw Unsupported{"no unit computes it of two tensors: want a constant operand"};
    }
}

std::vector<int> add_exact_binary(Lowering& lowering, int index, Arithmetic function,
                                  const BinaryOperand& a, const BinaryOperand& b, const Cube& out) {
    const Lowering::Snapshot before = lowering.snapshot();
    try {
        std::vector<int> made = add_binary(lowering, index, function, a, b, out);
        if (lowering.build.wrong_since(before.build) == 0) return made;
    } catch (const Unsupported&) {
    }
    lowering.restore(before);
    return {};
}

void lower_binary(Lowering& lowering, int index) {
    const auto& op = std::get<graph::Binary>(lowering.node(index).op);
    const graph::Node& n = lowering.node(index);
    const graph::Tensor& to = lowering.tensor(n.outputs[0]);
    std::vector<Table> tables;  // with a constant of one value or one per channel
    std::size_t operand = 0;
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
        if (lowering.tensor(n.inputs[i]).constant || !lowering.tensor(n.inputs[1 - i]).constant)
            continue;
        tables = tables_of(lowering.context.graph, plain(n), i);
        operand = i;
    }
    if (tables.size() == 1) return lower_tables(lowering, index, operand);
    if (!lowering.context.sizes.sdp_bs || !lowering.context.sizes.sdp_bn)
        throw Unsupported{"element-wise operator: want sdp-bs-enable and sdp-bn-enable"};
    const Shape out = shape_of(to);
    if (tables.size() != at(out.channels)) tables.clear();  // one for each axis of a vector
    std::optional<Requantisation> lines;
    if (!tables.empty()) {
        const std::optional<Pointwise>& exact = lowering.context.searches.pointwise(tables, 0);
        if (!exact || exact->wrong > 0) {
            lines = constant_lines(lowering, index, operand, tables);
            tables.clear();
        }
    }
    BinaryOperand a = side(lowering, index, n.inputs[0], out);
    const BinaryOperand b = side(lowering, index, n.inputs[1], out);
    if (!a.whole && !b.whole) spread(lowering, index, a, out);
    const auto [low, high] = graph::bounds(op.activation, to);
    const bool clamps = low != -128 || high != 127;
    Cube cube = lowering.add_output(index, out.width, out.height, out.channels).cube;
    if (clamps)
        cube = lowering.build.new_cube(to.name + " before", out.width, out.height, out.channels);
    std::vector<int> writers;
    // Two tensors may be exact where lines are not.
    if (lines && !lines->proved() && lowering.exact_at(index))
        writers = add_exact_binary(lowering, index, op.function, a, b, cube);
    if (writers.empty() && lines) {
        lowering.build.exactness.push_back(
            exactness_of(index, lines->mapping, lines->deviations, at(cube.channels)));
        writers = add_lines(lowering, *lines, lowering.location_of(n.inputs[operand]), cube);
    } else if (!tables.empty()) {
        writers =
            add_tables(lowering, index, tables, lowering.location_of(n.inputs[operand]), cube);
    } else if (writers.empty()) {
        writers = add_binary(lowering, index, op.function, a, b, cube);
    }
    Location& made = lowering.output_of(n.outputs[0]);
    made.writers = writers;
    if (clamps) made.writers = {lowering.build.add_clamp(cube, made.cube, low, high, writers)};
}

}  // namespace macrame::dla::compiler
