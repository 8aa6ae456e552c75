/// Operators of ONNX that take values between the pixels of a picture: at computed places.
///
/// A place becomes, for height and width each, some pixels with a weight. Products of these weights
/// times the pixels, which are picked by their numbers, are the result.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "compiler/front/onnx_steps.hpp"
#include "compiler/graph/check.hpp"
#include "compiler/graph/graph.hpp"

namespace macrame::front {

using graph::Arithmetic;
using graph::Function;

namespace {

/// Numbers of pixels are whole in float32.
constexpr std::int64_t kMostPixels = 1 << 24;

}  // namespace

/// Numbers as float32.
graph::TensorId OnnxImporters::as_reals(OnnxReader& r, const OnnxOperator& op, graph::TensorId from,
                                        const std::vector<int>& shape) {
    const graph::TensorId to = r.add_tensor(op.node->output(0), graph::Type::float32, shape);
    r.add(op, graph::Requantise{}, {r.reshaped(op, from, shape)}, {to});
    return to;
}

/// Sums over taps of height and width; `rows`: all pixels [batch * height * width, channels];
/// `start`: the number of the first pixel of each place's picture, if there are several.
OnnxValue OnnxImporters::sum_of_taps(OnnxReader& r, const OnnxOperator& op, const OnnxValue& rows,
                                     int width, const std::array<std::vector<Tap>, 2>& taps,
                                     const std::optional<OnnxValue>& start, Arithmetic sums) {
    const Steps steps(r, op);
    std::optional<OnnxValue> sum;
    for (const Tap& y : taps[0]) {
        OnnxValue line = steps.times(y.place, static_cast<float>(width));
        if (start) line = steps.of(Arithmetic::add, line, *start);
        for (const Tap& x : taps[1]) {
            const OnnxValue place = steps.of(Arithmetic::add, line, x.place);
            const auto count = static_cast<int>(elements_of(place.shape));
            const graph::TensorId number =
                r.add_tensor(op.node->output(0), graph::Type::int32, {count});
            r.add(op, graph::Cast{}, {r.reshaped(op, place.id, {count})}, {number});
            OnnxValue pixels = like(r, op, rows, {count, rows.shape[1]});
            r.add(op, graph::Gather{0}, {rows.id, number}, {pixels.id});
            const OnnxValue weight =
                steps.shaped(steps.of(Arithmetic::mul, y.weight, x.weight), {count, 1});
            pixels = steps.of(Arithmetic::mul, pixels, weight);
            sum = sum ? steps.of(sums, *sum, pixels) : pixels;
        }
    }
    return *sum;
}

// ---------------------------------------------------------------- GridSample

/// Places of one axis, -1 to 1, as taps.
std::vector<OnnxImporters::Tap> OnnxImporters::grid_taps(OnnxReader& r, const OnnxOperator& op,
                                                         const OnnxValue& grid, int size,
                                                         const Sampling& how) {
    const Steps steps(r, op);
    const auto last = static_cast<float>(size - 1);
    const float low = how.corners ? 0 : -0.5F, range = how.corners ? last : last + 1;
    const OnnxValue zero = steps.number(0);
    const auto inside = [&](const OnnxValue& x) {
        return steps.of(Arithmetic::minimum, steps.of(Arithmetic::maximum, x, zero),
                        steps.number(last));
    };
    // As in a mirror at both ends.
    const auto mirrored = [&](const OnnxValue& x) {
        if (range == 0) return steps.times(x, 0);
        const OnnxValue from = steps.of(Function::abs, steps.plus(x, -low));
        const OnnxValue turns = steps.of(Function::floor, steps.times(from, 0.5F / range));
        const OnnxValue rest = steps.of(Arithmetic::sub, from, steps.times(turns, 2 * range));
        const OnnxValue back = steps.of(Function::abs, steps.plus(rest, -range));
        return steps.of(Arithmetic::sub, steps.number(low + range), back);
    };
    OnnxValue x = steps.plus(steps.times(steps.plus(grid, 1), range / 2), low);
    if (how.order == 0) x = steps.of(Function::round, x);
    if (how.padding == "border" && how.order < 3) x = inside(x);
    if (how.padding == "reflection") x = mirrored(x);
    // A tap outside counts by the padding.
    const auto tap = [&](const OnnxValue& place, const OnnxValue& weight) {
        const OnnxValue nearest = inside(how.padding == "reflection" ? mirrored(place) : place);
        if (how.padding != "zeros") return Tap{nearest, weight};
        const OnnxValue is_inside = steps.truth(graph::Relation::equal, nearest, place);
        return Tap{nearest, steps.chosen(is_inside, weight, zero)};
    };
    if (how.order == 0) return {tap(x, steps.plus(steps.times(x, 0), 1))};
    const OnnxValue first = steps.of(Function::floor, x);
    const OnnxValue t = steps.of(Arithmetic::sub, x, first);
    const OnnxValue rest = steps.of(Arithmetic::sub, steps.number(1), t);
    if (how.order == 1) return {tap(first, rest), tap(steps.plus(first, 1), t)};
    // Cubic, with -0.75 as its coefficient: polynomials of the distance, inner and outer.
    const auto polynomial = [&](const OnnxValue& d, std::array<float, 4> c) {
        OnnxValue y = steps.plus(steps.times(d, c[3]), c[2]);
        for (const std::size_t i : {std::size_t{1}, std::size_t{0}})
            y = steps.plus(steps.of(Arithmetic::mul, y, d), c[i]);
        return y;
    };
    constexpr std::array<float, 4> kInner = {1, 0, -2.25F, 1.25F}, kOuter = {3, -6, 3.75F, -0.75F};
    return {tap(steps.plus(first, -1), polynomial(steps.plus(t, 1), kOuter)),
            tap(first, polynomial(t, kInner)), tap(steps.plus(first, 1), polynomial(rest, kInner)),
            tap(steps.plus(first, 2), polynomial(steps.plus(rest, 1), kOuter))};
}

/// Where the pixels of a picture, or of a volume, come from: places times a matrix of each batch.
void OnnxImporters::affine_grid(OnnxReader& r, const OnnxOperator& op) {
    const Steps steps(r, op);
    const OnnxValue theta = steps.plain(r.in_float(op, r.value(op, 0)));
    const std::vector<std::int64_t> size = r.constants(op, 1);
    const std::size_t axes = size.size() < 2 ? 0 : size.size() - 2;
    if ((axes != 2 && axes != 3) || theta.shape.size() != 3 ||
        theta.shape[1] != static_cast<int>(axes) || theta.shape[2] != static_cast<int>(axes) + 1 ||
        size[0] != theta.shape[0])
        throw Refusal{fmt::format(
            "matrices of shape {}, size {}: want batch x 2 x 3 and batch x channels x height x "
            "width, or one more of each",
            graph::text_of(theta.shape), fmt::join(size, "x"))};
    const bool corners = op.integer("align_corners", 0) != 0;
    std::vector<int> shape = {theta.shape[0]};
    for (std::size_t i = 0; i < axes; ++i)
        shape.push_back(size_of(size[i + 2], "a size"));
    const std::int64_t count = elements_of(shape) / shape[0];
    if (count > kMostPixels)
        throw Refusal{fmt::format("{} places: want at most {}", count, kMostPixels)};
    std::vector<float> places;
    r.budget_.charge(static_cast<std::size_t>(count) * (axes + 1) * sizeof(float));
    for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t rest = i;
        for (std::size_t axis = axes; axis-- > 0;) {  // the last axis is x
            const int all = shape[axis + 1];
            const auto here = static_cast<double>(rest % all);
            rest /= all;
            const double place =
                corners ? (all > 1 ? 2 * here / (all - 1) - 1 : -1) : (2 * here + 1) / all - 1;
            places.push_back(static_cast<float>(place));
        }
        places.push_back(1);
    }
    const auto columns = static_cast<int>(axes) + 1;
    const OnnxValue base = real_constant(r, op, {1, static_cast<int>(count), columns}, places);
    const OnnxValue y = steps.product(base, steps.permuted(theta, {0, 2, 1}));
    shape.push_back(static_cast<int>(axes));
    r.give(op, 0, steps.shaped(y, shape));
}

void OnnxImporters::grid_sample(OnnxReader& r, const OnnxOperator& op) {
    const Steps steps(r, op);
    const OnnxValue x = r.in_float(op, r.value(op, 0)),
                    grid = steps.plain(r.in_float(op, r.value(op, 1)));
    if (x.shape.size() != 4 || grid.shape.size() != 4 || grid.shape[3] != 2 ||
        grid.shape[0] != x.shape[0])
        throw Refusal{
            fmt::format("input {}, grid {}: want batch x channels x height x width, and "
                        "batch x height x width x 2",
                        graph::text_of(x.shape), graph::text_of(grid.shape))};
    const int batch = x.shape[0], height = x.shape[2], width = x.shape[3];
    if (elements_of({batch, height, width}) > kMostPixels)
        throw Refusal{fmt::format("{} pixels: want at most {}", elements_of({batch, height, width}),
                                  kMostPixels)};
    const std::string mode = op.text("mode", op.version < 20 ? "bilinear" : "linear");
    Sampling how;
    how.corners = op.integer("align_corners", 0) != 0;
    how.padding = op.text("padding_mode", "zeros");
    how.order = mode == "nearest" ? 0 : mode == "bilinear" || mode == "linear" ? 1 : 3;
    if (how.order == 3 && mode != "bicubic" && mode != "cubic")
        throw Refusal{fmt::format("mode {}: want nearest, linear or cubic", mode)};
    if (how.padding != "zeros" && how.padding != "border" && how.padding != "reflection")
        throw Refusal{
            fmt::format("padding_mode {}: want zeros, border or reflection", how.padding)};
    const int count = grid.shape[1] * grid.shape[2];
    const auto coordinate = [&](int i) {
        return steps.shaped(steps.sliced(grid, 3, i, 1), {batch, count});
    };
    OnnxValue rows = x;
    rows.shape = {batch * height * width, x.shape[1]};
    rows.form = Form::plain;
    rows.id = r.reshaped(op, r.image(op, x), rows.shape);
    std::optional<OnnxValue> start;
    if (batch > 1) {
        std::vector<std::int64_t> first;
        for (int i = 0; i < batch; ++i)
            first.push_back(std::int64_t{i} * height * width);
        start = r.integers_value(op.node->output(0), first, {batch, 1});
        start->id = as_reals(r, op, start->id, {batch, 1});
        start->real = true;
    }
    OnnxValue y = sum_of_taps(
        r, op, rows, width,
        {grid_taps(r, op, coordinate(1), height, how), grid_taps(r, op, coordinate(0), width, how)},
        start);
    y.shape = {batch, x.shape[1], grid.shape[1], grid.shape[2]};
    y.form = Form::image;
    y.id = r.reshaped(op, y.id, image_shape(y.shape));
    r.give(op, 0, y);
}

// ---------------------------------------------------------------- RoiAlign

/// Places of one axis in pixels; as much as one outside counts as the edge.
std::vector<OnnxImporters::Tap> OnnxImporters::region_taps(OnnxReader& r, const OnnxOperator& op,
                                                           const OnnxValue& x, int size) {
    const Steps steps(r, op);
    const auto last = static_cast<float>(size - 1);
    const OnnxValue zero = steps.number(0), end = steps.number(last);
    const OnnxValue place =
        steps.of(Arithmetic::minimum, steps.of(Arithmetic::maximum, x, zero), end);
    const OnnxValue first = steps.of(Function::floor, place);
    const OnnxValue t = steps.of(Arithmetic::sub, place, first);
    const auto seen = [&](const OnnxValue& weight) {
        const OnnxValue reached =
            steps.of(Arithmetic::minimum, steps.of(Arithmetic::maximum, x, steps.number(-1)),
                     steps.number(static_cast<float>(size)));
        return steps.chosen(steps.truth(graph::Relation::equal, reached, x), weight, zero);
    };
    return {{first, seen(steps.of(Arithmetic::sub, steps.number(1), t))},
            {steps.of(Arithmetic::minimum, steps.plus(first, 1), end), seen(t)}};
}

/// `count` places along an axis of each region: number x count x 1, or number x 1 x count.
OnnxValue OnnxImporters::region_places(OnnxReader& r, const OnnxOperator& op,
                                       const OnnxValue& regions, int axis, int count) {
    const Steps steps(r, op);
    const std::string kind = op.text("coordinate_transformation_mode",
                                     op.version < 16 ? "output_half_pixel" : "half_pixel");
    const bool half = kind == "half_pixel";
    const float scale = op.real("spatial_scale", 1);
    const auto edge = [&](int i) {
        return steps.plus(steps.times(steps.sliced(regions, 1, i, 1), scale), half ? -0.5F : 0.0F);
    };
    const OnnxValue begin = edge(1 - axis);
    OnnxValue length = steps.of(Arithmetic::sub, edge(3 - axis), begin);
    if (!half) length = steps.of(Arithmetic::maximum, length, steps.number(1));
    // Where places are, in lengths of the region.
    std::vector<std::int64_t> numbers;
    r.budget_.charge(at(count) * sizeof(std::int64_t));
    for (int i = 0; i < count; ++i)
        numbers.push_back(i);
    OnnxValue number = r.integers_value(op.node->output(0), numbers, {1, count});
    number.id = as_reals(r, op, number.id, {1, count});
    number.real = true;
    const OnnxValue share = steps.times(steps.plus(number, 0.5F), 1 / static_cast<float>(count));
    const OnnxValue place =
        steps.of(Arithmetic::add, begin, steps.of(Arithmetic::mul, length, share));
    const int number_of = regions.shape[0];
    return steps.shaped(place, axis == 0 ? std::vector<int>{number_of, count, 1}
                                         : std::vector<int>{number_of, 1, count});
}

/// The mean of a grid of places in each part, or the largest share of a pixel in them, of regions
/// of interest.
void OnnxImporters::roi_align(OnnxReader& r, const OnnxOperator& op) {
    const Steps steps(r, op);
    const OnnxValue x = r.in_float(op, r.value(op, 0)),
                    regions = steps.plain(r.in_float(op, r.value(op, 1)));
    const std::int64_t ratio = op.integer("sampling_ratio", 0);
    const std::string mode = op.text("mode", "avg");
    if (mode != "avg" && mode != "max")
        throw Refusal{fmt::format("mode {}: want avg or max", mode)};
    if (ratio < 1 || ratio > 64)
        throw Refusal{
            fmt::format("sampling_ratio {}: want 1 to 64, as many places whatever the "
                        "region is (2 in most networks)",
                        ratio)};
    if (x.shape.size() != 4 || regions.shape.size() != 2 || regions.shape[1] != 4)
        throw Refusal{fmt::format("input {}, regions {}: want four axes, and number x 4",
                                  graph::text_of(x.shape), graph::text_of(regions.shape))};
    const int batch = x.shape[0], height = x.shape[2], width = x.shape[3];
    if (elements_of({batch, height, width}) > kMostPixels)
        throw Refusal{fmt::format("{} pixels: want at most {}", elements_of({batch, height, width}),
                                  kMostPixels)};
    const int count = regions.shape[0], each = static_cast<int>(ratio);
    const std::array<int, 2> parts = {size_of(op.integer("output_height", 1), "output_height"),
                                      size_of(op.integer("output_width", 1), "output_width")};
    const std::array<std::vector<Tap>, 2> taps = {
        region_taps(r, op, region_places(r, op, regions, 0, parts[0] * each), height),
        region_taps(r, op, region_places(r, op, regions, 1, parts[1] * each), width)};
    OnnxValue which = r.value(op, 2);
    if (elements_of(which.shape) != count)
        throw Refusal{
            fmt::format("batch_indices of shape {}: want {}", graph::text_of(which.shape), count)};
    which.id = as_reals(r, op, r.plain(op, which), {count, 1, 1});
    which.shape = {count, 1, 1};
    which.real = true;
    OnnxValue rows = x;
    rows.shape = {batch * height * width, x.shape[1]};
    rows.form = Form::plain;
    rows.id = r.reshaped(op, r.image(op, x), rows.shape);
    const OnnxValue all = steps.shaped(
        sum_of_taps(r, op, rows, width, taps,
                    steps.times(which, static_cast<float>(height) * static_cast<float>(width)),
                    mode == "max" ? Arithmetic::maximum : Arithmetic::add),
        {count, parts[0], each, parts[1], each, x.shape[1]});
    OnnxValue y;
    y.real = true;
    y.form = Form::image;
    y.shape = {count, x.shape[1], parts[0], parts[1]};
    y.id = r.add_tensor(op.node->output(0), graph::Type::float32, image_shape(y.shape));
    if (mode == "max")
        r.add(op, graph::Reduce{graph::Reduction::maximum, {2, 4}, false}, {all.id}, {y.id});
    else
        r.add(op, graph::Mean{{2, 4}, false}, {all.id}, {y.id});
    r.give(op, 0, y);
}

}  // namespace macrame::front
