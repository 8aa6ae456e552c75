/// Element-wise operators of two tensors.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "compiler/dla/add.hpp"
#include "compiler/dla/buffer.hpp"
#include "compiler/dla/lower.hpp"
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

/// How many of all pairs are not as the reference has them.
template <class Apply>
macrame::compiler::Exactness compare(int index, const char* mapping,
                                     const std::vector<std::int8_t>& pairs, const Apply& apply) {
    macrame::compiler::Exactness out{index, mapping, 1, 0, 0, 65536, 0};
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const int found = apply(static_cast<int>(i / 256) - 128, static_cast<int>(i % 256) - 128);
        const int distance = std::abs(found - pairs[i]);
        out.values += distance != 0 ? 1 : 0;
        out.most = std::max(out.most, distance);
    }
    out.proved = out.values == 0 ? 1 : 0;
    return out;
}

std::vector<int> both(const std::vector<int>& a, const std::vector<int>& b) {
    std::vector<int> out = a;
    gather(out, b);
    return out;
}

/// Of all pairs those whose second element lies on one side of `zero`, as a product with a zero
/// point of -128; elements that do not occur are as in exact arithmetic.
std::vector<std::int8_t> half_of(const std::vector<std::int8_t>& pairs, const MultiplyTarget& half,
                                 int zero, int sign) {
    std::vector<std::int8_t> out = multiply_reference(half);
    for (int a = 0; a < 256; ++a) {
        for (int b = 0; b < 256; ++b) {
            const int from = zero + 128 + sign * b;
            if (from >= 0 && from < 256) out[at(a * 256 + b)] = pairs[at(a * 256 + from)];
        }
    }
    return out;
}

/// The node without its activation, which a layer behind does.
graph::Node plain(const graph::Node& node) {
    graph::Node out = node;
    std::get<graph::Binary>(out.op).activation = graph::Activation::none;
    return out;
}

}  // namespace

Lowering::Side Lowering::side(int index, TensorId id, const Shape& out) {
    const graph::Tensor& t = tensor(id);
    if (t.type != graph::Type::int8) throw Unsupported{"operand: want int8"};
    Location in;
    Shape shape = shape_of(t);
    if (t.constant) {
        // One per channel is a pixel, everything else as large as the output.
        const bool channels = t.elements() == 1 || (t.elements() == at(shape.channels) &&
                                                    shape.channels == out.channels);
        shape = channels ? Shape{1, 1, out.channels} : out;
        in = constant(broadcast(t, channels ? std::vector<int>{1, 1, 1, out.channels}
                                            : tensor(node(index).outputs[0]).shape));
    } else {
        in = locations_.at(id);
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
    Side made{in.cube, in.writers, whole};
    if (shape.channels != out.channels) {
        // One channel for all: a convolution that copies it.
        Selection copies;
        copies.channels.assign(at(out.channels), 0);
        made.cube = new_cube(t.name + " broadcast", shape.width, shape.height, out.channels);
        made.writers = add_selection(index, in.cube, copies, made.cube, in.writers);
    }
    if (!pixel && !whole) spread(index, made, out);
    if (pixel && !is_legal(sizes_, made.cube)) {
        const Cube to = new_cube(t.name + " packed", 1, 1, out.channels);
        made.writers = add_copy(index, made.cube, to, made.writers);
        made.cube = to;
    }
    return made;
}

void Lowering::spread(int index, Side& side, const Shape& out) {
    const Cube from = side.cube;
    const Cube to = new_cube(tensor(node(index).outputs[0]).name + " spread", out.width, out.height,
                             from.channels);
    std::vector<int> writers =
        add_copy(index, from, part_of(to, 0, 0, from.height, from.width), side.writers);
    // What is there is copied behind itself.
    for (int width = from.width; width < out.width;) {
        const int more = std::min(width, out.width - width);
        gather(writers, add_copy(index, part_of(to, 0, 0, from.height, more),
                                 part_of(to, 0, width, from.height, more), writers));
        width += more;
    }
    for (int height = from.height; height < out.height;) {
        const int more = std::min(height, out.height - height);
        gather(writers, add_copy(index, part_of(to, 0, 0, more, out.width),
                                 part_of(to, height, 0, more, out.width), writers));
        height += more;
    }
    side = {to, std::move(writers), true};
}

Operands Lowering::operands(const Side& side, bool alu) const {
    return {alu,
            !alu,
            false,
            side.whole,
            side.cube.place,
            side.cube.line_stride,
            side.cube.surface_stride};
}

std::vector<int> Lowering::add_sum(int index, const Side& a, const Side& b, const Cube& out) {
    const graph::Node& n = node(index);
    const auto scaled = [&](TensorId id) {
        return AddTensor{double{tensor(id).quantisation.scale[0]}, zero_point(tensor(id))};
    };
    AddTarget target;
    target.a = scaled(n.inputs[0]);
    target.b = scaled(n.inputs[1]);
    target.output = scaled(n.outputs[0]);
    target.subtract = std::get<graph::Binary>(n.op).function == Arithmetic::sub;
    target.rounding = rounding_of(graph_);
    target.shift = graph::shift_of(tensor(n.outputs[0]));
    if (!a.whole || !b.whole) target.main_is_b = b.whole;
    const AddMapping p = add_parameters(target, sizes_.sdp_ew && exact_at(index));
    exactness.push_back(compare(index, target.subtract ? "sub" : "add", pairs_of(graph_, plain(n)),
                                [&](int x, int y) { return p.apply(x, y); }));
    const Side &main = p.main_is_b ? b : a, &other = p.main_is_b ? a : b;
    PostProcess post;
    post.bs.bypass = post.bs.alu_bypass = post.bs.mul_bypass = false;
    post.bs.alu_value = p.bs_alu;
    post.bs.mul_value = p.bs_mul;
    post.bn.bypass = post.bn.alu_bypass = false;
    post.bn.alu_shift = p.bn_shift;
    post.bn.memory = operands(other, true);
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
    return {add_sdp(index, main.cube, std::move(post), both(a.writers, b.writers))};
}

std::vector<int> Lowering::add_choice(int index, Side a, Side b, const Cube& out) {
    const graph::Node& n = node(index);
    const bool larger = std::get<graph::Binary>(n.op).function == Arithmetic::maximum;
    // Rounding does not change which one is larger: both in the integers of the output first.
    std::vector<Table> tables;
    for (const std::size_t operand : {std::size_t{0}, std::size_t{1}}) {
        Side& side = operand == 0 ? a : b;
        tables.push_back(rescaled(n.inputs[operand], n.outputs[0]));
        bool same = true;
        for (int x = -128; x < 128; ++x)
            same &= look_up(tables.back(), x) == x;
        if (same) continue;
        Location in;
        in.cube = side.cube;
        in.writers = side.writers;
        side.cube = new_cube(tensor(n.outputs[0]).name + " operand", in.cube.width, in.cube.height,
                             in.cube.channels);
        side.writers = add_rescaled(index, n.inputs[operand], n.outputs[0], in, side.cube);
    }
    exactness.push_back(compare(index, larger ? "maximum" : "minimum", pairs_of(graph_, plain(n)),
                                [&](int x, int y) {
                                    const int p = look_up(tables[0], x), q = look_up(tables[1], y);
                                    return larger ? std::max(p, q) : std::min(p, q);
                                }));
    const Side &main = a.whole ? a : b, &other = a.whole ? b : a;
    PostProcess post;
    post.bn.bypass = post.bn.alu_bypass = false;
    post.bn.function = larger ? AluFunction::maximum : AluFunction::minimum;
    post.bn.memory = operands(other, true);
    post.output = out;
    return {add_sdp(index, main.cube, std::move(post), both(a.writers, b.writers))};
}

std::vector<int> Lowering::add_product(int index, const Side& main, const Side& other,
                                       const MultiplyMapping& mapping, const Cube& out) {
    PostProcess post;
    XRegisters &bs = post.bs, &bn = post.bn;
    bs.bypass = bs.alu_bypass = bs.mul_bypass = false;
    bs.alu_value = -mapping.zero_a;
    bn.bypass = bn.mul_bypass = false;
    bn.mul_value = mapping.second;
    bn.mul_shift = mapping.shift;
    if (mapping.ew) {
        bs.mul_value = mapping.first;
        post.ew.bypass = post.ew.mul_bypass = false;
        post.ew.truncate = mapping.truncate;
        post.ew.mul_zero = mapping.zero_b;
        post.ew.memory = operands(other, false);
    } else {
        bs.memory = operands(other, false);
        if (mapping.again >= 0) {
            bn.alu_bypass = false;
            bn.alu_shift = mapping.again;
            bn.memory = operands(main, true);
        }
    }
    post.offset = mapping.offset;
    post.scale = mapping.scale;
    post.shift = mapping.out_shift;
    post.output = out;
    return {add_sdp(index, main.cube, std::move(post), both(main.writers, other.writers))};
}

std::vector<int> Lowering::add_parted_product(int index, const Side& main, const Side& other,
                                              MultiplyTarget target,
                                              const std::vector<std::int8_t>& pairs,
                                              const Cube& out) {
    const std::string name = tensor(node(index).outputs[0]).name;
    const int zero = target.zero_b;
    target.zero_b = -128;
    std::vector<Side> parts;
    std::vector<MultiplyMapping> mappings;
    for (const int sign : {1, -1}) {
        // What lies on one side of the zero point, 0 elsewhere, with a zero point of -128.
        Table table{};
        for (int x = -128; x < 128; ++x)
            table[at(x + 128)] = static_cast<std::int8_t>(std::max(sign * (x - zero), 0) - 128);
        Location in;
        in.cube = other.cube;
        in.writers = other.writers;
        Side part = other;
        part.cube = new_cube(name + " part", in.cube.width, in.cube.height, in.cube.channels);
        part.writers = add_tables(index, {table}, in, part.cube);
        MultiplyTarget half = target;
        half.factor *= sign;
        const auto made =
            searches_.multiply_parameters(half, false, half_of(pairs, half, zero, sign));
        if (!made) throw Unsupported{"mul: scales are too far from each other"};
        mappings.push_back(*made);
        Side product;
        product.cube = new_cube(name + " part", out.width, out.height, out.channels);
        product.writers = add_product(index, main, part, mappings.back(), product.cube);
        parts.push_back(product);
    }
    exactness.push_back(compare(index, "mul in parts", pairs, [&](int x, int y) {
        const int above = mappings[0].apply(x, std::max(y - zero, 0) - 128);
        const int below = mappings[1].apply(x, std::max(zero - y, 0) - 128);
        return std::clamp(above + below - target.zero_output, -128, 127);
    }));
    // One of them is the zero point of the output.
    PostProcess post;
    post.bn.bypass = post.bn.alu_bypass = false;
    post.bn.memory = operands(parts[1], true);
    post.offset = target.zero_output;
    post.output = out;
    return {
        add_sdp(index, parts[0].cube, std::move(post), both(parts[0].writers, parts[1].writers))};
}

std::vector<int> Lowering::add_product_of_signs(int index, const Side& main, const Side& other,
                                                const ProductParts& parts, int zero,
                                                const Cube& out) {
    std::array<Side, 2> halves;
    for (const bool below : {false, true}) {
        Side& half = halves[below ? 1 : 0];
        const std::string& name = tensor(node(index).outputs[0]).name;
        half.cube =
            new_cube(name + (below ? " below" : " above"), out.width, out.height, out.channels);
        half.writers =
            add_product(index, main, other, below ? parts.below : parts.above, half.cube);
    }
    PostProcess post;
    post.bn.bypass = post.bn.alu_bypass = false;
    post.bn.memory = operands(halves[1], true);
    post.offset = -ProductParts::offset(zero);
    post.output = out;
    return {add_sdp(index, halves[0].cube, std::move(post),
                    both(halves[0].writers, halves[1].writers))};
}

std::vector<int> Lowering::add_product(int index, const Side& a, const Side& b, const Cube& out) {
    const graph::Node& n = node(index);
    const graph::Tensor &x = tensor(n.inputs[0]), &y = tensor(n.inputs[1]);
    const graph::Tensor& to = tensor(n.outputs[0]);
    const float product =
        x.quantisation.scale[0] * y.quantisation.scale[0] / to.quantisation.scale[0];
    MultiplyTarget target{zero_point(x), zero_point(y), zero_point(to), double{product},
                          rounding_of(graph_)};
    const bool ew = sizes_.sdp_ew;
    // The second one is the operand in memory.
    const bool swap =
        !a.whole || (b.whole && !ew && !is_power(zero_point(y)) && is_power(zero_point(x)));
    const std::vector<std::int8_t> pairs = pairs_of(graph_, plain(n));
    std::vector<std::int8_t> turned = pairs;
    if (swap) {
        std::swap(target.zero_a, target.zero_b);
        for (std::size_t i = 0; i < pairs.size(); ++i)
            turned[i] = pairs[i % 256 * 256 + i / 256];
    }
    const Side &main = swap ? b : a, &other = swap ? a : b;
    const std::optional<MultiplyMapping> made = searches_.multiply_parameters(target, ew, turned);
    if (made && made->wrong > 0 && exact_at(index)) {
        const auto parts = searches_.multiply_in_parts(target, ew, turned);
        const auto exact = compare(index, "mul, above and below", turned, [&](int p, int q) {
            return parts ? parts->apply(p, q, target.zero_output) : made->apply(p, q);
        });
        if (exact.values < made->wrong) {
            exactness.push_back(exact);
            return add_product_of_signs(index, main, other, *parts, target.zero_output, out);
        }
    }
    if (made) {
        exactness.push_back(
            {index, "mul", 1, made->wrong == 0 ? 1 : 0, made->wrong, 65536, made->most});
        return add_product(index, main, other, *made, out);
    }
    return add_parted_product(index, main, other, target, turned, out);
}

std::vector<int> Lowering::add_binary(int index, Arithmetic function, const Side& a, const Side& b,
                                      const Cube& out) {
    switch (function) {
        case Arithmetic::add:
        case Arithmetic::sub:
            return add_sum(index, a, b, out);
        case Arithmetic::mul:
            return add_product(index, a, b, out);
        case Arithmetic::maximum:
        case Arithmetic::minimum:
            return add_choice(index, a, b, out);
    }
    return {};
}

void Lowering::lower(int index, const graph::Binary& op) {
    const graph::Node& n = node(index);
    const graph::Tensor& to = tensor(n.outputs[0]);
    std::vector<Table> tables;  // with a constant of one value or one per channel
    std::size_t operand = 0;
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
        if (tensor(n.inputs[i]).constant || !tensor(n.inputs[1 - i]).constant) continue;
        tables = tables_of(graph_, plain(n), i);
        operand = i;
    }
    if (tables.size() == 1) return lower_tables(index, operand);
    if (!sizes_.sdp_bs || !sizes_.sdp_bn)
        throw Unsupported{"element-wise operator: want sdp-bs-enable and sdp-bn-enable"};
    const Shape out = shape_of(to);
    if (tables.size() != at(out.channels)) tables.clear();  // one for each axis of a vector
    std::optional<Requantisation> lines;
    if (!tables.empty()) {
        const std::optional<Pointwise> exact = pointwise(tables, 0);
        if (!exact || exact->wrong > 0) {
            lines = constant_lines(index, operand, tables);
            tables.clear();
        }
    }
    Side a = side(index, n.inputs[0], out);
    const Side b = side(index, n.inputs[1], out);
    if (!a.whole && !b.whole) spread(index, a, out);
    const auto [low, high] = graph::bounds(op.activation, to);
    const bool clamps = low != -128 || high != 127;
    Location& made = add_output(index, out.width, out.height, out.channels);
    const Cube cube =
        clamps ? new_cube(to.name + " before", out.width, out.height, out.channels) : made.cube;
    const auto in = locations_.find(n.inputs[operand]);
    if (lines) {
        exactness.push_back(
            exactness_of(index, lines->mapping, lines->deviations, at(cube.channels)));
        made.writers = add_lines(index, *lines, in->second, cube);
    } else if (!tables.empty()) {
        made.writers = add_tables(index, tables, in->second, cube);
    } else {
        made.writers = add_binary(index, op.function, a, b, cube);
    }
    if (clamps) made.writers = {add_clamp(index, cube, made.cube, low, high, made.writers)};
}

}  // namespace macrame::dla::compiler
