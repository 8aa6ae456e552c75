/// Operators of ONNX over windows that are no window of the graph: what each window sees becomes a
/// column, by constant or computed places.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>

#include "compiler/front/onnx_steps.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::Arithmetic;
using graph::Function;
using graph::TensorId;
using Shape = std::vector<int>;
using Numbers = std::vector<std::int64_t>;

namespace {

/// Numbers of pixels are whole in float32.
constexpr std::int64_t kMostSampled = 1 << 24;

int padded_height(const graph::Window& w, int height) { return height + w.top + w.bottom; }
int padded_width(const graph::Window& w, int width) { return width + w.left + w.right; }

/// Of each tap, then each place: its pixel in the padded picture.
Numbers pixels_of(const Placed& placed, int padded) {
    const graph::Window& w = placed.window;
    Numbers out;
    for (int tap = 0; tap < w.kernel_h * w.kernel_w; ++tap)
        for (int place = 0; place < placed.height * placed.width; ++place) {
            const std::int64_t y = std::int64_t{place / placed.width} * w.stride_h +
                                   std::int64_t{tap / w.kernel_w} * w.dilation_h,
                               x = std::int64_t{place % placed.width} * w.stride_w +
                                   std::int64_t{tap % w.kernel_w} * w.dilation_w;
            out.push_back(y * padded + x);
        }
    return out;
}

/// Taps of a window and its places; few enough for a table of both.
std::array<int, 2> taps_and_places(const Placed& placed) {
    constexpr std::int64_t kMostTaps = 1 << 24;
    const std::int64_t taps = std::int64_t{placed.window.kernel_h} * placed.window.kernel_w,
                       places = std::int64_t{placed.height} * placed.width;
    if (taps > kMostTaps || places > kMostTaps || taps * places > kMostTaps)
        throw Refusal{fmt::format("{} taps at {} places: want at most {} of both together", taps,
                                  places, kMostTaps)};
    return {static_cast<int>(taps), static_cast<int>(places)};
}

}  // namespace

/// Pictures of float32 as batch x channels x taps x places; `outside` lies around them.
OnnxValue OnnxImporters::patches(OnnxReader& r, const OnnxOperator& op, const OnnxValue& x,
                                 const Placed& placed, float outside) {
    const Steps steps(r, op);
    const graph::Window& w = placed.window;
    const auto [taps, count] = taps_and_places(placed);
    const int height = padded_height(w, x.shape[2]), width = padded_width(w, x.shape[3]);
    const Shape whole = {x.shape[0], x.shape[1], height, width};
    if (elements_of(whole) >= 1 << 28 ||
        elements_of({x.shape[0], x.shape[1]}) * taps * count >= 1 << 28)
        throw Refusal{fmt::format("{} taps at {} places of {}: want less", taps, count,
                                  graph::text_of(whole))};
    OnnxValue y = steps.plain(x);
    if (height != x.shape[2] || width != x.shape[3]) {
        graph::Pad pad;
        pad.amounts.resize(4);
        pad.amounts[2] = {w.top, w.bottom};
        pad.amounts[3] = {w.left, w.right};
        pad.value = outside;
        y.id = r.add_move(op, pad, y.id, whole);
        y.shape = whole;
    }
    y = steps.shaped(y, {x.shape[0], x.shape[1], height * width});
    y = repeated(r, op, y, {{}, {}, pixels_of(placed, width)});
    return steps.shaped(y, {x.shape[0], x.shape[1], taps, count});
}

/// What windows see times weights [K, C / groups, h, w], and a bias of any kind.
OnnxValue OnnxImporters::weighted_patches(OnnxReader& r, const OnnxOperator& op,
                                          const OnnxValue& seen, const OnnxValue& weights,
                                          const std::optional<OnnxValue>& bias,
                                          const Placed& placed) {
    const Steps steps(r, op);
    const int groups = size_of(op.integer("group", 1), "group"), batch = seen.shape[0],
              channels = seen.shape[1], kernels = weights.shape[0];
    if (channels % groups != 0 || kernels % groups != 0 || weights.shape[1] != channels / groups)
        throw Refusal{fmt::format("weights of shape {} for {} channels in {} groups: want as many",
                                  graph::text_of(weights.shape), channels, groups)};
    const int depth = channels / groups * seen.shape[2];
    const OnnxValue y = steps.product(steps.shaped(weights, {1, groups, kernels / groups, depth}),
                                      steps.shaped(seen, {batch, groups, depth, seen.shape[3]}));
    const OnnxValue sums = steps.shaped(y, {batch, kernels, placed.height, placed.width});
    if (!bias) return sums;
    if (elements_of(bias->shape) != kernels)
        throw Refusal{
            fmt::format("bias of shape {}: want {}", graph::text_of(bias->shape), kernels)};
    return steps.of(Arithmetic::add, sums, steps.shaped(r.in_float(op, *bias), {kernels, 1, 1}));
}

/// A convolution whose weights or bias a run computes.
void OnnxImporters::conv_by_values(OnnxReader& r, const OnnxOperator& op) {
    const Steps steps(r, op);
    OnnxValue x = r.in_float(op, r.value(op, 0)),
              weights = steps.plain(r.in_float(op, r.value(op, 1)));
    const bool line = x.shape.size() == 3 && weights.shape.size() == 3;
    if (line) {
        x = in_shape(r, op, x, {x.shape[0], x.shape[1], 1, x.shape[2]});
        weights = steps.shaped(weights, {weights.shape[0], weights.shape[1], 1, weights.shape[2]});
    }
    if (x.shape.size() != 4 || weights.shape.size() != 4)
        throw Refusal{fmt::format(
            "input of shape {}, computed weights of shape {}: want one or two axes of a picture, "
            "or constant weights",
            graph::text_of(x.shape), graph::text_of(weights.shape))};
    const Placed placed = window_of(op, x.shape[2], x.shape[3], weights.shape[2], weights.shape[3]);
    std::optional<OnnxValue> bias;
    if (r.has(op, 2)) bias = r.value(op, 2);
    const OnnxValue y =
        weighted_patches(r, op, patches(r, op, x, placed, 0), weights, bias, placed);
    r.give(op, 0, line ? in_shape(r, op, y, {y.shape[0], y.shape[1], y.shape[3]}) : y);
}

/// The root of sums of powers, of windows or of all.
void OnnxImporters::lp_pool(OnnxReader& r, const OnnxOperator& op) {
    const Steps steps(r, op);
    OnnxValue x = r.in_float(op, r.value(op, 0));
    const bool global = op.type() == "GlobalLpPool", line = x.shape.size() == 3;
    if (line) x = in_shape(r, op, x, {x.shape[0], x.shape[1], 1, x.shape[2]});
    if (x.shape.size() != 4)
        throw Refusal{
            fmt::format("input of shape {}: want three or four axes", graph::text_of(x.shape))};
    const float p = op.version < 2 ? op.real("p", 2) : static_cast<float>(op.integer("p", 2));
    if (!(p > 0)) throw Refusal{fmt::format("p = {}: want more than 0", p)};
    Placed placed;
    placed.height = placed.width = 1;
    if (global) {
        placed.window.kernel_h = x.shape[2];
        placed.window.kernel_w = x.shape[3];
    } else {
        if (op.find("kernel_shape") == nullptr) throw Refusal{"no kernel_shape: want one"};
        const auto kernel = pair_of(op, "kernel_shape", 0, 1);
        placed = window_of(op, x.shape[2], x.shape[3], kernel[0], kernel[1]);
    }
    OnnxValue power = steps.of(Function::abs, x);
    if (p != 1) power = steps.of(Arithmetic::pow, power, steps.number(p));
    const OnnxValue seen = patches(r, op, power, placed, 0);
    OnnxValue sum = like(r, op, seen, {x.shape[0], x.shape[1], seen.shape[3]});
    r.add(op, graph::Reduce{graph::Reduction::sum, {2}, false}, {seen.id}, {sum.id});
    if (p != 1) sum = steps.of(Arithmetic::pow, sum, steps.number(1 / p));
    r.give(op, 0,
           steps.shaped(sum, line ? Shape{x.shape[0], x.shape[1], placed.width}
                                  : Shape{x.shape[0], x.shape[1], placed.height, placed.width}));
}

/// Where the largest of each window lies in the whole input.
void OnnxImporters::give_places(OnnxReader& r, const OnnxOperator& op, const OnnxValue& x,
                                const Placed& placed, Shape shape) {
    const Steps steps(r, op);
    if (op.integer("storage_order", 0) != 0)
        throw Refusal{"storage_order 1, indices by columns: want 0"};
    const OnnxValue seen =
        patches(r, op, r.in_float(op, x), placed, std::numeric_limits<float>::lowest());
    const int batch = x.shape[0], channels = x.shape[1], count = seen.shape[3];
    const graph::Window& w = placed.window;
    // The pixel of each tap at each place, of the picture without padding.
    Numbers pixels = pixels_of(placed, padded_width(w, x.shape[3]));
    for (std::int64_t& pixel : pixels) {
        const std::int64_t row = pixel / padded_width(w, x.shape[3]) - w.top,
                           column = pixel % padded_width(w, x.shape[3]) - w.left;
        pixel = row * x.shape[3] + column;
    }
    Numbers places(at(count)), starts(at(batch * channels));
    std::iota(places.begin(), places.end(), std::int64_t{0});
    for (std::size_t i = 0; i < starts.size(); ++i)
        starts[i] = static_cast<std::int64_t>(i) * x.shape[2] * x.shape[3];
    OnnxValue tap;
    tap.shape = {batch, channels, count};
    tap.id = r.add_tensor(op.node->output(1), graph::Type::int64, tap.shape);
    r.add(op, graph::Argmax{2, false}, {seen.id}, {tap.id});
    const OnnxValue which =
        of_numbers(r, op, Arithmetic::add,
                   of_numbers(r, op, Arithmetic::mul, tap, r.integers_value("count", {count}, {})),
                   r.integers_value("place", places, {count}));
    const OnnxValue table = r.integers_value("pixel", pixels, {static_cast<int>(pixels.size())});
    OnnxValue pixel = which;
    pixel.id = r.add_tensor(op.node->output(1), graph::Type::int64, which.shape);
    r.add(op, graph::Gather{0}, {table.id, which.id}, {pixel.id});
    const OnnxValue y = of_numbers(r, op, Arithmetic::add, pixel,
                                   r.integers_value("start", starts, {batch, channels, 1}));
    r.give(op, 1, in_shape(r, op, y, std::move(shape)));
}

/// Elements at the places that MaxPool has told; 0 elsewhere.
void OnnxImporters::max_unpool(OnnxReader& r, const OnnxOperator& op) {
    const Steps steps(r, op);
    const OnnxValue x = steps.plain(r.in_float(op, r.value(op, 0)));
    const OnnxValue where = as_wide(r, op, r.value(op, 1));
    const std::size_t rank = x.shape.size();
    const Numbers kernel = op.integers("kernel_shape");
    Numbers strides = op.integers("strides"), pads = op.integers("pads");
    if (rank < 3 || kernel.size() + 2 != rank || where.shape != x.shape)
        throw Refusal{
            fmt::format("input {}, indices {}, {} sizes of kernel_shape: want one shape, batch x "
                        "channels x axes of the kernel",
                        graph::text_of(x.shape), graph::text_of(where.shape), kernel.size())};
    if (strides.empty()) strides.assign(kernel.size(), 1);
    if (pads.empty()) pads.assign(2 * kernel.size(), 0);
    if (strides.size() != kernel.size() || pads.size() != 2 * kernel.size())
        throw Refusal{"strides or pads: want one, and two, of each axis"};
    for (const Numbers& all : {kernel, strides, pads})
        for (const std::int64_t value : all)
            if (value < 0 || value > 1 << 20)
                throw Refusal{fmt::format("a size of {}: want 0 to {}", value, 1 << 20)};
    Shape shape = x.shape;
    for (std::size_t i = 0; i < kernel.size(); ++i)
        shape[i + 2] = size_of(
            (x.shape[i + 2] - 1) * strides[i] - pads[i] - pads[i + kernel.size()] + kernel[i],
            "an output");
    if (r.has(op, 2)) {
        const Numbers wanted = r.constants(op, 2);
        if (wanted.size() != rank)
            throw Refusal{fmt::format("{} sizes of output_shape: want {}", wanted.size(), rank)};
        for (std::size_t i = 0; i < rank; ++i)
            shape[i] = size_of(wanted[i], "output_shape");
    }
    const auto count = static_cast<int>(elements_of(x.shape)),
               all = static_cast<int>(elements_of(shape));
    const OnnxValue zeros = real_constant(r, op, {all}, std::vector<float>(at(all), 0.0F));
    r.give(op, 0,
           steps.shaped(with_updates(r, op, zeros, steps.shaped(x, {count}),
                                     {in_shape(r, op, where, {count, 1})}, {}),
                        shape));
}

/// Columns of windows back in a picture, where several meet as their sum.
void OnnxImporters::columns_to_image(OnnxReader& r, const OnnxOperator& op) {
    const Steps steps(r, op);
    const OnnxValue x = steps.plain(r.in_float(op, r.value(op, 0)));
    Numbers image = r.constants(op, 1), block = r.constants(op, 2);
    const bool line = image.size() == 1;
    if (image.size() > 2 || block.size() != image.size() || image.empty())
        throw Refusal{fmt::format("{} axes of a picture, {} of blocks: want one or two of both",
                                  image.size(), block.size())};
    if (line) {
        image.insert(image.begin(), 1);
        block.insert(block.begin(), 1);
    }
    const int height = size_of(image[0], "image_shape"), width = size_of(image[1], "image_shape");
    const Placed placed = window_of(op, height, width, size_of(block[0], "block_shape"),
                                    size_of(block[1], "block_shape"));
    const auto [taps, count] = taps_and_places(placed);
    if (x.shape.size() != 3 || x.shape[1] % taps != 0 || x.shape[2] != count)
        throw Refusal{fmt::format("input of shape {}: want batch x a multiple of {} x {}",
                                  graph::text_of(x.shape), taps, count)};
    const graph::Window& w = placed.window;
    const int channels = x.shape[1] / taps, pictures = x.shape[0] * channels;
    const int high = padded_height(w, height), wide = padded_width(w, width);
    if (std::int64_t{high} * wide >= 1 << 28 || std::int64_t{high} * wide * pictures >= 1 << 28)
        throw Refusal{fmt::format("{} pictures of {}x{}: want less", pictures, high, wide)};
    const OnnxValue zeros =
        real_constant(r, op, {high * wide, pictures},
                      std::vector<float>(at(high) * at(wide) * at(pictures), 0.0F));
    const OnnxValue rows =
        steps.shaped(steps.permuted(steps.shaped(x, {pictures, taps, count}), {1, 2, 0}),
                     {taps * count, pictures});
    const OnnxValue places = r.integers_value("pixel", pixels_of(placed, wide), {taps * count, 1});
    OnnxValue y = with_updates(r, op, zeros, rows, {places}, {graph::Reduction::sum});
    y = steps.shaped(steps.permuted(y, {1, 0}), {x.shape[0], channels, high, wide});
    y = steps.sliced(steps.sliced(y, 2, w.top, height), 3, w.left, width);
    r.give(op, 0, line ? steps.shaped(y, {x.shape[0], channels, width}) : y);
}

/// Places between pixels of one axis as taps: those outside count as 0.
std::vector<OnnxImporters::Tap> OnnxImporters::linear_taps(OnnxReader& r, const OnnxOperator& op,
                                                           const OnnxValue& x, int size) {
    const Steps steps(r, op);
    const OnnxValue zero = steps.number(0), last = steps.number(static_cast<float>(size - 1));
    const OnnxValue first = steps.of(Function::floor, x);
    const OnnxValue t = steps.of(Arithmetic::sub, x, first);
    const auto tap = [&](const OnnxValue& place, const OnnxValue& weight) {
        const OnnxValue inside =
            steps.of(Arithmetic::minimum, steps.of(Arithmetic::maximum, place, zero), last);
        return Tap{inside,
                   steps.chosen(steps.truth(graph::Relation::equal, inside, place), weight, zero)};
    };
    return {tap(first, steps.of(Arithmetic::sub, steps.number(1), t)),
            tap(steps.plus(first, 1), t)};
}

/// A convolution that sees pixels a computed distance from those of its window.
void OnnxImporters::deform_conv(OnnxReader& r, const OnnxOperator& op) {
    const Steps steps(r, op);
    const OnnxValue x = steps.plain(r.in_float(op, r.value(op, 0))),
                    weights = steps.plain(r.in_float(op, r.value(op, 1))),
                    offset = steps.plain(r.in_float(op, r.value(op, 2)));
    if (x.shape.size() != 4 || weights.shape.size() != 4 || offset.shape.size() != 4)
        throw Refusal{fmt::format("input {}, weights {}, offset {}: want four axes of each",
                                  graph::text_of(x.shape), graph::text_of(weights.shape),
                                  graph::text_of(offset.shape))};
    const int batch = x.shape[0], channels = x.shape[1], height = x.shape[2], width = x.shape[3];
    const int parts = size_of(op.integer("offset_group", 1), "offset_group");
    const Placed placed = window_of(op, height, width, weights.shape[2], weights.shape[3]);
    const auto [taps, count] = taps_and_places(placed);
    const graph::Window& w = placed.window;
    if (parts > channels || std::int64_t{parts} * taps > 1 << 24)
        throw Refusal{
            fmt::format("offset_group {} for {} channels: want a divisor", parts, channels)};
    const Shape want = {batch, 2 * parts * taps, placed.height, placed.width};
    if (offset.shape != want || channels % parts != 0 ||
        elements_of({batch, height, width}) > kMostSampled)
        throw Refusal{fmt::format(
            "offset of shape {} for {} channels of at most {} pixels: want {}",
            graph::text_of(offset.shape), channels, kMostSampled, graph::text_of(want))};
    std::optional<OnnxValue> mask, bias;
    if (r.has(op, 3)) bias = r.value(op, 3);
    if (r.has(op, 4)) mask = steps.plain(r.in_float(op, r.value(op, 4)));
    if (mask && elements_of(mask->shape) != elements_of(want) / 2)
        throw Refusal{fmt::format("mask of shape {}: want an element for two of the offset",
                                  graph::text_of(mask->shape))};
    // Where taps lie without an offset.
    std::array<std::vector<float>, 2> bases;
    for (const std::int64_t pixel : pixels_of(placed, padded_width(w, width))) {
        const std::int64_t wide = padded_width(w, width);
        bases[0].push_back(static_cast<float>(pixel / wide - w.top));
        bases[1].push_back(static_cast<float>(pixel % wide - w.left));
    }
    std::optional<OnnxValue> start;
    if (batch > 1) {
        std::vector<float> first;
        for (int i = 0; i < batch; ++i)
            first.push_back(static_cast<float>(std::int64_t{i} * height * width));
        start = real_constant(r, op, {batch, 1}, first);
    }
    const OnnxValue moves = steps.shaped(offset, {batch, parts, taps, 2, count});
    std::vector<OnnxValue> seen;
    for (int part = 0; part < parts; ++part) {
        const auto axis = [&](int i) {
            const OnnxValue own = steps.sliced(steps.sliced(moves, 1, part, 1), 3, i, 1);
            return steps.of(Arithmetic::add, steps.shaped(own, {batch, taps * count}),
                            real_constant(r, op, {1, taps * count}, bases[at(i)]));
        };
        const int own = channels / parts;
        const OnnxValue rows =
            steps.shaped(steps.permuted(steps.sliced(x, 1, part * own, own), {0, 2, 3, 1}),
                         {batch * height * width, own});
        OnnxValue y = sum_of_taps(
            r, op, rows, width,
            {linear_taps(r, op, axis(0), height), linear_taps(r, op, axis(1), width)}, start);
        if (mask) {
            const OnnxValue shares =
                steps.sliced(steps.shaped(*mask, {batch, parts, taps * count}), 1, part, 1);
            y = steps.of(Arithmetic::mul, y, steps.shaped(shares, {batch * taps * count, 1}));
        }
        y = steps.shaped(y, {batch, taps, count, own});
        seen.push_back(steps.permuted(y, {0, 3, 1, 2}));
    }
    const OnnxValue all = parts == 1 ? seen[0] : steps.joined(seen, 1);
    r.give(op, 0, weighted_patches(r, op, all, weights, bias, placed));
}

/// A convolution of each channel of a line by itself, which sees what is in front of each place and
/// what the state keeps of the line before.
void OnnxImporters::causal_conv(OnnxReader& r, const OnnxOperator& op) {
    const Steps steps(r, op);
    const OnnxValue x = steps.plain(r.in_float(op, r.value(op, 0)));
    Weighted w;
    w.weights = r.in_float(op, r.value(op, 1));
    w.ending.name = op.node->output(0);
    if (r.has(op, 2)) w.bias = r.in_float(op, r.value(op, 2));
    const Shape kernel = w.weights.shape;
    if (x.shape.size() != 3 || kernel.size() != 3 || kernel[0] != x.shape[1] || kernel[1] != 1)
        throw Refusal{
            fmt::format("input {}, weights {}: want batch x channels x steps, and "
                        "channels x 1 x taps",
                        graph::text_of(x.shape), graph::text_of(kernel))};
    if (!r.tensor(w.weights.id).constant || (w.bias && !r.tensor(w.bias->id).constant))
        throw Refusal{"weights or a bias that are computed: want constants"};
    const int before = kernel[2] - 1, steps_of_line = x.shape[2];
    w.input = x;
    if (before > 0) {
        const Shape want = {x.shape[0], x.shape[1], before};
        OnnxValue state = real_constant(
            r, op, want, std::vector<float>(static_cast<std::size_t>(elements_of(want)), 0.0F));
        if (r.has(op, 3)) state = steps.plain(r.in_float(op, r.value(op, 3)));
        if (state.shape != want)
            throw Refusal{fmt::format("past_state of shape {}: want {}",
                                      graph::text_of(state.shape), graph::text_of(want))};
        w.input = steps.joined({state, x}, 2);
        if (op.outputs() > 1 && !op.node->output(1).empty())
            r.give(op, 1, steps.sliced(w.input, 2, steps_of_line, before));
    } else if (op.outputs() > 1 && !op.node->output(1).empty()) {
        r.empty_.insert(op.node->output(1));
    }
    onnx_schema::Node own = *op.node;
    onnx_schema::Attribute& group = *own.add_attribute();
    group.set_name("group");
    group.set_type(2);  // a number
    group.set_i(kernel[0]);
    OnnxOperator inner = op;
    inner.node = &own;
    OnnxValue y = convolve(r, inner, std::move(w));
    const std::string activation = op.text("activation", "none");
    if (activation != "none" && activation != "silu" && activation != "swish")
        throw Refusal{fmt::format("activation {}: want none, silu or swish", activation)};
    if (activation != "none") y = steps.of(Function::silu, y, 1);
    r.give(op, 0, y);
}

}  // namespace macrame::front
