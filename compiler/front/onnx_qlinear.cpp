/// Operators whose inputs are integers with scales and zero points of their own.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "compiler/front/onnx_importers.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {
OnnxValue OnnxImporters::operand(OnnxReader& r, const OnnxOperator& op, int input, int axis) {
    const OnnxValue& value = r.value(op, static_cast<std::size_t>(input));
    OnnxReader::Parameters parameters = r.want_parameters(op, input + 1, value.shifted);
    parameters.quantisation.axis = axis;
    return r.dequantised(value, parameters);
}

/// Scale and zero point of the result.
Ending OnnxImporters::written(OnnxReader& r, const OnnxOperator& op, int scale) {
    OnnxReader::Parameters parameters = r.want_parameters(op, scale);
    if (parameters.quantisation.per_channel())
        throw Refusal{fmt::format("{} scales for the result: want one",
                                  parameters.quantisation.scale.size())};
    Ending ending;
    ending.shifted = parameters.shifted;
    ending.quantisation = std::move(parameters.quantisation);
    ending.name = op.outputs() > 0 ? op.node->output(0) : "";
    return ending;
}

void OnnxImporters::give_integers(OnnxReader& r, const OnnxOperator& op, OnnxValue value) {
    value.real = false;
    value.shifted = r.tensor(value.id).shifted;
    r.give(op, 0, std::move(value));
}

void OnnxImporters::qlinear_conv(OnnxReader& r, const OnnxOperator& op) {
    Weighted w{operand(r, op, 0), operand(r, op, 3), {}, written(r, op, 6), true};
    if (r.has(op, 8)) w.bias = r.value(op, 8);
    settle(r, op, w);
    give_integers(r, op, convolve(r, op, std::move(w)));
}

void OnnxImporters::qlinear_matmul(OnnxReader& r, const OnnxOperator& op) {
    const OnnxValue a = operand(r, op, 0), b = operand(r, op, 3, 1);
    if (!are_weights(r, b) || r.tensor(a.id).constant) {
        give_integers(r, op, multiply(r, op, a, b, written(r, op, 6)));
        return;
    }
    Weighted w{a, b, {}, written(r, op, 6), true};
    settle(r, op, w);
    give_integers(r, op, connect(r, op, std::move(w), true));
}

void OnnxImporters::qlinear_gemm(OnnxReader& r, const OnnxOperator& op) {
    const bool transposed = op.integer("transB", 0) == 0;
    if (op.integer("transA", 0) != 0) throw Refusal{"transA = 1: want 0"};
    if (op.real("alpha", 1) != 1)
        throw Refusal{fmt::format("alpha = {}: want 1", op.real("alpha", 1))};
    if (!r.has(op, 7)) throw Refusal{"no scale of the result, which is float32 then: want one"};
    Weighted w{
        operand(r, op, 0), operand(r, op, 3, transposed ? 1 : 0), {}, written(r, op, 7), true};
    if (r.has(op, 6)) w.bias = r.value(op, 6);
    settle(r, op, w);
    give_integers(r, op, connect(r, op, std::move(w), transposed));
}

void OnnxImporters::qlinear_arithmetic(OnnxReader& r, const OnnxOperator& op) {
    const Ending ending = written(r, op, 6);
    const auto function =
        op.type() == "QLinearMul" ? graph::Arithmetic::mul : graph::Arithmetic::add;
    give_integers(r, op, combine(r, op, function, operand(r, op, 0), operand(r, op, 3), ending));
}

void OnnxImporters::qlinear_pool(OnnxReader& r, const OnnxOperator& op) {
    if (op.integer("channels_last", 0) != 0) throw Refusal{"channels_last = 1: want 0"};
    const Ending ending = written(r, op, 3);
    const OnnxValue x = operand(r, op, 0);
    const bool line = x.shape.size() == 3;
    OnnxValue picture = line ? in_shape(r, op, x, {x.shape[0], x.shape[1], 1, x.shape[2]}) : x;
    picture.id = r.image(op, picture);
    picture.form = Form::image;
    if (op.type() == "QLinearAveragePool" && op.find("kernel_shape") == nullptr)
        throw Refusal{"no kernel_shape: want one"};
    const OnnxValue y = op.type() == "QLinearAveragePool"
                            ? average(r, op, picture, ending)
                            : reduce(r, op, picture, {2, 3}, true, ending);
    give_integers(r, op, line ? in_shape(r, op, y, {y.shape[0], y.shape[1], y.shape[3]}) : y);
}

void OnnxImporters::qlinear_unary(OnnxReader& r, const OnnxOperator& op) {
    const Ending ending = written(r, op, 3);
    graph::Unary function{graph::Function::sigmoid, 0};
    if (op.type() == "QLinearLeakyRelu")
        function = {graph::Function::leaky_relu, op.real("alpha", 0.01F)};
    give_integers(r, op, apply(r, op, function, operand(r, op, 0), ending));
}

void OnnxImporters::qlinear_softmax(OnnxReader& r, const OnnxOperator& op) {
    const Ending ending = written(r, op, 3);
    give_integers(r, op, normalise(r, op, operand(r, op, 0), ending));
}

void OnnxImporters::qlinear_concat(OnnxReader& r, const OnnxOperator& op) {
    if (op.inputs() < 5 || (op.inputs() - 2) % 3 != 0)
        throw Refusal{
            fmt::format("{} inputs: want scale and zero point of the result, then three "
                        "for each operand",
                        op.inputs())};
    const Ending ending = written(r, op, 0);
    std::vector<OnnxValue> parts;
    for (int i = 2; i < static_cast<int>(op.inputs()); i += 3)
        if (!r.is_empty(op, static_cast<std::size_t>(i))) parts.push_back(operand(r, op, i));
    if (parts.empty()) throw Refusal{"no elements: want some"};
    if (op.find("axis") == nullptr) throw Refusal{"no axis: want one"};
    give_integers(r, op, join(r, op, parts, op.integer("axis", 0), &ending));
}

/// Each choice is rounded to the steps of the result, which is what a table of ONNX Runtime does.
void OnnxImporters::qlinear_where(OnnxReader& r, const OnnxOperator& op) {
    const OnnxValue condition = r.value(op, 0);
    if (r.tensor(condition.id).type != graph::Type::int8 || !condition.real)
        throw Refusal{fmt::format("condition {} has type {}: want bool",
                                  r.tensor(condition.id).name,
                                  name_of(r.tensor(condition.id).type))};
    const Ending ending = written(r, op, 7);
    OnnxValue y;
    y.shape = condition.shape;
    std::vector<graph::TensorId> inputs = {r.plain(op, condition)};
    for (const int i : {1, 4}) {
        const OnnxValue choice = operand(r, op, i);
        y.shape = broadcast(y.shape, choice.shape);
        inputs.push_back(r.add_result(ending, choice.shape));
        r.add(op, graph::Requantise{}, {r.plain(op, choice)}, {inputs.back()});
    }
    y.id = r.add_result(ending, y.shape);
    r.add(op, graph::Select{}, inputs, {y.id});
    give_integers(r, op, y);
}

}  // namespace macrame::front
