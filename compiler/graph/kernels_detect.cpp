/// Boxes that are found: of the best that overlap, one stays.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <iterator>
#include <numeric>
#include <queue>

#include "compiler/graph/at.hpp"
#include "compiler/graph/kernels.hpp"
#include "compiler/graph/reference.hpp"

namespace macrame::graph {
namespace {

/// Top, left, bottom, right.
using Box = std::array<float, 4>;

float area_of(const Box& box) { return (box[2] - box[0]) * (box[3] - box[1]); }

/// What two share over what they cover.
float overlap_of(const Box& a, const Box& b) {
    const float first = area_of(a), second = area_of(b);
    if (first <= 0 || second <= 0) return 0;
    const float high = std::max(std::min(a[2], b[2]) - std::max(a[0], b[0]), 0.0F);
    const float wide = std::max(std::min(a[3], b[3]) - std::max(a[1], b[1]), 0.0F);
    const float both = high * wide;
    return both / (first + second - both);
}

/// The first `count` of the largest, in order. Of equal ones the first, but where there are
/// several, as the library sorts them, which is that of the reference.
std::vector<int> largest(const float* values, std::size_t size, std::size_t count) {
    if (count == 1) return {static_cast<int>(std::max_element(values, values + size) - values)};
    std::vector<int> order(size);
    std::iota(order.begin(), order.end(), 0);
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count),
                      order.end(), [&](int a, int b) { return values[a] > values[b]; });
    order.resize(count);
    return order;
}

/// Boxes from where they are against their anchors.
std::vector<Box> decoded(const Call& call, const Detections& op) {
    const std::vector<float> codes = call.reals(0), anchors = call.reals(2);
    const std::size_t size = at(call.in(0).shape[2]);
    std::vector<Box> boxes(at(call.in(0).shape[1]));
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const auto code = [&](std::size_t k) {
            return static_cast<double>(codes[i * size + k]) / static_cast<double>(op.scale[k]);
        };
        const auto anchor = [&](std::size_t k) { return static_cast<double>(anchors[4 * i + k]); };
        for (std::size_t axis = 0; axis < 2; ++axis) {
            const auto centre = static_cast<float>(code(axis) * anchor(axis + 2) + anchor(axis));
            const auto half = static_cast<float>(0.5 * std::exp(code(axis + 2)) * anchor(axis + 2));
            boxes[i][axis] = centre - half;
            boxes[i][axis + 2] = centre + half;
        }
        if (boxes[i][0] > boxes[i][2] || boxes[i][1] > boxes[i][3])
            throw BadValue(fmt::format(
                "{}: box {} from {}, {} to {}, {}: want anchors of positive "
                "height and width",
                call.node.where, i, boxes[i][0], boxes[i][1], boxes[i][2], boxes[i][3]));
    }
    return boxes;
}

/// The best, up to `most`, that do not overlap better ones.
std::vector<int> apart(const Detections& op, const std::vector<Box>& boxes,
                       const std::vector<float>& scores, std::size_t most) {
    std::vector<int> order;
    for (std::size_t i = 0; i < scores.size(); ++i)
        if (scores[i] >= op.score) order.push_back(static_cast<int>(i));
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return scores[at(a)] > scores[at(b)]; });
    std::vector<int> taken;
    for (const int box : order) {
        if (taken.size() == most) break;
        const bool covered = std::any_of(taken.begin(), taken.end(), [&](int other) {
            return overlap_of(boxes[at(other)], boxes[at(box)]) > op.overlap;
        });
        if (!covered) taken.push_back(box);
    }
    return taken;
}

/// A box with its class.
struct Found {
    int box, kind;
    float score;
};

/// Each class by itself, then the best of all.
std::vector<Found> by_class(const Detections& op, const std::vector<Box>& boxes,
                            const std::vector<float>& scores, std::size_t row) {
    const std::size_t background = row - at(op.classes);
    std::vector<Found> found;
    for (int kind = 0; kind < op.classes; ++kind) {
        std::vector<float> own;
        for (std::size_t i = 0; i < boxes.size(); ++i)
            own.push_back(scores[i * row + background + at(kind)]);
        std::vector<Found> more, all;
        for (const int box : apart(op, boxes, own, at(op.of_class)))
            more.push_back({box, kind, own[at(box)]});
        // Of equal ones the last class comes first.
        std::merge(more.begin(), more.end(), found.begin(), found.end(), std::back_inserter(all),
                   [](const Found& a, const Found& b) { return a.score > b.score; });
        if (all.size() > at(op.most)) all.erase(all.begin() + op.most, all.end());
        found = std::move(all);
    }
    return found;
}

/// Real values in a tensor of float32.
Bytes bytes_of(const std::vector<float>& values) {
    const auto* const first = reinterpret_cast<const std::uint8_t*>(values.data());
    return {first, first + values.size() * sizeof(float)};
}

}  // namespace

std::vector<Bytes> execute(const Call& call, const Detections& op) {
    const std::vector<Box> boxes = decoded(call, op);
    const std::vector<float> scores = call.reals(1);
    const std::size_t row = at(call.in(1).shape[2]), background = row - at(op.classes);
    std::vector<float> places(call.out(0).elements()), kinds(call.out(1).elements()),
        values(kinds.size());
    const auto put = [&](std::size_t to, const Found& one) {
        std::copy(boxes[at(one.box)].begin(), boxes[at(one.box)].end(),
                  places.begin() + static_cast<std::ptrdiff_t>(4 * to));
        kinds[to] = static_cast<float>(one.kind);
        values[to] = one.score;
    };
    std::size_t count = 0;
    if (op.by_class) {
        for (const Found& one : by_class(op, boxes, scores, row))
            put(count++, one);
        return {bytes_of(places), bytes_of(kinds), bytes_of(values),
                bytes_of({static_cast<float>(count)})};
    }
    // The best classes of each box; its overlaps count by the first.
    const std::size_t each = at(std::min(op.each, op.classes));
    std::vector<float> best;
    std::vector<std::vector<int>> classes;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const float* const own = &scores[i * row + background];
        classes.push_back(largest(own, at(op.classes), each));
        best.push_back(own[classes.back()[0]]);
    }
    for (const int box : apart(op, boxes, best, at(op.most))) {
        for (std::size_t k = 0; k < each; ++k) {
            const int kind = classes[at(box)][k];
            put(count * at(op.each) + k,
                {box, kind, scores[at(box) * row + background + at(kind)]});
        }
        ++count;
    }
    return {bytes_of(places), bytes_of(kinds), bytes_of(values),
            bytes_of({static_cast<float>(count)})};
}

std::vector<Bytes> execute(const Call& call, const Suppression& op) {
    struct Candidate {
        int box;
        float score;
        std::size_t seen;  ///< so many of those taken were looked at
    };
    const std::vector<float> corners = call.reals(0), scores = call.reals(1);
    std::vector<Box> boxes(scores.size());
    const auto less = [](const Candidate& a, const Candidate& b) { return a.score < b.score; };
    std::priority_queue<Candidate, std::deque<Candidate>, decltype(less)> left(less);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const float* const c = &corners[4 * i];  // two opposite corners, in any order
        boxes[i] = {std::min(c[0], c[2]), std::min(c[1], c[3]), std::max(c[0], c[2]),
                    std::max(c[1], c[3])};
        if (scores[i] > op.score) left.push({static_cast<int>(i), scores[i], 0});
    }
    const std::size_t most = std::min(left.size(), call.out(0).elements());
    std::vector<std::int64_t> taken;
    std::vector<float> values;
    const float scale = op.sigma > 0 ? -0.5F / op.sigma : 0.0F;
    while (taken.size() < most && !left.empty()) {
        Candidate now = left.top();
        left.pop();
        const float before = now.score;
        bool covered = false;
        for (std::size_t i = taken.size(); i-- > now.seen;) {
            const float overlap =
                overlap_of(boxes[at(now.box)], boxes[static_cast<std::size_t>(taken[i])]);
            covered = overlap >= op.overlap;
            if (covered) break;
            if (op.sigma > 0) now.score *= std::exp(scale * overlap * overlap);
            if (now.score <= op.score) break;
        }
        if (covered) continue;
        now.seen = taken.size();
        if (now.score == before) {
            taken.push_back(now.box);
            values.push_back(now.score);
        }
        // Also one that is taken, which then covers itself: so the order of equal ones is the
        // reference's.
        if (now.score > op.score) left.push(now);
    }
    const std::vector<std::int64_t> count = {static_cast<std::int64_t>(taken.size())};
    taken.resize(call.out(0).elements());
    values.resize(taken.size());
    return {pack_whole(call.out(0), taken), bytes_of(values), pack_whole(call.out(2), count)};
}

}  // namespace macrame::graph
