/// Attention and rotary embedding of ONNX, as what they are made of.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

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
    const OnnxValue y =
        turned_pairs(r, op, x, {cosine, sine}, turned, op.integer("interleaved", 0) != 0);
    r.give(op, 0, steps.shaped(y, given.shape));
}

/// The first `turned` elements of rows: pairs beside each other (`mixed`) or of both halves.
OnnxValue OnnxImporters::turned_pairs(OnnxReader& r, const OnnxOperator& op, const OnnxValue& x,
                                      const std::array<OnnxValue, 2>& angles, int turned,
                                      bool mixed) {
    const Steps steps(r, op);
    const OnnxValue &cosine = angles[0], &sine = angles[1];
    const int depth = x.shape[3];
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
    return y;
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
    if (shape.size() == 4) {
        if (count > 0 && count != shape[1])
            throw Refusal{
                fmt::format("{} {}: want {}, the heads of input {}", name, count, shape[1], i)};
        return from;
    }
    if (shape.size() != 3 || count < 1 || shape[2] % count != 0)
        throw Refusal{
            fmt::format("input {} of shape {}, {} {}: want batch x heads x steps x "
                        "depth, or three axes of which heads divide the last",
                        i, graph::text_of(shape), name, count)};
    const auto heads = static_cast<int>(count);
    return steps.permuted(steps.shaped(from, {shape[0], shape[1], heads, shape[2] / heads}),
                          {0, 2, 1, 3});
}

/// Truth values: of each step, so many keys behind the first one as `first` says for each picture,
/// the keys that it sees.
std::vector<OnnxValue> OnnxImporters::seen_by_values(OnnxReader& r, const OnnxOperator& op,
                                                     const OnnxValue& first, int steps, int keys,
                                                     std::int64_t left, std::int64_t right) {
    const auto numbers = [&](int count, std::vector<int> shape) {
        r.budget_.charge(at(count) * sizeof(std::int64_t));
        std::vector<std::int64_t> all(at(count));
        std::iota(all.begin(), all.end(), std::int64_t{0});
        return r.integers_value("number", all, std::move(shape));
    };
    const auto batch = static_cast<int>(elements_of(first.shape));
    const OnnxValue begin = in_shape(r, op, as_wide(r, op, first), {batch, 1, 1, 1}),
                    step = numbers(steps, {1, 1, steps, 1}), key = numbers(keys, {1, 1, 1, keys});
    const OnnxValue place = of_numbers(r, op, Arithmetic::add, begin, step);
    const auto not_above = [&](const OnnxValue& a, const OnnxValue& b) {
        OnnxValue truth;
        truth.real = true;
        truth.shape = broadcast(a.shape, b.shape);
        truth.id =
            r.add_tensor(op.node->output(0), graph::Type::int8, truth.shape, {{1.0F}, {0}, 0});
        r.add(op, graph::Compare{graph::Relation::less_equal}, {a.id, b.id}, {truth.id});
        return truth;
    };
    const auto moved = [&](std::int64_t by) {
        return of_numbers(r, op, Arithmetic::add, place, r.integers_value("apart", {by}, {}));
    };
    std::vector<OnnxValue> masks;
    if (right >= 0) masks.push_back(not_above(key, moved(right)));
    if (left >= 0) masks.push_back(not_above(moved(-left), key));
    return masks;
}

/// Shares of values, batch x heads x steps x depth each.
OnnxImporters::Attended OnnxImporters::attend(OnnxReader& r, const OnnxOperator& op,
                                              const OnnxValue& query, OnnxValue keys,
                                              OnnxValue values, const Attending& how) {
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
    Attended out;
    out.products[0] = scores;
    if (how.cap != 0)
        scores = steps.times(steps.of(Function::tanh, steps.times(scores, 1 / how.cap)), how.cap);
    out.products[1] = scores;
    // With the lowest number a row that sees nothing has even shares.
    using Limits = std::numeric_limits<float>;
    const bool infinite = how.product == 2 || how.may_see_nothing;
    const OnnxValue least = steps.number(infinite ? -Limits::infinity() : Limits::lowest());
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
    out.products[2] = scores;
    if (how.sink) {  // one more key, whose value is 0
        const OnnxValue none = steps.times(steps.sliced(scores, 3, 0, 1), 0);
        scores = steps.joined({scores, steps.of(Arithmetic::add, none, *how.sink)}, 3);
    }
    OnnxValue shares = scores;
    shares.form = Form::plain;
    shares.id = r.add_tensor(op.node->output(0), graph::Type::float32, scores.shape);
    r.add(op, graph::Softmax{}, {r.plain(op, scores)}, {shares.id});
    if (how.sink) shares = steps.sliced(shares, 3, 0, k[2]);
    if (how.may_see_nothing) {
        const OnnxValue most = like(r, op, scores, {q[0], q[1], q[2], 1});
        r.add(op, graph::Reduce{graph::Reduction::maximum, {3}, true}, {r.plain(op, scores)},
              {most.id});
        const OnnxValue nothing = steps.truth(graph::Relation::equal, most, least);
        shares = steps.chosen(nothing, steps.number(0), shares);
    }
    out.products[3] = shares;
    out.result = steps.product(shares, values);
    return out;
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
    if (op.outputs() > 1) r.give(op, 1, keys);
    if (op.outputs() > 2) r.give(op, 2, values);
    const std::string products = op.outputs() > 3 ? op.node->output(3) : "";
    const bool gives_products =
        !products.empty() && (r.readers_.count(products) != 0 || r.is_output(products));
    const std::int64_t mode = op.integer("qk_matmul_output_mode", 0);
    if (mode < 0 || mode > 3)
        throw Refusal{fmt::format("qk_matmul_output_mode {}: want 0 to 3", mode)};
    if (gives_products) how.product = static_cast<int>(mode);
    op.integer("softmax_precision", 1);
    if (op.find("scale") != nullptr) how.scale = op.real("scale", 1);
    how.cap = op.real("softcap", 0);
    if (how.cap < 0) throw Refusal{fmt::format("softcap = {}: want 0 or more", how.cap)};
    how.left = op.integer("left_window_size", -1);
    how.right = op.integer("right_window_size", -1);
    if (op.integer("is_causal", 0) != 0) how.right = 0;
    if (r.has(op, 3)) how.masks.push_back(whole_mask(r, op, r.value(op, 3), keys.shape[2]));
    if (r.has(op, 6)) {
        // So many keys are none of padding; the steps are the last ones of them.
        const OnnxValue count = r.value(op, 6);
        const std::int64_t steps_of_query = query.shape[2];
        if (elements_of(count.shape) != query.shape[0] || r.has(op, 4))
            throw Refusal{fmt::format(
                "nonpad_kv_seqlen of shape {}{}: want a number for each of {} pictures, without "
                "a past",
                graph::text_of(count.shape), r.has(op, 4) ? " beside a past" : "", query.shape[0])};
        const auto apart = [&](std::int64_t by) {
            return of_numbers(r, op, Arithmetic::add, as_wide(r, op, count),
                              r.integers_value("apart", {by}, {}));
        };
        for (OnnxValue& mask : seen_by_values(r, op, apart(-1), 1, keys.shape[2], -1, 0))
            how.masks.push_back(std::move(mask));
        for (OnnxValue& mask : seen_by_values(r, op, apart(-steps_of_query), query.shape[2],
                                              keys.shape[2], how.left, how.right))
            how.masks.push_back(std::move(mask));
        how.left = how.right = -1;
    }
    how.may_see_nothing = may_see_nothing(r, how);
    const Attended y = attend(r, op, query, keys, values, how);
    if (gives_products) r.give(op, 3, y.products[at(how.product)]);
    r.give(op, 0, r.value(op, 0).shape.size() == 3 ? with_heads_last(r, op, y.result) : y.result);
}

/// Whether a row may see no key: masks that are computed, several, or a row of one that says so.
bool OnnxImporters::may_see_nothing(const OnnxReader& r, const Attending& how) {
    std::size_t truths = 0;
    bool blind = false;
    for (const OnnxValue& mask : how.masks) {
        const graph::Tensor& t = r.tensor(mask.id);
        const bool truth = t.type == graph::Type::int8;
        truths += truth;
        blind = blind || (truth && !t.constant);
        if (!t.constant || t.shape.empty() || t.type != (truth ? t.type : graph::Type::float32))
            continue;
        const std::size_t row = at(t.shape.back());
        for (std::size_t i = 0; i < t.elements(); i += row) {
            std::size_t unseen = 0;
            for (std::size_t k = i; k < i + row; ++k) {
                float added = 0;
                if (!truth) std::memcpy(&added, t.data.data() + k * sizeof added, sizeof added);
                unseen += truth ? t.data[k] == 0 : added == -std::numeric_limits<float>::infinity();
            }
            blind = blind || unseen == row;
        }
    }
    const std::size_t windows = how.left >= 0 || how.right >= 0 ? 1 : 0;
    return blind || (truths > 0 && how.masks.size() + windows > 1);
}

/// A mask of fewer keys: those behind are not seen.
OnnxValue OnnxImporters::whole_mask(OnnxReader& r, const OnnxOperator& op, OnnxValue mask,
                                    int keys) {
    if (mask.shape.empty() || mask.shape.back() >= keys) return mask;
    const Steps steps(r, op);
    const bool truth = r.tensor(mask.id).type == graph::Type::int8;
    std::vector<int> rest = mask.shape;
    rest.back() = keys - mask.shape.back();
    const OnnxValue x = truth ? steps.plain(mask) : steps.plain(r.in_float(op, mask));
    OnnxValue unseen = like(r, op, x, rest);
    graph::Tensor& made = r.graph_.tensor(unseen.id);
    r.budget_.charge(made.bytes());
    made.constant = true;
    made.data.resize(made.bytes());
    const float least = -std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; !truth && i < made.elements(); ++i)
        std::memcpy(&made.data.own()[i * sizeof least], &least, sizeof least);
    std::vector<int> all = mask.shape;
    all.back() = keys;
    const OnnxValue both = like(r, op, x, all);
    r.add(op, graph::Concat{static_cast<int>(all.size()) - 1, {}}, {x.id, unseen.id}, {both.id});
    return both;
}

}  // namespace macrame::front
