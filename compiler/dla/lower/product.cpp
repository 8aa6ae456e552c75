/// Products of two tensors.

#include <algorithm>
#include <functional>
#include <utility>

#include "compiler/dla/lower/operators.hpp"
#include "compiler/dla/pairs.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

namespace {

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

}  // namespace

std::vector<int> add_product(Lowering& lowering, const BinaryOperand& main,
                             const BinaryOperand& other, const MultiplyMapping& mapping,
                             const Cube& out) {
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
    return {lowering.build.add_sdp(main.cube, std::move(post), both(main.writers, other.writers))};
}

std::vector<int> add_product_of_signs(Lowering& lowering, int index, const BinaryOperand& main,
                                      const BinaryOperand& other, const ProductParts& parts,
                                      int zero, const Cube& out) {
    return add_in_parts(lowering, index, out, {ProductParts::offset(zero)},
                        [&](std::size_t part, const Cube& cube) {
                            return add_product(lowering, main, other,
                                               part == 0 ? parts.above : parts.below, cube);
                        });
}

std::vector<int> add_parted_product(Lowering& lowering, int index, const BinaryOperand& main,
                                    const BinaryOperand& other, MultiplyTarget target,
                                    const std::vector<std::int8_t>& pairs, const Cube& out) {
    const std::string name = lowering.tensor(lowering.node(index).outputs[0]).name;
    const int zero = target.zero_b;
    target.zero_b = -128;
    std::vector<BinaryOperand> sides;
    // What lies on one side of the zero point, 0 elsewhere, with a zero point of -128.
    const auto side_of = [&](int sign, int y) { return std::max(sign * (y - zero), 0) - 128; };
    std::vector<std::function<int(int x, int y)>> products;
    for (const int sign : {1, -1}) {
        Table table{};
        for (int x = -128; x < 128; ++x)
            table[at(x + 128)] = static_cast<std::int8_t>(side_of(sign, x));
        Location in;
        in.cube = other.cube;
        in.writers = other.writers;
        BinaryOperand part = other;
        part.cube = lowering.build.new_cube(name + " part", in.cube.width, in.cube.height,
                                            in.cube.channels);
        part.writers = add_tables(lowering, index, {table}, in, part.cube);
        MultiplyTarget half = target;
        half.factor *= sign;
        const std::vector<std::int8_t> wanted = half_of(pairs, half, zero, sign);
        const auto made = lowering.context.searches.multiply_parameters(half, false, wanted);
        if (!made)
            throw Unsupported{
                "mul: scales are too far from each other: want a product of about the output's"};
        BinaryOperand product;
        product.cube = lowering.build.new_cube(name + " part", out.width, out.height, out.channels);
        const auto parts = made->wrong > 0 && lowering.exact_at(index)
                               ? lowering.context.searches.multiply_in_parts(half, false, wanted)
                               : std::nullopt;
        if (parts) {
            product.writers = add_product_of_signs(lowering, index, main, part, *parts,
                                                   target.zero_output, product.cube);
            products.push_back([=, to = target.zero_output](int x, int y) {
                return parts->apply(x, side_of(sign, y), to);
            });
        } else {
            product.writers = add_product(lowering, main, part, *made, product.cube);
            products.push_back([=](int x, int y) { return made->apply(x, side_of(sign, y)); });
        }
        sides.push_back(product);
    }
    lowering.build.exactness.push_back(compare(index, "mul in parts", pairs, [&](int x, int y) {
        return std::clamp(products[0](x, y) + products[1](x, y) - target.zero_output, -128, 127);
    }));
    // One of them is the zero point of the output.
    PostProcess post;
    post.bn.bypass = post.bn.alu_bypass = false;
    post.bn.memory = operands(sides[1], true);
    post.offset = target.zero_output;
    post.output = out;
    return {lowering.build.add_sdp(sides[0].cube, std::move(post),
                                   both(sides[0].writers, sides[1].writers))};
}

std::vector<int> add_product(Lowering& lowering, int index, const BinaryOperand& a,
                             const BinaryOperand& b, const Cube& out) {
    const graph::Node& n = lowering.node(index);
    const graph::Tensor &x = lowering.tensor(n.inputs[0]), &y = lowering.tensor(n.inputs[1]);
    const graph::Tensor& to = lowering.tensor(n.outputs[0]);
    const float product =
        x.quantisation.scale[0] * y.quantisation.scale[0] / to.quantisation.scale[0];
    MultiplyTarget target{zero_point(x), zero_point(y), zero_point(to), double{product},
                          rounding_of(lowering.context.graph)};
    const bool ew = lowering.context.sizes.sdp_ew;
    // The second one is the operand in memory.
    const bool swap =
        !a.whole || (b.whole && !ew && !is_power(zero_point(y)) && is_power(zero_point(x)));
    const std::vector<std::int8_t> pairs = pairs_of(lowering.context.graph, plain(n));
    std::vector<std::int8_t> turned = pairs;
    if (swap) {
        std::swap(target.zero_a, target.zero_b);
        for (std::size_t i = 0; i < pairs.size(); ++i)
            turned[i] = pairs[i % 256 * 256 + i / 256];
    }
    const BinaryOperand &main = swap ? b : a, &other = swap ? a : b;
    const std::optional<MultiplyMapping> made =
        lowering.context.searches.multiply_parameters(target, ew, turned);
    if (made && made->wrong > 0 && lowering.exact_at(index)) {
        const auto parts = lowering.context.searches.multiply_in_parts(target, ew, turned);
        const auto exact = compare(index, "mul, above and below", turned, [&](int p, int q) {
            return parts ? parts->apply(p, q, target.zero_output) : made->apply(p, q);
        });
        if (exact.values < made->wrong) {
            lowering.build.exactness.push_back(exact);
            return add_product_of_signs(lowering, index, main, other, *parts, target.zero_output,
                                        out);
        }
    }
    if (made) {
        lowering.build.exactness.push_back(
            {index, "mul", 1, made->wrong == 0 ? 1 : 0, made->wrong, 65536, made->most});
        return add_product(lowering, main, other, *made, out);
    }
    return add_parted_product(lowering, index, main, other, target, turned, out);
}

}  // namespace macrame::dla::compiler
