/// Products of two computed matrices, normalisations.
#include <fmt/format.h>

#include <algorithm>

#include "compiler/front/onnx_importers.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::kNone;
using graph::TensorId;
using graph::Type;

// ---------------------------------------------------------------- products

OnnxValue OnnxImporters::multiply(OnnxReader& r, const OnnxOperator& op, OnnxValue a, OnnxValue b,
                                  const Ending& ending) {
    OnnxValue y;
    y.real = true;
    if (a.shape.empty() || b.shape.empty()) throw Refusal{"a scalar: want matrices or vectors"};
    // A vector is a row in front and a column behind; its axis of 1 leaves with it.
    const bool row = a.shape.size() == 1, column = b.shape.size() == 1;
    if (row) a = in_shape(r, op, a, {1, a.shape[0]});
    if (column) b = in_shape(r, op, b, {b.shape[0], 1});
    const std::size_t rank = std::max(a.shape.size(), b.shape.size());
    const int depth = a.shape.back();
    if (depth != b.shape[b.shape.size() - 2])
        throw Refusal{fmt::format("shapes {} and {}: want as many columns as rows",
                                  graph::text_of(a.shape), graph::text_of(b.shape))};
    std::vector<int> shape =
        broadcast({a.shape.begin(), a.shape.end() - 2}, {b.shape.begin(), b.shape.end() - 2});
    shape.push_back(a.shape[a.shape.size() - 2]);
    shape.push_back(b.shape.back());
    y.shape = shape;
    if (column) y.shape.pop_back();
    if (row) y.shape.erase(y.shape.begin() + static_cast<std::ptrdiff_t>(rank) - 2);
    y.id = r.add_result(ending, shape);
    r.add(op, graph::MatMul{}, {r.plain(op, a), r.plain(op, b)}, {y.id});
    y.id = r.reshaped(op, y.id, y.shape);
    return y;
}

bool OnnxImporters::are_weights(const OnnxReader& r, const OnnxValue& value) {
    return r.tensor(value.id).constant && value.shape.size() == 2;
}

void OnnxImporters::matmul(OnnxReader& r, const OnnxOperator& op) {
    OnnxValue a = r.value(op, 0), b = r.value(op, 1);
    if (are_weights(r, b) && !r.tensor(a.id).constant) {
        Weighted w{a, b, {}, r.ending(op, true), false};
        settle(r, op, w);
        const Ending ending = w.ending;
        r.give(op, ending, connect(r, op, std::move(w), true));
        return;
    }
    Ending ending = r.ending(op, false);
    r.in_integers(op, {&a, &b}, ending);
    r.give(op, ending, multiply(r, op, a, b, ending));
}

/// A product with a computed matrix, and a sum behind it.
void OnnxImporters::general_gemm(OnnxReader& r, const OnnxOperator& op) {
    const auto turned = [&](OnnxValue value, const char* name) {
        if (value.shape.size() != 2)
            throw Refusal{fmt::format("{} of shape {}: want two axes", r.tensor(value.id).name,
                                      graph::text_of(value.shape))};
        value.id = r.plain(op, value);
        value.form = Form::plain;
        if (op.integer(name, 0) == 0) return value;
        value.id = r.permuted(op, value.id, {1, 0});
        std::swap(value.shape[0], value.shape[1]);
        return value;
    };
    OnnxValue a = turned(r.value(op, 0), "transA"), b = turned(r.value(op, 1), "transB");
    Ending ending = r.ending(op, true);
    const float alpha = op.real("alpha", 1), beta = op.real("beta", 1);
    const bool plain = alpha == 1 && !r.has(op, 2) && ending.activation == graph::Activation::none;
    if (plain) {
        r.in_integers(op, {&a, &b}, ending);
        r.give(op, ending, multiply(r, op, a, b, ending));
        return;
    }
    ending.quantisation.reset();
    Ending between;
    between.name = op.node->output(0);
    const auto scaled = [&](const OnnxValue& value, float factor, const Ending& end) {
        OnnxValue one;
        one.real = true;
        one.id = r.add_real("factor", factor);
        return combine(r, op, graph::Arithmetic::mul, value, one, end);
    };
    OnnxValue y = multiply(r, op, r.in_float(op, a), r.in_float(op, b), between);
    if (alpha != 1) y = scaled(y, alpha, r.has(op, 2) ? between : ending);
    if (r.has(op, 2)) {
        OnnxValue c = r.in_float(op, r.value(op, 2));
        if (beta != 1) c = scaled(c, beta, between);
        y = combine(r, op, graph::Arithmetic::add, y, c, ending);
    } else if (alpha == 1) {
        y = scaled(y, 1, ending);  // for the activation
    }
    r.give(op, ending, y);
}

void OnnxImporters::gemm(OnnxReader& r, const OnnxOperator& op) {
    const bool weights = are_weights(r, r.value(op, 1)) && !r.tensor(r.value(op, 0).id).constant;
    const bool bias = !r.has(op, 2) || r.tensor(r.value(op, 2).id).constant;
    if (!weights || !bias || op.integer("transA", 0) != 0) return general_gemm(r, op);
    Weighted w{r.value(op, 0), r.value(op, 1), {}, r.ending(op, true), false};
    if (r.has(op, 2)) w.bias = r.value(op, 2);
    const float alpha = op.real("alpha", 1), beta = op.real("beta", 1);
    if (alpha != 1 || (w.bias && beta != 1)) w.ending.quantisation.reset();
    settle(r, op, w);
    const auto scaled = [&](OnnxValue value, float factor) {
        if (factor == 1) return value;
        OnnxValue one;
        one.id = r.add_real("factor", factor);
        one.real = true;
        Ending ending;
        ending.name = r.tensor(value.id).name;
        return combine(r, op, graph::Arithmetic::mul, r.in_float(op, value), one, ending);
    };
    w.weights = scaled(w.weights, alpha);
    if (w.bias) w.bias = scaled(*w.bias, beta);
    const Ending ending = w.ending;
    r.give(op, ending, connect(r, op, std::move(w), op.integer("transB", 0) == 0));
}

// ---------------------------------------------------------------- normalisations

/// A gain or offset as float32 of a shape; kNone: there is none.
TensorId OnnxImporters::per_element(OnnxReader& r, const OnnxOperator& op, std::size_t i,
                                    const std::vector<int>& shape) {
    if (!r.has(op, i)) return kNone;
    const OnnxValue value = r.in_float(op, r.value(op, i));
    if (elements_of(value.shape) != elements_of(shape))
        throw Refusal{fmt::format("{} has shape {}: want {}", r.tensor(value.id).name,
                                  graph::text_of(value.shape), graph::text_of(shape))};
    return r.reshaped(op, r.plain(op, value), shape);
}

void OnnxImporters::layer_norm(OnnxReader& r, const OnnxOperator& op) {
    OnnxValue x = r.value(op, 0);
    for (std::size_t i = 1; i < op.outputs(); ++i) {
        const std::string& name = op.node->output(static_cast<int>(i));
        if (!name.empty() && (r.readers_.count(name) != 0 || r.is_output(name)))
            throw Refusal{
                fmt::format("output {}, the mean or deviation, is read: want the first "
                            "only",
                            i)};
    }
    graph::Norm norm;
    norm.centred = op.type() == "LayerNormalization";
    norm.axis = axis_of(op.integer("axis", -1), x.shape.size());
    norm.epsilon = op.real("epsilon", 1e-5F);
    op.integer("stash_type", 1);
    Ending ending = r.ending(op, false);
    r.in_integers(op, {&x}, ending);
    const std::vector<int> behind(x.shape.begin() + norm.axis, x.shape.end());
    const TensorId gain = per_element(r, op, 1, behind), offset = per_element(r, op, 2, behind);
    const TensorId input = r.plain(op, x);
    OnnxValue y;
    y.real = true;
    y.shape = x.shape;
    y.id = r.add_result(ending, y.shape);
    r.add(op, norm, {input, gain, offset}, {y.id});
    r.give(op, ending, y);
}

/// Of each channel, or of groups of them; then gain and offset for each channel.
void OnnxImporters::group_norm(OnnxReader& r, const OnnxOperator& op) {
    const OnnxValue x = r.in_float(op, r.value(op, 0));
    if (x.shape.size() < 3) throw Refusal{"input without a place: want batch x channels x ..."};
    const int channels = x.shape[1];
    const int groups = op.type() == "GroupNormalization"
                           ? size_of(op.integer("num_groups", 0), "num_groups")
                           : channels;
    if (channels % groups != 0)
        throw Refusal{fmt::format("{} groups of {} channels: want a divisor", groups, channels)};
    const int rows = x.shape[0] * groups;
    const std::vector<int> shape = {rows, static_cast<int>(elements_of(x.shape) / rows)};
    Ending between;
    between.name = op.node->output(0);
    OnnxValue y;
    y.real = true;
    y.shape = shape;
    y.id = r.add_result(between, shape);
    graph::Norm norm;
    norm.axis = 1;
    norm.epsilon = op.real("epsilon", 1e-5F);
    op.integer("stash_type", 1);
    r.add(op, norm, {r.reshaped(op, r.plain(op, x), shape), kNone, kNone}, {y.id});
    y = in_shape(r, op, y, x.shape);
    std::vector<int> along(x.shape.size() - 1, 1);
    along[0] = channels;
    const auto parameter = [&](std::size_t i) {
        const OnnxValue from = r.value(op, i);
        // Older ones of groups have one for each group.
        OnnxValue value = r.in_float(op, from);
        if (groups != channels && elements_of(value.shape) == groups) {
            std::vector<OnnxValue> copies;
            const OnnxValue each = in_shape(r, op, value, {groups, 1});
            copies.assign(static_cast<std::size_t>(channels / groups), each);
            value = join(r, op, copies, 1, nullptr);
        }
        return in_shape(r, op, value, along);
    };
    Ending ending = r.ending(op, true);
    ending.quantisation.reset();
    y = combine(r, op, graph::Arithmetic::mul, y, parameter(1), between);
    r.give(op, ending, combine(r, op, graph::Arithmetic::add, y, parameter(2), ending));
}

/// A sum of two, and what the layer behind it is.
void OnnxImporters::skip_norm(OnnxReader& r, const OnnxOperator& op) {
    const bool centred = op.type() == "SkipLayerNormalization";
    Ending between;
    between.name = op.node->output(0);
    OnnxValue sum = combine(r, op, graph::Arithmetic::add, r.in_float(op, r.value(op, 0)),
                            r.in_float(op, r.value(op, 1)), between);
    const std::size_t bias = centred ? 4 : 3;
    if (r.has(op, bias))
        sum =
            combine(r, op, graph::Arithmetic::add, sum, r.in_float(op, r.value(op, bias)), between);
    graph::Norm norm;
    norm.centred = centred;
    norm.axis = static_cast<int>(sum.shape.size()) - 1;
    norm.epsilon = op.real("epsilon", 1e-12F);
    const std::vector<int> behind = {sum.shape.back()};
    OnnxValue y = sum;
    y.id = r.add_result(between, y.shape);
    r.add(op, norm,
          {sum.id, per_element(r, op, 2, behind), centred ? per_element(r, op, 3, behind) : kNone},
          {y.id});
    r.give(op, 0, y);
    if (op.outputs() > 3) r.give(op, 3, sum);
}

}  // namespace macrame::front
