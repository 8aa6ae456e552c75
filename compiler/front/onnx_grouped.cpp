/// GroupQueryAttention: the attention of language models, with a cache of keys and values.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "compiler/front/onnx_steps.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::Arithmetic;
using Shape = std::vector<int>;

namespace {

constexpr std::size_t kQuery = 0, kKey = 1, kValue = 2, kPast = 3, kLengths = 5, kAll = 6,
                      kCosines = 7, kPlaces = 9, kBias = 10, kSink = 11;

}  // namespace

/// What was kept, with the keys or values of now from places on that each picture has.
OnnxValue OnnxImporters::cached(OnnxReader& r, const OnnxOperator& op, std::size_t past,
                                const OnnxValue& now, const OnnxValue& begin, int length) {
    if (!r.has(op, past) || r.is_empty(op, past)) return now;
    const Steps steps(r, op);
    OnnxValue kept = steps.plain(r.in_float(op, r.value(op, past)));
    std::vector<int> shape = now.shape;
    if (kept.shape.size() == 4) shape[2] = kept.shape[2];
    if (kept.shape != shape)
        throw Refusal{fmt::format("past of shape {}: want {}, but for the steps",
                                  graph::text_of(kept.shape), graph::text_of(now.shape))};
    if (kept.shape[2] < length) {
        graph::Pad pad;
        pad.amounts.resize(4);
        pad.amounts[2] = {0, length - kept.shape[2]};
        kept.shape[2] = length;
        kept.id = r.add_move(op, pad, kept.id, kept.shape);
    }
    return with_part(r, op, kept, now, begin, 2, false);
}

/// What the attention is told. `sizes`: heads, steps, keys.
OnnxImporters::Attending OnnxImporters::grouped_form(OnnxReader& r, const OnnxOperator& op,
                                                     const OnnxValue& begin,
                                                     const std::array<int, 3>& sizes) {
    const Steps steps(r, op);
    const auto [heads, count, length] = sizes;
    Attending how;
    if (const float scale = op.real("scale", 0); scale != 0) how.scale = scale;
    how.cap = op.real("softcap", 0);
    const std::int64_t window = op.integer("local_window_size", -1);
    how.masks = seen_by_values(r, op, begin, count, length, window > 0 ? window - 1 : -1, 0);
    if (r.has(op, kBias))
        how.masks.push_back(whole_mask(r, op, r.in_float(op, r.value(op, kBias)), length));
    if (r.has(op, kSink))
        how.sink = steps.shaped(r.in_float(op, r.value(op, kSink)), {1, heads, 1, 1});
    else if (op.integer("smooth_softmax", 0) > 0)
        how.sink = steps.number(0);
    return how;
}

void OnnxImporters::grouped_attention(OnnxReader& r, const OnnxOperator& op) {
    const Steps steps(r, op);
    const int heads = size_of(op.integer("num_heads", 0), "num_heads"),
              groups = size_of(op.integer("kv_num_heads", 0), "kv_num_heads");
    if (std::max(heads, groups) > 1 << 16)
        throw Refusal{fmt::format("{} heads, {} of keys: want at most {}", heads, groups, 1 << 16)};
    if (op.text("k_quant_type", "NONE") != "NONE" || op.text("v_quant_type", "NONE") != "NONE" ||
        op.integer("kv_cache_bit_width", 0) != 0 || op.integer("qk_output", 0) != 0)
        throw Refusal{
            "a cache of integers, or products as a result: want a cache of float32, and neither"};
    const OnnxValue query = steps.plain(r.in_float(op, r.value(op, kQuery)));
    const bool packed = !r.has(op, kKey);
    const int shares = packed ? heads + 2 * groups : heads;
    if (query.shape.size() != 3 || query.shape[2] % shares != 0 || heads % groups != 0)
        throw Refusal{fmt::format(
            "queries {}, {} heads, {} of keys: want batch x steps x elements of all heads, and a "
            "multiple of the heads of keys",
            graph::text_of(query.shape), heads, groups)};
    const int batch = query.shape[0], count = query.shape[1], depth = query.shape[2] / shares;
    const auto in_heads = [&](const OnnxValue& x, int begin, int number) {
        const OnnxValue part = steps.sliced(x, 2, begin * depth, number * depth);
        return steps.permuted(steps.shaped(part, {batch, count, number, depth}), {0, 2, 1, 3});
    };
    const auto other = [&](std::size_t i) {
        const OnnxValue x = steps.plain(r.in_float(op, r.value(op, i)));
        const std::vector<int> want = {batch, count, groups * depth};
        if (x.shape != want)
            throw Refusal{fmt::format("input {} of shape {}: want {}", i, graph::text_of(x.shape),
                                      graph::text_of(want))};
        return in_heads(x, 0, groups);
    };
    OnnxValue q = in_heads(query, 0, heads),
              k = packed ? in_heads(query, heads, groups) : other(kKey),
              v = packed ? in_heads(query, heads + groups, groups) : other(kValue);
    if (!r.tensor(r.value(op, kAll).id).constant)
        throw Refusal{
            "total_sequence_length is computed: want a constant (--shape where it is that of a "
            "mask)"};
    const std::int64_t all = r.constants(op, kAll).at(0);
    int past = 0;
    if (r.has(op, kPast) && !r.is_empty(op, kPast)) {
        const Shape& kept = r.value(op, kPast).shape;
        if (kept.size() != 4)
            throw Refusal{fmt::format("past of shape {}: want batch x heads x steps x depth",
                                      graph::text_of(kept))};
        past = kept[2];
    }
    if (all < count || all > 1 << 20 || (past == 0 && all != count))
        throw Refusal{fmt::format("total_sequence_length {} for {} steps behind {}: want as many",
                                  all, count, past)};
    const int length = std::max(past, static_cast<int>(all));
    // Steps in front of the first one, of each picture: none where all of them are here.
    const OnnxValue lengths = r.value(op, kLengths);
    if (elements_of(lengths.shape) != batch)
        throw Refusal{fmt::format("seqlens_k of shape {}: want a number for each of {}",
                                  graph::text_of(lengths.shape), batch)};
    const OnnxValue begin =
        all == count ? r.integers_value("begin", std::vector<std::int64_t>(at(batch), 0), {batch})
                     : in_shape(r, op,
                                of_numbers(r, op, Arithmetic::add, as_wide(r, op, lengths),
                                           r.integers_value("apart", {1 - count}, {})),
                                {batch});
    if (op.integer("do_rotary", 0) != 0) {
        const std::array<OnnxValue, 2> angles = cache_angles(r, op, begin, {batch, count, depth});
        const bool mixed = op.integer("rotary_interleaved", 0) != 0;
        const int turned = 2 * angles[0].shape[3];
        q = turned_pairs(r, op, q, angles, turned, mixed);
        k = turned_pairs(r, op, k, angles, turned, mixed);
    }
    k = cached(r, op, kPast, k, begin, length);
    v = cached(r, op, kPast + 1, v, begin, length);
    if (op.outputs() > 1) r.give(op, 1, k);
    if (op.outputs() > 2) r.give(op, 2, v);
    const Attending how = grouped_form(r, op, begin, {heads, count, length});
    r.give(op, 0, with_heads_last(r, op, attend(r, op, q, k, v, how).result));
}

/// Cosines and sines of each step: rows of tables, by the places that are given or from `begin` on.
/// `sizes`: batch, steps, depth.
std::array<OnnxValue, 2> OnnxImporters::cache_angles(OnnxReader& r, const OnnxOperator& op,
                                                     const OnnxValue& begin,
                                                     const std::array<int, 3>& sizes) {
    const auto [batch, count, depth] = sizes;
    OnnxValue place;
    if (r.has(op, kPlaces)) {
        place = as_wide(r, op, r.value(op, kPlaces));
    } else {
        std::vector<std::int64_t> numbers(at(count));
        std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
        place = of_numbers(r, op, Arithmetic::add, in_shape(r, op, begin, {batch, 1}),
                           r.integers_value("step", numbers, {1, count}));
    }
    if (elements_of(place.shape) != std::int64_t{batch} * count)
        throw Refusal{fmt::format("position_ids of shape {}: want one for each step",
                                  graph::text_of(place.shape))};
    std::array<OnnxValue, 2> angles;
    for (std::size_t i = 0; i < 2; ++i) {
        const Steps steps(r, op);
        const OnnxValue table = steps.plain(r.in_float(op, r.value(op, kCosines + i)));
        if (table.shape.size() != 2 || 2 * table.shape[1] > depth)
            throw Refusal{fmt::format("angles of shape {}: want places x at most {}",
                                      graph::text_of(table.shape), depth / 2)};
        const OnnxValue rows = like(r, op, table, {batch * count, table.shape[1]});
        r.add(op, graph::Gather{0}, {table.id, r.reshaped(op, place.id, {batch * count})},
              {rows.id});
        angles[i] = steps.shaped(rows, {batch, 1, count, table.shape[1]});
    }
    return angles;
}

}  // namespace macrame::front
