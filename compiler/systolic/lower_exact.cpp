/// Scales that give the integers of the reference, for machines with exact ones.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <tuple>

#include "compiler/graph/alone.hpp"
#include "compiler/graph/at.hpp"
#include "compiler/graph/kernels.hpp"
#include "compiler/graph/quantised.hpp"
#include "compiler/systolic/exact.hpp"
#include "compiler/systolic/lower.hpp"
#include "compiler/ties.hpp"

namespace macrame::systolic::compiler {

using graph::Node;
using graph::Tensor;
using graph::TensorId;

namespace {

constexpr int kFine = 256;  // a multiplier of 31 bits has the products of TFLite with that

std::vector<std::int8_t> signed_bytes(const graph::Bytes& bytes) {
    return {bytes.begin(), bytes.end()};
}

/// The results for all values of the only input that is no constant: value + 128, then channel.
std::vector<std::int8_t> results(const graph::Graph& graph, const Node& node, std::size_t input,
                                 int channels) {
    graph::Alone alone(graph, node);
    alone.set_input(input, {1, 1, kInt8Values, channels},
                    graph::all_values(graph::Type::int8, channels));
    return signed_bytes(alone.run({1, 1, kInt8Values, channels}));
}

/// A function of int8 from a table.
Function table_function(std::vector<std::int8_t> table, int step = 1, int first = 0) {
    return [table = std::move(table), step, first](std::int64_t value) {
        return int{table[static_cast<std::size_t>((value + kInt8Values / 2) * step + first)]};
    };
}

/// Sums from -most to most that times a factor are so near to a half that the roundings of float32
/// decide.
std::int64_t ties(double factor, std::int64_t most) {
    constexpr double kNear = 1e-4;
    std::int64_t count = 0;
    for (std::int64_t sum = -most; sum <= most; ++sum) {
        const double steps = static_cast<double>(sum) * factor;
        count += std::abs(steps - std::floor(steps) - 0.5) < kNear ? 1 : 0;
    }
    return count;
}

}  // namespace

void Lowering::tell(int index, const std::string& mapping, const std::vector<Fit>& fits) {
    macrame::compiler::Exactness told;
    told.node = index;
    told.mapping = mapping;
    told.channels = static_cast<int>(fits.size());
    for (const Fit& fit : fits) {
        told.proved += fit.exact() ? 1 : 0;
        told.values += fit.wrong;
        told.reachable += fit.values;
        told.most = std::max(told.most, fit.most);
    }
    exactness.push_back(std::move(told));
}

Fitted Lowering::exact_sums(int index, Scale scale, double factor,
                            const std::function<std::int64_t()>& largest) const {
    const auto* full = std::get_if<graph::FullyConnected>(&graph_.nodes[at(index)].op);
    const bool once = full != nullptr && full->rounds_once;
    const bool tflite = graph_.rounding == graph::Rounding::tflite;
    const auto fixed = graph::multiplier(factor);
    if (tflite && !once) {
        set_as_tflite(scale, fixed);
        return {scale, {}};
    }
    const auto single = static_cast<float>(factor);
    const auto wanted = [scale, single, fixed, tflite](std::int64_t sum) {
        const std::int64_t all = sum + scale.bias;
        const double steps = tflite ? graph::multiply_once(static_cast<std::int32_t>(all), fixed)
                                    : graph::scaled_to_even(all, single);
        return static_cast<int>(
            std::clamp(steps + scale.zero_point, double(scale.low), double(scale.high)));
    };
    const std::int64_t most = largest();
    return best_rising_scale(candidates(scale, factor), wanted, -most, most);
}

void Lowering::set_exact_scales(int index, ConvLayer& layer, const std::vector<double>& factors) {
    std::vector<Fit> fits;
    const int channels = layer.input.channels / layer.groups;
    const int filters = layer.filters() / layer.groups;
    for (int m = 0; m < layer.filters(); ++m) {
        const auto largest = [&] {
            std::int64_t sum = 0;
            for (int r = 0; r < layer.window.height; ++r)
                for (int s = 0; s < layer.window.width; ++s)
                    for (int c = 0; c < channels; ++c)
                        sum += std::abs(layer.weights(m, r, s, m / filters * channels + c));
            return sum * (kInt8Values / 2);
        };
        const Fitted found = exact_sums(index, layer.scales[at(m)], factors[at(m)], largest);
        layer.scales[at(m)] = found.scale;
        fits.push_back(found.fit);
    }
    tell(index, "scale per channel", fits);
}

/// The scale of a function of int8 with this slope.
Scale Lowering::exact_copy(int index, const Tensor& from, const Tensor& to, const Scale& limits,
                           bool& needed) {
    const Node& n = graph_.nodes[at(index)];
    Function wanted;
    if (std::holds_alternative<graph::Unary>(n.op)) {
        wanted = table_function(results(graph_, n, 0, 1));
    } else {
        std::vector<std::int32_t> values(kInt8Values);
        for (int i = 0; i < kInt8Values; ++i)
            values[at(i)] = i - kInt8Values / 2;
        if (from.quantisation.scale != to.quantisation.scale ||
            from.quantisation.zero_point != to.quantisation.zero_point)
            values = graph::requantise(graph_.rounding, from, to, std::move(values));
        std::vector<std::int8_t> table;
        for (const std::int32_t value : values)
            table.push_back(static_cast<std::int8_t>(std::clamp(value, limits.low, limits.high)));
        wanted = table_function(std::move(table));
    }
    needed = false;
    for (int value = -kInt8Values / 2; value < kInt8Values / 2; ++value)
        needed = needed || wanted(value) != value;
    if (!needed) return limits;
    Scale like = limits;
    like.bias = -zero_of(from);
    const Fitted found = best_scale(candidates(like, scale_of(from) / scale_of(to)), wanted,
                                    -kInt8Values / 2, kInt8Values / 2 - 1);
    tell(index, "scale", {found.fit});
    return found.scale;
}

/// What may be the scale of x times a constant, with sums of kFine times x: as TFLite has it, and
/// near that.
static std::vector<Scale> product_scales(const Scale& limits, const Tensor& x, const Tensor& k,
                                         const Tensor& y, int constant) {
    Scale like = limits;
    like.bias = -kFine * zero_of(x);
    const int distance = constant - zero_of(k);
    const float factor =
        x.quantisation.scale[0] * k.quantisation.scale[0] / y.quantisation.scale[0];
    const graph::Multiplier multiplier = graph::multiplier(static_cast<double>(factor));
    Scale tflite = like;
    set_as_tflite(tflite, multiplier);
    tflite.multiplier = static_cast<std::int32_t>(
        std::lround(static_cast<double>(multiplier.mantissa) * distance / kFine));
    std::vector<Scale> out = {tflite};
    const std::vector<Scale> others =
        candidates(like, static_cast<double>(factor) * distance / kFine);
    out.insert(out.end(), others.begin(), others.end());
    return out;
}

/// The same of the sum of x and a constant, with sums of `factor` times x.
static std::vector<Scale> offset_scales(const Scale& limits, double slope, double offset, int zero,
                                        double scale, int factor) {
    std::vector<Scale> out;
    for (const int nudge : {0, 1, -1, 2, -2, 3, -3}) {
        Scale like = limits;
        const double bias = std::round(factor * (offset / slope - zero)) + nudge;
        like.bias = static_cast<std::int32_t>(std::clamp(bias, -2e9, 2e9));
        const std::vector<Scale> more = candidates(like, slope / scale / factor);
        out.insert(out.end(), more.begin(), more.end());
    }
    return out;
}

/// A constant, one for all or one per channel.
AluLayer Lowering::exact_affine(int index, const graph::Binary& op, std::size_t input,
                                const std::vector<std::int32_t>& constants, const Scale& limits) {
    constexpr int kStep = 1 << 14, kLeft = 5;
    const Node& n = graph_.nodes[at(index)];
    const Tensor &x = tensor(n.inputs[input]), &y = tensor(n.outputs[0]);
    const Tensor& k = tensor(n.inputs[1 - input]);
    const int channels = size_of(x)->channels;
    const std::vector<std::int8_t> table = results(graph_, n, input, channels);
    const bool product = op.function == graph::Arithmetic::mul;
    const bool subtract = op.function == graph::Arithmetic::sub;
    std::vector<Scale> scales;
    std::vector<Fit> fits;
    const auto fit = [&](int left) {
        scales.clear();
        fits.clear();
        const int factor = product ? kFine : kStep << left;
        for (int c = 0; c < channels; ++c) {
            const std::int32_t constant = constants[constants.size() == 1 ? 0 : at(c)];
            const double real = scale_of(k) * (constant - zero_of(k));
            const Fitted found = best_scale(
                product ? product_scales(limits, x, k, y, constant)
                        : offset_scales(limits, subtract && input == 1 ? -scale_of(x) : scale_of(x),
                                        subtract && input == 0 ? -real : real, zero_of(x),
                                        scale_of(y), factor),
                table_function(table, channels, c), -kInt8Values / 2, kInt8Values / 2 - 1, factor);
            scales.push_back(found.scale);
            fits.push_back(found.fit);
        }
        return std::all_of(fits.begin(), fits.end(), [](const Fit& one) { return one.exact(); });
    };
    AluLayer layer;
    if (!fit(0) && !product) {
        layer.left = kLeft;
        fit(kLeft);
    }
    layer.factors = {product ? kFine : kStep};
    tell(index, product ? "factor" : "addend", fits);
    layer.scale = [scales = std::move(scales)](int channel, int) { return scales[at(channel)]; };
    return layer;
}

/// The values of a function in front of the zero point of its input, or from there on; else that of
/// its output.
static Function half_of(const Function& all, int zero_in, int zero_out, bool negative) {
    return
        [=](std::int64_t value) { return (value < zero_in) == negative ? all(value) : zero_out; };
}

/// A slope for positive values, one per channel for negative ones: each has a copy that is limited
/// to its side, and the sum of both is the result, as one of them is zero.
void Lowering::lower_slopes(int index) {
    if (!architecture_.exact) throw Unsupported{"ALU has no operation for it: want exact scales"};
    const Node& n = graph_.nodes[at(index)];
    const auto* unary = std::get_if<graph::Unary>(&n.op);
    const Tensor &x = tensor(n.inputs[0]), &y = tensor(n.outputs[0]);
    const int channels = size_of(x)->channels, zero = zero_of(y);
    const std::vector<std::int8_t> table = results(graph_, n, 0, channels);
    std::vector<std::int32_t> slopes(at(channels), 1);
    if (unary == nullptr) {
        const Tensor& k = tensor(n.inputs[1]);
        const std::vector<std::int32_t> found = integers(graph_, n.inputs[1]);
        if (found.size() != 1 && found.size() != slopes.size())
            throw Unsupported{"slopes: want one number, or one for each channel"};
        for (int c = 0; c < channels; ++c)
            slopes[at(c)] = found[found.size() == 1 ? 0 : at(c)] - zero_of(k);
    }
    const float alpha = unary == nullptr                                 ? 0
                        : unary->function == graph::Function::leaky_relu ? unary->alpha
                                                                         : -1.0F;
    std::vector<Scale> scales[2];
    std::vector<Fit> fits;
    for (int c = 0; c < channels; ++c) {
        const Function all = table_function(table, channels, c);
        const auto fit = [&](bool negative, Scale limits, std::vector<Scale> among, int step) {
            for (Scale& scale : among) {
                scale.low = limits.low;
                scale.high = limits.high;
            }
            const Fitted found = best_scale(among, half_of(all, zero_of(x), zero, negative),
                                            -kInt8Values / 2, kInt8Values / 2 - 1, step);
            scales[negative ? 1 : 0].push_back(found.scale);
            fits.push_back(found.fit);
        };
        Scale like;
        like.zero_point = zero;
        like.bias = -zero_of(x);
        Scale above = like, below = like;
        above.low = zero;
        const double slope = unary == nullptr ? slopes[at(c)] : static_cast<double>(alpha);
        if (slope >= 0) below.high = zero;
        if (slope <= 0) below.low = zero;
        const float factor = x.quantisation.scale[0] / y.quantisation.scale[0];
        fit(false, above, candidates(like, static_cast<double>(factor)), 1);
        if (unary != nullptr) {
            const float sloped = x.quantisation.scale[0] * alpha / y.quantisation.scale[0];
            fit(true, below, candidates(like, static_cast<double>(sloped)), 1);
        } else {
            const Tensor& k = tensor(n.inputs[1]);
            fit(true, below, product_scales(like, x, k, y, slopes[at(c)] + zero_of(k)), kFine);
        }
    }
    tell(index, "slopes", fits);
    const Value& in = picture(n.inputs[0]);
    Value halves[2];
    for (const bool negative : {false, true}) {
        halves[negative] = temporary(*size_of(y), y.name + (negative ? " below 0" : " above 0"));
        AluLayer layer;
        if (negative && unary == nullptr) layer.factors = {kFine};
        layer.scale = [own = scales[negative]](int channel, int) { return own[at(channel)]; };
        add(index, std::move(layer), {&in}, halves[negative]);
    }
    AluLayer sum;
    Scale whole;
    whole.multiplier = 1;
    whole.bias = -zero;
    sum.scale = [whole](int, int) { return whole; };
    add(index, std::move(sum), {&halves[0], &halves[1]}, new_value(n.outputs[0]));
}

/// A sum of two tensors of one shape.
AluLayer Lowering::exact_sum(int index, const graph::Binary& op, const Scale& limits) {
    const Node& n = graph_.nodes[at(index)];
    const Tensor &a = tensor(n.inputs[0]), &b = tensor(n.inputs[1]), &y = tensor(n.outputs[0]);
    const bool subtract = op.function == graph::Arithmetic::sub;
    const std::vector<int> pairs = {1, kInt8Values, kInt8Values, 1};
    graph::Alone alone(graph_, n);
    alone.set_input(0, pairs, graph::all_values(graph::Type::int8, kInt8Values));
    alone.set_input(1, pairs, graph::all_values(graph::Type::int8, 1, kInt8Values));
    const SumOfTwo sum =
        best_sum({scale_of(a), zero_of(a)}, {subtract ? -scale_of(b) : scale_of(b), zero_of(b)},
                 scale_of(y), limits, signed_bytes(alone.run(pairs)));
    tell(index, "sum", {sum.fit});
    AluLayer layer;
    layer.factors = {sum.factors[0], sum.factors[1]};
    layer.left = sum.left;
    layer.correction = sum.correction;
    layer.scale = [scale = sum.scale](int, int) { return scale; };
    return layer;
}

/// Averages of windows, by the number of elements in them.
std::function<Scale(int, int)> Lowering::exact_average(int index, const std::set<int>& counts,
                                                       const Scale& limits) {
    const Node& n = graph_.nodes[at(index)];
    const Tensor &x = tensor(n.inputs[0]), &y = tensor(n.outputs[0]);
    const bool tflite = graph_.rounding == graph::Rounding::tflite;
    const bool mean = std::holds_alternative<graph::Mean>(n.op);
    std::map<int, Scale> scales;
    std::vector<Fit> fits;
    for (const int count : counts) {
        Function wanted;
        Scale like = limits;
        double factor = scale_of(x) / scale_of(y) / count;
        like.bias = -zero_of(x) * count;
        if (tflite && mean) {
            wanted = [=, multiplier = graph::mean_multiplier(x, y, count)](std::int64_t sum) {
                const auto distance = static_cast<std::int32_t>(sum + like.bias);
                return std::clamp(graph::multiply(distance, multiplier) + like.zero_point, like.low,
                                  like.high);
            };
        } else if (tflite) {
            // Halves go away from the 0 of the file.
            const int zero = -graph::shift_of(x);
            like.bias = -zero * count;
            like.zero_point = zero;
            factor = 1.0 / count;
            wanted = [=](std::int64_t sum) {
                const std::int64_t total = sum - std::int64_t{zero} * count;
                const std::int64_t half = total > 0 ? count / 2 : -(count / 2);
                return std::clamp(static_cast<int>((total + half) / count) + zero, like.low,
                                  like.high);
            };
        } else {
            wanted = [=, single = graph::mean_factor(x, y, count)](std::int64_t sum) {
                const double steps = graph::scaled_to_even(sum + like.bias, single);
                return static_cast<int>(
                    std::clamp(steps + like.zero_point, double(like.low), double(like.high)));
            };
        }
        std::vector<Scale> among = candidates(like, factor);
        if (tflite && mean) {
            among.insert(among.begin(), like);
            set_as_tflite(among.front(), graph::mean_multiplier(x, y, count));
        }
        const std::int64_t most = std::int64_t{kInt8Values / 2} * count;
        const Fitted found = best_rising_scale(among, wanted, -most, most - count);
        scales[count] = found.scale;
        fits.push_back(found.fit);
        // Its kernel adds real values in their order: a tie may go the other way.
        if (!tflite && !mean) {
            if (macrame::compiler::are_many_ties(ties(factor, most), 2 * most))
                throw Unsupported{
                    "averages that lie between two steps, which float32 rounds by the order of its "
                    "sums: want the host to do it (without --no-host)"};
            ++fits.back().wrong;
            ++fits.back().most;
        }
    }
    tell(index, "average", fits);
    return [scales](int, int elements) { return scales.at(elements); };
}

}  // namespace macrame::systolic::compiler
