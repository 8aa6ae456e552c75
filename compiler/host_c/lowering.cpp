#include "compiler/host_c/lowering.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "compiler/graph/check.hpp"
#include "compiler/graph/kernels.hpp"

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

std::vector<std::int64_t> broadcast_strides(const std::vector<int>& shape,
                                            const std::vector<int>& to) {
    const std::vector<std::int64_t> own = strides_of(shape);
    std::vector<std::int64_t> out(to.size());
    for (std::size_t i = 0; i < shape.size(); ++i)
        out[i + to.size() - shape.size()] = shape[i] == 1 ? 0 : own[i];
    return out;
}

void join_axes(std::vector<std::int64_t>& shape,
               const std::vector<std::vector<std::int64_t>*>& strides) {
    std::size_t count = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        const std::int64_t size = shape[axis];
        if (size == 1) continue;
        const bool goes_on = count > 0 && std::all_of(strides.begin(), strides.end(), [&](auto* s) {
                                 return (*s)[count - 1] == (*s)[axis] * size;
                             });
        if (!goes_on) ++count;
        shape[count - 1] = goes_on ? shape[count - 1] * size : size;
        for (std::vector<std::int64_t>* own : strides)
            (*own)[count - 1] = (*own)[axis];
    }
    shape.resize(count);
    for (std::vector<std::int64_t>* own : strides)
        own->resize(count);
}

std::string walk_text(const std::vector<std::int64_t>& shape,
                      const std::vector<std::vector<std::int64_t>>& strides) {
    std::vector<std::int64_t> sizes = shape;
    std::vector<std::vector<std::int64_t>> steps = strides;
    std::vector<std::vector<std::int64_t>*> all;
    for (std::vector<std::int64_t>& own : steps)
        all.push_back(&own);
    join_axes(sizes, all);
    std::vector<std::string> texts;
    for (const std::vector<std::int64_t>& own : steps) {
        std::string text;
        for (const std::int64_t step : own)
            text += (text.empty() ? "" : ", ") + std::to_string(step);
        texts.push_back("{" + (text.empty() ? "0" : text) + "}");
    }
    return Fields().set("rank", sizes.size()).list("shape", sizes).list("strides", texts).text();
}

Fields window_fields(const graph::Window& window, const std::vector<int>& in,
                     const std::vector<int>& out, int channels) {
    return Fields()
        .set("in_h", in[0])
        .set("in_w", in[1])
        .set("out_h", out[0])
        .set("out_w", out[1])
        .set("channels", channels)
        .set("kernel_h", window.kernel_h)
        .set("kernel_w", window.kernel_w)
        .set("stride_h", window.stride_h)
        .set("stride_w", window.stride_w)
        .set("dilation_h", window.dilation_h)
        .set("dilation_w", window.dilation_w)
        .set("top", window.top)
        .set("left", window.left);
}

std::string factor_text(graph::Multiplier factor) {
    return Fields().set("mantissa", factor.mantissa).set("exponent", factor.exponent).text();
}

Calls calls_of(const graph::Graph& graph, const graph::Node& node, Constants& constants) {
    return Lowering(graph, node, constants).run();
}

Calls Lowering::run() {
    static_assert(graph::kMaxRank == 8);  // MACRAME_HOST_RANK
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
    join_axes(box.shape, {&box.to, &box.from});
    const auto bytes = static_cast<std::int64_t>(size);
    std::int64_t run = bytes;
    if (!box.shape.empty() && box.to.back() == 1 && box.from.back() == 1) {
        run *= box.shape.back();
        box.shape.pop_back();
        box.to.pop_back();
        box.from.pop_back();
    }
    for (std::vector<std::int64_t>* strides : {&box.to, &box.from})
        for (std::int64_t& stride : *strides)
            stride *= bytes;
    call("move", {to, from},
         Fields()
             .set("size", run)
             .set("rank", box.shape.size())
             .set("to_start", box.to_start * bytes)
             .set("from_start", box.from_start * bytes)
             .list("shape", box.shape)
             .list("to", box.to)
             .list("from", box.from));
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

Bytes every_byte() {
    Bytes out(256);
    std::iota(out.begin(), out.end(), std::uint8_t{0});
    return out;
}

void Lowering::look_up(Operand to, Operand from, const graph::Operator& op, const Tensor& input) {
    graph::Graph one;
    one.rounding = graph_.rounding;
    one.tensors = {input, out()};
    for (Tensor& tensor : one.tensors) {
        tensor.shape = {256};
        tensor.constant = false;
    }
    one.nodes = {{op, {0}, {1}, node_.where}};
    const Bytes values = every_byte();
    look_up(to, from, graph::run_node(one, one.nodes[0], {&values})[0], input.elements());
}

void Lowering::look_up(Operand to, Operand from, const Bytes& table, std::size_t count) {
    call("lookup", {to, from},
         Fields()
             .set("size", table.size() / 256)
             .set("count", count)
             .set("table", constants_.add(Type::uint8, table)));
}

std::string Lowering::broadcast_walk(std::size_t inputs) const {
    std::vector<std::vector<std::int64_t>> strides;
    for (std::size_t i = 0; i < inputs; ++i)
        strides.push_back(broadcast_strides(in(i).shape, out().shape));
    return walk_text(wide(out().shape), strides);
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

std::vector<float> Lowering::constant_reals(std::size_t i) const {
    const graph::Node reader{graph::Reshape{}, {node_.inputs[i]}, {node_.outputs[0]}, ""};
    return graph::Call{graph_, reader, {&in(i).data.bytes()}}.reals();
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
