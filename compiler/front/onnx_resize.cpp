/// Resize and Upsample of ONNX.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "compiler/front/onnx_importers.hpp"
#include "compiler/graph/check.hpp"
#include "compiler/graph/kernels.hpp"

namespace macrame::front {

using graph::TensorId;
using graph::Type;

namespace {

/// Where the centre of an output lies in the input. In float32, as ONNX Runtime has it: a place may
/// be a whole number there alone, of which nearest_mode makes another one.
double source_of(const std::string& mode, int at, int input, int output, double factor) {
    const auto to = static_cast<float>(at), scale = static_cast<float>(factor);
    const auto from = static_cast<float>(input), of = static_cast<float>(output);
    if (mode == "asymmetric") return static_cast<double>(to / scale);
    if (mode == "align_corners")
        return output > 1 ? static_cast<double>(to * (from - 1) / (of - 1)) : 0.0;
    if (mode == "pytorch_half_pixel" && output == 1) return 0;
    const float centre = (to + 0.5F) / scale - 0.5F;
    if (mode == "half_pixel_symmetric") {
        // What a part of an element leaves over is the same at both ends.
        const float adjustment = of / (scale * from);
        return static_cast<double>(from / 2 * (1 - adjustment) + centre);
    }
    return static_cast<double>(centre);
}

double rounded(const std::string& mode, double at) {
    if (mode == "floor") return std::floor(at);
    if (mode == "ceil") return std::ceil(at);
    if (mode == "round_prefer_ceil") return std::floor(at + 0.5);
    return std::ceil(at - 0.5);
}

struct Wanted {
    std::string transformation, rounding;
    std::array<int, 2> input, output;
    std::array<double, 2> scale;
    bool antialias = false;
};

/// Which element each of the output is, along one axis.
std::vector<std::int64_t> nearest_along(const Wanted& w, std::size_t axis) {
    std::vector<std::int64_t> places;
    for (int to = 0; to < w.output[axis]; ++to) {
        const double at =
            source_of(w.transformation, to, w.input[axis], w.output[axis], w.scale[axis]);
        places.push_back(static_cast<std::int64_t>(
            std::clamp(rounded(w.rounding, at), 0.0, w.input[axis] - 1.0)));
    }
    return places;
}

/// A resampling of the graph that takes the same elements.
std::optional<graph::Resize> nearest(const Wanted& w) {
    for (const bool corners : {false, true}) {
        for (const bool half : {false, true}) {
            const graph::Resize candidate{graph::Resampling::nearest, corners, half};
            bool same = true;
            for (std::size_t axis = 0; axis < 2 && same; ++axis) {
                const std::vector<std::int64_t> places = nearest_along(w, axis);
                for (int to = 0; to < w.output[axis] && same; ++to)
                    same = graph::nearest_source(to, w.input[axis], w.output[axis], candidate) ==
                           static_cast<int>(places[static_cast<std::size_t>(to)]);
            }
            if (same) return candidate;
        }
    }
    return std::nullopt;
}

/// The same kernel over as many elements as one of the output stands for, which share it. Those
/// outside are the nearest inside, or none where they are excluded.
std::vector<double> widened_row(double at, double scale, int input, bool cubic, double a,
                                bool exclude) {
    const auto kernel = [&](double x) {
        if (!cubic) return std::max(0.0, 1 - x);
        if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
        return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0.0;
    };
    std::vector<double> row(static_cast<std::size_t>(input), 0.0);
    const double radius = (cubic ? 2 : 1) / scale;
    double sum = 0;
    for (double place = std::ceil(at - radius); place <= at + radius; ++place) {
        const double inside = std::clamp(place, 0.0, input - 1.0);
        if (exclude && inside != place) continue;
        const double weight = kernel(std::abs(place - at) * scale);
        row[static_cast<std::size_t>(inside)] += weight;
        sum += weight;
    }
    for (double& weight : row)
        weight /= sum;
    return row;
}

/// What of the input each element of the output takes, along one axis: a row for each.
std::vector<float> weights_along(const Wanted& w, std::size_t axis, bool cubic, double a,
                                 bool exclude) {
    const int input = w.input[axis], output = w.output[axis];
    const double scale = w.scale[axis];
    std::vector<float> all;
    for (int to = 0; to < output; ++to) {
        const double at = source_of(w.transformation, to, input, output, scale);
        if (w.antialias && scale < 1) {
            for (const double weight : widened_row(at, scale, input, cubic, a, exclude))
                all.push_back(static_cast<float>(weight));
            continue;
        }
        const double first = std::floor(at), part = at - first;
        const double near = 1 - part;
        std::vector<double> taps = {near, part};
        if (cubic) {
            const auto inner = [a](double x) { return ((a + 2) * x - (a + 3)) * x * x + 1; };
            const auto outer = [a](double x) { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; };
            taps = {outer(part + 1), inner(part), inner(near), outer(near + 1)};
        }
        std::vector<double> row(static_cast<std::size_t>(input), 0.0);
        double sum = 0;
        for (std::size_t i = 0; i < taps.size(); ++i) {
            const double place = first + static_cast<double>(i) - (cubic ? 1 : 0);
            const double inside = std::clamp(place, 0.0, input - 1.0);
            if (exclude && inside != place) continue;
            row[static_cast<std::size_t>(inside)] += taps[i];
            sum += taps[i];
        }
        for (const double weight : row)
            all.push_back(static_cast<float>(exclude ? weight / sum : weight));
    }
    return all;
}

/// What lies at both sides of each element, along one axis, and how far that is, in float32.
void find_neighbours(const Wanted& w, std::size_t axis,
                     std::array<std::vector<std::int64_t>, 2>& at,
                     std::array<std::vector<float>, 2>& far) {
    const int last = w.input[axis] - 1;
    for (int to = 0; to < w.output[axis]; ++to) {
        const auto place = static_cast<float>(
            source_of(w.transformation, to, w.input[axis], w.output[axis], w.scale[axis]));
        const float inside = std::clamp(place, 0.0F, static_cast<float>(last));
        const int first = std::min(static_cast<int>(inside), last);
        const std::array<int, 2> sides = {first, std::min(first + 1, last)};
        for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
            at[side].push_back(sides[side]);
            far[side].push_back(
                sides[0] == sides[1] ? 0.5F : std::abs(inside - static_cast<float>(sides[side])));
        }
    }
}

/// A resampling of the graph, if it has these elements.
std::optional<graph::Resize> bilinear(const Wanted& w) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
        const double exact = static_cast<double>(w.output[axis]) / w.input[axis];
        if (w.transformation != "align_corners" && std::abs(w.scale[axis] / exact - 1) > 1e-6)
            return std::nullopt;
        if (w.transformation == "pytorch_half_pixel" && w.output[axis] == 1) return std::nullopt;
    }
    if (w.transformation == "half_pixel_symmetric") return std::nullopt;
    const bool half = w.transformation == "half_pixel" || w.transformation == "pytorch_half_pixel";
    return graph::Resize{graph::Resampling::bilinear, w.transformation == "align_corners", half};
}

}  // namespace

/// Rows and columns by themselves: picked by constant indices.
TensorId OnnxImporters::picked(OnnxReader& r, const OnnxOperator& op, TensorId input,
                               const std::array<std::vector<std::int64_t>, 2>& places) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
        const graph::Tensor from = r.tensor(input);
        std::vector<int> shape = from.shape;
        shape[axis + 1] = static_cast<int>(places[axis].size());
        const TensorId to = r.add_tensor(op.node->output(0), from.type, shape, from.quantisation);
        r.graph_.tensor(to).shifted = from.shifted;
        const OnnxValue index =
            r.integers_value("rows or columns", places[axis], {shape[axis + 1]});
        r.add(op, graph::Gather{static_cast<int>(axis) + 1}, {input, index.id}, {to});
        input = to;
    }
    return input;
}

/// The same of float32, times matrices [output, input].
TensorId OnnxImporters::mixed(OnnxReader& r, const OnnxOperator& op, TensorId input,
                              const std::array<std::vector<float>, 2>& weights) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
        const std::vector<int> shape = r.tensor(input).shape;
        const int size = shape[axis + 1];
        const auto count = static_cast<int>(weights[axis].size()) / size;
        const TensorId matrix = r.add_tensor("weights", Type::float32, {count, size});
        graph::Tensor& to = r.graph_.tensor(matrix);
        to.constant = true;
        to.data.resize(to.bytes());
        std::memcpy(to.data.own().data(), weights[axis].data(), to.data.size());
        const int front = axis == 0 ? shape[0] : shape[0] * shape[1];
        const int behind = axis == 0 ? shape[2] * shape[3] : shape[3];
        std::vector<int> made = shape;
        made[axis + 1] = count;
        const TensorId rows = r.reshaped(op, input, {front, size, behind});
        const TensorId sums =
            r.add_tensor(op.node->output(0), Type::float32, {front, count, behind});
        r.add(op, graph::MatMul{}, {matrix, rows}, {sums});
        input = r.reshaped(op, sums, made);
    }
    return input;
}

/// Between bytes of the file, whatever they stand for. ONNX Runtime adds the four neighbours in
/// this order, each times the product of its distances in float32, and drops the fractions.
TensorId OnnxImporters::of_bytes(OnnxReader& r, const OnnxOperator& op,
                                 const std::array<Neighbours, 2>& along, TensorId input,
                                 const OnnxValue& x) {
    const graph::Tensor from = r.tensor(input);
    r.graph_.tensor(input).shifted = x.shifted;
    const std::vector<int> shape = image_shape(x.shape);
    const TensorId numbers = new_real(r, op, from.shape);
    r.add(op, graph::Cast{}, {input}, {numbers});
    const auto& [rows, columns] = along;
    TensorId sum = graph::kNone;
    for (std::size_t row = 0; row < 2; ++row)
        for (std::size_t column = 0; column < 2; ++column) {
            std::vector<float> shares;  // the nearer one counts for more: how far the other is
            for (const float y : rows.far[1 - row])
                for (const float x_far : columns.far[1 - column])
                    shares.push_back(x_far * y);
            const TensorId share = real_constant(r, op, {1, shape[1], shape[2], 1}, shares).id;
            const TensorId one = picked(r, op, numbers, {rows.at[row], columns.at[column]});
            const TensorId part = new_real(r, op, shape);
            r.add(op, graph::Binary{graph::Arithmetic::mul}, {one, share}, {part});
            if (sum == graph::kNone) {
                sum = part;
                continue;
            }
            const TensorId next = new_real(r, op, shape);
            r.add(op, graph::Binary{graph::Arithmetic::add}, {sum, part}, {next});
            sum = next;
        }
    const TensorId to = r.add_tensor(op.node->output(0), Type::int8, shape, from.quantisation);
    r.graph_.tensor(to).shifted = x.shifted;
    r.add(op, graph::Cast{}, {sum}, {to});
    return to;
}

/// Factors of the four axes, which `shape` becomes; of a line, which is a picture of one row.
std::array<double, 4> OnnxImporters::factors_of(OnnxReader& r, const OnnxOperator& op,
                                                std::vector<int>& shape, bool line) {
    const std::size_t scales = op.type() == "Upsample" || op.version < 11 ? 1 : 2;
    std::array<double, 4> factors = {1, 1, 1, 1};
    // Which axes are named; the others stay.
    std::vector<std::size_t> named;
    for (const std::int64_t value : op.integers("axes")) {
        const int axis = axis_of(value, line ? 3 : 4);
        named.push_back(static_cast<std::size_t>(line && axis == 2 ? 3 : axis));
    }
    const auto spread = [&](auto& values, const auto& otherwise) {
        if (named.empty()) return;
        auto all = otherwise;
        for (std::size_t i = 0; i < named.size() && i < values.size(); ++i)
            all[named[i]] = values[i];
        if (values.size() == named.size()) values.assign(all.begin(), all.end());
    };
    if (r.has(op, scales)) {
        std::vector<float> values = r.reals(op, scales);
        if (line && values.size() == 3 && named.empty()) values.insert(values.begin() + 2, 1);
        spread(values, std::vector<float>(4, 1.0F));
        if (values.size() != 4) throw Refusal{fmt::format("{} scales: want 4", values.size())};
        std::copy(values.begin(), values.end(), factors.begin());
        for (std::size_t i = 0; i < 4; ++i) {
            // In float32, as ONNX Runtime: 0.7 of 10 are 7 there alone.
            const float size =
                std::floor(static_cast<float>(shape[i]) * static_cast<float>(factors[i]));
            if (!(size >= 1 && size <= 1 << 20))
                throw Refusal{fmt::format("scale {} of {}: want 1 to {} elements", factors[i],
                                          shape[i], 1 << 20)};
            shape[i] = static_cast<int>(size);
        }
    } else {
        std::vector<std::int64_t> sizes = r.constants(op, 3);
        if (line && sizes.size() == 3 && named.empty()) sizes.insert(sizes.begin() + 2, 1);
        spread(sizes, std::vector<std::int64_t>(shape.begin(), shape.end()));
        if (sizes.size() != 4) throw Refusal{fmt::format("{} sizes: want 4", sizes.size())};
        for (std::size_t i = 0; i < 4; ++i) {
            const int size = size_of(sizes[i], "a size");
            factors[i] = static_cast<double>(size) / shape[i];
            shape[i] = size;
        }
    }
    return factors;
}

void OnnxImporters::resize(OnnxReader& r, const OnnxOperator& op) {
    OnnxValue x = r.value(op, 0);
    const bool old = op.type() == "Upsample" || op.version < 11;
    const std::string mode = op.text("mode", "nearest");
    Wanted w;
    w.transformation = op.text("coordinate_transformation_mode", old ? "asymmetric" : "half_pixel");
    w.rounding = op.text("nearest_mode", old ? "floor" : "round_prefer_floor");
    constexpr std::array<const char*, 5> kModes = {"asymmetric", "align_corners", "half_pixel",
                                                   "pytorch_half_pixel", "half_pixel_symmetric"};
    if (std::find(kModes.begin(), kModes.end(), w.transformation) == kModes.end())
        throw Refusal{fmt::format("{}: want {}", w.transformation, fmt::join(kModes, ", "))};
    const bool exclude = op.integer("exclude_outside", 0) != 0;
    const std::string policy = op.text("keep_aspect_ratio_policy", "stretch");
    w.antialias = op.integer("antialias", 0) != 0 && mode != "nearest";
    if (policy != "stretch")
        throw Refusal{fmt::format(
            "keep_aspect_ratio_policy {}: want stretch, with the sizes that it comes to", policy)};
    // A line is a picture of one row.
    const bool line = x.shape.size() == 3;
    if (line) x = in_shape(r, op, x, {x.shape[0], x.shape[1], 1, x.shape[2]});
    const TensorId input = r.image(op, x);
    const std::array<double, 4> factors = factors_of(r, op, x.shape, line);
    const std::vector<int> from = r.tensor(input).shape;
    w.input = {from[1], from[2]};
    w.output = {x.shape[2], x.shape[3]};
    w.scale = {factors[2], factors[3]};
    if (std::max(w.output[0], w.output[1]) > 1 << 16)
        throw Refusal{fmt::format("{}x{}: want at most {}", w.output[0], w.output[1], 1 << 16)};
    if (mode != "nearest" && mode != "linear" && mode != "cubic")
        throw Refusal{fmt::format("mode {}: want nearest, linear or cubic", mode)};
    if (w.antialias && std::min(factors[2], factors[3]) < 1.0 / (1 << 16))
        throw Refusal{fmt::format("antialias with factors {} and {}: want at least 1/{}",
                                  factors[2], factors[3], 1 << 16)};
    const bool widens = w.antialias && std::min(factors[2], factors[3]) < 1;
    const auto resize = mode == "nearest"                         ? nearest(w)
                        : mode == "linear" && !exclude && !widens ? bilinear(w)
                                                                  : std::nullopt;
    const bool bytes = !x.real && r.tensor(input).type == Type::int8;
    if (mode == "linear" && bytes && !exclude && !widens) {
        std::array<Neighbours, 2> along;
        for (const std::size_t axis : {std::size_t{0}, std::size_t{1}})
            find_neighbours(w, axis, along[axis].at, along[axis].far);
        x.id = of_bytes(r, op, along, input, x);
    } else if (resize) {
        x.id = r.add_move(op, *resize, input, image_shape(x.shape));
    } else if (mode == "nearest") {
        x.id = picked(r, op, input, {nearest_along(w, 0), nearest_along(w, 1)});
    } else {
        OnnxValue picture = x;
        picture.id = input;
        picture.form = Form::image;
        const bool cubic = mode == "cubic";
        const auto a = static_cast<double>(op.real("cubic_coeff_a", -0.75F));
        const auto along = [&](std::size_t axis) {
            r.budget_.charge(static_cast<std::size_t>(w.input[axis]) *
                             static_cast<std::size_t>(w.output[axis]) * sizeof(float));
            return weights_along(w, axis, cubic, a, exclude);
        };
        x.id = mixed(r, op, r.in_float(op, picture).id, {along(0), along(1)});
        x.real = true;
        x.shifted = false;
    }
    x.form = Form::image;
    r.give(op, 0, line ? in_shape(r, op, x, {x.shape[0], x.shape[1], x.shape[3]}) : x);
}

}  // namespace macrame::front
