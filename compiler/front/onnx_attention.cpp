/// Attention and rotary embedding of ONNX, as what they are made of.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/front/onnx_steps.hpp"
#include "compiler/graph/check.hpp"
#include "compiler/graph/graph.hpp"

namespace macrame::front {

using graph::Arithmetic;
using graph::Function;

// ---------------------------------------------------------------- rotation

/// The first elements of each row in pairs, each turned by the angle of its place.
void OnnxImporters::rotary_embedding(OnnxReader& r, const OnnxOperator& op) {
    const Steps steps(r, op);
    const bool own = op.domain_is_own();
    const OnnxValue given = r.in_float(op, r.value(op, 0));
    const std::size_t rank = given.shape.size();
    const std::int64_t count = op.integer("num_heads", 0);
    if (rank != 4 && (rank != 3 || count < 1 || given.shape[2] % count != 0))
        throw Refusal{
            fmt::format("input {}, num_heads {}: want batch x heads x steps x depth, or "
                        "three axes of which heads divide the last",
                        graph::text_of(given.shape), count)};
    if (op.integer("is_packed_batching", 0) != 0 || op.real("scale", 1) != 1)
        throw Refusal{"packed batches or a scale: want neither"};
    const auto heads = static_cast<int>(rank == 4 ? given.shape[1] : count);
    const int batch = given.shape[0], length = given.shape.back();
    const int number = rank == 4 ? given.shape[2] : given.shape[1];
    const int depth = rank == 4 ? length : length / heads;
    // The steps lie behind the heads in one form, in front of them in the other.
    const OnnxValue x =
        rank == 4 ? steps.plain(given) : steps.shaped(given, {batch, number, heads, depth});
    const std::int64_t part = op.integer("rotary_embedding_dim", 0);
    const auto turned = static_cast<int>(part == 0 ? depth : part);
    if (turned < 2 || turned > depth || turned % 2 != 0)
        throw Refusal{
            fmt::format("{} elements of {} are turned: want pairs of them", turned, depth)};
    const std::size_t cosines = own ? 1 : 2, places = own ? 3 : 1;
    const auto angles = [&](std::size_t i) {
        OnnxValue table = steps.plain(r.in_float(op, r.value(op, i)));
        if (r.has(op, places)) {
            const OnnxValue which = r.value(op, places);
            if (table.shape.size() != 2 || elements_of(which.shape) != std::int64_t{batch} * number)
                throw Refusal{
                    fmt::format("places {} in a table {}: want one for each step, in two "
                                "axes",
                                graph::text_of(which.shape), graph::text_of(table.shape))};
            OnnxValue rows = like(r, op, table, {batch * number, table.shape[1]});
            r.add(op, graph::Gather{0},
                  {table.id, r.reshaped(op, r.plain(op, which), {batch * number})}, {rows.id});
            table = rows;
        }
        const std::int64_t all = elements_of(table.shape), step = std::int64_t{number} * turned / 2;
        if (all != batch * step && all != step)
            throw Refusal{fmt::format("angles of shape {}: want {} for each of {} steps",
                                      graph::text_of(table.shape), turned / 2, number)};
        const auto pictures = static_cast<int>(all / step);
        return steps.shaped(table, rank == 4 ? std::vector<int>{pictures, 1, number, turned / 2}
                                             : std::vector<int>{pictures, number, 1, turned / 2});
    };
    const OnnxValue cosine = angles(cosines), sine = angles(cosines + 1);
    const bool mixed = op.integer("interleaved", 0) != 0;
    const OnnxValue first = steps.sliced(x, 3, 0, turned / 2, mixed ? 2 : 1),
                    second = steps.sliced(x, 3, mixed ? 1 : turned / 2, turned / 2, mixed ? 2 : 1);
    const OnnxValue real = steps.of(Arithmetic::sub, steps.of(Arithmetic::mul, first, cosine),
                                    steps.of(Arithmetic::mul, second, sine)),
                    other = steps.of(Arithmetic::add, steps.of(Arithmetic::mul, first, sine),
                                     steps.of(Arithmetic::mul, second, cosine));
    OnnxValue y;
    if (mixed) {
        std::vector<int> apart = real.shape, whole = x.shape;
        apart.push_back(1);
        whole[3] = turned;
        y = steps.shaped(steps.joined({steps.shaped(real, apart), steps.shaped(other, apart)}, 4),
                         whole);
    } else {
        y = steps.joined({real, other}, 3);
    }
    if (turned < depth) y = steps.joined({y, steps.sliced(x, 3, turned, depth - turned)}, 3);
    r.give(op, 0, steps.shaped(y, given.shape));
}

// ---------------------------------------------------------------- attention

/// Truth values: of each step, `before` behind the first key, those that it sees.
OnnxValue OnnxImporters::seen_keys(OnnxReader& r, const OnnxOperator& op, int steps, int keys,
                                   const Attending& how) {
    graph::Tensor seen;
    seen.name = readable(op.node->output(0));
    seen.shape = {steps, keys};
    seen.quantisation = {{1.0F}, {0}, 0};
    seen.constant = true;
    r.budget_.charge(seen.bytes());
    seen.data.resize(seen.bytes());
    for (int i = 0; i < steps; ++i)
        for (int j = 0; j < keys; ++j) {
            const std::int64_t ahead = std::int64_t{j} - i - how.before;
            seen.data[at(i) * at(keys) + at(j)] =
                (how.left < 0 || ahead >= -how.left) && (how.right < 0 || ahead <= how.right);
        }
    OnnxValue mask;
    mask.real = true;
    mask.shape = seen.shape;
    mask.id = r.add_tensor(std::move(seen));
    return mask;
}

/// Batch x heads x steps x depth of an input with three axes or four.
OnnxValue OnnxImporters::heads_of(OnnxReader& r, const OnnxOperator& op, std::size_t i,
                                  const char* name) {
    const Steps steps(r, op);
    const OnnxValue from = steps.plain(r.in_float(op, r.value(op, i)));
    const std::vector<int> shape = from.shape;
    const std::int64_t count = op.integer(name, 0);
    if (shape.size() == 4) return from;
    if (shape.size() != 3 || count < 1 || shape[2] % count != 0)
        throw Refusal{
            fmt::format("input {} of shape {}, {} {}: want batch x heads x steps x "
                        "depth, or three axes of which heads divide the last",
                        i, graph::text_of(shape), name, count)};
    const auto heads = static_cast<int>(count);
    return steps.permuted(steps.shaped(from, {shape[0], shape[1], heads, shape[2] / heads}),
                          {0, 2, 1, 3});
}

/// Shares of values, batch x heads x steps x depth each.
OnnxValue OnnxImporters::attend(OnnxReader& r, const OnnxOperator& op, const OnnxValue& query,
                                OnnxValue keys, OnnxValue values, const Attending& how) {
    const Steps steps(r, op);
    // Several heads of queries have one of keys.
    const std::vector<int> q = query.shape, k = keys.shape;
    if (q[1] % k[1] != 0 || k[1] != values.shape[1] || k[2] != values.shape[2])
        throw Refusal{
            fmt::format("queries {}, keys {}, values {}: want a multiple of the heads of "
                        "keys, and as many values",
                        graph::text_of(q), graph::text_of(k), graph::text_of(values.shape))};
    if (q[1] != k[1]) {
        std::vector<std::vector<std::int64_t>> which(4);
        for (int head = 0; head < q[1]; ++head)
            which[1].push_back(head / (q[1] / k[1]));
        keys = repeated(r, op, keys, which);
        values = repeated(r, op, values, which);
    }
    const float scale = how.scale ? *how.scale : 1 / std::sqrt(static_cast<float>(q[3]));
    OnnxValue scores = steps.times(steps.product(query, steps.permuted(keys, {0, 1, 3, 2})), scale);
    if (how.cap != 0)
        scores = steps.times(steps.of(Function::tanh, steps.times(scores, 1 / how.cap)), how.cap);
    const OnnxValue least = steps.number(std::numeric_limits<float>::lowest());
    for (const OnnxValue& mask : how.masks) {
        if (broadcast(scores.shape, mask.shape) != scores.shape)
            throw Refusal{fmt::format("a mask of shape {} for {}: want one that is broadcast",
                                      graph::text_of(mask.shape), graph::text_of(scores.shape))};
        if (r.tensor(mask.id).type == graph::Type::int8 && mask.real &&
            r.tensor(mask.id).quantisation.scale == std::vector<float>{1.0F})
            scores = steps.chosen(mask, scores, least);
        else
            scores = steps.of(Arithmetic::add, scores, r.in_float(op, mask));
    }
    if (how.left >= 0 || how.right >= 0)
        scores = steps.chosen(seen_keys(r, op, q[2], k[2], how), scores, least);
    OnnxValue shares = scores;
    shares.id = r.add_tensor(op.node->output(0), graph::Type::float32, scores.shape);
    r.add(op, graph::Softmax{}, {r.plain(op, scores)}, {shares.id});
    return steps.product(shares, values);
}

/// Batch x heads x steps x depth as batch x steps x all heads.
OnnxValue OnnxImporters::with_heads_last(OnnxReader& r, const OnnxOperator& op, OnnxValue y) {
    const Steps steps(r, op);
    y = steps.permuted(y, {0, 2, 1, 3});
    return steps.shaped(y, {y.shape[0], y.shape[1], y.shape[2] * y.shape[3]});
}

void OnnxImporters::attention(OnnxReader& r, const OnnxOperator& op) {
    const Steps steps(r, op);
    const OnnxValue query = heads_of(r, op, 0, "q_num_heads");
    OnnxValue keys = heads_of(r, op, 1, "kv_num_heads"),
              values = heads_of(r, op, 2, "kv_num_heads");
    Attending how;
    if (r.has(op, 4)) {
        how.before = r.value(op, 4).shape.size() == 4 ? r.value(op, 4).shape[2] : 0;
        keys = steps.joined({steps.plain(r.in_float(op, r.value(op, 4))), keys}, 2);
        values = steps.joined({steps.plain(r.in_float(op, r.value(op, 5))), values}, 2);
    }
    if (r.has(op, 6))
        throw Refusal{"a number of steps that are no padding: want attn_mask to tell it"};
    if (op.outputs() > 1) r.give(op, 1, keys);
    if (op.outputs() > 2) r.give(op, 2, values);
    if (op.outputs() > 3) {
        const std::string& name = op.node->output(3);
        if (!name.empty() && (r.readers_.count(name) != 0 || r.is_output(name)))
            throw Refusal{
                "output 3, the products of queries and keys, is read: want it computed by "
                "operators of its own (MatMul, Mul, Softmax)"};
    }
    op.integer("qk_matmul_output_mode", 0);
    op.integer("softmax_precision", 1);
    if (op.find("scale") != nullptr) how.scale = op.real("scale", 1);
    how.cap = op.real("softcap", 0);
    how.left = op.integer("left_window_size", -1);
    how.right = op.integer("right_window_size", -1);
    if (op.integer("is_causal", 0) != 0) how.right = 0;
    if (r.has(op, 3)) how.masks.push_back(r.value(op, 3));
    const OnnxValue y = attend(r, op, query, keys, values, how);
    r.give(op, 0, r.value(op, 0).shape.size() == 3 ? with_heads_last(r, op, y) : y);
}

}  // namespace macrame::front
