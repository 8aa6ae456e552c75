/// Arithmetic of numbers in ONNX files that are computed, and bounds that are.
#include <fmt/format.h>

#include "compiler/front/onnx_importers.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::TensorId;
using graph::Type;

/// Numbers as int64, in the layout of the file.
OnnxValue OnnxImporters::as_wide(OnnxReader& r, const OnnxOperator& op, OnnxValue x) {
    const TensorId from = r.plain(op, x);
    x.form = Form::plain;
    x.id = from;
    if (r.tensor(from).type == Type::int64) return x;
    r.graph_.tensor(from).shifted = x.shifted;
    x.shifted = false;
    x.id = r.add_tensor(op.node->output(0), Type::int64, x.shape);
    r.add(op, graph::Cast{}, {from}, {x.id});
    return x;
}

/// Of two numbers; a quotient loses its fraction.
OnnxValue OnnxImporters::of_numbers(OnnxReader& r, const OnnxOperator& op,
                                    graph::Arithmetic function, OnnxValue a, OnnxValue b) {
    using graph::Arithmetic;
    a = as_wide(r, op, a);
    b = as_wide(r, op, b);
    const std::vector<int> shape = broadcast(a.shape, b.shape);
    const auto two = [&](Arithmetic of, const OnnxValue& x, const OnnxValue& y) {
        OnnxValue result = a;
        result.shape = shape;
        result.id = r.add_tensor(op.node->output(0), Type::int64, shape);
        r.add(op, graph::Binary{of, graph::Activation::none}, {x.id, y.id}, {result.id});
        return result;
    };
    if (function != Arithmetic::div) return two(function, a, b);
    // Rounded down; one more where that is not towards 0.
    const OnnxValue down = two(Arithmetic::floor_div, a, b),
                    rest = two(Arithmetic::floor_mod, a, b);
    const TensorId zero = r.integers_value("zero", {0}, {}).id;
    const auto truth = [&](graph::Relation relation, const OnnxValue& x) {
        OnnxValue result = x;
        const TensorId byte = truth_of(r, op, relation, x.id, zero);
        result.id = r.add_tensor(op.node->output(0), Type::int64, shape);
        r.add(op, graph::Cast{}, {byte}, {result.id});
        return result;
    };
    const OnnxValue more = two(Arithmetic::mul, truth(graph::Relation::not_equal, rest),
                               truth(graph::Relation::less, down));
    return two(Arithmetic::add, down, more);
}

/// Clip whose bounds are computed: Max and Min with them.
void OnnxImporters::clip_to_values(OnnxReader& r, const OnnxOperator& op) {
    std::vector<OnnxValue> values;  // x, then the bounds
    for (std::size_t i = 0; i < op.inputs(); ++i) {
        values.push_back(r.has(op, i) ? r.value(op, i) : OnnxValue{});
        if (i > 0 && !values[i].shape.empty() && elements_of(values[i].shape) != 1)
            throw Refusal{fmt::format("bound of shape {}: want one element",
                                      graph::text_of(values[i].shape))};
        if (values[i].id == graph::kNone) continue;
        if (values[i].real) values[i] = r.in_float(op, values[i]);
    }
    const Ending ending{};
    OnnxValue x = values[0];
    const bool numbers = !x.real;
    for (std::size_t i = 1; i < values.size(); ++i) {
        if (values[i].id == graph::kNone) continue;
        values[i] = in_shape(r, op, values[i], {});
        if (values[i].real == numbers)
            throw Refusal{"bounds of another type than the input: want the same"};
        const auto function = i == 1 ? graph::Arithmetic::maximum : graph::Arithmetic::minimum;
        x = numbers ? of_numbers(r, op, function, x, values[i])
                    : combine(r, op, function, x, values[i], ending);
    }
    r.give(op, 0, x);
}

}  // namespace macrame::front
