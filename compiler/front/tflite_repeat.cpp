/// Operators of TFLite that repeat, pick or regroup elements, as slices, concats, transpositions.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/front/tflite_importers.hpp"
#include "compiler/graph/at.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {
namespace {

using graph::Tensor;
using graph::TensorId;
using Options = schema::OptionsType;
using Shape = std::vector<int>;

/// Copies side by side, elements picked one by one, pictures of a batch.
constexpr std::int64_t kMostParts = 4096;

int positive_number(std::int64_t value, const char* what) {
    if (value < 1 || value > kMostParts)
        throw Refusal{fmt::format("{} {}: want 1 to {}", what, value, kMostParts)};
    return static_cast<int>(value);
}

}  // namespace

TensorId TfliteImporters::repeated(TfliteReader& r, const Op& op, TensorId from,
                                   const Shape& times) {
    for (std::size_t axis = 0; axis < times.size(); ++axis) {
        if (times[axis] == 1) continue;
        const Tensor x = r.tensor(from);
        Shape shape = x.shape;
        shape[axis] = positive_number(std::int64_t{shape[axis]} * times[axis], "a size of");
        const TensorId to = r.add_tensor(x, shape);
        r.add(op, graph::Concat{static_cast<int>(axis), {}},
              std::vector<TensorId>(at(times[axis]), from), {to});
        from = to;
    }
    return from;
}

void TfliteImporters::tile(TfliteReader& r, const Op& op) {
    const TensorId from = r.input(op, 0);
    Shape times;
    for (const std::int64_t value : integers_of(r.tensor(r.input(op, 1))))
        times.push_back(positive_number(value, "copies:"));
    if (times.size() != r.tensor(from).shape.size())
        throw Refusal{fmt::format("{} numbers of copies for shape {}: want one for each axis",
                                  times.size(), graph::text_of(r.tensor(from).shape))};
    r.add(op, graph::Reshape{}, {repeated(r, op, from, times)}, {r.output(op)});
}

void TfliteImporters::broadcast_to(TfliteReader& r, const Op& op) {
    const TensorId from = r.input(op, 0);
    const Tensor x = r.tensor(from);
    const Shape to = r.tensor(r.output(op)).shape;
    if (to.size() < x.shape.size())
        throw Refusal{fmt::format("shape {} for {}: want at least as many axes", graph::text_of(to),
                                  graph::text_of(x.shape))};
    Shape own(to.size() - x.shape.size(), 1), times;
    own.insert(own.end(), x.shape.begin(), x.shape.end());
    for (std::size_t i = 0; i < to.size(); ++i) {
        if (own[i] != 1 && own[i] != to[i])
            throw Refusal{fmt::format("shape {} for {}: want equal sizes, or 1", graph::text_of(to),
                                      graph::text_of(x.shape))};
        times.push_back(own[i] == 1 ? positive_number(to[i], "copies:") : 1);
    }
    const TensorId start = r.add_tensor(x, own);
    r.add(op, graph::Reshape{}, {from}, {start});
    r.add(op, graph::Reshape{}, {repeated(r, op, start, times)}, {r.output(op)});
}

void TfliteImporters::gather(TfliteReader& r, const Op& op) {
    const auto& options = r.options_or_none<schema::GatherOptions>(op, Options::GATHER);
    const TensorId from = r.input(op, 0);
    const Tensor x = r.tensor(from), indices = r.tensor(r.input(op, 1));
    if (options.batch_dims() != 0)
        throw Refusal{fmt::format("batch_dims {}: want 0", options.batch_dims())};
    const int axis = axis_of(options.axis(), x.shape.size());
    if (!indices.constant) {
        r.add(op, graph::Gather{axis}, {from, r.input(op, 1)}, {r.output(op)});
        return;
    }
    // Known ones are slices, which hardware moves.
    std::vector<TensorId> parts;
    Shape shape = x.shape;
    const int size = std::exchange(shape[at(axis)], 1);
    for (const std::int64_t index : integers_of(indices)) {
        if (index < 0 || index >= size)
            throw Refusal{fmt::format("index {}: want 0 to {}", index, size - 1)};
        graph::Slice slice{Shape(shape.size(), 0), Shape(shape.size(), 1)};
        slice.begin[at(axis)] = static_cast<int>(index);
        parts.push_back(r.add_tensor(x, shape));
        r.add(op, slice, {from}, {parts.back()});
    }
    shape[at(axis)] = static_cast<int>(parts.size());
    const TensorId all = r.add_tensor(x, shape);
    r.add(op, graph::Concat{axis, {}}, parts, {all});
    r.add(op, graph::Reshape{}, {all}, {r.output(op)});
}

void TfliteImporters::reduce_max(TfliteReader& r, const Op& op) {
    const TensorId from = r.input(op, 0);
    const Tensor x = r.tensor(from);
    if (x.type == graph::Type::int32 || x.type == graph::Type::int64) return reduce(r, op);
    std::vector<bool> gone(x.shape.size());
    for (const std::int64_t axis : integers_of(r.tensor(r.input(op, 1))))
        gone[at(axis_of(axis, gone.size()))] = true;
    // A window over all of what goes, as height and width; what stays lies in the channels.
    Shape order, turned, picture = {1, 1, 1, 1};
    const bool is_picture = gone.size() == 4 && x.shape[0] == 1 && !gone[3] && gone[1] && gone[2];
    for (const bool first : {true, false})
        for (std::size_t i = 0; i < gone.size(); ++i) {
            if (gone[i] != first) continue;
            order.push_back(static_cast<int>(i));
            turned.push_back(x.shape[i]);
            picture[first ? 1 : 3] *= x.shape[i];
        }
    TensorId now = from;
    if (is_picture) {
        picture = x.shape;
    } else {
        if (!std::is_sorted(order.begin(), order.end())) {
            now = r.add_tensor(x, turned);
            r.add(op, graph::Transpose{order}, {from}, {now});
        }
        const TensorId made = r.add_tensor(x, picture);
        r.add(op, graph::Reshape{}, {now}, {made});
        now = made;
    }
    graph::Pool pool;
    pool.window.kernel_h = picture[1];
    pool.window.kernel_w = picture[2];
    const TensorId most = r.add_tensor(r.tensor(r.output(op)), {1, 1, 1, picture[3]});
    r.add(op, pool, {now}, {most});
    r.add(op, graph::Reshape{}, {most}, {r.output(op)});
}

void TfliteImporters::to_batches(TfliteReader& r, const Op& op) {
    const bool back = op.code == schema::BuiltinOperator::BATCH_TO_SPACE_ND;
    const TensorId from = r.input(op, 0), to = r.output(op);
    const Tensor x = r.tensor(from), y = r.tensor(to);
    const auto blocks = integers_of(r.tensor(r.input(op, 1)));
    const auto edges = integers_of(r.tensor(r.input(op, 2)));
    const std::size_t inner = blocks.size(), rank = x.shape.size();
    if (rank < inner + 1 || edges.size() != 2 * inner || rank + inner > graph::kMaxRank)
        throw Refusal{
            fmt::format("{} blocks, {} edges for shape {}: want one and two of each of "
                        "some axes behind the batch",
                        inner, edges.size(), graph::text_of(x.shape))};
    // The picture with its edges: batch, axes with blocks, the rest.
    Shape large = x.shape, sizes(inner);
    graph::Pad pad;
    graph::Slice crop{Shape(rank, 0), Shape(rank, 1)};
    pad.amounts.resize(rank);
    for (std::size_t i = 0; i < inner; ++i) {
        const int block = positive_number(blocks[i], "block");
        const std::int64_t before = edges[2 * i], behind = edges[2 * i + 1];
        if (before < 0 || behind < 0 || before > 1 << 16 || behind > 1 << 16)
            throw Refusal{fmt::format("edges {} and {}: want 0 to {}", before, behind, 1 << 16)};
        sizes[i] = block;
        pad.amounts[i + 1] = {static_cast<int>(before), static_cast<int>(behind)};
        crop.begin[i + 1] = static_cast<int>(before);
        if (back) {
            if (large[0] % block != 0)
                throw Refusal{
                    fmt::format("batch of {}: want a multiple of block {}", large[0], block)};
            large[0] /= block;
            large[i + 1] *= block;
        } else {
            large[i + 1] += static_cast<int>(before + behind);
            if (large[i + 1] % block != 0)
                throw Refusal{fmt::format("size {} with edges: want a multiple of block {}",
                                          large[i + 1], block)};
        }
    }
    // apart: batch, size / block, block, ..., rest; front: blocks, batch, size / block, ..., rest.
    Shape apart = {large[0]}, front = sizes, order, back_order(rank + inner);
    front.push_back(large[0]);
    for (std::size_t i = 0; i < inner; ++i) {
        apart.push_back(large[i + 1] / sizes[i]);
        apart.push_back(sizes[i]);
        front.push_back(large[i + 1] / sizes[i]);
        order.push_back(static_cast<int>(2 * i + 2));
    }
    order.push_back(0);
    for (std::size_t i = 0; i < inner; ++i)
        order.push_back(static_cast<int>(2 * i + 1));
    for (std::size_t i = inner + 1; i < rank; ++i) {
        order.push_back(static_cast<int>(i + inner));
        apart.push_back(large[i]);
        front.push_back(large[i]);
    }
    for (std::size_t i = 0; i < order.size(); ++i)
        back_order[at(order[i])] = static_cast<int>(i);
    const TensorId first = r.add_tensor(x, back ? front : apart),
                   second = r.add_tensor(y, back ? apart : front),
                   whole = r.add_tensor(back ? y : x, large);
    if (back) {
        r.add(op, graph::Reshape{}, {from}, {first});
        r.add(op, graph::Transpose{back_order}, {first}, {second});
        r.add(op, graph::Reshape{}, {second}, {whole});
        r.add(op, crop, {whole}, {to});
    } else {
        r.add(op, pad, {from}, {whole});
        r.add(op, graph::Reshape{}, {whole}, {first});
        r.add(op, graph::Transpose{order}, {first}, {second});
        r.add(op, graph::Reshape{}, {second}, {to});
    }
}

/// Windows move over one picture: each of a batch is one of its own.
bool TfliteReader::add_batch(const TfliteOperator& op, const graph::Operator& what,
                             const std::vector<TensorId>& inputs, TensorId output) {
    const bool window = std::holds_alternative<graph::Conv>(what) ||
                        std::holds_alternative<graph::TransposeConv>(what) ||
                        std::holds_alternative<graph::Pool>(what) ||
                        std::holds_alternative<graph::Resize>(what);
    const Tensor x = tensor(inputs[0]), y = tensor(output);
    if (!window || x.shape.size() != 4 || x.shape[0] == 1 || y.shape.size() != 4 ||
        y.shape[0] != x.shape[0] || x.shape[0] > kMostParts)
        return false;
    Shape from = x.shape, to = y.shape;
    from[0] = to[0] = 1;
    std::vector<TensorId> parts, made;
    for (int i = 0; i < x.shape[0]; ++i) {
        parts.push_back(add_tensor(x, from));
        made.push_back(add_tensor(y, to));
    }
    add(op, graph::Split{0}, {inputs[0]}, parts);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        std::vector<TensorId> own = inputs;
        own[0] = parts[i];
        add(op, what, own, {made[i]});
    }
    add(op, graph::Concat{0, {}}, made, {output});
    return true;
}

}  // namespace macrame::front
