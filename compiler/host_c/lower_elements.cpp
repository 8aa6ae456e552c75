/// Functions of one element, and of rows.
#include <iterator>
#include <string>
#include <vector>

#include "compiler/graph/int16.hpp"
#include "compiler/graph/kernels.hpp"
#include "compiler/graph/quantised.hpp"
#include "compiler/graph/sums.hpp"
#include "compiler/host_c/lowering.hpp"

namespace macrame::compiler::host_c {

using graph::Activation;
using graph::Tensor;
using graph::Type;

namespace {

template <typename Number>
std::vector<std::string> numbers(const std::vector<Number>& values) {
    std::vector<std::string> out;
    for (const Number value : values)
        out.push_back(std::to_string(value));
    return out;
}

}  // namespace

void Lowering::add(const graph::Unary& op) {
    if (is_byte(in())) return look_up(to(), from(), op, in());
    if (fixed_point()) return add_wide(op);
    constexpr std::string_view kNames[] = {
        "relu",       "relu6",      "relu_n1_to_1", "relu_0_to_1",  "leaky_relu", "sigmoid",
        "tanh",       "hard_swish", "exp",          "elu",          "abs",        "neg",
        "square",     "sqrt",       "rsqrt",        "hard_sigmoid", "gelu",       "gelu_tanh",
        "erf",        "silu",       "mish",         "softplus",     "softsign",   "log",
        "reciprocal", "sin",        "cos",          "floor",        "ceil",       "round",
        "sign"};
    const auto number = static_cast<std::size_t>(op.function);
    if (number >= std::size(kNames)) return refuse("no function in C for it yet");
    const Operand values = reals(0), result = real_output();
    call("map", {result, values},
         Fields()
             .set("count", out().elements())
             .set("function", "macrame_function_" + std::string(kNames[number]))
             .set("alpha", op.alpha)
             .set("beta", op.beta));
    finish(result, graph::Activation::none);
}

void Lowering::add_wide(const graph::Unary& op) {
    using graph::Function;
    if (!is_small(in()) || !is_small(out())) return refuse("elements of more than 16 bits");
    const float scale_in = in().quantisation.scale[0], scale_out = out().quantisation.scale[0];
    Fields with;
    with.set("count", out().elements());
    const bool sigmoid = op.function == Function::sigmoid || op.function == Function::tanh;
    if (sigmoid && graph::suits_sigmoid16(in(), out())) {
        const graph::Sigmoid16 made(op.function, scale_in);
        with.set("tanh", made.tanh ? 1 : 0)
            .set("factor", made.factor)
            .set("shift", made.shift)
            .set("table", constants_.add("uint16_t", numbers(made.table)));
        return call("sigmoid16", {to(), from()}, with);
    }
    if (const auto table = graph::table_of(op, in(), out())) {
        with.set("table", constants_.add("int16_t", numbers(table->entries())));
        return call("table16", {to(), from()}, with);
    }
    Activation activation = Activation::none;
    if (op.function == Function::relu) activation = Activation::relu;
    if (op.function == Function::relu6) activation = Activation::relu6;
    if (op.function == Function::relu_n1_to_1) activation = Activation::relu_n1_to_1;
    const bool absolute = op.function == Function::abs;
    if (activation == Activation::none && !absolute && op.function != Function::leaky_relu)
        return refuse("int16, for which TFLite has no kernel");
    const auto [least, most] = graph::bounds(activation, out());
    const auto factor = [](float real) {
        return factor_text(graph::multiplier(static_cast<double>(real)));
    };
    const float slope = op.function == Function::leaky_relu ? scale_in * op.alpha : scale_in;
    with.set("absolute", absolute ? 1 : 0)
        .set("type", c_element(in().type))
        .set("zero_from", in().quantisation.zero_point[0])
        .set("zero_to", out().quantisation.zero_point[0])
        .set("least", least)
        .set("most", most)
        .set("above", factor(scale_in / scale_out))
        .set("below", factor(slope / scale_out));
    call("slope", {to(), from()}, with);
}

void Lowering::add(const graph::Cast& op) {
    if (is_byte(in())) return look_up(to(), from(), op, in());
    const bool real = in().type == Type::float32;
    if (real && out().type == Type::float32) return add(graph::Reshape{});
    call("cast", {to(), from()},
         Fields()
             .set("count", out().elements())
             .set("from_type", c_element(in().type))
             .set("to_type", c_element(out().type))
             .set("shift", (real ? 0 : graph::shift_of(in())) - graph::shift_of(out())));
}

void Lowering::add(const graph::DynamicQuantise& op) {
    const std::size_t rows = out(1).elements();
    call("dynamic", {to(0), to(1), to(2), from()},
         Fields()
             .set("rows", rows)
             .set("size", in().elements() / rows)
             .set("symmetric", op.symmetric ? 1 : 0)
             .set("even", graph_.rounding == graph::Rounding::onnx ? 1 : 0));
}

void Lowering::add(const graph::Join&) {
    if (in().elements() != out().elements()) return add(graph::Reshape{});
    for (std::size_t i = 0; i < node_.inputs.size(); ++i)
        call("join", {to(), from(i)},
             Fields()
                 .set("count", out().elements())
                 .set("add", i > 0 ? 1 : 0)
                 .set("factor", graph::digit_factor(i)));
}

void Lowering::add(const graph::RealDigits&) {
    call("real_digits", {to(0), to(1), from()}, Fields().set("count", in().elements()));
}

void Lowering::add(const graph::RealSums& op) {
    const std::size_t kernels = in(2).elements();
    Fields with;
    with.set("rows", out().elements() / kernels)
        .set("kernels", kernels)
        .set("steps", constants_.add(constant_reals(2)));
    if (has(3)) with.set("bias", constants_.add(constant_reals(3)));
    call("real_sums", {to(), from(0), from(1)}, with);
    finish(to(), op.activation);
}

void Lowering::add(const graph::TopK& op) {
    const auto size = static_cast<std::size_t>(in().shape.back());
    call("top_k", {to(0), to(1), from()},
         Fields()
             .set("rows", in().elements() / size)
             .set("size", size)
             .set("count", out().shape.back())
             .set("least", op.least ? 1 : 0)
             .set("type", c_element(in().type))
             .set("index_type", c_element(out(1).type)));
}

void Lowering::add(const graph::Cumsum& op) {
    const auto axis = static_cast<std::size_t>(op.axis);
    const auto size = static_cast<std::size_t>(in().shape[axis]);
    call("cumsum", {to(), from()},
         Fields()
             .set("count", in().elements() / size)
             .set("size", size)
             .set("step", strides_of(in().shape)[axis])
             .set("exclusive", op.exclusive ? 1 : 0)
             .set("reverse", op.reverse ? 1 : 0)
             .set("type", c_element(in().type)));
}

void Lowering::add(const graph::Prelu&) {
    const Tensor &input = in(), &slopes = in(1), &output = out();
    Fields with;
    with.set("count", output.elements()).set("channels", slopes.elements());
    if (!fixed_point()) {
        const Operand values = reals(0), factors = reals(1), result = real_output();
        call("real_prelu", {result, values, factors}, with);
        return finish(result, graph::Activation::none);
    }
    if (!is_small(input) || !is_small(slopes) || !is_small(output))
        return refuse("elements of more than 16 bits");
    const auto factor = [](float real) {
        return factor_text(graph::multiplier(static_cast<double>(real)));
    };
    const float plain = input.quantisation.scale[0] / output.quantisation.scale[0];
    const float sloped =
        input.quantisation.scale[0] * slopes.quantisation.scale[0] / output.quantisation.scale[0];
    with.set("type", c_element(input.type))
        .set("slope_type", c_element(slopes.type))
        .set("zero_from", input.quantisation.zero_point[0])
        .set("zero_slope", slopes.quantisation.zero_point[0])
        .set("zero_to", output.quantisation.zero_point[0])
        .set("plain", factor(plain))
        .set("sloped", factor(sloped));
    call("prelu", {to(), from(0), from(1)}, with);
}

void Lowering::add(const graph::Lstm& op) {
    constexpr std::size_t kOutputs = 5, kBiases = 9, kOutput = 13, kState = 14;
    std::vector<std::string> inputs, outputs, biases, from_input, from_output;
    for (std::size_t gate = 0; gate < 4; ++gate) {
        const std::size_t of_input = 1 + gate, of_output = kOutputs + gate,
                          of_bias = kBiases + gate;
        for (const std::size_t i : {of_input, of_output, of_bias})
            if (has(i) && !in(i).constant) return refuse("weights that are computed");
        const auto list = [&](std::size_t i) {
            return constants_.add(in(i).type, in(i).data.bytes());
        };
        inputs.push_back(list(of_input));
        outputs.push_back(list(of_output));
        biases.push_back(has(of_bias) ? list(of_bias) : "0");
        from_input.push_back(factor_text(graph::lstm_factor(in(of_input), in(0))));
        from_output.push_back(factor_text(graph::lstm_factor(in(of_output), in(kOutput))));
    }
    call("lstm", {to(0), to(1), to(2), from(0), from(kOutput), from(kState)},
         Fields()
             .set("steps", in(0).shape[1])
             .set("values", in(0).shape[2])
             .set("cells", in(kOutput).shape[1])
             .list("inputs", inputs)
             .list("outputs", outputs)
             .list("biases", biases)
             .list("from_input", from_input)
             .list("from_output", from_output)
             .set("to_output", factor_text(graph::lstm_output_factor(in(kOutput))))
             .set("zero_input", in(0).quantisation.zero_point[0])
             .set("zero_output", in(kOutput).quantisation.zero_point[0])
             .set("exponent", graph::lstm_exponent(in(kState)))
             .set("clip", op.clip));
}

void Lowering::add(const graph::Norm& op) {
    const std::vector<int>& shape = in().shape;
    std::size_t size = 1;
    for (auto i = static_cast<std::size_t>(op.axis); i < shape.size(); ++i)
        size *= static_cast<std::size_t>(shape[i]);
    Fields with;
    with.set("rows", in().elements() / size)
        .set("size", size)
        .set("centred", op.centred ? 1 : 0)
        .set("epsilon", op.epsilon);
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
        if (!has(i)) continue;
        if (!in(i).constant) return refuse("a gain or offset that is computed");
        with.set(i == 1 ? "gain" : "offset", constants_.add(constant_reals(i)));
    }
    const Operand values = reals(0), result = real_output();
    call("norm", {result, values}, with);
    finish(result, graph::Activation::none);
}

void Lowering::add(const graph::L2Norm&) {
    const auto size = static_cast<std::size_t>(in().shape.back());
    Fields with;
    with.set("rows", in().elements() / size).set("size", size);
    if (!fixed_point()) {
        const Operand values = reals(0), result = real_output();
        call("real_l2_norm", {result, values}, with);
        return finish(result, Activation::none);
    }
    with.set("old", in().type == Type::uint8 || in().shifted ? 1 : 0)
        .set("from_type", c_element(in().type))
        .set("to_type", c_element(out().type))
        .set("zero_from", in().quantisation.zero_point[0])
        .set("zero_to", out().quantisation.zero_point[0]);
    call("l2_norm", {to(), from()}, with);
}

void Lowering::add(const graph::LocalNorm& op) {
    const auto size = static_cast<std::size_t>(in().shape.back());
    call("local_norm", {to(), from()},
         Fields()
             .set("rows", in().elements() / size)
             .set("size", size)
             .set("before", op.before)
             .set("behind", op.behind)
             .set("bias", static_cast<double>(op.bias))
             .set("alpha", static_cast<double>(op.alpha))
             .set("beta", static_cast<double>(op.beta)));
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
    if (fixed_point() && input.type == Type::int16 && output.type == Type::int16) {
        const graph::Softmax16 made(input, op);
        with.set("factor", factor_text(made.factor))
            .set("exp", constants_.add("int16_t", numbers(made.exp.entries())))
            .set("reciprocal", constants_.add("int16_t", numbers(made.reciprocal.entries())));
        return call("softmax16", {to(), from()}, with);
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
