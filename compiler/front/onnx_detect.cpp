/// NonMaxSuppression of ONNX.
///
/// The number of rows that it gives is that of the boxes found. Here it is that of the most that
/// can be found: rows behind those found are -1, and how many there are becomes an output of the
/// network behind those of the file. What would look at all rows at once is refused.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "compiler/front/onnx_steps.hpp"
#include "compiler/graph/check.hpp"
#include "compiler/graph/graph.hpp"

namespace macrame::front {

using graph::Arithmetic;
using graph::TensorId;
using graph::Type;

namespace {

/// Boxes in all rows; pictures times classes, each of which is some operators.
constexpr std::int64_t kMostRows = 1 << 16, kMostGroups = 1024;

/// Operators that make of each row one of their own, or pick by it.
constexpr const char* kByRows[] = {"Add",
                                   "Cast",
                                   "Concat",
                                   "DequantizeLinear",
                                   "Div",
                                   "Expand",
                                   "Flatten",
                                   "Gather",
                                   "GatherND",
                                   "Identity",
                                   "Mul",
                                   "Split",
                                   "Reshape",
                                   "Slice",
                                   "Squeeze",
                                   "Sub",
                                   "QuantizeLinear",
                                   "Transpose",
                                   "Unsqueeze"};

}  // namespace

void OnnxImporters::want_readers_by_rows(const OnnxReader& r, const OnnxOperator& op) {
    std::set<std::string> seen = {op.node->output(0)};
    std::vector<std::string> open(seen.begin(), seen.end());
    while (!open.empty()) {
        const auto readers = r.readers_.find(open.back());
        open.pop_back();
        if (readers == r.readers_.end()) continue;
        for (const int reader : readers->second) {
            const onnx_schema::Node& node = r.model_.graph().node(reader);
            const auto* const known =
                std::find(std::begin(kByRows), std::end(kByRows), node.op_type());
            if (known == std::end(kByRows))
                throw Refusal{fmt::format(
                    "the number of boxes is computed, and {} ({}) would look at rows behind those "
                    "that are found: want the network to end in front of it, and your program to "
                    "do it",
                    readable(node.op_type()),
                    readable(node.output_size() > 0 ? node.output(0) : node.name()))};
            for (const std::string& name : node.output())
                if (seen.insert(name).second) open.push_back(name);
        }
    }
}

/// Two opposite corners of each box.
OnnxValue OnnxImporters::corners_of(OnnxReader& r, const OnnxOperator& op, const OnnxValue& boxes) {
    const Steps steps(r, op);
    if (op.integer("center_point_box", 0) == 0) return boxes;
    const OnnxValue centre = steps.sliced(boxes, 2, 0, 2),
                    half = steps.times(steps.sliced(boxes, 2, 2, 2), 0.5F);
    return steps.joined(
        {steps.of(Arithmetic::sub, centre, half), steps.of(Arithmetic::add, centre, half)}, 2);
}

/// Boxes of one class of one picture: their numbers, and whether there are as many.
std::array<TensorId, 2> OnnxImporters::kept_boxes(OnnxReader& r, const OnnxOperator& op,
                                                  const OnnxValue& boxes, const OnnxValue& scores,
                                                  const graph::Suppression& how,
                                                  std::optional<float> least, int most) {
    const Steps steps(r, op);
    const int count = scores.shape[0];
    // By their place in the order instead of their score: of equal ones the first comes first.
    OnnxValue best = scores, order;
    best.id = new_real(r, op, {count});
    order.id = new_tensor(r, op, Type::int64, {count});
    r.add(op, graph::TopK{}, {scores.id}, {best.id, order.id});
    const TensorId sorted = new_real(r, op, {count, 4});
    r.add(op, graph::Gather{0}, {boxes.id, order.id}, {sorted});
    std::vector<std::int64_t> places;
    for (int i = 0; i < count; ++i)
        places.push_back(count - i);
    r.budget_.charge(places.size() * sizeof(places[0]));
    OnnxValue rank = r.integers_value(op.node->output(0), places, {count});
    rank.id = as_reals(r, op, rank.id, {count});
    rank.real = true;
    if (least) {
        OnnxValue above = best;
        above.id = new_tensor(r, op, Type::int8, {count});
        r.graph_.tensor(above.id).quantisation = {{1.0F}, {0}, 0};
        r.add(op, graph::Compare{graph::Relation::less}, {steps.number(*least).id, best.id},
              {above.id});
        rank = steps.chosen(above, rank, steps.number(0));
    }
    const TensorId found = new_tensor(r, op, Type::int32, {most}), values = new_real(r, op, {most}),
                   number = new_tensor(r, op, Type::int32, {}),
                   wide = new_tensor(r, op, Type::int64, {}),
                   which = new_tensor(r, op, Type::int64, {most}),
                   is_there = new_tensor(r, op, Type::int8, {most});
    r.add(op, how, {sorted, rank.id}, {found, values, number});
    r.add(op, graph::Gather{0}, {order.id, found}, {which});
    r.add(op, graph::Cast{}, {number}, {wide});
    places.clear();
    for (int i = 0; i < most; ++i)
        places.push_back(i);
    r.graph_.tensor(is_there).quantisation = {{1.0F}, {0}, 0};
    r.add(op, graph::Compare{graph::Relation::less},
          {r.integers_value(op.node->output(0), places, {most}).id, wide}, {is_there});
    return {which, is_there};
}

/// Rows of numbers, those that are there in front; -1 behind them.
void OnnxImporters::give_found(OnnxReader& r, const OnnxOperator& op,
                               std::array<TensorId, 3> columns, TensorId is_there) {
    const std::vector<int> shape = r.tensor(is_there).shape;
    const int rows = shape[0];
    const TensorId keys = new_real(r, op, shape), sorted = new_real(r, op, shape),
                   order = new_tensor(r, op, Type::int64, shape);
    r.add(op, graph::Requantise{}, {is_there}, {keys});
    r.add(op, graph::TopK{}, {keys}, {sorted, order});
    const auto picked = [&](TensorId from) {
        const TensorId to = new_tensor(r, op, r.tensor(from).type, shape);
        r.graph_.tensor(to).quantisation = r.tensor(from).quantisation;
        r.add(op, graph::Gather{0}, {from, order}, {to});
        return r.reshaped(op, to, {rows, 1});
    };
    std::vector<TensorId> parts;
    for (const TensorId column : columns)
        parts.push_back(picked(column));
    const TensorId all = new_tensor(r, op, Type::int64, {rows, 3});
    r.add(op, graph::Concat{1, {}}, parts, {all});
    OnnxValue y;
    y.shape = {rows, 3};
    y.id = new_tensor(r, op, Type::int64, y.shape);
    r.add(op, graph::Select{},
          {picked(is_there), all, r.integers_value(op.node->output(0), {-1}, {}).id}, {y.id});
    r.give(op, 0, y);
    const TensorId sum = new_real(r, op, {1}),
                   count = r.add_tensor(op.node->output(0) + ": rows found", Type::int64, {1});
    r.add(op, graph::Reduce{graph::Reduction::sum, {0}, true}, {keys}, {sum});
    r.add(op, graph::Cast{}, {sum}, {count});
    r.counts_.push_back(count);
}

void OnnxImporters::suppression(OnnxReader& r, const OnnxOperator& op) {
    const Steps steps(r, op);
    const OnnxValue boxes = steps.plain(r.in_float(op, r.value(op, 0))),
                    scores = steps.plain(r.in_float(op, r.value(op, 1)));
    if (boxes.shape.size() != 3 || scores.shape.size() != 3 || boxes.shape[2] != 4 ||
        scores.shape[0] != boxes.shape[0] || scores.shape[2] != boxes.shape[1])
        throw Refusal{
            fmt::format("boxes {}, scores {}: want batch x number x 4, batch x classes x "
                        "number",
                        graph::text_of(boxes.shape), graph::text_of(scores.shape))};
    const int batch = boxes.shape[0], count = boxes.shape[1], classes = scores.shape[1];
    const std::int64_t wanted = r.has(op, 2) ? r.constants(op, 2).at(0) : 0;
    const int most = static_cast<int>(std::min<std::int64_t>(wanted, count));
    const std::int64_t groups = std::int64_t{batch} * classes, rows = groups * most;
    if (most < 1 || rows > kMostRows || groups > kMostGroups)
        throw Refusal{
            fmt::format("{} boxes of each of {} classes: want at least 1, at most {} in "
                        "all, and {} classes",
                        wanted, groups, kMostRows, kMostGroups)};
    graph::Suppression how;
    how.overlap = r.has(op, 3) ? r.reals(op, 3).at(0) : 0;
    if (!(how.overlap >= 0 && how.overlap < 1))
        throw Refusal{fmt::format("iou_threshold {}: want 0 to less than 1", how.overlap)};
    // Those that overlap as much stay, other than in the graph.
    how.overlap = std::nextafter(how.overlap, 2.0F);
    std::optional<float> least;
    if (r.has(op, 4)) least = r.reals(op, 4).at(0);
    want_readers_by_rows(r, op);
    const OnnxValue corners = corners_of(r, op, boxes);
    std::vector<TensorId> which, there;
    std::vector<std::int64_t> pictures, kinds;
    r.budget_.charge(static_cast<std::size_t>(rows) * 2 * sizeof(std::int64_t));
    for (int b = 0; b < batch; ++b) {
        const OnnxValue own = steps.shaped(steps.sliced(corners, 0, b, 1), {count, 4}),
                        all = steps.sliced(scores, 0, b, 1);
        for (int kind = 0; kind < classes; ++kind) {
            const auto [box, is_there] = kept_boxes(
                r, op, own, steps.shaped(steps.sliced(all, 1, kind, 1), {count}), how, least, most);
            which.push_back(box);
            there.push_back(is_there);
            pictures.insert(pictures.end(), at(most), b);
            kinds.insert(kinds.end(), at(most), kind);
        }
    }
    const std::vector<int> shape = {static_cast<int>(rows)};
    const auto together = [&](const std::vector<TensorId>& parts) {
        const TensorId to = new_tensor(r, op, r.tensor(parts[0]).type, shape);
        r.graph_.tensor(to).quantisation = r.tensor(parts[0]).quantisation;
        r.add(op, graph::Concat{0, {}}, parts, {to});
        return to;
    };
    give_found(r, op,
               {r.integers_value(op.node->output(0), pictures, shape).id,
                r.integers_value(op.node->output(0), kinds, shape).id, together(which)},
               together(there));
}

}  // namespace macrame::front
