/// Sums, products, the largest and the least along axes; norms of rows.
#include <algorithm>
#include <cmath>

#include "compiler/graph/at.hpp"
#include "compiler/graph/kernels.hpp"
#include "compiler/graph/quantised.hpp"
#include "compiler/graph/walk.hpp"

namespace macrame::graph {
namespace {

/// One value for all along the axes, joined in the order of the input.
template <typename Value, typename Join>
std::vector<Value> joined(const Call& call, const Reduce& op, const std::vector<Value>& x,
                          const Join& join) {
    const std::vector<int>& shape = call.in().shape;
    std::vector<int> kept = shape;
    for (const int axis : op.axes)
        kept[at(axis)] = 1;
    Walk<1> walk(shape, {broadcast_strides(kept, shape)});
    std::vector<Value> values(call.out().elements());
    std::vector<bool> begun(values.size());
    for (const Value value : x) {
        const std::size_t to = walk.at(0);
        values[to] = begun[to] ? join(values[to], value) : value;
        begun[to] = true;
        walk.next();
    }
    return values;
}

template <typename Value>
std::vector<Value> reduced(const Call& call, const Reduce& op, const std::vector<Value>& x) {
    switch (op.function) {
        case Reduction::sum:
            return joined(call, op, x, [](Value a, Value b) { return a + b; });
        case Reduction::product:
            return joined(call, op, x, [](Value a, Value b) { return a * b; });
        case Reduction::maximum:
            return joined(call, op, x, [](Value a, Value b) { return std::max(a, b); });
        case Reduction::minimum:
            break;
    }
    return joined(call, op, x, [](Value a, Value b) { return std::min(a, b); });
}

std::vector<std::uint64_t> as_unsigned(const std::vector<std::int64_t>& x) {
    return {x.begin(), x.end()};
}

Bytes sums_of_elements(const Call& call, const Reduce& op) {
    const auto count = static_cast<std::int64_t>(call.in().elements() / call.out().elements());
    const std::int64_t zeros = count * call.in().quantisation.zero_point[0];
    const Multiplier factor = mean_multiplier(call.in(), call.out(), 1);
    std::vector<std::int32_t> values;
    for (const std::int64_t sum : reduced(call, op, call.whole()))
        values.push_back(multiply(static_cast<std::int32_t>(sum - zeros), factor) +
                         call.out().quantisation.zero_point[0]);
    return pack(call.out(), values);
}

}  // namespace

Bytes execute(const Call& call, const Reduce& op) {
    if (call.in().type == Type::float32) return pack(call, reduced(call, op, call.reals()));
    const bool sum = op.function == Reduction::sum;
    if (sum && size_of(call.in().type) <= 2)
        return call.fixed_point() ? sums_of_elements(call, op)
                                  : pack(call, reduced(call, op, call.reals()));
    if (sum || op.function == Reduction::product) {
        const auto values = reduced(call, op, as_unsigned(call.whole()));
        return pack_whole(call.out(), {values.begin(), values.end()});
    }
    return pack_whole(call.out(), reduced(call, op, call.whole()));
}

Bytes execute(const Call& call, const LocalNorm& op) {
    const int size = call.in().shape.back();
    const std::vector<float> x = call.reals();
    std::vector<float> values(x.size());
    for (std::size_t start = 0; start < x.size(); start += at(size)) {
        for (int i = 0; i < size; ++i) {
            float squares = 0;
            const int last = std::min(size - 1, i + std::min(op.behind, size));
            for (int k = std::max(0, i - op.before); k <= last; ++k)
                squares += x[start + at(k)] * x[start + at(k)];
            // The reference has its options in double precision.
            const double sum = static_cast<double>(op.bias) +
                               static_cast<double>(op.alpha) * static_cast<double>(squares);
            values[start + at(i)] =
                x[start + at(i)] * static_cast<float>(std::pow(sum, -static_cast<double>(op.beta)));
        }
    }
    return pack(call, values);
}

Bytes execute(const Call& call, const L2Norm&) {
    const std::size_t size = at(call.in().shape.back());
    if (!call.fixed_point()) {
        std::vector<float> values = call.reals();
        for (std::size_t start = 0; start < values.size(); start += size) {
            float squares = 0;
            for (std::size_t i = start; i < start + size; ++i)
                squares += values[i] * values[i];
            const float length = std::max(std::sqrt(squares), 1e-6F);
            for (std::size_t i = start; i < start + size; ++i)
                values[i] /= length;
        }
        return pack(call, values);
    }
    constexpr int kFraction = 7;  // of the output
    const int zero = call.in().quantisation.zero_point[0];
    std::vector<std::int32_t> values = call.integers();
    for (std::size_t start = 0; start < values.size(); start += size) {
        std::int64_t squares = 0;
        for (std::size_t i = start; i < start + size; ++i)
            squares += std::int64_t{values[i] - zero} * (values[i] - zero);
        // The older of its ways has the fraction in front of the product.
        const bool old = call.in().type == Type::uint8 || call.in().shifted;
        Multiplier inverse = inverse_square_root(static_cast<std::int32_t>(squares));
        if (!old) inverse.exponent += kFraction;
        for (std::size_t i = start; i < start + size; ++i)
            values[i] = multiply((values[i] - zero) * (old ? 1 << kFraction : 1), inverse) +
                        call.out().quantisation.zero_point[0];
    }
    return pack(call.out(), values);
}

}  // namespace macrame::graph
