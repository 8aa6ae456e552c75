/// What chooses elements, boxes that are found, networks of features and time.
#include <fmt/format.h>

#include <algorithm>

#include "compiler/graph/check_operators.hpp"

namespace macrame::graph::checks {
namespace {

Text numbers_problem(const Tensor& t) {
    if (is_whole(t)) return {};
    return fmt::format("{} has type {}: want int32 or int64", t.name, name_of(t.type));
}

/// Each with its type and shape.
struct Wanted {
    const Tensor& tensor;
    Type type;
    Shape shape;
};

Text wanted_problem(const std::vector<Wanted>& all) {
    for (const Wanted& one : all) {
        if (one.tensor.type != one.type)
            return fmt::format("{} has type {}: want {}", one.tensor.name, name_of(one.tensor.type),
                               name_of(one.type));
        if (Text t = shape_problem(one.tensor, one.shape); !t.empty()) return t;
    }
    return {};
}

Text outputs_problem(const View& v, std::size_t count) {
    if (v.node.outputs.size() == count) return {};
    return fmt::format("{} outputs: want {}", v.node.outputs.size(), count);
}

bool real_values(const Tensor& t) {
    return t.type == Type::float32 || (size_of(t.type) == 1 && t.quantisation.scale.size() == 1);
}

}  // namespace

Text problem(const View& v, const TopK&) {
    if (Text t = count_problem(v, 1, 1, false); !t.empty()) return t;
    if (Text t = outputs_problem(v, 2); !t.empty()) return t;
    if (Text t = same_problem(v.in(0), v.out(0)); !t.empty()) return t;
    if (Text t = numbers_problem(v.out(1)); !t.empty()) return t;
    Shape want = v.in(0).shape;
    if (want.empty()) return "a scalar: want at least one axis";
    const int count = v.out(0).shape.empty() ? 0 : v.out(0).shape.back();
    if (count < 1 || count > want.back())
        return fmt::format("the {} largest of {}: want at least 1, at most all", count,
                           want.back());
    want.back() = count;
    if (Text t = shape_problem(v.out(0), want); !t.empty()) return t;
    return shape_problem(v.out(1), want);
}

Text problem(const View& v, const GatherNd& op) {
    if (Text t = count_problem(v, 2, 2); !t.empty()) return t;
    if (Text t = numbers_problem(v.in(1)); !t.empty()) return t;
    const Shape &from = v.in(0).shape, &indices = v.in(1).shape;
    const int axes = indices.empty() ? 0 : indices.back();
    const auto batch = index(std::max(op.batch, 0));
    if (op.batch < 0 || axes < 1 || batch >= indices.size() || batch + index(axes) > from.size() ||
        !std::equal(from.begin(), from.begin() + op.batch, indices.begin()))
        return fmt::format("indices {} of {}, {} axes alike: want axes of it, the first the same",
                           text_of(indices), text_of(from), op.batch);
    Shape want(indices.begin(), indices.end() - 1);
    want.insert(want.end(), from.begin() + op.batch + axes, from.end());
    if (Text t = shape_problem(v.out(), want); !t.empty()) return t;
    return same_problem(v.in(0), v.out());
}

Text problem(const View& v, const GatherElements& op) {
    if (Text t = count_problem(v, 2, 2); !t.empty()) return t;
    if (Text t = numbers_problem(v.in(1)); !t.empty()) return t;
    const Shape &from = v.in(0).shape, &indices = v.in(1).shape;
    if (op.axis < 0 || index(op.axis) >= from.size())
        return fmt::format("axis {}: want one of {}", op.axis, from.size());
    bool fits = from.size() == indices.size();
    for (std::size_t i = 0; fits && i < from.size(); ++i)
        fits = i == index(op.axis) || indices[i] <= from[i];
    if (!fits)
        return fmt::format("indices {} of {}: want as many axes, none longer but axis {}",
                           text_of(indices), text_of(from), op.axis);
    if (Text t = shape_problem(v.out(), indices); !t.empty()) return t;
    return same_problem(v.in(0), v.out());
}

Text problem(const View& v, const PutRows& op) {
    if (Text t = count_problem(v, 3, 3); !t.empty()) return t;
    if (Text t = numbers_problem(v.in(2)); !t.empty()) return t;
    Shape want = v.in(0).shape;
    const Shape& rows = v.in(1).shape;
    if (op.axis < 0 || index(op.axis) >= want.size())
        return fmt::format("axis {}: want one of {}", op.axis, want.size());
    if (Text t = shape_problem(v.out(), want); !t.empty()) return t;
    if (rows.size() == want.size()) want[index(op.axis)] = rows[index(op.axis)];
    if (Text t = shape_problem(v.in(1), want); !t.empty()) return t;
    if (Text t = shape_problem(v.in(2), {want[index(op.axis)]}); !t.empty()) return t;
    if (Text t = same_problem(v.in(0), v.in(1)); !t.empty()) return t;
    return same_problem(v.in(0), v.out());
}

Text problem(const View& v, const ScatterNd&) {
    if (Text t = count_problem(v, 3, 3); !t.empty()) return t;
    for (std::size_t i = 0; i < 3; ++i)
        if (!v.has(i)) return fmt::format("input {} is left out: want it", i);
    if (Text t = numbers_problem(v.in(1)); !t.empty()) return t;
    const Shape &to = v.in(0).shape, &indices = v.in(1).shape;
    const int axes = indices.empty() ? 0 : indices.back();
    if (axes < 1 || index(axes) > to.size())
        return fmt::format("indices {} of {}: want 1 to {} in a row", text_of(indices), text_of(to),
                           to.size());
    Shape want(indices.begin(), indices.end() - 1);
    want.insert(want.end(), to.begin() + axes, to.end());
    if (Text t = shape_problem(v.in(2), want); !t.empty()) return t;
    if (Text t = shape_problem(v.out(), to); !t.empty()) return t;
    if (Text t = same_problem(v.in(2), v.out()); !t.empty()) return t;
    return same_problem(v.in(0), v.out());
}

Text problem(const View& v, const Svdf& op) {
    constexpr std::size_t kFeature = 1, kTime = 2, kBias = 3, kState = 4;
    if (v.node.inputs.size() != kState + 1 || v.node.outputs.size() != 2)
        return fmt::format("{} inputs and {} outputs: want {} and 2", v.node.inputs.size(),
                           v.node.outputs.size(), kState + 1);
    for (const std::size_t i : {std::size_t{0}, kFeature, kTime, kState})
        if (!v.has(i)) return fmt::format("input {} is left out: want it", i);
    const Shape &in = v.in(0).shape, &feature = v.in(kFeature).shape, &time = v.in(kTime).shape;
    if (in.size() != 2 || feature.size() != 2 || time.size() != 2 || op.rank < 1 ||
        feature[0] % op.rank != 0 || feature[1] != in[1] || time[0] != feature[0])
        return fmt::format(
            "input {}, weights {} and {}, rank {}: want N x C, F x C and F x T, F a multiple of it",
            text_of(in), text_of(feature), text_of(time), op.rank);
    const bool real = v.in(0).type == Type::float32;
    const Type narrow = real ? Type::float32 : Type::int8;
    const Type kept = v.in(kTime).type == Type::int16 ? Type::int16 : narrow;
    const int units = feature[0] / op.rank;
    const Shape out = {in[0], units}, state = {in[0], feature[0] * time[1]};
    std::vector<Wanted> all = {{v.in(0), narrow, in},     {v.in(kFeature), narrow, feature},
                               {v.in(kTime), kept, time}, {v.in(kState), kept, state},
                               {v.out(0), narrow, out},   {v.out(1), kept, state}};
    if (v.has(kBias)) all.push_back({v.in(kBias), real ? Type::float32 : Type::int32, {units}});
    if (Text t = wanted_problem(all); !t.empty()) return t;
    for (const Wanted& one : all) {
        const bool weights = &one.tensor == &v.in(kFeature) || &one.tensor == &v.in(kTime);
        if (real || one.type == Type::int32) continue;
        if (one.tensor.quantisation.scale.size() != 1)
            return fmt::format("{} has {} scales: want one", one.tensor.name,
                               one.tensor.quantisation.scale.size());
        if (weights && one.tensor.quantisation.zero_point[0] != 0)
            return fmt::format("{} has a zero point: want 0", one.tensor.name);
    }
    return same_problem(v.in(kState), v.out(1));
}

Text problem(const View& v, const Detections& op) {
    if (Text t = count_problem(v, 3, 3, false); !t.empty()) return t;
    if (Text t = outputs_problem(v, 4); !t.empty()) return t;
    for (const int number : {op.most, op.each, op.of_class, op.classes})
        if (number < 1 || number > 1 << 16)
            return fmt::format("{} boxes or classes: want 1 to {}", number, 1 << 16);
    if (std::int64_t{op.most} * op.each > 1 << 16)
        return fmt::format("{} boxes of {} classes: want at most {}", op.most, op.each, 1 << 16);
    const Shape &boxes = v.in(0).shape, &scores = v.in(1).shape, &anchors = v.in(2).shape;
    if (boxes.size() != 3 || boxes[0] != 1 || boxes[2] < 4 || scores.size() != 3 ||
        scores[0] != 1 || scores[1] != boxes[1] || anchors != Shape{boxes[1], 4})
        return fmt::format(
            "boxes {}, scores {}, anchors {}: want 1 x N x 4, 1 x N x classes, N x 4",
            text_of(boxes), text_of(scores), text_of(anchors));
    if (scores[2] != op.classes && scores[2] != op.classes + 1)
        return fmt::format("scores for {} classes: want {}, or one more", scores[2], op.classes);
    for (std::size_t i = 0; i < 3; ++i)
        if (!real_values(v.in(i)))
            return fmt::format("{} has type {}: want float32, or bytes of one scale", v.in(i).name,
                               name_of(v.in(i).type));
    if (!(op.overlap > 0 && op.overlap <= 1))
        return fmt::format("overlap {}: want more than 0, at most 1", op.overlap);
    const int count = op.most * op.each;
    const Type real = Type::float32;
    return wanted_problem({{v.out(0), real, {1, count, 4}},
                           {v.out(1), real, {1, count}},
                           {v.out(2), real, {1, count}},
                           {v.out(3), real, {1}}});
}

Text problem(const View& v, const Suppression& op) {
    if (Text t = count_problem(v, 2, 2, false); !t.empty()) return t;
    if (Text t = outputs_problem(v, 3); !t.empty()) return t;
    const Shape &boxes = v.in(0).shape, &found = v.out(0).shape;
    if (boxes.size() != 2 || found.size() != 1)
        return fmt::format("boxes {} to indices {}: want N x 4 and a row", text_of(boxes),
                           text_of(found));
    if (!(op.overlap >= 0 && op.overlap <= 1) || !(op.sigma >= 0))
        return fmt::format("overlap {} and sigma {}: want 0 to 1, at least 0", op.overlap,
                           op.sigma);
    return wanted_problem({{v.in(0), Type::float32, {boxes[0], 4}},
                           {v.in(1), Type::float32, {boxes[0]}},
                           {v.out(0), Type::int32, found},
                           {v.out(1), Type::float32, found},
                           {v.out(2), Type::int32, {}}});
}

}  // namespace macrame::graph::checks
