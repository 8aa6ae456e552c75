/// Pooling, mean, resampling, argmax.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "compiler/graph/at.hpp"
#include "compiler/graph/kernels.hpp"
#include "compiler/graph/quantised.hpp"
#include "compiler/graph/walk.hpp"

namespace macrame::graph {
namespace {

/// Calls `visit(output, input)` with the places of elements, and `done(output, n)` behind the n
/// elements of a window.
template <typename Visit, typename Done>
void for_windows(const Call& call, const Window& w, const Visit& visit, const Done& done) {
    const std::vector<int>&in = call.in().shape, &out = call.out().shape;
    const std::size_t channels = at(out[3]);
    for (int y = 0; y < out[1]; ++y) {
        const int top = y * w.stride_h - w.top;
        const Taps rows = taps(top, w.kernel_h, w.dilation_h, in[1]);
        for (int x = 0; x < out[2]; ++x) {
            const int left = x * w.stride_w - w.left;
            const Taps columns = taps(left, w.kernel_w, w.dilation_w, in[2]);
            const std::size_t to = (at(y) * at(out[2]) + at(x)) * channels;
            for (int ky = rows.first; ky < rows.end; ++ky) {
                const std::size_t row = at(top + ky * w.dilation_h) * at(in[2]);
                for (int kx = columns.first; kx < columns.end; ++kx) {
                    const std::size_t from = (row + at(left + kx * w.dilation_w)) * channels;
                    for (std::size_t c = 0; c < channels; ++c)
                        visit(to + c, from + c);
                }
            }
            const int count = (rows.end - rows.first) * (columns.end - columns.first);
            for (std::size_t c = 0; c < channels; ++c)
                done(to + c, count);
        }
    }
}

template <typename Value>
std::vector<Value> largest(const Call& call, const Window& window, const std::vector<Value>& x) {
    std::vector<Value> values(call.out().elements(), std::numeric_limits<Value>::lowest());
    for_windows(
        call, window,
        [&](std::size_t to, std::size_t from) { values[to] = std::max(values[to], x[from]); },
        [](std::size_t, int) {});
    return values;
}

std::vector<std::int32_t> integer_averages(const Call& call, const Window& window) {
    const std::vector<std::int32_t> x = call.integers();
    // Halves go away from the 0 of the file.
    const int shift = shift_of(call.in());
    std::vector<std::int64_t> totals(call.out().elements(), 0);
    std::vector<std::int32_t> values(totals.size(), 0);
    for_windows(
        call, window, [&](std::size_t to, std::size_t from) { totals[to] += x[from] + shift; },
        [&](std::size_t to, int n) {
            const std::int64_t half = totals[to] > 0 ? n / 2 : -(n / 2);
            if (n > 0) values[to] = static_cast<std::int32_t>((totals[to] + half) / n) - shift;
        });
    return values;
}

/// Of sums of columns.
std::vector<float> averages_of_columns(const Call& call, const Window& w) {
    const std::vector<float> x = call.reals();
    const std::vector<int>&in = call.in().shape, &out = call.out().shape;
    const std::size_t channels = at(out[3]);
    std::vector<float> values(call.out().elements(), 0), column(channels);
    for (int y = 0; y < out[1]; ++y) {
        const int top = y * w.stride_h - w.top;
        const Taps rows = taps(top, w.kernel_h, w.dilation_h, in[1]);
        for (int ox = 0; ox < out[2]; ++ox) {
            const int left = ox * w.stride_w - w.left;
            const Taps columns = taps(left, w.kernel_w, w.dilation_w, in[2]);
            float* const to = &values[(at(y) * at(out[2]) + at(ox)) * channels];
            for (int kx = columns.first; kx < columns.end; ++kx) {
                std::fill(column.begin(), column.end(), 0.0F);
                for (int ky = rows.first; ky < rows.end; ++ky) {
                    const std::size_t from =
                        (at(top + ky * w.dilation_h) * at(in[2]) + at(left + kx * w.dilation_w)) *
                        channels;
                    for (std::size_t c = 0; c < channels; ++c)
                        column[c] += x[from + c];
                }
                for (std::size_t c = 0; c < channels; ++c)
                    to[c] += column[c];
            }
            const int count = (rows.end - rows.first) * (columns.end - columns.first);
            for (std::size_t c = 0; c < channels && count > 0; ++c)
                to[c] /= static_cast<float>(count);
        }
    }
    return values;
}

std::vector<float> real_averages(const Call& call, const Window& window) {
    if (sums_columns_first(call.graph, window)) return averages_of_columns(call, window);
    const std::vector<float> x = call.reals();
    std::vector<float> values(call.out().elements(), 0);
    for_windows(
        call, window, [&](std::size_t to, std::size_t from) { values[to] += x[from]; },
        [&](std::size_t to, int n) {
            if (n > 0) values[to] /= static_cast<float>(n);
        });
    return values;
}

template <typename Value, typename Sum>
std::vector<Sum> sums(const Call& call, const Mean& op, const std::vector<Value>& x) {
    std::vector<int> kept = call.in().shape;
    for (const int axis : op.axes)
        kept[at(axis)] = 1;
    Walk<1> walk(call.in().shape, {broadcast_strides(kept, call.in().shape)});
    std::vector<Sum> result(call.out().elements(), 0);
    for (const Value value : x) {
        result[walk.at(0)] += static_cast<Sum>(value);
        walk.next();
    }
    return result;
}

// ---------------------------------------------------------------- resampling

/// The two elements of an axis between which an output lies, and how much of the second it takes.
template <typename Fraction>
struct Between {
    int first, second;
    Fraction part;
};

Between<float> real_between(int to, int input, int output, const Resize& op) {
    const float scale = op.align_corners && output > 1
                            ? static_cast<float>(input - 1) / static_cast<float>(output - 1)
                            : static_cast<float>(input) / static_cast<float>(output);
    const float at = op.half_pixel_centers ? (static_cast<float>(to) + 0.5F) * scale - 0.5F
                                           : static_cast<float>(to) * scale;
    const int first = std::clamp(static_cast<int>(std::floor(at)), 0, input - 1);
    const int second = std::clamp(static_cast<int>(std::ceil(at)), 0, input - 1);
    return {first, second, at - static_cast<float>(first)};
}

/// With 10 fraction bits.
Between<std::int64_t> fixed_between(int to, int input, int output, const Resize& op) {
    std::int64_t scale = (1024 * std::int64_t{input} + output / 2) / output;
    if (op.align_corners && output > 1)
        scale = (1024 * std::int64_t{input - 1} + (output - 1) / 2) / (output - 1);
    const std::int64_t at = to * scale + (op.half_pixel_centers ? scale / 2 - 512 : 0);
    const auto limited = [&](std::int64_t index) {
        return static_cast<int>(std::clamp<std::int64_t>(index, 0, input - 1));
    };
    const int first = limited(at / 1024);
    return {first, limited((at + 1023) / 1024), at - 1024 * std::int64_t{first}};
}

template <typename Value, typename Fraction>
std::vector<Value> bilinear(const Call& call, const std::vector<Value>& x,
                            const std::vector<Between<Fraction>>& rows,
                            const std::vector<Between<Fraction>>& columns, Fraction one) {
    const std::size_t wide = at(call.in().shape[2]), channels = at(call.in().shape[3]);
    std::vector<Value> values;
    values.reserve(call.out().elements());
    for (const auto& row : rows) {
        for (const auto& column : columns) {
            const Value* a = &x[(at(row.first) * wide + at(column.first)) * channels];
            const Value* b = &x[(at(row.second) * wide + at(column.first)) * channels];
            const Value* c = &x[(at(row.first) * wide + at(column.second)) * channels];
            const Value* d = &x[(at(row.second) * wide + at(column.second)) * channels];
            const Fraction up = one - row.part, left = one - column.part;
            for (std::size_t i = 0; i < channels; ++i) {
                const Fraction sum = static_cast<Fraction>(a[i]) * up * left +
                                     static_cast<Fraction>(b[i]) * row.part * left +
                                     static_cast<Fraction>(c[i]) * up * column.part +
                                     static_cast<Fraction>(d[i]) * row.part * column.part;
                if constexpr (std::is_same_v<Value, float>) {
                    values.push_back(sum);
                } else {
                    constexpr std::int64_t kHalf = 1 << 19;
                    values.push_back(
                        static_cast<Value>((sum + (sum > 0 ? kHalf : -kHalf)) / (1 << 20)));
                }
            }
        }
    }
    return values;
}

template <typename Function>
auto positions(int count, const Function& function) {
    std::vector<decltype(function(0))> result;
    for (int i = 0; i < count; ++i)
        result.push_back(function(i));
    return result;
}

Bytes resize_nearest(const Call& call, const Resize& op) {
    const std::vector<int>&in = call.in().shape, &out = call.out().shape;
    const std::size_t size = at(in[3]) * size_of(call.in().type);
    Bytes bytes(call.out().bytes());
    std::size_t next = 0;
    const auto columns =
        positions(out[2], [&](int x) { return nearest_source(x, in[2], out[2], op); });
    for (int y = 0; y < out[1]; ++y) {
        const std::size_t row = at(nearest_source(y, in[1], out[1], op)) * at(in[2]);
        for (const int column : columns) {
            std::memcpy(&bytes[next], &call.bytes()[(row + at(column)) * size], size);
            next += size;
        }
    }
    return bytes;
}

template <typename Value>
Bytes indices_of_largest(const Call& call, const Argmax& op, const std::vector<Value>& x) {
    const int axis = op.axis;
    const std::vector<int>& shape = call.in().shape;
    const auto step = static_cast<std::size_t>(strides_of(shape)[at(axis)]);
    const std::size_t count = at(shape[at(axis)]);
    std::vector<std::int32_t> result(call.out().elements());
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::size_t start = i / step * step * count + i % step;
        std::size_t best = 0;
        for (std::size_t n = 1; n < count; ++n) {
            const Value now = x[start + n * step], before = x[start + best * step];
            if (op.least ? now < before : now > before) best = n;
        }
        result[i] = static_cast<std::int32_t>(best);
    }
    return pack(call.out(), result);
}

}  // namespace

int nearest_source(int to, int input, int output, const Resize& op) {
    const float scale = op.align_corners && output > 1
                            ? static_cast<float>(input - 1) / static_cast<float>(output - 1)
                            : static_cast<float>(input) / static_cast<float>(output);
    const float at = (static_cast<float>(to) + (op.half_pixel_centers ? 0.5F : 0.0F)) * scale;
    const float whole = op.align_corners ? std::round(at) : std::floor(at);
    return std::clamp(static_cast<int>(whole), 0, input - 1);
}

bool sums_columns_first(const Graph& graph, const Window& window) {
    constexpr int kSmallStep = 2;
    return graph.rounding == Rounding::onnx && window.stride_w <= kSmallStep;
}

Bytes execute(const Call& call, const Pool& op) {
    if (call.out().type != Type::float32 &&
        (op.function == Pooling::maximum || call.fixed_point())) {
        std::vector<std::int32_t> values = op.function == Pooling::maximum
                                               ? largest(call, op.window, call.integers())
                                               : integer_averages(call, op.window);
        const auto [least, most] = bounds(op.activation, call.out());
        for (std::int32_t& value : values)
            value = std::clamp(value, least, most);
        return pack(call.out(), values);
    }
    if (call.out().type == Type::float32 || op.as_real)
        return pack(call,
                    op.function == Pooling::maximum ? largest(call, op.window, call.reals())
                                                    : real_averages(call, op.window),
                    op.activation);
    // QLinearAveragePool rounds behind the addition of the zero point.
    const Quantisation& out = call.out().quantisation;
    const auto [least, most] = bounds(op.activation, call.out());
    const int shift = shift_of(call.out());
    const auto zero = static_cast<float>(out.zero_point[0] + shift);
    std::vector<std::int32_t> values;
    for (const float average : real_averages(call, op.window)) {
        const float steps = std::nearbyint(average / out.scale[0] + zero);
        values.push_back(static_cast<std::int32_t>(std::clamp(steps - static_cast<float>(shift),
                                                              static_cast<float>(least),
                                                              static_cast<float>(most))));
    }
    return pack(call.out(), values);
}

Bytes execute(const Call& call, const Mean& op) {
    const auto count = static_cast<std::int64_t>(call.in().elements() / call.out().elements());
    if (call.out().type != Type::float32 && !call.fixed_point()) {
        const int zero_in = call.in().quantisation.zero_point[0];
        const int zero_out = call.out().quantisation.zero_point[0];
        const float factor = mean_factor(call.in(), call.out(), count);
        std::vector<std::int32_t> values;
        for (const std::int64_t sum : sums<std::int32_t, std::int64_t>(call, op, call.integers()))
            values.push_back(static_cast<std::int32_t>(std::clamp(
                scaled_to_even(sum - zero_in * count, factor) + zero_out, -32768.0, 32767.0)));
        return pack(call.out(), values);
    }
    if (call.out().type == Type::float32) {
        std::vector<float> values = sums<float, float>(call, op, call.reals());
        for (float& value : values)
            value /= static_cast<float>(count);
        return pack(call, values);
    }
    const Quantisation &in = call.in().quantisation, &out = call.out().quantisation;
    const Multiplier factor = mean_multiplier(call.in(), call.out(), count);
    std::vector<std::int32_t> values;
    for (const std::int64_t sum : sums<std::int32_t, std::int64_t>(call, op, call.integers())) {
        const auto distance = static_cast<std::int32_t>(sum - in.zero_point[0] * count);
        values.push_back(static_cast<std::int32_t>(std::clamp<std::int64_t>(
            std::int64_t{multiply(distance, factor)} + out.zero_point[0], -32768, 32767)));
    }
    return pack(call.out(), values);
}

BetweenOfAxis between(int input, int output, const Resize& op) {
    BetweenOfAxis out;
    for (int to = 0; to < output; ++to) {
        const Between<float> real = real_between(to, input, output, op);
        out.first.push_back(real.first);
        out.second.push_back(real.second);
        out.part.push_back(real.part);
        const Between<std::int64_t> fixed = fixed_between(to, input, output, op);
        out.fixed_first.push_back(fixed.first);
        out.fixed_second.push_back(fixed.second);
        out.fixed_part.push_back(static_cast<std::int32_t>(fixed.part));
    }
    return out;
}

Bytes execute(const Call& call, const Resize& op) {
    if (op.function == Resampling::nearest) return resize_nearest(call, op);
    const std::vector<int>&in = call.in().shape, &out = call.out().shape;
    const bool elements_as_float = call.fixed_point() && is_unsigned(call.in());
    if (call.fixed_point() && !elements_as_float) {
        const auto axis = [&](std::size_t i) {
            return positions(out[i], [&](int to) { return fixed_between(to, in[i], out[i], op); });
        };
        return pack(call.out(), bilinear<std::int32_t, std::int64_t>(call, call.integers(), axis(1),
                                                                     axis(2), 1024));
    }
    const auto axis = [&](std::size_t i) {
        return positions(out[i], [&](int to) { return real_between(to, in[i], out[i], op); });
    };
    if (!elements_as_float)
        return pack(call, bilinear<float, float>(call, call.reals(), axis(1), axis(2), 1.0F));
    // TFLite has a kernel of integers for int8 alone.
    const int shift = shift_of(call.in());
    std::vector<float> elements;
    for (const std::int32_t element : call.integers())
        elements.push_back(static_cast<float>(element + shift));
    std::vector<std::int32_t> values;
    for (const float value : bilinear<float, float>(call, elements, axis(1), axis(2), 1.0F))
        values.push_back(static_cast<std::int32_t>(value + 0.5F) - shift);
    return pack(call.out(), values);
}

Bytes execute(const Call& call, const Argmax& op) {
    if (call.in().type == Type::float32) return indices_of_largest(call, op, call.reals());
    return indices_of_largest(call, op, call.integers());
}

}  // namespace macrame::graph
