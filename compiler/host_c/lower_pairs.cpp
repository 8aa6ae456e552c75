/// Operators with two operands, of which one may be broadcast.
#include <algorithm>
#include <string>
#include <vector>

#include "compiler/graph/quantised.hpp"
#include "compiler/host_c/lowering.hpp"

namespace macrame::compiler::host_c {

using graph::Arithmetic;
using graph::Bytes;
using graph::Tensor;
using graph::Type;

namespace {

std::string_view function_name(Arithmetic function) {
    switch (function) {
        case Arithmetic::add:
            return "MACRAME_HOST_ADD";
        case Arithmetic::sub:
            return "MACRAME_HOST_SUB";
        case Arithmetic::mul:
            return "MACRAME_HOST_MUL";
        case Arithmetic::maximum:
            return "MACRAME_HOST_MAXIMUM";
        case Arithmetic::minimum:
            return "MACRAME_HOST_MINIMUM";
        case Arithmetic::squared_difference:
            return "MACRAME_HOST_SQUARED_DIFFERENCE";
        case Arithmetic::div:
            return "MACRAME_HOST_DIV";
        case Arithmetic::pow:
            return "MACRAME_HOST_POW";
        case Arithmetic::floor_div:
            return "MACRAME_HOST_FLOOR_DIV";
        case Arithmetic::floor_mod:
            break;
    }
    return "MACRAME_HOST_FLOOR_MOD";
}

bool rounds_down(Arithmetic function) {
    return function == Arithmetic::floor_div || function == Arithmetic::floor_mod;
}

}  // namespace

void Lowering::add(const graph::Binary& op) {
    if (out().type == Type::int32 || out().type == Type::int64) {
        if (op.activation != graph::Activation::none) return refuse("activations of numbers");
        call("whole_binary", {to(), from(0), from(1)},
             Fields()
                 .set("walk", broadcast_walk(2))
                 .set("function", function_name(op.function))
                 .set("type", c_element(out().type)));
        calls_.calls.back().can_fail = op.function == Arithmetic::div || rounds_down(op.function);
        return;
    }
    if (look_up_pair(op)) return;
    // As the reference chooses.
    const bool no_integers =
        op.function == Arithmetic::div || op.function == Arithmetic::pow ||
        (op.function == Arithmetic::squared_difference && out().type == Type::int16);
    const bool real = !fixed_point() || no_integers;
    const bool kernel = op.function == Arithmetic::add || op.function == Arithmetic::mul;
    const bool even = real && out().type != Type::float32 && kernel && !op.as_real;
    if (real && !even) return add_real(op);
    if (!is_small(in(0)) || !is_small(in(1)) || !is_small(out()))
        return refuse("elements of more than 16 bits");
    even ? add_even(op) : add_fixed(op);
}

bool Lowering::look_up_pair(const graph::Binary& op) {
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
        const Tensor &input = in(i), &other = in(1 - i);
        const bool one = other.constant && other.elements() == 1 && is_byte(other);
        if (!one || !is_byte(input) || input.elements() != out().elements()) continue;
        graph::Graph graph;
        graph.rounding = graph_.rounding;
        graph.tensors = {input, other, out()};
        graph.tensors[0].shape = graph.tensors[2].shape = {256};
        graph.tensors[1].shape = {1};
        const graph::TensorId first = i == 0 ? 0 : 1;
        graph.nodes = {{op, {first, 1 - first}, {2}, node_.where}};
        Bytes values = every_byte();
        std::vector<const Bytes*> inputs = {&values, &other.data.bytes()};
        if (i == 1) std::swap(inputs[0], inputs[1]);
        look_up(to(), from(i), graph::run_node(graph, graph.nodes[0], inputs)[0], input.elements());
        return true;
    }
    return false;
}

void Lowering::add_fixed(const graph::Binary& op) {
    const graph::Quantisation &a = in(0).quantisation, &b = in(1).quantisation;
    const graph::Quantisation& output = out().quantisation;
    const auto [least, most] = graph::bounds(op.activation, out());
    Fields with;
    with.set("walk", broadcast_walk(2))
        .set("function", function_name(op.function))
        .set("a_type", c_element(in(0).type))
        .set("b_type", c_element(in(1).type))
        .set("to_type", c_element(out().type))
        .set("zero_a", a.zero_point[0])
        .set("zero_b", b.zero_point[0])
        .set("zero_to", output.zero_point[0])
        .set("least", least)
        .set("most", most);
    if (op.function == Arithmetic::mul) {
        const float factor = a.scale[0] * b.scale[0] / output.scale[0];
        with.set("last", factor_text(graph::multiplier(static_cast<double>(factor))));
    } else if (const auto shifts = graph::sum_shifts(in(0), in(1), out())) {
        with.set("a", factor_text({0, shifts->first})).set("b", factor_text({0, shifts->second}));
    } else {
        // Both in units of twice the larger scale.
        const bool square = op.function == Arithmetic::squared_difference;
        const auto scale_a = static_cast<double>(a.scale[0]);
        const auto scale_b = static_cast<double>(b.scale[0]);
        const double unit = 2 * std::max(scale_a, scale_b);
        const int bits = graph::sum_bits(op.function, out());
        const double fine =
            (square ? 1 << 2 * bits : 1 << bits) * static_cast<double>(output.scale[0]);
        const auto factor = [](double real) { return factor_text(graph::multiplier(real)); };
        with.set("bits", bits)
            .set("a", factor(scale_a / unit))
            .set("b", factor(scale_b / unit))
            .set("last", factor((square ? unit * unit : unit) / fine));
    }
    call("binary", {to(), from(0), from(1)}, with);
}

void Lowering::add_even(const graph::Binary& op) {
    const graph::Quantisation &a = in(0).quantisation, &b = in(1).quantisation;
    const graph::Quantisation& output = out().quantisation;
    const auto [least, most] = graph::bounds(op.activation, out());
    const int shift = graph::shift_of(out());
    Fields with;
    with.set("walk", broadcast_walk(2))
        .set("function", function_name(op.function))
        .set("a_type", c_element(in(0).type))
        .set("b_type", c_element(in(1).type))
        .set("to_type", c_element(out().type))
        .set("zero_a", a.zero_point[0])
        .set("zero_b", b.zero_point[0])
        .set("shift", shift)
        .set("least", least)
        .set("most", most);
    if (op.function == Arithmetic::add) {
        const graph::OnnxSum sum(a.scale[0], a.zero_point[0], b.scale[0], b.zero_point[0],
                                 output.scale[0], output.zero_point[0], shift);
        with.set("factor_a", sum.a()).set("factor_b", sum.b()).set("rest", sum.rest());
    } else {
        with.set("factor_a", a.scale[0] * b.scale[0] / output.scale[0])
            .set("rest", static_cast<float>(output.zero_point[0] + shift));
    }
    call("even_binary", {to(), from(0), from(1)}, with);
}

void Lowering::add_real(const graph::Binary& op) {
    const Operand a = reals(0), b = reals(1), result = real_output();
    Fields with;
    with.set("walk", broadcast_walk(2));
    with.set("function", function_name(op.function));
    const bool of_math = op.function == Arithmetic::pow || rounds_down(op.function);
    call(of_math ? "power" : "real_binary", {result, a, b}, with);
    finish(result, op.activation);
}

void Lowering::add(const graph::Compare& op) {
    const auto name = [&] {
        switch (op.relation) {
            case graph::Relation::equal:
                return "MACRAME_HOST_EQUAL";
            case graph::Relation::not_equal:
                return "MACRAME_HOST_NOT_EQUAL";
            case graph::Relation::less:
                return "MACRAME_HOST_LESS";
            case graph::Relation::less_equal:
                break;
        }
        return "MACRAME_HOST_LESS_EQUAL";
    };
    Fields with;
    with.set("walk", broadcast_walk(2)).set("relation", name());
    const auto truths = [&](std::size_t i) {
        const graph::Quantisation& q = in(i).quantisation;
        return q.scale.empty() || (q.scale == std::vector<float>{1} && q.zero_point[0] == 0);
    };
    const bool scaled =
        graph_.rounding == graph::Rounding::tflite && is_byte(in(0)) && !(truths(0) && truths(1));
    if (!scaled) {
        with.set("type", c_element(in(0).type));
        return call("compare", {to(), from(0), from(1)}, with);
    }
    Operand values[2];
    for (std::size_t i = 0; i < 2; ++i) {
        Bytes table;
        for (const std::uint8_t byte : every_byte()) {
            const int element = in(i).type == Type::int8 ? static_cast<std::int8_t>(byte) : byte;
            const std::int32_t value = graph::compared_value(element, in(i).quantisation);
            for (int shift = 0; shift < 32; shift += 8)
                table.push_back(static_cast<std::uint8_t>(value >> shift));
        }
        values[i] = scratch(in(i).elements() * sizeof(std::int32_t));
        look_up(values[i], from(i), table, in(i).elements());
    }
    with.set("type", "MACRAME_HOST_INT32");
    call("compare", {to(), values[0], values[1]}, with);
}

void Lowering::add(const graph::Select&) {
    call("select", {to(), from(0), from(1), from(2)},
         Fields().set("walk", broadcast_walk(3)).set("size", size_of(out().type)));
}

}  // namespace macrame::compiler::host_c
