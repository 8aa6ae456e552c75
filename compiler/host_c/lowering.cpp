#include "compiler/host_c/lowering.hpp"

#include <algorithm>
#include <numeric>

namespace macrame::compiler::host_c {

using graph::Activation;
using graph::Bytes;
using graph::Tensor;
using graph::Type;

std::vector<std::int64_t> strides_of(const std::vector<int>& shape) {
    std::vector<std::int64_t> out(shape.size());
    std::int64_t step = 1;
    for (std::size_t i = shape.size(); i-- > 0;) {
        out[i] = step;
        step *= shape[i];
    }
    return out;
}

std::vector<std::int64_t> wide(const std::vector<int>& shape) {
    return {shape.begin(), shape.end()};
}

std::string factor_text(graph::Multiplier factor) {
    return Fields().set("mantissa", factor.mantissa).set("exponent", factor.exponent).text();
}

Calls calls_of(const graph::Graph& graph, const graph::Node& node, Constants& constants) {
    return Lowering(graph, node, constants).run();
}

Calls Lowering::run() {
    std::visit([this](const auto& op) { add(op); }, node_.op);
    if (calls_.problem.empty()) return std::move(calls_);
    Calls out;
    out.problem = std::move(calls_.problem);
    return out;
}

Operand Lowering::scratch(std::uint64_t bytes) {
    calls_.scratch.push_back(bytes);
    return {graph::kNone, static_cast<int>(calls_.scratch.size()) - 1};
}

void Lowering::move(Operand to, Operand from, std::size_t size, Box box) {
    // Axes that go on where the next one ends are one.
    Box few;
    for (std::size_t i = 0; i < box.shape.size(); ++i) {
        if (box.shape[i] == 1) continue;
        const bool goes_on = !few.shape.empty() && few.to.back() == box.to[i] * box.shape[i] &&
                             few.from.back() == box.from[i] * box.shape[i];
        if (goes_on) {
            few.shape.back() *= box.shape[i];
            few.to.back() = box.to[i];
            few.from.back() = box.from[i];
            continue;
        }
        few.shape.push_back(box.shape[i]);
        few.to.push_back(box.to[i]);
        few.from.push_back(box.from[i]);
    }
    const auto bytes = static_cast<std::int64_t>(size);
    std::int64_t run = bytes;
    if (!few.shape.empty() && few.to.back() == 1 && few.from.back() == 1) {
        run *= few.shape.back();
        few.shape.pop_back();
        few.to.pop_back();
        few.from.pop_back();
    }
    for (std::vector<std::int64_t>* strides : {&few.to, &few.from})
        for (std::int64_t& stride : *strides)
            stride *= bytes;
    call("move", {to, from},
         Fields()
             .set("size", run)
             .set("rank", few.shape.size())
             .set("to_start", box.to_start * bytes)
             .set("from_start", box.from_start * bytes)
             .list("shape", few.shape)
             .list("to", few.to)
             .list("from", few.from));
}

void Lowering::take(std::size_t size, const std::vector<std::vector<std::int64_t>>& offsets) {
    std::vector<std::size_t> shape;
    std::vector<std::string> names;
    for (const std::vector<std::int64_t>& axis : offsets) {
        std::vector<std::string> bytes;
        for (const std::int64_t offset : axis)
            bytes.push_back(std::to_string(offset * static_cast<std::int64_t>(size)));
        shape.push_back(axis.size());
        names.push_back(constants_.add("uint32_t", bytes));
    }
    call("take", {to(), from()},
         Fields()
             .set("size", size)
             .set("rank", shape.size())
             .list("shape", shape)
             .list("offsets", names));
}

void Lowering::fill(Operand to, const Tensor& tensor, const Bytes& element) {
    call("fill", {to},
         Fields()
             .set("size", element.size())
             .set("count", tensor.bytes() / element.size())
             .set("value", constants_.add(Type::uint8, element)));
}

Bytes Lowering::table(const graph::Operator& op, const Tensor& input) const {
    graph::Graph one;
    one.rounding = graph_.rounding;
    one.tensors = {input, out()};
    for (Tensor& tensor : one.tensors) {
        tensor.shape = {256};
        tensor.constant = false;
    }
    one.nodes = {{op, {0}, {1}, node_.where}};
    Bytes values(256);
    std::iota(values.begin(), values.end(), std::uint8_t{0});
    return graph::run_node(one, one.nodes[0], {&values})[0];
}

void Lowering::look_up(Operand to, Operand from, const graph::Operator& op, const Tensor& input) {
    const Bytes values = table(op, input);
    call("lookup", {to, from},
         Fields()
             .set("size", values.size() / 256)
             .set("count", input.elements())
             .set("table", constants_.add(Type::uint8, values)));
}

Operand Lowering::reals(std::size_t i) {
    const Tensor& tensor = in(i);
    if (tensor.type == Type::float32) return from(i);
    const graph::Quantisation& q = tensor.quantisation;
    Fields with;
    with.set("count", tensor.elements()).set("type", c_element(tensor.type));
    if (!q.scale.empty()) {
        std::size_t inner = 1;
        for (std::size_t axis = static_cast<std::size_t>(q.axis) + 1; axis < tensor.shape.size();
             ++axis)
            inner *= static_cast<std::size_t>(tensor.shape[axis]);
        with.set("scales", q.scale.size())
            .set("inner", inner)
            .set("scale", constants_.add(q.scale))
            .set("zero", constants_.add(q.zero_point));
    }
    const Operand out = scratch(tensor.elements() * sizeof(float));
    call("dequantise", {out, from(i)}, with);
    return out;
}

Operand Lowering::real_output() {
    return out().type == Type::float32 ? to() : scratch(out().elements() * sizeof(float));
}

void Lowering::set_bounds(Fields& fields, Activation activation) {
    if (activation == Activation::none) return;
    const bool both = activation != Activation::relu;
    const float most = activation == Activation::relu6 ? 6 : 1;
    fields.set("bounds", both ? "MACRAME_HOST_BETWEEN" : "MACRAME_HOST_AT_LEAST")
        .set("least", activation == Activation::relu_n1_to_1 ? -1.0F : 0.0F);
    if (both) fields.set("most", most);
}

void Lowering::finish(Operand reals, Activation activation) {
    const Tensor& output = out();
    Fields with;
    with.set("count", output.elements());
    set_bounds(with, activation);
    if (output.type == Type::float32) {
        if (activation != Activation::none) call("clamp", {to(), reals}, with);
        return;
    }
    if (output.quantisation.scale.empty()) return refuse("whole numbers without a scale");
    with.set("type", c_element(output.type))
        .set("rounding", rounding())
        .set("scale", output.quantisation.scale[0])
        .set("zero", output.quantisation.zero_point[0]);
    call("quantise", {to(), reals}, with);
}

}  // namespace macrame::compiler::host_c
