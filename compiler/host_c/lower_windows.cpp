/// Operators that sum: convolutions, products of matrices, pools, means; the largest of a row.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "compiler/graph/at.hpp"
#include "compiler/graph/kernels.hpp"
#include "compiler/graph/quantised.hpp"
#include "compiler/host_c/lowering.hpp"

namespace macrame::compiler::host_c {

using graph::Activation;
using graph::Tensor;
using graph::Type;

namespace {

/// Height and width.
std::vector<int> plane(const std::vector<int>& shape) { return {shape[1], shape[2]}; }

}  // namespace

Fields Lowering::scaling(Activation activation) {
    if (out().type == Type::int32) return Fields().set("count", 0);
    const auto [least, most] = graph::bounds(activation, out());
    const auto* full = std::get_if<graph::FullyConnected>(&node_.op);
    const std::vector<double> factors = graph::output_factors(graph_, node_);
    Fields with;
    if (graph_.rounding == graph::Rounding::onnx) {
        with.set("real", constants_.add(std::vector<float>(factors.begin(), factors.end())));
    } else {
        std::vector<std::string> texts;
        for (const double factor : factors) {
            const graph::Multiplier own = graph::multiplier(factor);
            texts.push_back("{" + std::to_string(own.mantissa) + ", " +
                            std::to_string(own.exponent) + "}");
        }
        with.set("factors", constants_.add("struct macrame_factor", texts));
    }
    return with.set("count", factors.size())
        .set("once", full != nullptr && full->rounds_once ? 1 : 0)
        .set("wide", graph::has_wide_sums(graph_, node_) ? 1 : 0)
        .set("type", c_element(out().type))
        .set("zero", out().quantisation.zero_point[0])
        .set("least", least)
        .set("most", most);
}

void Lowering::products(std::string_view function, const Fields& window, int kernels, int groups,
                        Activation activation) {
    if (has(2) && !in(2).constant) return refuse("a bias that is computed");
    Fields with;
    with.set("window", window.text()).set("kernels", kernels).set("groups", groups);
    const auto add = [&](const std::string& name, const Operand& values, const Operand& weights,
                         const std::string& type) {
        call(name, {to(), values, weights}, with);
        calls_.calls.back().type = type;
    };
    if (out().type == Type::float32) {
        if (has(2)) with.set("bias", constants_.add(constant_reals(2)));
        const Operand values = reals(0), weights = reals(1);
        add("real_" + std::string(function), values, weights, "real_conv");
        return finish(to(), activation);
    }
    const bool numbers = out().type == Type::int32 && in(0).type == Type::int32;
    if (!numbers && (!is_small(in(0)) || !is_small(out()) || size_of(in(1).type) != 1))
        return refuse("elements of more than 16 bits");
    if (has(2)) {
        const bool wide = in(2).type == Type::int64;
        with.set(wide ? "wide_bias" : "bias", constants_.add(in(2).type, in(2).data.bytes()));
    }
    with.set("zero_from", numbers ? 0 : in(0).quantisation.zero_point[0])
        .set("zeros", in(1).quantisation.zero_point.size())
        .set("from_type", c_element(in(0).type))
        .set("weight_type", c_element(in(1).type))
        .set("zero_weights", constants_.add(in(1).quantisation.zero_point))
        .set("scaling", scaling(activation).text());
    add(std::string(function), from(0), from(1), "conv");
}

void Lowering::add(const graph::Conv& op) {
    if (op.sums != graph::Sums::whole)
        return refuse("sums as bytes, which are for the hardware: want a network without them");
    const std::vector<int>&input = in().shape, &output = out().shape;
    products("conv", window_fields(op.window, plane(input), plane(output), input[3]), output[3],
             op.groups, op.activation);
}

void Lowering::add(const graph::TransposeConv& op) {
    const std::vector<int>&input = in().shape, &output = out().shape;
    products("transpose_conv", window_fields(op.window, plane(input), plane(output), input[3]),
             output[3], 1, op.activation);
}

void Lowering::add(const graph::FullyConnected& op) {
    const int kernels = in(1).shape[0], channels = static_cast<int>(in(1).elements()) / kernels;
    const int rows = static_cast<int>(in().elements()) / channels;
    products("conv", window_fields({}, {1, rows}, {1, rows}, channels), kernels, 1, op.activation);
}

void Lowering::add(const graph::MatMul& op) {
    const std::vector<int>& output = out().shape;
    const std::size_t rank = output.size();
    const auto strides = [&](std::size_t i, bool transpose) {
        std::vector<std::int64_t> own = broadcast_strides(in(i).shape, output);
        const std::vector<std::int64_t> real = strides_of(in(i).shape);
        const std::size_t last = real.size() - 1;
        own[rank - 2] = real[transpose ? last : last - 1];
        own[rank - 1] = real[transpose ? last - 1 : last];
        return own;
    };
    std::vector<std::int64_t> a = strides(0, op.transpose_a), b = strides(1, op.transpose_b);
    Fields with;
    with.set("depth", in(0).shape[in(0).shape.size() - (op.transpose_a ? 2 : 1)])
        .set("step_a", a[rank - 1])
        .set("step_b", b[rank - 2]);
    a[rank - 1] = b[rank - 2] = 0;
    with.set("walk", walk_text(wide(output), {a, b}));
    if (out().type == Type::float32) {
        const Operand first = reals(0), second = reals(1);
        return call("real_matmul", {to(), first, second}, with);
    }
    const bool numbers = out().type == Type::int32;
    if (!numbers && (!is_small(in(0)) || size_of(in(1).type) > 2 || !is_small(out())))
        return refuse("elements of more than 16 bits");
    with.set("zero_a", numbers ? 0 : in(0).quantisation.zero_point[0])
        .set("zero_b", numbers ? 0 : in(1).quantisation.zero_point[0])
        .set("a_type", c_element(in(0).type))
        .set("b_type", c_element(in(1).type))
        .set("scaling", scaling(Activation::none).text());
    call("matmul", {to(), from(0), from(1)}, with);
}

void Lowering::add(const graph::Pool& op) {
    const std::vector<int>&input = in().shape, &output = out().shape;
    Fields with;
    with.set("window", window_fields(op.window, plane(input), plane(output), input[3]).text());
    const bool largest = op.function == graph::Pooling::maximum;
    const bool real = out().type == Type::float32;
    const auto [least, most] = real ? std::pair(0, 0) : graph::bounds(op.activation, out());
    if (!real && (largest || fixed_point())) {
        if (in().type != out().type) return refuse("an output of another type");
        with.set("type", c_element(out().type)).set("least", least).set("most", most);
        if (!largest) with.set("shift", graph::shift_of(in()));
        return call(largest ? "max_pool" : "average_pool", {to(), from()}, with);
    }
    with.set("average", largest ? 0 : 1);
    with.set("columns", graph::sums_columns_first(graph_, op.window) ? 1 : 0);
    const Operand values = reals(0), result = real_output();
    call("real_pool", {result, values}, with);
    if (real || op.as_real) return finish(result, op.activation);
    const int shift = graph::shift_of(out());
    call("even_quantise", {to(), result},
         Fields()
             .set("count", out().elements())
             .set("type", c_element(out().type))
             .set("scale", out().quantisation.scale[0])
             .set("zero", static_cast<float>(out().quantisation.zero_point[0] + shift))
             .set("shift", static_cast<float>(shift))
             .set("least", static_cast<float>(least))
             .set("most", static_cast<float>(most)));
}

void Lowering::add(const graph::Mean& op) {
    std::vector<std::int64_t> kept = wide(in().shape), summed(kept.size(), 1);
    for (const int axis : op.axes)
        std::swap(kept[at(axis)], summed[at(axis)]);
    const std::vector<std::int64_t> own = strides_of(in().shape);
    const auto count = static_cast<std::int64_t>(in().elements() / out().elements());
    Fields with;
    with.set("kept", walk_text(kept, {own}))
        .set("summed", walk_text(summed, {own}))
        .set("count", count);
    if (out().type == Type::float32) return call("real_mean", {to(), reals(0)}, with);
    if (!is_small(in()) || !is_small(out())) return refuse("elements of more than 16 bits");
    with.set("from_type", c_element(in().type))
        .set("to_type", c_element(out().type))
        .set("zero_from", in().quantisation.zero_point[0])
        .set("zero_to", out().quantisation.zero_point[0]);
    if (fixed_point())
        with.set("factor", factor_text(graph::mean_multiplier(in(), out(), count)));
    else
        with.set("factor", graph::mean_factor(in(), out(), count));
    call(fixed_point() ? "mean" : "even_mean", {to(), from()}, with);
}

void Lowering::add(const graph::Reduce& op) {
    std::vector<std::int64_t> kept = wide(in().shape), joined(kept.size(), 1);
    for (const int axis : op.axes)
        std::swap(kept[at(axis)], joined[at(axis)]);
    const std::vector<std::int64_t> own = strides_of(in().shape);
    const bool sum = op.function == graph::Reduction::sum;
    const bool choice =
        op.function == graph::Reduction::maximum || op.function == graph::Reduction::minimum;
    if (sum && is_byte(in()) && fixed_point()) {
        return call("mean", {to(), from()},
                    Fields()
                        .set("kept", walk_text(kept, {own}))
                        .set("summed", walk_text(joined, {own}))
                        .set("count", in().elements() / out().elements())
                        .set("from_type", c_element(in().type))
                        .set("to_type", c_element(out().type))
                        .set("zero_from", in().quantisation.zero_point[0])
                        .set("zero_to", out().quantisation.zero_point[0])
                        .set("factor", factor_text(graph::mean_multiplier(in(), out(), 1))));
    }
    constexpr std::string_view kNames[] = {"MACRAME_HOST_SUM", "MACRAME_HOST_PRODUCT",
                                           "MACRAME_HOST_LARGEST", "MACRAME_HOST_LEAST"};
    Fields with;
    with.set("kept", walk_text(kept, {own}))
        .set("joined", walk_text(joined, {own}))
        .set("function", kNames[static_cast<std::size_t>(op.function)]);
    const bool real = in().type == Type::float32 || (sum && is_byte(in()));
    if (real) {
        with.set("type", c_element(Type::float32));
        const Operand values = reals(0), result = real_output();
        call("reduce", {result, values}, with);
        return finish(result, Activation::none);
    }
    if (!choice || in().type == Type::int64 || in().type != out().type)
        return refuse("sums and products of numbers, int64");
    call("reduce", {to(), from()}, with.set("type", c_element(in().type)));
}

void Lowering::add(const graph::Argmax& op) {
    if (in().type == Type::int64) return refuse("int64");
    call("argmax", {to(), from()},
         Fields()
             .set("count", out().elements())
             .set("size", in().shape[at(op.axis)])
             .set("least", op.least ? 1 : 0)
             .set("step", strides_of(in().shape)[at(op.axis)])
             .set("from_type", c_element(in().type))
             .set("to_type", c_element(out().type)));
}

}  // namespace macrame::compiler::host_c
