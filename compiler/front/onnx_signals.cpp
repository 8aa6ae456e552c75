/// Spectra and windows of ONNX, and other constants that attributes tell.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "compiler/front/onnx_steps.hpp"
#include "compiler/front/onnx_types.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr std::int64_t kMostFactors = std::int64_t{1} << 24;

/// Factors [length * parts, bins * 2] that make real and imaginary parts of `bins` frequencies, of
/// values with `parts` 1, real ones, or 2.
std::vector<float> factors_of_spectrum(int length, int parts, int bins, bool inverse,
                                       const std::vector<float>& window) {
    std::vector<float> factors;
    for (int n = 0; n < length; ++n)
        for (int part = 0; part < parts; ++part)
            for (int k = 0; k < bins; ++k) {
                const auto turn = static_cast<double>(std::int64_t{n} * k % length);
                const double angle = (inverse ? 2 : -2) * kPi * turn / length;
                const double size = (window.empty() ? 1.0 : static_cast<double>(window[at(n)])) /
                                    (inverse ? length : 1);
                const double real = part == 0 ? std::cos(angle) : -std::sin(angle);
                const double other = part == 0 ? std::sin(angle) : std::cos(angle);
                factors.push_back(static_cast<float>(real * size));
                factors.push_back(static_cast<float>(other * size));
            }
    return factors;
}

void want_factors(std::int64_t rows, std::int64_t columns) {
    if (rows * columns > kMostFactors)
        throw Refusal{fmt::format("{} x {} factors: want at most {}", rows, columns, kMostFactors)};
}

}  // namespace

/// Sums with constant factors.
void OnnxImporters::fourier(OnnxReader& r, const OnnxOperator& op) {
    const Steps steps(r, op);
    OnnxValue x = steps.plain(r.in_float(op, r.value(op, 0)));
    const auto rank = static_cast<int>(x.shape.size());
    if (rank < 2 || x.shape.back() > 2)
        throw Refusal{
            fmt::format("input of shape {}: want a last axis of 1 or 2", graph::text_of(x.shape))};
    std::int64_t given = op.version < 20 ? op.integer("axis", 1) : -2;
    if (op.version >= 20 && r.has(op, 2)) given = r.constants(op, 2).at(0);
    const int axis = axis_of(given, x.shape.size()), parts = x.shape.back();
    if (axis == rank - 1) throw Refusal{"the last axis has both parts: want one in front"};
    const bool inverse = op.integer("inverse", 0) != 0, half = op.integer("onesided", 0) != 0;
    if (inverse && half) throw Refusal{"inverse and onesided: want one of them"};
    const int length =
        r.has(op, 1) ? size_of(r.constants(op, 1).at(0), "dft_length") : x.shape[at(axis)];
    const int bins = half ? length / 2 + 1 : length;
    want_factors(std::int64_t{length} * parts, std::int64_t{bins} * 2);
    if (length < x.shape[at(axis)]) x = steps.sliced(x, axis, 0, length);
    if (length > x.shape[at(axis)]) {
        graph::Pad pad;
        pad.amounts.resize(x.shape.size());
        pad.amounts[at(axis)] = {0, length - x.shape[at(axis)]};
        x.shape[at(axis)] = length;
        x.id = r.add_move(op, pad, x.id, x.shape);
    }
    std::vector<int> order(at(rank));
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[at(axis)], order[at(rank - 2)]);
    x = steps.permuted(x, order);
    std::vector<int> shape = x.shape;
    const auto rows = static_cast<int>(elements_of(x.shape) / length / parts);
    const OnnxValue factors = real_constant(r, op, {length * parts, bins * 2},
                                            factors_of_spectrum(length, parts, bins, inverse, {}));
    const OnnxValue y = steps.product(steps.shaped(x, {rows, length * parts}), factors);
    shape[at(rank - 2)] = bins;
    shape[at(rank - 1)] = 2;
    r.give(op, 0, steps.permuted(steps.shaped(y, shape), order));
}

/// Spectra of frames: rows of the signal times constant factors.
void OnnxImporters::short_fourier(OnnxReader& r, const OnnxOperator& op) {
    const Steps steps(r, op);
    const OnnxValue x = steps.plain(r.in_float(op, r.value(op, 0)));
    const bool parts = x.shape.size() == 3 && x.shape[2] == 2;
    if (x.shape.size() < 2 || x.shape.size() > 3 || parts)
        throw Refusal{
            fmt::format("signal of shape {}: want batch x length, real", graph::text_of(x.shape))};
    const int batch = x.shape[0], all = x.shape[1];
    const int step = size_of(r.constants(op, 1).at(0), "frame_step");
    std::vector<float> window;
    const bool known = r.has(op, 2) && r.tensor(r.value(op, 2).id).constant;
    if (known) window = r.reals(op, 2);
    int length = r.has(op, 2) ? static_cast<int>(elements_of(r.value(op, 2).shape)) : 0;
    if (r.has(op, 3)) length = size_of(r.constants(op, 3).at(0), "frame_length");
    if (length < 1 || length > all || (r.has(op, 2) && elements_of(r.value(op, 2).shape) != length))
        throw Refusal{
            fmt::format("frames of {}, signal of {}: want a window as long, no longer "
                        "than the signal",
                        length, all)};
    const int bins = op.integer("onesided", 1) != 0 ? length / 2 + 1 : length;
    const int count = (all - length) / step + 1;
    want_factors(length, std::int64_t{bins} * 2);
    want_factors(count, length);
    std::vector<std::int64_t> places;
    r.budget_.charge(at(count) * at(length) * sizeof(std::int64_t));
    for (int frame = 0; frame < count; ++frame)
        for (int n = 0; n < length; ++n)
            places.push_back(std::int64_t{frame} * step + n);
    const OnnxValue which = r.integers_value(op.node->output(0), places, {count, length});
    OnnxValue frames = like(r, op, x, {batch, count, length});
    r.add(op, graph::Gather{1}, {steps.shaped(x, {batch, all}).id, which.id}, {frames.id});
    if (r.has(op, 2) && !known)
        frames = steps.of(graph::Arithmetic::mul, frames, r.in_float(op, r.value(op, 2)));
    const OnnxValue factors = real_constant(r, op, {length, bins * 2},
                                            factors_of_spectrum(length, 1, bins, false, window));
    const OnnxValue y = steps.product(frames, factors);
    r.give(op, 0, steps.shaped(y, {batch, count, bins, 2}));
}

/// HannWindow, HammingWindow, BlackmanWindow.
void OnnxImporters::window(OnnxReader& r, const OnnxOperator& op) {
    const int size = size_of(r.constants(op, 0).at(0), "a window");
    want_factors(size, 1);
    const std::string& type = op.type();
    op.integer("output_datatype", kFloat);
    const int turn = op.integer("periodic", 1) != 0 ? size : size - 1;
    const double first = type == "HannWindow" ? 0.5 : type == "HammingWindow" ? 25.0 / 46 : 0.42;
    const bool third = type == "BlackmanWindow";
    std::vector<float> values;
    for (int n = 0; n < size; ++n) {
        const double angle = turn == 0 ? 0 : 2 * kPi * n / turn;
        const double value = first - (third ? 0.5 : 1 - first) * std::cos(angle) +
                             (third ? 0.08 * std::cos(2 * angle) : 0);
        values.push_back(static_cast<float>(value));
    }
    r.give(op, 0, real_constant(r, op, {size}, values));
}

/// Triangles over the bins of a spectrum, equally far apart in mel.
void OnnxImporters::mel_weights(OnnxReader& r, const OnnxOperator& op) {
    const int bands = size_of(r.constants(op, 0).at(0), "num_mel_bins"),
              length = size_of(r.constants(op, 1).at(0), "dft_length");
    const auto rate = static_cast<double>(size_of(r.constants(op, 2).at(0), "sample_rate"));
    op.integer("output_datatype", kFloat);
    const int bins = length / 2 + 1;
    want_factors(bins, bands);
    const auto mel = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
    const double low = mel(static_cast<double>(r.reals(op, 3).at(0))),
                 high = mel(static_cast<double>(r.reals(op, 4).at(0)));
    std::vector<int> edges;
    for (int i = 0; i < bands + 2; ++i) {
        const double hertz =
            700 * (std::pow(10.0, ((high - low) / (bands + 2) * i + low) / 2595) - 1);
        edges.push_back(static_cast<int>(std::floor((length + 1) * hertz / rate)));
        if (edges.back() < 0 || edges.back() >= bins)
            throw Refusal{
                fmt::format("{} Hz at a rate of {}: want at most half of it", hertz, rate)};
    }
    std::vector<float> weights(at(bins) * at(bands));
    const auto weight = [&](int bin, int band) -> float& {
        return weights[at(bin) * at(bands) + at(band)];
    };
    for (int i = 0; i < bands; ++i) {
        const int begin = edges[at(i)], centre = edges[at(i + 1)], end = edges[at(i + 2)];
        for (int j = begin; j <= centre; ++j)
            weight(j, i) = centre == begin
                               ? 1.0F
                               : static_cast<float>(j - begin) / static_cast<float>(centre - begin);
        for (int j = centre; j < end; ++j)
            weight(j, i) = static_cast<float>(end - j) / static_cast<float>(end - centre);
    }
    r.give(op, 0, real_constant(r, op, {bins, bands}, weights));
}

void OnnxImporters::eye_like(OnnxReader& r, const OnnxOperator& op) {
    const OnnxValue x = r.value(op, 0);
    if (x.shape.size() != 2)
        throw Refusal{fmt::format("a shape of {}: want two axes", graph::text_of(x.shape))};
    const std::int64_t type = op.find("dtype") != nullptr ? op.integer("dtype", 0) : type_of(r, x);
    const std::int64_t diagonal = op.integer("k", 0);
    const auto wide = static_cast<std::size_t>(elements_of(x.shape));
    std::vector<float> values(wide);
    std::vector<std::int64_t> numbers(wide);
    r.budget_.charge(wide * sizeof(std::int64_t));
    for (std::size_t i = 0; i < wide; ++i) {
        const auto row = static_cast<std::int64_t>(i / at(x.shape[1])),
                   column = static_cast<std::int64_t>(i % at(x.shape[1]));
        numbers[i] = column == row + diagonal;
        values[i] = static_cast<float>(numbers[i]);
    }
    if (type == kFloat || type == kHalf || type == kDouble || type == kBfloat16)
        r.give(op, 0, real_constant(r, op, x.shape, values));
    else if (type == kInt64 || type == kInt32)
        r.give(op, 0, r.integers_value(op.node->output(0), numbers, x.shape));
    else
        throw Refusal{fmt::format("type {}: want float32, int32 or int64", type)};
}

/// What a constant condition keeps along an axis.
void OnnxImporters::compress(OnnxReader& r, const OnnxOperator& op) {
    OnnxValue x = as_it_is(r, op, 0);
    const OnnxValue condition = r.value(op, 1);
    if (!r.tensor(condition.id).constant)
        throw Refusal{
            "as many results as the values of a condition say: want a constant one, or the network "
            "to end in front of it"};
    int axis = 0;
    if (op.find("axis") != nullptr)
        axis = axis_of(op.integer("axis", 0), x.shape.size());
    else
        x = in_shape(r, op, x, {static_cast<int>(elements_of(x.shape))});
    std::vector<std::int64_t> kept;
    const std::vector<float> truths = r.reals(op, 1);
    for (std::size_t i = 0; i < truths.size() && i < at(x.shape[at(axis)]); ++i)
        if (truths[i] != 0) kept.push_back(static_cast<std::int64_t>(i));
    if (kept.empty()) {
        r.empty_.insert(op.node->output(0));
        return;
    }
    const auto count = static_cast<int>(kept.size());
    select_rows(r, op, x, r.integers_value(op.node->output(0), kept, {count}), axis);
}

}  // namespace macrame::front
