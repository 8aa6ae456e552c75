/// Functions of one element, and of rows.
#include <string>
#include <vector>

#include "compiler/graph/kernels.hpp"
#include "compiler/graph/quantised.hpp"
#include "compiler/host_c/lowering.hpp"

namespace macrame::compiler::host_c {

using graph::Tensor;
using graph::Type;

void Lowering::add(const graph::Unary& op) {
    if (is_byte(in())) return look_up(to(), from(), op, in());
    refuse("a function of elements of more than 8 bits");
}

void Lowering::add(const graph::Requantise& op) {
    const Tensor &input = in(), &output = out();
    if (is_byte(input)) return look_up(to(), from(), op, input);
    const bool real = input.type == Type::float32 || output.type == Type::float32;
    if (real || graph_.rounding == graph::Rounding::onnx) {
        // Copies nothing if both are float32.
        const Operand values = reals(0);
        if (output.type != Type::float32) return finish(values, graph::Activation::none);
        if (input.type == Type::float32) return add(graph::Reshape{});
        calls_.calls.back().operands[0] = to();
        calls_.scratch.clear();
        return;
    }
    const auto [least, most] = graph::bounds(graph::Activation::none, output);
    call("rescale", {to(), from()},
         Fields()
             .set("count", output.elements())
             .set("from_type", c_element(input.type))
             .set("to_type", c_element(output.type))
             .set("zero_from", input.quantisation.zero_point[0])
             .set("zero_to", output.quantisation.zero_point[0])
             .set("least", least)
             .set("most", most)
             .set("factor", factor_text(graph::multiplier(
                                static_cast<double>(input.quantisation.scale[0]) /
                                static_cast<double>(output.quantisation.scale[0])))));
}

void Lowering::add(const graph::Softmax& op) {
    const Tensor &input = in(), &output = out();
    const auto size = static_cast<std::size_t>(input.shape.back());
    Fields with;
    with.set("rows", input.elements() / size).set("size", size);
    if (output.type == Type::float32) {
        with.set("log", op.log ? 1 : 0).set("beta", op.beta);
        return call("real_softmax", {to(), reals(0)}, with);
    }
    if (!is_byte(input) || size_of(output.type) != 1) return refuse("elements of more than 8 bits");
    if (fixed_point()) {
        with.set("type", c_element(input.type))
            .set("least", output.type == Type::uint8 ? 0 : -128)
            .set("table", constants_.add(graph::softmax_table(input, op)));
        return call("softmax", {to(), from()}, with);
    }
    std::vector<std::string> parts;
    for (const double part : graph::real_softmax_table(input, op))
        parts.push_back(c_text(part));
    with.set("from_type", c_element(input.type))
        .set("to_type", c_element(output.type))
        .set("steps", graph::softmax_steps(output, op))
        .set("zero", output.quantisation.zero_point[0])
        .set("table", constants_.add("double", parts));
    call("even_softmax", {to(), from()}, with);
}

}  // namespace macrame::compiler::host_c
