#include "compiler/graph/spread.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

#include "compiler/graph/alone.hpp"
#include "compiler/graph/at.hpp"
#include "compiler/graph/kernels.hpp"
#include "compiler/graph/quantised.hpp"

namespace macrame::graph {
namespace {

constexpr double kAny = std::numeric_limits<double>::infinity();
constexpr std::int64_t kSums = std::int64_t{1} << 31;  // sums wrap there
constexpr int kBytes = 256;                            // values of an element

bool is_byte(const Tensor& tensor) {
    return tensor.type == Type::int8 || tensor.type == Type::uint8;
}
double scale_of(const Tensor& tensor) { return static_cast<double>(tensor.quantisation.scale[0]); }

template <typename Element>
std::vector<double> numbers_as(const Bytes& bytes) {
    std::vector<double> out(bytes.size() / sizeof(Element));
    for (std::size_t i = 0; i < out.size(); ++i) {
        Element element;
        std::memcpy(&element, &bytes[i * sizeof(Element)], sizeof(Element));
        out[i] = static_cast<double>(element);
    }
    return out;
}

std::vector<double> numbers(Type type, const Bytes& bytes) {
    switch (type) {
        case Type::int8:
            return numbers_as<std::int8_t>(bytes);
        case Type::uint8:
            return numbers_as<std::uint8_t>(bytes);
        case Type::int16:
            return numbers_as<std::int16_t>(bytes);
        case Type::int32:
            return numbers_as<std::int32_t>(bytes);
        case Type::int64:
            return numbers_as<std::int64_t>(bytes);
        case Type::float32:
            break;
    }
    return numbers_as<float>(bytes);
}

/// Steps, as an index.
int whole(double steps) { return static_cast<int>(std::min(std::ceil(steps), 1.0 * kBytes)); }

/// Of real values that are apart by this, the nearest integers: halves may go either way, and the
/// references have float32 in front of that.
double rounded(double apart) { return apart == 0 ? 0 : std::floor(apart + 1e-3) + 1; }

/// Of sums that are apart by this, their products as multiply() rounds them.
double scaled(std::int64_t apart, Multiplier factor) {
    if (apart == 0 || factor.mantissa == 0) return 0;
    const std::int64_t shifted = apart << std::clamp(factor.exponent, 0, 31);
    if (apart >= kSums || shifted >= kSums) return kAny;
    // Halves go up in the first rounding and away from 0 in the second one.
    const std::int64_t high = (shifted * factor.mantissa + kSums - 1) / kSums;
    const int shift = std::clamp(-factor.exponent, 0, 31);
    return static_cast<double>(shift == 0 ? high : (high >> shift) + 1);
}

/// The largest distance in columns of a table between rows that are `by` apart: rows of
/// `columns` numbers.
double in_table(const std::vector<double>& table, std::size_t columns, int by) {
    double most = 0;
    const int rows = static_cast<int>(table.size() / columns);
    for (std::size_t column = 0; column < columns; ++column)
        for (int row = 0; row < rows; ++row)
            for (int other = row + 1; other <= std::min(row + by, rows - 1); ++other)
                most = std::max(most, std::abs(table[at(row) * columns + column] -
                                               table[at(other) * columns + column]));
    return most;
}

/// The same of a table of all pairs. Functions of pairs rise or fall along each axis, so the ends
/// of what is near are furthest away.
double in_pairs(const std::vector<double>& table, int by_first, int by_second) {
    double most = 0;
    const auto limited = [](int value) { return std::clamp(value, 0, kBytes - 1); };
    const auto of = [&](int a, int b) { return table[at(a * kBytes + b)]; };
    for (int a = 0; a < kBytes; ++a)
        for (int b = 0; b < kBytes; ++b)
            for (const int x : {limited(a - by_first), limited(a + by_first)})
                for (const int y : {limited(b - by_second), limited(b + by_second)})
                    most = std::max(most, std::abs(of(x, y) - of(a, b)));
    return most;
}

/// Each value of a constant of bytes, once.
Bytes values_in(const Tensor& constant) {
    Bytes out = constant.data;
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

/// The output of one node, by its operator.
class Spread {
public:
    Spread(const Graph& graph, const Node& node, const std::vector<double>& inputs)
        : graph_(graph), node_(node), inputs_(inputs) {}

    double operator()(const Conv& op) const {
        return op.sums == Sums::whole ? of_sums(op.activation, 1, 1) : kAny;
    }
    double operator()(const FullyConnected& op) const { return of_sums(op.activation, 1, 1); }
    double operator()(const TransposeConv& op) const {
        return of_sums(op.activation, op.window.stride_h, op.window.stride_w);
    }
    double operator()(const Norm&) const { return kAny; }
    double operator()(const Gather&) const { return inputs_[1] == 0 ? by() : kAny; }
    double operator()(const Compare&) const { return 1; }
    double operator()(const Select&) const {
        return inputs_[0] == 0 ? std::max(inputs_[1], inputs_[2]) : kAny;
    }
    double operator()(const Unary&) const { return of_byte(); }
    double operator()(const Requantise&) const {
        if (in().type == Type::float32 && is_byte(out())) return rounded(by() / scale_of(out()));
        return of_byte();
    }
    double operator()(const Binary& op) const {
        const bool wraps = op.function == Arithmetic::floor_mod;
        if (!is_byte(in(0)) || !is_byte(in(1)) || wraps) return kAny;
        const bool first = in(0).constant, second = in(1).constant;
        if (first || second) return of_constant(second ? 0 : 1, op);
        Alone alone(graph_, node_);
        alone.set_input(0, {1, kBytes, 1, 1}, all_values(in(0).type));
        alone.set_input(1, {1, 1, kBytes, 1}, all_values(in(1).type));
        return in_pairs(numbers(out().type, alone.run({1, kBytes, kBytes, 1})), whole(inputs_[0]),
                        whole(inputs_[1]));
    }
    double operator()(const Prelu& op) const {
        return is_byte(in(0)) && is_byte(in(1)) && in(1).constant ? of_constant(0, op) : kAny;
    }
    double operator()(const Pool& op) const {
        const bool one = op.window.kernel_h * op.window.kernel_w == 1;
        if (op.function == Pooling::maximum) return by();
        return of_mean(one);
    }
    double operator()(const Mean&) const {
        if (!is_byte(in()) || !is_byte(out())) return kAny;
        const auto count = static_cast<std::int64_t>(in().elements() / out().elements());
        if (graph_.rounding == Rounding::tflite)
            return scaled(count * whole(by()), mean_multiplier(in(), out(), count));
        return rounded(static_cast<double>(count) * by() *
                       static_cast<double>(mean_factor(in(), out(), count)));
    }
    double operator()(const Resize& op) const {
        return op.function == Resampling::nearest ? by() : of_mean(false);
    }
    double operator()(const Concat& op) const {
        double most = 0;
        for (std::size_t i = 0; i < node_.inputs.size(); ++i) {
            if (inputs_[i] == 0) continue;
            Node one = node_;
            one.op = Concat{0, op.activation};
            one.inputs = {node_.inputs[i]};
            most = std::max(most, of_byte(one, inputs_[i]));
        }
        return most;
    }
    double operator()(const Slice&) const { return by(); }
    double operator()(const Split&) const { return by(); }
    double operator()(const Pad&) const { return by(); }
    double operator()(const Reshape&) const { return by(); }
    double operator()(const Transpose&) const { return by(); }
    double operator()(const Softmax& op) const {
        if (!is_byte(in()) || !is_byte(out())) return kAny;
        // All others the other way: the odds change by a factor of exp(2 * apart).
        const double apart = by() * scale_of(in()) * std::abs(static_cast<double>(op.beta));
        // In front of the rounding, the fixed point of the reference is some hundredths off.
        const double steps = graph_.rounding == Rounding::tflite ? 256 : 1 / scale_of(out());
        return std::floor(steps * std::tanh(apart / 2) + 0.5) + 1;
    }
    double operator()(const Lstm&) const { return kAny; }
    double operator()(const MatMul&) const { return kAny; }
    double operator()(const Reduce& op) const {
        const bool picks = op.function == Reduction::maximum || op.function == Reduction::minimum;
        return picks ? by() : kAny;
    }
    double operator()(const Cast&) const { return kAny; }
    double operator()(const L2Norm&) const { return kAny; }
    double operator()(const LocalNorm&) const { return kAny; }
    double operator()(const TopK&) const { return kAny; }
    double operator()(const GatherNd&) const { return inputs_[1] == 0 ? by() : kAny; }
    double operator()(const GatherElements&) const { return inputs_[1] == 0 ? by() : kAny; }
    double operator()(const PutRows&) const {
        return inputs_[2] == 0 ? std::max(by(), inputs_[1]) : kAny;
    }
    double operator()(const ScatterNd& op) const {
        const bool adds =
            op.joined && *op.joined != Reduction::maximum && *op.joined != Reduction::minimum;
        return inputs_[1] != 0 || adds ? kAny : std::max(by(), inputs_[2]);
    }
    double operator()(const Cumsum&) const { return kAny; }
    double operator()(const Svdf&) const { return kAny; }
    double operator()(const Detections&) const { return kAny; }
    double operator()(const Suppression&) const { return kAny; }
    double operator()(const DynamicQuantise&) const { return kAny; }
    double operator()(const Join&) const { return kAny; }
    double operator()(const RealDigits&) const { return kAny; }
    double operator()(const RealSums&) const { return kAny; }
    double operator()(const Argmax& op) const { return in().shape[at(op.axis)] - 1; }

private:
    const Tensor& in(std::size_t i = 0) const { return graph_.tensor(node_.inputs[i]); }
    const Tensor& out() const { return graph_.tensor(node_.outputs[0]); }
    double by() const { return inputs_[0]; }

    double of_byte() const { return of_byte(node_, by()); }
    /// A function of one byte, tried out.
    double of_byte(const Node& node, double apart) const {
        const Tensor& from = graph_.tensor(node.inputs[0]);
        if (!is_byte(from)) return kAny;
        Alone alone(graph_, node);
        alone.set_input(0, {kBytes}, all_values(from.type));
        return in_table(numbers(out().type, alone.run({kBytes})), 1, whole(apart));
    }

    /// A function of a byte and a constant of bytes, which lies along the last axis.
    double of_constant(std::size_t moving, const Operator& op) const {
        Node one = node_;
        one.op = op;
        Alone alone(graph_, one);
        const Bytes values = values_in(in(1 - moving));
        const int count = static_cast<int>(values.size());
        alone.set_input(1 - moving, {count}, values);
        alone.set_input(moving, {1, 1, kBytes, count}, all_values(in(moving).type, count));
        return in_table(numbers(out().type, alone.run({1, 1, kBytes, count})), values.size(),
                        whole(inputs_[moving]));
    }

    /// A mean of elements, in the scale of the output.
    double of_mean(bool of_one) const {
        if (!is_byte(in()) || !is_byte(out())) return kAny;
        if (graph_.rounding == Rounding::tflite) return of_one ? by() : by() + 1;
        return rounded(by() * scale_of(in()) / scale_of(out()));
    }

    /// Sums of products with weights, of which an output reads those that are a stride apart.
    double of_sums(Activation activation, int stride_h, int stride_w) const {
        if (!is_byte(in()) || !is_byte(out())) return kAny;
        const auto [low, high] = bounds(activation, out());
        const Tensor& weights = in(1);
        const std::vector<double> factors = output_factors(graph_, node_);
        const std::vector<std::int64_t> magnitudes = magnitudes_of(weights, stride_h, stride_w);
        const std::size_t phases = magnitudes.size() / factors.size();
        std::vector<double> bias(factors.size(), 0);
        if (node_.inputs.size() > 2 && node_.inputs[2] != kNone) {
            const std::vector<double> found = numbers(in(2).type, in(2).data);
            std::copy(found.begin(), found.end(), bias.begin());
        }
        double most = 0;
        for (std::size_t i = 0; i < magnitudes.size(); ++i) {
            const double factor = factors[i / phases];
            const std::int64_t apart = magnitudes[i] * whole(by());
            const double largest =
                static_cast<double>((kBytes - 1) * magnitudes[i]) + std::abs(bias[i / phases]);
            const Multiplier fixed = multiplier(factor);
            const bool tflite = graph_.rounding == Rounding::tflite;
            const int left = tflite ? std::max(fixed.exponent, 0) : 0;
            if (std::ldexp(largest, left) >= static_cast<double>(kSums)) return high - low;
            most = std::max(
                most, tflite ? scaled(apart, fixed) : rounded(static_cast<double>(apart) * factor));
        }
        return std::min(most, 1.0 * (high - low));
    }

    /// Sums of the weights' magnitudes by kernel, then by place within the strides.
    std::vector<std::int64_t> magnitudes_of(const Tensor& weights, int stride_h,
                                            int stride_w) const {
        const std::vector<double> values = numbers(weights.type, weights.data);
        const std::vector<std::int32_t>& zeros = weights.quantisation.zero_point;
        const auto kernels = at(weights.shape[0]);
        const std::size_t each = values.size() / kernels;
        const bool window = weights.shape.size() == 4;
        const std::size_t wide = window ? at(weights.shape[2]) : 1;
        const std::size_t depth = window ? at(weights.shape[3]) : each;
        const std::size_t phases = at(stride_h * stride_w);
        std::vector<std::int64_t> out(kernels * phases, 0);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t kernel = i / each, tap = i % each / depth;
            const std::size_t phase =
                tap / wide % at(stride_h) * at(stride_w) + tap % wide % at(stride_w);
            const int zero = zeros.empty() ? 0 : zeros[zeros.size() == 1 ? 0 : kernel];
            out[kernel * phases + phase] += std::abs(static_cast<std::int64_t>(values[i]) - zero);
        }
        return out;
    }

    const Graph& graph_;
    const Node& node_;
    const std::vector<double>& inputs_;
};

}  // namespace

double range_of(const Tensor& tensor) {
    switch (tensor.type) {
        case Type::int8:
        case Type::uint8:
            return kBytes - 1;
        case Type::int16:
            return 65535;
        default:
            return kAny;
    }
}

std::vector<double> spread(const Graph& graph, const Node& node,
                           const std::vector<double>& inputs) {
    if (std::all_of(inputs.begin(), inputs.end(), [](double by) { return by == 0; }))
        return std::vector<double>(node.outputs.size(), 0);
    const double most = std::visit(Spread(graph, node, inputs), node.op);
    std::vector<double> out;
    for (const TensorId id : node.outputs)
        out.push_back(std::min(most, range_of(graph.tensor(id))));
    return out;
}

double spread(const Chain& chain, double by) {
    return in_table({chain.table.begin(), chain.table.end()}, 1, whole(by));
}

}  // namespace macrame::graph
