/// Operators of com.microsoft: what ONNX Runtime's optimisations write where models are saved.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "compiler/front/onnx_steps.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::Arithmetic;
using graph::Function;

void OnnxImporters::fused_matmul(OnnxReader& r, const OnnxOperator& op) {
    const Steps steps(r, op);
    const auto turned = [&](std::size_t i, const char* name) {
        const OnnxValue x = steps.plain(r.in_float(op, r.value(op, i)));
        if (op.integer(name, 0) == 0 || x.shape.size() < 2) return x;
        std::vector<int> order(x.shape.size());
        std::iota(order.begin(), order.end(), 0);
        std::swap(order[order.size() - 2], order.back());
        return steps.permuted(x, order);
    };
    if (op.integer("transBatchA", 0) != 0 || op.integer("transBatchB", 0) != 0)
        throw Refusal{"transBatchA or transBatchB: want a Transpose in front"};
    const OnnxValue y = steps.product(turned(0, "transA"), turned(1, "transB"));
    r.give(op, 0, steps.times(y, op.real("alpha", 1)));
}

/// A function that the attribute `activation` names.
OnnxValue OnnxImporters::activated(OnnxReader& r, const OnnxOperator& op, OnnxValue x) {
    const Steps steps(r, op);
    const std::string name = op.text("activation", "");
    std::vector<float> given;
    if (const onnx_schema::Attribute* found = op.find("activation_params"))
        given.assign(found->floats().begin(), found->floats().end());
    const auto parameter = [&](std::size_t i, float otherwise) {
        return i < given.size() ? given[i] : otherwise;
    };
    if (name.empty()) return x;
    if (name == "Relu") return steps.of(Function::relu, x);
    if (name == "Sigmoid") return steps.of(Function::sigmoid, x);
    if (name == "Tanh") return steps.of(Function::tanh, x);
    if (name == "LeakyRelu") return steps.of(Function::leaky_relu, x, parameter(0, 0.01F));
    if (name == "HardSigmoid") {
        const graph::Unary function{Function::hard_sigmoid, parameter(0, 0.2F), parameter(1, 0.5F)};
        Ending between;
        between.name = op.node->output(0);
        return apply(r, op, function, x, between);
    }
    if (name == "Clip" && given.size() == 2)
        return steps.of(Arithmetic::minimum,
                        steps.of(Arithmetic::maximum, x, steps.number(given[0])),
                        steps.number(given[1]));
    throw Refusal{
        fmt::format("activation {}: want Relu, Sigmoid, Tanh, LeakyRelu, HardSigmoid or "
                    "Clip with two parameters",
                    name)};
}

/// A convolution, the sum with another value, an activation.
void OnnxImporters::fused_conv(OnnxReader& r, const OnnxOperator& op) {
    const Steps steps(r, op);
    Weighted w;
    w.input = r.in_float(op, r.value(op, 0));
    w.weights = r.in_float(op, r.value(op, 1));
    if (!r.tensor(w.weights.id).constant)
        throw Refusal{"weights that are computed: want constants"};
    if (r.has(op, 2)) w.bias = r.in_float(op, r.value(op, 2));
    w.ending.name = op.node->output(0);
    OnnxValue y = convolve(r, op, std::move(w));
    if (r.has(op, 3)) y = steps.of(Arithmetic::add, y, r.in_float(op, r.value(op, 3)));
    r.give(op, 0, activated(r, op, y));
}

/// What is added to products with keys that are padding: of batch x keys, batch x steps x keys or
/// four axes 1 for keys that are none; or a length of each picture.
OnnxValue OnnxImporters::padding_mask(OnnxReader& r, const OnnxOperator& op, std::size_t i,
                                      int keys) {
    const Steps steps(r, op);
    constexpr float kUsual = -10000;
    OnnxValue mask = r.value(op, i);
    const std::vector<int> shape = mask.shape;
    if (shape.empty() || shape.size() > 4)
        throw Refusal{
            fmt::format("a mask of shape {}: want one to four axes", graph::text_of(shape))};
    if (!mask.real) {
        mask.id = as_reals(r, op, r.plain(op, mask), shape);
        mask.form = Form::plain;
        mask.real = true;
    }
    mask = r.in_float(op, mask);
    if (shape.size() == 1) {
        std::vector<float> places(static_cast<std::size_t>(keys));
        std::iota(places.begin(), places.end(), 1.0F);
        const OnnxValue place = real_constant(r, op, {1, keys}, places);
        const OnnxValue apart = steps.of(Arithmetic::sub, steps.shaped(mask, {shape[0], 1}), place);
        // Whole numbers: 0 or more where the key is inside.
        mask = steps.of(Arithmetic::maximum, steps.of(Arithmetic::minimum, apart, steps.number(0)),
                        steps.number(-1));
    } else {
        mask = steps.plus(mask, -1);
    }
    mask = steps.times(mask, -op.real("mask_filter_value", kUsual));
    const std::vector<int> now = mask.shape;
    if (now.size() == 2) return steps.shaped(mask, {now[0], 1, 1, now[1]});
    if (now.size() == 3) return steps.shaped(mask, {now[0], 1, now[1], now[2]});
    return mask;
}

namespace {

int heads_by(const OnnxOperator& op) { return size_of(op.integer("num_heads", 0), "num_heads"); }

}  // namespace

/// Batch x steps x the elements of queries, keys and values.
void OnnxImporters::packed_attention(OnnxReader& r, const OnnxOperator& op) {
    const Steps steps(r, op);
    const OnnxValue all = steps.plain(r.in_float(op, r.value(op, 0)));
    const int heads = heads_by(op);
    if (op.integer("do_rotary", 0) != 0 || op.integer("past_present_share_buffer", 0) != 0)
        throw Refusal{"rotation, or a past in a buffer that is shared: want neither"};
    std::vector<std::int64_t> sizes = op.integers("qkv_hidden_sizes");
    if (sizes.empty() && all.shape.size() == 3) sizes.assign(3, all.shape[2] / 3);
    if (all.shape.size() != 3 || sizes.size() != 3 ||
        std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}) != all.shape[2])
        throw Refusal{
            fmt::format("products of shape {}: want batch x steps x those of queries, "
                        "keys and values",
                        graph::text_of(all.shape))};
    std::vector<OnnxValue> parts;
    int begin = 0;
    for (const std::int64_t size : sizes) {
        if (size < 1 || size % heads != 0)
            throw Refusal{fmt::format("{} elements for {} heads: want a multiple", size, heads)};
        const auto wide = static_cast<int>(size);
        const OnnxValue part = steps.sliced(all, 2, begin, wide);
        parts.push_back(steps.permuted(
            steps.shaped(part, {all.shape[0], all.shape[1], heads, wide / heads}), {0, 2, 1, 3}));
        begin += wide;
    }
    Attending how;
    if (r.has(op, 2)) {
        const OnnxValue past = steps.plain(r.in_float(op, r.value(op, 2)));
        if (past.shape.size() != 5 || past.shape[0] != 2)
            throw Refusal{fmt::format("past of shape {}: want 2 x batch x heads x steps x depth",
                                      graph::text_of(past.shape))};
        how.before = past.shape[3];
        for (int i = 0; i < 2; ++i) {
            OnnxValue& now = parts[at(i + 1)];
            const std::vector<int> shape(past.shape.begin() + 1, past.shape.end());
            now = steps.joined({steps.shaped(steps.sliced(past, 0, i, 1), shape), now}, 2);
        }
    }
    if (op.outputs() > 1) {
        std::vector<int> one = parts[1].shape;
        one.insert(one.begin(), 1);
        r.give(op, 1, steps.joined({steps.shaped(parts[1], one), steps.shaped(parts[2], one)}, 0));
    }
    if (op.find("scale") != nullptr && op.real("scale", 0) != 0) how.scale = op.real("scale", 0);
    if (op.integer("unidirectional", 0) != 0) how.right = 0;
    if (r.has(op, 1)) how.masks.push_back(padding_mask(r, op, 1, parts[1].shape[2]));
    if (r.has(op, 3)) how.masks.push_back(r.in_float(op, r.value(op, 3)));
    r.give(op, 0, with_heads_last(r, op, attend(r, op, parts[0], parts[1], parts[2], how).result));
}

/// Queries, keys and values, batch x steps x elements of all heads, of which keys and values may
/// lie in one tensor, or all three: behind the heads.
std::vector<OnnxValue> OnnxImporters::packed_parts(OnnxReader& r, const OnnxOperator& op,
                                                   int heads) {
    const Steps steps(r, op);
    const auto taken = [&](const OnnxValue& from, int i) {
        const std::vector<int> s = from.shape;
        return steps.shaped(steps.sliced(from, 3, i, 1), {s[0], s[1], s[2] * s[4]});
    };
    std::vector<OnnxValue> parts;
    for (std::size_t i = 0; i < 3 && r.has(op, i); ++i) {
        const OnnxValue x = steps.plain(r.in_float(op, r.value(op, i)));
        const int packed = i == 0 ? 3 : 2;
        if (x.shape.size() != 5 || i == 2) {
            parts.push_back(x);
            continue;
        }
        if (x.shape[2] != heads || x.shape[3] != packed)
            throw Refusal{
                fmt::format("input {} of shape {}: want batch x steps x {} heads x {} x "
                            "depth",
                            i, graph::text_of(x.shape), heads, packed)};
        for (int part = 0; part < packed; ++part)
            parts.push_back(taken(x, part));
        break;
    }
    if (parts.size() != 3)
        throw Refusal{
            "keys or values that are left out: want three tensors, or all in one of five axes"};
    return parts;
}

/// The same with values of their own, three axes or four.
void OnnxImporters::multi_head_attention(OnnxReader& r, const OnnxOperator& op) {
    const Steps steps(r, op);
    const int heads = heads_by(op);
    std::vector<OnnxValue> parts;
    std::optional<OnnxValue> bias;
    if (r.has(op, 3)) bias = r.in_float(op, r.value(op, 3));
    int begin = 0;
    std::vector<OnnxValue> given = packed_parts(r, op, heads);
    for (std::size_t i = 0; i < 3; ++i) {
        OnnxValue x = given[i];
        const std::vector<int> shape = x.shape;
        if (shape.size() == 4 && i > 0 && shape[1] == heads) {
            parts.push_back(x);
            continue;
        }
        if (shape.size() != 3 || shape[2] % heads != 0)
            throw Refusal{
                fmt::format("input {} of shape {}: want batch x steps x elements of {} "
                            "heads",
                            i, graph::text_of(shape), heads)};
        if (bias) {
            x = steps.of(Arithmetic::add, x, steps.sliced(*bias, 0, begin, shape[2]));
            begin += shape[2];
        }
        parts.push_back(steps.permuted(
            steps.shaped(x, {shape[0], shape[1], heads, shape[2] / heads}), {0, 2, 1, 3}));
    }
    Attending how;
    if (r.has(op, 6) && r.has(op, 7)) {
        for (std::size_t i = 1; i < 3; ++i) {
            const OnnxValue past = steps.plain(r.in_float(op, r.value(op, i + 5)));
            if (past.shape.size() != 4)
                throw Refusal{
                    fmt::format("past of shape {}: want four axes", graph::text_of(past.shape))};
            how.before = past.shape[2];
            parts[i] = steps.joined({past, parts[i]}, 2);
        }
    }
    if (r.has(op, 8) || op.inputs() > 9)
        throw Refusal{"past_sequence_length or more inputs: want a past that is joined"};
    if (op.outputs() > 1) r.give(op, 1, parts[1]);
    if (op.outputs() > 2) r.give(op, 2, parts[2]);
    if (op.find("scale") != nullptr && op.real("scale", 0) != 0) how.scale = op.real("scale", 0);
    if (op.integer("unidirectional", 0) != 0) how.right = 0;
    if (r.has(op, 4)) how.masks.push_back(padding_mask(r, op, 4, parts[1].shape[2]));
    if (r.has(op, 5)) how.masks.push_back(r.in_float(op, r.value(op, 5)));
    r.give(op, 0, with_heads_last(r, op, attend(r, op, parts[0], parts[1], parts[2], how).result));
}

}  // namespace macrame::front
