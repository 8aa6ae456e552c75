/// Convolutions and fully connected layers.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <type_traits>

#include "compiler/graph/at.hpp"
#include "compiler/graph/kernels.hpp"
#include "compiler/graph/quantised.hpp"
#include "compiler/graph/sums.hpp"
#include "compiler/graph/walk.hpp"

namespace macrame::graph {
namespace {

/// Integers minus their zero points: 9 bits and a sign. Sums wrap as 32-bit hardware does.
struct Integers {
    using Element = std::int32_t;
    using Sum = std::uint32_t;
};
/// The same with sums of 64 bits: activations of int16.
struct WideIntegers {
    using Element = std::int32_t;
    using Sum = std::uint64_t;
};
struct Reals {
    using Element = float;
    using Sum = float;
};

/// Operands as numbers that are multiplied, sums with the bias as start.
template <typename Kind>
struct Operands {
    std::vector<typename Kind::Element> input, weights;
    std::vector<typename Kind::Sum> bias;
};

/// Sums [height, width, K] of a convolution: `in` and `out` are shapes.
template <typename Kind>
std::vector<typename Kind::Sum> convolve(const Conv& op, const Operands<Kind>& x,
                                         const std::vector<int>& in, const std::vector<int>& out) {
    using Sum = typename Kind::Sum;
    const Window& w = op.window;
    const std::size_t channels = at(in[3]), kernels = at(out[3]);
    const std::size_t depth = channels / at(op.groups), per_group = kernels / at(op.groups);
    const std::size_t wide = at(w.kernel_w), size = at(w.kernel_h) * wide * depth;
    std::vector<Sum> sums(at(out[1]) * at(out[2]) * kernels);
    std::size_t next = 0;
    for (int y = 0; y < out[1]; ++y) {
        const int top = y * w.stride_h - w.top;
        const Taps rows = taps(top, w.kernel_h, w.dilation_h, in[1]);
        for (int column = 0; column < out[2]; ++column) {
            const int left = column * w.stride_w - w.left;
            const Taps columns = taps(left, w.kernel_w, w.dilation_w, in[2]);
            for (std::size_t k = 0; k < kernels; ++k) {
                Sum sum = 0;
                const std::size_t first_channel = k / per_group * depth;
                for (int ky = rows.first; ky < rows.end; ++ky) {
                    const std::size_t row = at(top + ky * w.dilation_h) * at(in[2]);
                    for (int kx = columns.first; kx < columns.end; ++kx) {
                        const std::size_t pixel = row + at(left + kx * w.dilation_w);
                        const auto* data = &x.input[pixel * channels + first_channel];
                        const auto* weight =
                            &x.weights[k * size + (at(ky) * wide + at(kx)) * depth];
                        for (std::size_t c = 0; c < depth; ++c)
                            sum += static_cast<Sum>(data[c]) * static_cast<Sum>(weight[c]);
                    }
                }
                sums[next++] = sum + x.bias[k];
            }
        }
    }
    return sums;
}

/// Every input element goes to the outputs whose convolution would have read it.
template <typename Kind>
std::vector<typename Kind::Sum> scatter(const TransposeConv& op, const Operands<Kind>& x,
                                        const std::vector<int>& in, const std::vector<int>& out) {
    using Sum = typename Kind::Sum;
    const Window& w = op.window;
    const std::size_t channels = at(in[3]), kernels = at(out[3]);
    const std::size_t wide = at(w.kernel_w), size = at(w.kernel_h) * wide * channels;
    std::vector<Sum> sums(at(out[1]) * at(out[2]) * kernels);
    for (int y = 0; y < in[1]; ++y) {
        const int top = y * w.stride_h - w.top;
        const Taps rows = taps(top, w.kernel_h, w.dilation_h, out[1]);
        for (int column = 0; column < in[2]; ++column) {
            const int left = column * w.stride_w - w.left;
            const Taps columns = taps(left, w.kernel_w, w.dilation_w, out[2]);
            const auto* data = &x.input[(at(y) * at(in[2]) + at(column)) * channels];
            for (int ky = rows.first; ky < rows.end; ++ky) {
                const std::size_t row = at(top + ky * w.dilation_h) * at(out[2]);
                for (int kx = columns.first; kx < columns.end; ++kx) {
                    const std::size_t pixel = row + at(left + kx * w.dilation_w);
                    for (std::size_t k = 0; k < kernels; ++k) {
                        const auto* weight =
                            &x.weights[k * size + (at(ky) * wide + at(kx)) * channels];
                        Sum sum = 0;
                        for (std::size_t c = 0; c < channels; ++c)
                            sum += static_cast<Sum>(data[c]) * static_cast<Sum>(weight[c]);
                        sums[pixel * kernels + k] += sum;
                    }
                }
            }
        }
    }
    for (std::size_t i = 0; i < sums.size(); ++i)
        sums[i] += x.bias[i % kernels];
    return sums;
}

/// Rows of `channels` elements, each with all kernels.
template <typename Kind>
std::vector<typename Kind::Sum> connect(const Operands<Kind>& x) {
    using Sum = typename Kind::Sum;
    const std::size_t kernels = x.bias.size(), channels = x.weights.size() / kernels;
    std::vector<Sum> sums(x.input.size() / channels * kernels);
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const auto* data = &x.input[i / kernels * channels];
        const auto* weight = &x.weights[i % kernels * channels];
        Sum sum = 0;
        for (std::size_t c = 0; c < channels; ++c)
            sum += static_cast<Sum>(data[c]) * static_cast<Sum>(weight[c]);
        sums[i] = sum + x.bias[i % kernels];
    }
    return sums;
}

/// Integers with their zero points taken off; scales lie along axis 0.
std::vector<std::int32_t> distances(const Call& call, std::size_t i) {
    std::vector<std::int32_t> values = call.integers(i);
    const std::vector<std::int32_t>& zero_points = call.in(i).quantisation.zero_point;
    if (zero_points.empty()) return values;
    const std::size_t inner = values.size() / zero_points.size();
    for (std::size_t e = 0; e < values.size(); ++e)
        values[e] -= zero_points[e / inner];
    return values;
}

std::size_t kernels_of(const Call& call) { return at(call.in(1).shape[0]); }

template <typename Kind>
Operands<Kind> integer_operands(const Call& call) {
    Operands<Kind> x{distances(call, 0), distances(call, 1), {}};
    x.bias.assign(kernels_of(call), 0);
    if (call.has(2)) {
        const std::vector<std::int64_t> bias = call.whole(2);
        std::transform(bias.begin(), bias.end(), x.bias.begin(),
                       [](std::int64_t value) { return static_cast<typename Kind::Sum>(value); });
    }
    return x;
}

Operands<Reals> real_operands(const Call& call) {
    Operands<Reals> x{call.reals(0), call.reals(1), {}};
    x.bias = call.has(2) ? call.reals(2) : std::vector<float>(kernels_of(call), 0.0F);
    return x;
}

/// Sums in the scale of the output, within the bounds of the activation.
template <typename Sum>
Bytes rescale(const Call& call, const std::vector<Sum>& sums, const std::vector<double>& factors,
              Activation activation) {
    std::vector<Multiplier> multipliers;
    for (const double factor : factors)
        multipliers.push_back(multiplier(factor));
    const Tensor& output = call.out();
    const auto [least, most] = bounds(activation, output);
    const std::int32_t zero = output.quantisation.zero_point[0];
    const auto* full = std::get_if<FullyConnected>(&call.node.op);
    const bool once = full != nullptr && full->rounds_once;
    std::vector<std::int32_t> values(sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const std::size_t k = i % factors.size();
        const auto sum = static_cast<std::make_signed_t<Sum>>(sums[i]);
        double value = 0;
        if constexpr (std::is_same_v<Sum, std::uint64_t>)
            value = static_cast<double>(once ? multiply_wide_once(sum, multipliers[k])
                                             : multiply_wide(sum, multipliers[k]));
        else if (call.graph.rounding == Rounding::tflite)
            value = static_cast<double>(once ? multiply_once(sum, multipliers[k])
                                             : multiply(sum, multipliers[k]));
        else
            value = scaled_to_even(sum, static_cast<float>(factors[k]));
        values[i] = static_cast<std::int32_t>(
            std::clamp(value + zero, static_cast<double>(least), static_cast<double>(most)));
    }
    return pack(output, values);
}

/// Sums as numbers of int32.
Bytes pack_sums(const Call& call, const std::vector<std::uint32_t>& sums) {
    return pack_whole(call.out(), {sums.begin(), sums.end()});
}

/// What lies beyond the digits saturates in the highest.
std::vector<Bytes> digits_of(const std::vector<std::uint32_t>& sums, std::size_t count) {
    std::vector<Bytes> out(count, Bytes(sums.size()));
    for (std::size_t i = 0; i < sums.size(); ++i) {
        std::int64_t rest = std::clamp<std::int64_t>(static_cast<std::int32_t>(sums[i]),
                                                     least_of_digits(count), most_of_digits(count));
        for (std::size_t d = count; d-- > 0;) {
            // Rounded down, so that the rest is what the digits below have.
            const std::int64_t above = d == 0 ? rest : rest - least_of_digits(d);
            const std::int64_t step = std::abs(digit_factor(d));
            const std::int64_t steps = (above - (above % step + step) % step) / step;
            const std::int64_t digit = d == 0 ? steps : -steps;
            out[d][i] = static_cast<std::uint8_t>(digit);
            rest -= digit * digit_factor(d);
        }
    }
    return out;
}

Bytes sums_in_bytes(const std::vector<std::uint32_t>& sums) {
    Bytes out;
    for (const std::uint32_t sum : sums)
        for (int byte = 0; byte < 4; ++byte)
            out.push_back(static_cast<std::uint8_t>(sum >> 8 * byte));
    return out;
}

/// Sums that `compute` makes of operands, as elements of the output.
template <typename Compute>
Bytes layer(const Call& call, Activation activation, const Compute& compute) {
    if (call.out().type == Type::float32)
        return pack(call, compute(real_operands(call)), activation);
    if (call.out().type == Type::int32)
        return pack_sums(call, compute(integer_operands<Integers>(call)));
    const std::vector<double> factors = output_factors(call.graph, call.node);
    if (has_wide_sums(call.graph, call.node))
        return rescale(call, compute(integer_operands<WideIntegers>(call)), factors, activation);
    return rescale(call, compute(integer_operands<Integers>(call)), factors, activation);
}

}  // namespace

std::vector<Bytes> execute(const Call& call, const Conv& op) {
    if (op.sums == Sums::whole)
        return {layer(call, op.activation, [&](const auto& operands) {
            return convolve(op, operands, call.in().shape, call.out().shape);
        })};
    std::vector<int> shape = call.out().shape;
    shape.back() = call.in(1).shape[0];
    const std::vector<std::uint32_t> sums =
        convolve(op, integer_operands<Integers>(call), call.in().shape, shape);
    if (op.sums == Sums::digits) return digits_of(sums, call.node.outputs.size());
    return {sums_in_bytes(sums)};
}

Bytes execute(const Call& call, const Join&) {
    if (call.in().elements() != call.out().elements()) return call.bytes();
    std::vector<std::int64_t> sums(call.out().elements());
    for (std::size_t d = 0; d < call.inputs.size(); ++d) {
        const std::vector<std::int32_t> digits = call.integers(d);
        for (std::size_t i = 0; i < sums.size(); ++i)
            sums[i] += digits[i] * digit_factor(d);
    }
    return pack_whole(call.out(), sums);
}

Bytes execute(const Call& call, const TransposeConv& op) {
    return layer(call, op.activation, [&](const auto& operands) {
        return scatter(op, operands, call.in().shape, call.out().shape);
    });
}

Bytes execute(const Call& call, const FullyConnected& op) {
    return layer(call, op.activation, [](const auto& operands) { return connect(operands); });
}

namespace {

/// Sums [..., rows, columns] of products of `a` and `b`, whose zero points are taken off.
template <typename Sum, typename Element>
std::vector<Sum> products(const Call& call, const MatMul& op, const std::vector<Element>& a,
                          const std::vector<Element>& b) {
    const std::vector<int>& out = call.out().shape;
    const std::size_t rank = out.size();
    const auto strides = [&](std::size_t i, bool transpose) {
        Strides own = broadcast_strides(call.in(i).shape, out);
        const Strides real = strides_of(call.in(i).shape);
        const std::size_t last = call.in(i).shape.size() - 1;
        own[rank - 2] = real[transpose ? last : last - 1];
        own[rank - 1] = real[transpose ? last - 1 : last];
        return own;
    };
    Strides first = strides(0, op.transpose_a), second = strides(1, op.transpose_b);
    const auto step_a = at(static_cast<int>(first[rank - 1])),
               step_b = at(static_cast<int>(second[rank - 2]));
    const int depth = call.in(0).shape[call.in(0).shape.size() - (op.transpose_a ? 2 : 1)];
    first[rank - 1] = second[rank - 2] = 0;
    std::vector<Sum> sums(call.out().elements());
    Walk<2> walk(out, {first, second});
    for (Sum& sum : sums) {
        for (std::size_t k = 0; k < at(depth); ++k)
            sum += static_cast<Sum>(a[walk.at(0) + k * step_a]) *
                   static_cast<Sum>(b[walk.at(1) + k * step_b]);
        walk.next();
    }
    return sums;
}

}  // namespace

Bytes execute(const Call& call, const MatMul& op) {
    if (call.out().type == Type::float32)
        return pack(call, products<float>(call, op, call.reals(0), call.reals(1)));
    const std::vector<std::int32_t> a = distances(call, 0), b = distances(call, 1);
    if (call.out().type == Type::int32)
        return pack_sums(call, products<std::uint32_t>(call, op, a, b));
    const std::vector<double> factors = output_factors(call.graph, call.node);
    if (has_wide_sums(call.graph, call.node))
        return rescale(call, products<std::uint64_t>(call, op, a, b), factors, Activation::none);
    return rescale(call, products<std::uint32_t>(call, op, a, b), factors, Activation::none);
}

}  // namespace macrame::graph
