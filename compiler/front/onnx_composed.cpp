/// Operators of ONNX that are made of others of the graph.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "compiler/front/onnx_steps.hpp"
#include "compiler/graph/at.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::Arithmetic;
using graph::Function;
using graph::TensorId;

OnnxValue OnnxImporters::real_value(OnnxReader& r, float value) {
    OnnxValue one;
    one.real = true;
    one.id = r.add_real("constant", value);
    return one;
}

void OnnxImporters::bent(OnnxReader& r, const OnnxOperator& op) {
    const Steps steps(r, op);
    const OnnxValue x = r.in_float(op, r.value(op, 0));
    const auto number = [&](float value) { return real_value(r, value); };
    const std::string& type = op.type();
    if (type == "Selu") {
        const float alpha = op.real("alpha", 1.67326319217681884765625F);
        const float gamma = op.real("gamma", 1.05070102214813232421875F);
        r.give(op, 0, steps.of(Arithmetic::mul, steps.of(Function::elu, x, alpha), number(gamma)));
        return;
    }
    if (type == "Celu") {
        // alpha elu(x / alpha)
        const float alpha = op.real("alpha", 1);
        if (!(alpha > 0)) throw Refusal{fmt::format("alpha {}: want more than 0", alpha)};
        const OnnxValue part = steps.of(Arithmetic::mul, x, number(1 / alpha));
        r.give(op, 0, steps.of(Arithmetic::mul, steps.of(Function::elu, part, 1), number(alpha)));
        return;
    }
    // ThresholdedRelu: what is larger than alpha, else 0.
    const OnnxValue limit = number(op.real("alpha", 1));
    OnnxValue y = x;
    const std::vector<int> shape = r.tensor(x.id).shape;
    const TensorId larger =
        r.add_tensor(op.node->output(0), graph::Type::int8, shape, {{1.0F}, {0}, 0});
    y.id = r.add_tensor(op.node->output(0), graph::Type::float32, shape);
    r.add(op, graph::Compare{graph::Relation::less}, {limit.id, x.id}, {larger});
    r.add(op, graph::Select{}, {larger, x.id, number(0).id}, {y.id});
    r.give(op, 0, y);
}

/// Sums of absolute values, of exponentials, and their logarithms.
void OnnxImporters::sum_of(OnnxReader& r, const OnnxOperator& op) {
    const Steps steps(r, op);
    OnnxValue x = r.in_float(op, r.value(op, 0));
    const auto axes = reduced_axes(r, op, x.shape.size());
    if (!axes) {
        r.give(op, 0, x);
        return;
    }
    x.id = r.plain(op, x);
    x.form = Form::plain;
    const bool keep = op.integer("keepdims", 1) != 0;
    const auto reduced = [&](graph::Reduction function, const OnnxValue& from, bool keeps) {
        graph::Reduce node{function, *axes, keeps};
        std::vector<int> shape;
        for (int axis = 0; axis < static_cast<int>(from.shape.size()); ++axis) {
            const bool gone = std::count(axes->begin(), axes->end(), axis) != 0;
            if (!gone || keeps) shape.push_back(gone ? 1 : from.shape[at(axis)]);
        }
        OnnxValue y = like(r, op, from, shape);
        r.add(op, node, {from.id}, {y.id});
        return y;
    };
    const auto sum = graph::Reduction::sum;
    if (op.type() == "ReduceL1") {
        r.give(op, 0, reduced(sum, steps.of(Function::abs, x), keep));
    } else if (op.type() == "ReduceLogSum") {
        r.give(op, 0, steps.of(Function::log, reduced(sum, x, keep)));
    } else {
        // Less the largest, which is added again.
        const OnnxValue most = reduced(graph::Reduction::maximum, x, true);
        const OnnxValue less = steps.of(Arithmetic::sub, x, most);
        const OnnxValue logs =
            steps.of(Function::log, reduced(sum, steps.of(Function::exp, less), keep));
        r.give(op, 0, steps.of(Arithmetic::add, logs, in_shape(r, op, most, logs.shape)));
    }
}

/// Rows over the root of the sum of their squares, or over the sum of absolute values.
void OnnxImporters::lp_norm(OnnxReader& r, const OnnxOperator& op) {
    const Steps steps(r, op);
    OnnxValue x = r.in_float(op, r.value(op, 0));
    x.id = r.plain(op, x);
    x.form = Form::plain;
    const int axis = axis_of(op.integer("axis", -1), x.shape.size());
    const std::int64_t p = op.integer("p", 2);
    if (p != 1 && p != 2) throw Refusal{fmt::format("p = {}: want 1 or 2", p)};
    OnnxValue sum = steps.of(p == 1 ? Function::abs : Function::square, x);
    std::vector<int> shape = x.shape;
    shape[at(axis)] = 1;
    const OnnxValue total = like(r, op, sum, shape);
    r.add(op, graph::Reduce{graph::Reduction::sum, {axis}, true}, {sum.id}, {total.id});
    OnnxValue y = steps.of(Arithmetic::div, x, p == 1 ? total : steps.of(Function::sqrt, total));
    // Rows of 0 stay.
    const TensorId none = truth_of(r, op, graph::Relation::equal, total.id, real_value(r, 0).id);
    const OnnxValue kept = like(r, op, y, y.shape);
    r.add(op, graph::Select{}, {none, x.id, y.id}, {kept.id});
    r.give(op, 0, kept);
}

/// A comparison as a truth value, in the shape of the first.
TensorId OnnxImporters::truth_of(OnnxReader& r, const OnnxOperator& op, graph::Relation relation,
                                 TensorId a, TensorId b) {
    const TensorId to =
        r.add_tensor(op.node->output(0), graph::Type::int8, r.tensor(a).shape, {{1.0F}, {0}, 0});
    r.add(op, graph::Compare{relation}, {a, b}, {to});
    return to;
}

/// Whether elements are no numbers, or infinite.
void OnnxImporters::is_special(OnnxReader& r, const OnnxOperator& op) {
    OnnxValue x = r.in_float(op, r.value(op, 0));
    if (op.type() == "IsNaN") {
        x.id = truth_of(r, op, graph::Relation::not_equal, x.id, x.id);
    } else {
        const bool above = op.integer("detect_positive", 1) != 0,
                   below = op.integer("detect_negative", 1) != 0;
        if (!above && !below) throw Refusal{"neither end is looked for: want one of them"};
        constexpr float kEnd = std::numeric_limits<float>::infinity();
        const Steps steps(r, op);
        if (above && below) x = steps.of(Function::abs, x);
        const TensorId end = real_value(r, above ? kEnd : -kEnd).id;
        x.id = truth_of(r, op, graph::Relation::equal, x.id, end);
    }
    r.give(op, 0, x);
}

/// Of any number of operands.
void OnnxImporters::mean_of_all(OnnxReader& r, const OnnxOperator& op) {
    const Steps steps(r, op);
    OnnxValue sum = r.in_float(op, r.value(op, 0));
    for (std::size_t i = 1; i < op.inputs(); ++i)
        sum = steps.of(Arithmetic::add, sum, r.in_float(op, r.value(op, i)));
    const OnnxValue count = real_value(r, static_cast<float>(op.inputs()));
    r.give(op, 0, steps.of(Arithmetic::div, sum, count));
}

void OnnxImporters::size(OnnxReader& r, const OnnxOperator& op) {
    r.give(op, 0, r.integers_value(op.node->output(0), {elements_of(r.value(op, 0).shape)}, {}));
}

// ---------------------------------------------------------------- sums by letters

namespace {

/// Axes of the operands and of the result, a letter each.
struct Letters {
    std::vector<std::string> operands;
    std::string result;
};

/// "..." becomes digits, as many as the operand has axes beyond its letters.
Letters letters_of(std::string text, const std::vector<std::size_t>& ranks) {
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    const auto refuse = [&](const char* want) -> Refusal {
        return Refusal{fmt::format("equation '{}': want {}", readable(text), want)};
    };
    const std::size_t arrow = text.find("->");
    if (arrow == std::string::npos) throw refuse("-> and the axes of the result");
    Letters out;
    std::string rest = text.substr(0, arrow) + ",";
    for (std::size_t end = 0; (end = rest.find(',')) != std::string::npos;
         rest = rest.substr(end + 1))
        out.operands.push_back(rest.substr(0, end));
    out.result = text.substr(arrow + 2);
    if (out.operands.size() != ranks.size()) throw refuse("as many operands as inputs");
    std::string most;
    const auto expand = [](std::string& axes, const std::string& digits) {
        const std::size_t dots = axes.find("...");
        if (dots != std::string::npos) axes.replace(dots, 3, digits);
    };
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        std::string& axes = out.operands[i];
        const bool open = axes.find("...") != std::string::npos;
        const std::size_t named = axes.size() - (open ? 3 : 0);
        if (named > ranks[i] || ranks[i] - named > 8 || (!open && named != ranks[i]))
            throw refuse("a letter for each axis");
        std::string digits;
        for (std::size_t k = ranks[i] - named; k > 0; --k)
            digits += static_cast<char>('0' + k);
        if (digits.size() > most.size()) most = digits;
        expand(axes, digits);
    }
    expand(out.result, most);
    for (const std::string* axes : {&out.operands.front(), &out.operands.back(), &out.result}) {
        std::string sorted = *axes;
        std::sort(sorted.begin(), sorted.end());
        const bool plain = std::all_of(sorted.begin(), sorted.end(),
                                       [](unsigned char c) { return std::isalnum(c) != 0; });
        if (!plain || std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
            throw refuse("each letter once in an operand");
    }
    return out;
}

}  // namespace

void OnnxImporters::einsum(OnnxReader& r, const OnnxOperator& op) {
    if (op.inputs() != 2) throw Refusal{fmt::format("{} operands: want 2", op.inputs())};
    OnnxValue a = r.in_float(op, r.value(op, 0)), b = r.in_float(op, r.value(op, 1));
    const Letters axes = letters_of(op.text("equation", ""), {a.shape.size(), b.shape.size()});
    std::map<char, int> sizes;
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t k = 0; k < axes.operands[i].size(); ++k) {
            const int size = (i == 0 ? a : b).shape[k];
            const auto [found, is_new] = sizes.emplace(axes.operands[i][k], size);
            if (!is_new && found->second != size)
                throw Refusal{fmt::format("axis {} of {} and {} elements: want as many",
                                          found->first, found->second, size)};
        }
    const auto in = [](const std::string& text, char c) {
        return text.find(c) != std::string::npos;
    };
    // Letters of both that stay, of one that stay, of both that are summed.
    std::string batch, rows, columns, depth;
    for (const char c : axes.operands[0]) {
        const bool other = in(axes.operands[1], c), stays = in(axes.result, c);
        if (!other && !stays)
            throw Refusal{
                fmt::format("axis {} of one operand alone is summed: want ReduceSum in "
                            "front",
                            c)};
        (other ? stays ? batch : depth : rows) += c;
    }
    for (const char c : axes.operands[1]) {
        const bool other = in(axes.operands[0], c);
        if (!other && !in(axes.result, c))
            throw Refusal{
                fmt::format("axis {} of one operand alone is summed: want ReduceSum in "
                            "front",
                            c)};
        if (!other) columns += c;
    }
    const auto total = [&](const std::string& letters) {
        int product = 1;
        for (const char c : letters)
            product *= sizes[c];
        return product;
    };
    for (const char c : axes.result)
        if (sizes.count(c) == 0)
            throw Refusal{fmt::format("axis {} of the result is none of an operand: want it", c)};
    const auto arranged = [&](const OnnxValue& from, const std::string& have,
                              const std::string& want, std::vector<int> shape) {
        std::vector<int> order;
        for (const char c : want)
            order.push_back(static_cast<int>(have.find(c)));
        OnnxValue value = from;
        value.id = r.plain(op, from);
        value.form = Form::plain;
        if (!std::is_sorted(order.begin(), order.end())) value.id = r.permuted(op, value.id, order);
        value.shape = std::move(shape);
        value.id = r.reshaped(op, value.id, value.shape);
        return value;
    };
    a = arranged(a, axes.operands[0], batch + rows + depth,
                 {total(batch), total(rows), total(depth)});
    b = arranged(b, axes.operands[1], batch + depth + columns,
                 {total(batch), total(depth), total(columns)});
    Ending between;
    between.name = op.node->output(0);
    OnnxValue y = multiply(r, op, a, b, between);
    const std::string made = batch + rows + columns;
    std::vector<int> apart, shape;
    for (const char c : made)
        apart.push_back(sizes[c]);
    for (const char c : axes.result)
        shape.push_back(sizes[c]);
    y = in_shape(r, op, y, apart);
    r.give(op, 0, arranged(y, made, axes.result, shape));
}

}  // namespace macrame::front
