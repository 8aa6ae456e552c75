/// Dynamic quantisation of ONNX files: integers whose scale is computed in each run.
///
/// Sums of products are int32, as in the file; scales are multiplied by operators of float32 there.
#include <fmt/format.h>

#include "compiler/front/onnx_importers.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::TensorId;
using graph::Type;

void OnnxImporters::dynamic_quantize(OnnxReader& r, const OnnxOperator& op) {
    if (op.outputs() != 3) throw Refusal{fmt::format("{} outputs: want 3", op.outputs())};
    const OnnxValue x = r.in_float(op, r.value(op, 0));
    // uint8 in the file: less by 128.
    const graph::Quantisation bytes = {{1.0F}, {-128}, 0};
    const auto name = [&](int i) {
        const std::string& given = op.node->output(i);
        return given.empty() ? op.node->output(0) : given;
    };
    OnnxValue y = x, scale, zero;
    y.id = r.add_tensor(name(0), Type::int8, r.tensor(x.id).shape, bytes);
    y.real = false;
    y.shifted = zero.shifted = scale.real = true;
    scale.id = r.add_tensor(name(1), Type::float32, {});
    zero.id = r.add_tensor(name(2), Type::int8, {}, bytes);
    r.graph_.tensor(y.id).shifted = r.graph_.tensor(zero.id).shifted = true;
    r.add(op, graph::DynamicQuantise{}, {x.id}, {y.id, scale.id, zero.id});
    r.give(op, 0, y);
    r.give(op, 1, scale);
    r.give(op, 2, zero);
}

OnnxValue OnnxImporters::distances(OnnxReader& r, const OnnxOperator& op, std::size_t i,
                                   std::size_t zero) {
    const auto wide = [&](const OnnxValue& from, bool moves) {
        const graph::Tensor bytes = r.tensor(from.id);
        if (from.real || bytes.type != Type::int8)
            throw Refusal{
                fmt::format("{} has type {}: want int8 or uint8", bytes.name, name_of(bytes.type))};
        const std::vector<int> shape = moves ? bytes.shape : std::vector<int>{};
        const TensorId source = moves ? from.id : r.reshaped(op, r.plain(op, from), {});
        const TensorId to = r.add_tensor(op.node->output(0), Type::int32, shape);
        r.graph_.tensor(source).shifted = from.shifted;
        r.add(op, graph::Cast{}, {source}, {to});
        return to;
    };
    OnnxValue x = r.value(op, i);
    x.id = wide(x, true);
    x.shifted = false;
    if (!r.has(op, zero)) return x;
    const OnnxValue& from = r.value(op, zero);
    if (elements_of(from.shape) != 1)
        throw Refusal{fmt::format("zero points {} of shape {}: want one", r.tensor(from.id).name,
                                  graph::text_of(from.shape))};
    const TensorId to = r.add_tensor(op.node->output(0), Type::int32, r.tensor(x.id).shape);
    r.add(op, graph::Binary{graph::Arithmetic::sub, graph::Activation::none},
          {x.id, wide(from, false)}, {to});
    x.id = to;
    return x;
}

OnnxImporters::Distances OnnxImporters::distances_of(OnnxReader& r, const OnnxOperator& op,
                                                     TensorId x) {
    const std::vector<int> shape = r.tensor(x).shape;
    const auto of = [&](Type type, const std::vector<int>& own) {
        return new_tensor(r, op, type, own);
    };
    const TensorId bytes = of(Type::int8, shape), zero = of(Type::int8, {}),
                   wide = of(Type::int32, shape), wide_zero = of(Type::int32, {});
    const Distances out = {of(Type::int32, shape), of(Type::float32, {})};
    add_node(r, op, graph::DynamicQuantise{}, {x}, {bytes, out.scale, zero});
    add_node(r, op, graph::Cast{}, {bytes}, {wide});
    add_node(r, op, graph::Cast{}, {zero}, {wide_zero});
    add_node(r, op, graph::Binary{graph::Arithmetic::sub, {}}, {wide, wide_zero}, {out.numbers});
    return out;
}

/// Nothing: they are no constants, or their zero points are none.
std::optional<OnnxValue> OnnxImporters::integer_weights(OnnxReader& r, const OnnxOperator& op,
                                                        std::size_t i, std::size_t zero, int axis) {
    OnnxValue w = r.value(op, i);
    if (!r.tensor(w.id).constant || w.real || r.tensor(w.id).type != Type::int8 ||
        w.form != Form::plain)
        return std::nullopt;
    graph::Quantisation of_one = {{1.0F}, {w.shifted ? -128 : 0}, axis};
    if (r.has(op, zero)) {
        const OnnxValue& from = r.value(op, zero);
        const graph::Tensor& zeros = r.tensor(from.id);
        if (!zeros.constant || zeros.type != Type::int8) return std::nullopt;
        of_one.zero_point.clear();
        for (std::size_t k = 0; k < zeros.elements(); ++k)
            of_one.zero_point.push_back(static_cast<std::int8_t>(std::as_const(zeros.data)[k]));
        of_one.scale.assign(zeros.elements(), 1.0F);
    }
    w.id = r.with_scales(w.id, std::move(of_one));
    return w;
}

void OnnxImporters::matmul_integer(OnnxReader& r, const OnnxOperator& op) {
    constexpr std::size_t kZeroA = 2, kZeroB = 3;
    OnnxValue a = distances(r, op, 0, kZeroA);
    Weighted w;
    w.numbers = true;
    w.input = a;
    w.ending.name = op.node->output(0);
    if (r.value(op, 1).shape.size() == 2) {
        if (const auto weights = integer_weights(r, op, 1, kZeroB, 1)) {
            w.weights = *weights;
            r.give(op, 0, connect(r, op, std::move(w), true));
            return;
        }
    }
    OnnxValue b = distances(r, op, 1, kZeroB);
    if (a.shape.size() < 2 || b.shape.size() < 2)
        throw Refusal{fmt::format("shapes {} and {}: want at least two axes",
                                  graph::text_of(a.shape), graph::text_of(b.shape))};
    std::vector<int> x(a.shape.begin(), a.shape.end() - 2), y(b.shape.begin(), b.shape.end() - 2);
    OnnxValue out;
    out.shape = broadcast(x, y);
    out.shape.push_back(a.shape[a.shape.size() - 2]);
    out.shape.push_back(b.shape.back());
    out.id = r.add_tensor(op.node->output(0), Type::int32, out.shape);
    r.add(op, graph::MatMul{}, {r.plain(op, a), r.plain(op, b)}, {out.id});
    r.give(op, 0, out);
}

void OnnxImporters::conv_integer(OnnxReader& r, const OnnxOperator& op) {
    constexpr std::size_t kZeroX = 2, kZeroW = 3;
    Weighted w;
    w.numbers = true;
    w.ending.name = op.node->output(0);
    const auto weights = integer_weights(r, op, 1, kZeroW, 0);
    if (!weights)
        throw Refusal{
            fmt::format("weights {} or their zero points are computed: want constants "
                        "of int8 or uint8",
                        r.tensor(r.value(op, 1).id).name)};
    w.weights = *weights;
    w.input = distances(r, op, 0, kZeroX);
    r.give(op, 0, convolve(r, op, std::move(w)));
}

}  // namespace macrame::front
