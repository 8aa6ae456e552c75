/// Products of real values with weights of int8, as files of dynamic range quantisation have them.
///
/// The reference quantises what such an operator reads in each run: each row of a matrix, each
/// picture by itself. Sums are int32; scales are multiplied in float32, in the order of its
/// kernels.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "compiler/front/tflite_importers.hpp"
#include "compiler/graph/at.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::kNone;
using graph::Tensor;
using graph::TensorId;
using graph::Type;

bool TfliteImporters::is_dynamic(const TfliteReader& r, const Op& op, std::size_t input,
                                 std::size_t weights) {
    return r.tensor(r.input(op, input)).type == Type::float32 &&
           graph::size_of(r.tensor(r.input(op, weights)).type) == 1;
}

TensorId TfliteImporters::new_part(TfliteReader& r, const Op& op, Type type,
                                   std::vector<int> shape) {
    Tensor model;
    model.name = r.tensor(r.output(op)).name + " in part";
    model.type = type;
    return r.add_tensor(model, std::move(shape));
}

/// Weights that the reference takes; their scales as float32, along axis 0.
TensorId TfliteImporters::scales_of(TfliteReader& r, const Op& op, const Tensor& weights) {
    const graph::Quantisation& q = weights.quantisation;
    const bool zero = std::all_of(q.zero_point.begin(), q.zero_point.end(),
                                  [](std::int32_t value) { return value == 0; });
    if (!weights.constant || weights.type != Type::int8 || q.scale.empty() || !zero)
        throw Refusal{fmt::format(
            "weights {} are {}{} beside float32: want constants of int8 with a scale and zero "
            "points of 0, or float32",
            weights.name, weights.constant ? "" : "computed, ", name_of(weights.type))};
    std::vector<int> shape;
    if (q.per_channel()) shape = {static_cast<int>(q.scale.size())};
    const TensorId id = new_part(r, op, Type::float32, std::move(shape));
    Tensor& to = r.graph_.tensor(id);
    to.constant = true;
    to.data.resize(q.scale.size() * sizeof(float));
    std::memcpy(to.data.own().data(), q.scale.data(), to.data.size());
    return id;
}

TfliteImporters::Quantised TfliteImporters::quantised(TfliteReader& r, const Op& op, TensorId input,
                                                      bool symmetric) {
    const std::vector<int> shape = r.tensor(input).shape;
    std::vector<int> rows(shape.size(), 1);
    rows[0] = shape[0];
    const TensorId bytes = new_part(r, op, Type::int8, shape),
                   zeros = new_part(r, op, Type::int8, rows),
                   wide = new_part(r, op, Type::int32, shape);
    Quantised out;
    out.scales = new_part(r, op, Type::float32, rows);
    r.add(op, graph::DynamicQuantise{symmetric}, {input}, {bytes, out.scales, zeros});
    r.add(op, graph::Cast{}, {bytes}, {wide});
    out.numbers = wide;
    if (symmetric) return out;
    const TensorId wide_zeros = new_part(r, op, Type::int32, rows);
    out.numbers = new_part(r, op, Type::int32, shape);
    r.add(op, graph::Cast{}, {zeros}, {wide_zeros});
    r.add(op, graph::Binary{graph::Arithmetic::sub, {}}, {wide, wide_zeros}, {out.numbers});
    return out;
}

TensorId TfliteImporters::product(TfliteReader& r, const Op& op, TensorId a, TensorId b) {
    const std::vector<int> x = r.tensor(a).shape, y = r.tensor(b).shape;
    std::vector<int> shape = x.size() < y.size() ? y : x;
    const std::vector<int>& other = x.size() < y.size() ? x : y;
    for (std::size_t i = 1; i <= other.size(); ++i)
        shape[shape.size() - i] = std::max(shape[shape.size() - i], other[other.size() - i]);
    const TensorId to = new_part(r, op, Type::float32, std::move(shape));
    r.add(op, graph::Binary{graph::Arithmetic::mul, {}}, {a, b}, {to});
    return to;
}

/// Real values of sums, with bias and activation.
void TfliteImporters::give_sums(TfliteReader& r, const Op& op, TensorId sums, TensorId bias,
                                graph::Activation activation, TensorId to) {
    if (bias == kNone) {
        // The reference adds to 0: that makes 0 of -0.
        bias = new_part(r, op, Type::float32, {});
        r.graph_.tensor(bias).constant = true;
        r.graph_.tensor(bias).data.resize(sizeof(float));
    }
    r.add(op, graph::Binary{graph::Arithmetic::add, activation}, {sums, bias}, {to});
}

TensorId TfliteImporters::real_sums(TfliteReader& r, const Op& op, TensorId sums) {
    const TensorId real = new_part(r, op, Type::float32, r.tensor(sums).shape);
    r.add(op, graph::Cast{}, {sums}, {real});
    return real;
}

/// Depthwise ones are always quantised by channels, others where they have several scales: then
/// zero points are as the values want them.
void TfliteImporters::convolve_dynamic(TfliteReader& r, const Op& op, const graph::Conv& conv,
                                       TensorId weights, TensorId bias) {
    const TensorId input = r.input(op, 0);
    const std::vector<int> shape = r.tensor(r.output(op)).shape;
    const bool depthwise = op.code == schema::BuiltinOperator::DEPTHWISE_CONV_2D;
    const bool per_channel = r.tensor(weights).quantisation.per_channel();
    const TensorId scales = scales_of(r, op, r.tensor(weights));
    const Quantised x = quantised(r, op, input, !per_channel && !depthwise);
    TensorId sums = new_part(r, op, Type::int32, shape);
    graph::Conv plain = conv;
    plain.activation = graph::Activation::none;
    r.add(op, plain, {x.numbers, weights, kNone}, {sums});
    sums = real_sums(r, op, sums);
    if (per_channel && !depthwise)
        sums = product(r, op, product(r, op, sums, scales), x.scales);
    else
        sums = product(r, op, sums, product(r, op, x.scales, scales));
    give_sums(r, op, sums, bias, conv.activation, r.output(op));
}

void TfliteImporters::connect_dynamic(TfliteReader& r, const Op& op, bool symmetric,
                                      graph::Activation activation, TensorId bias) {
    const TensorId input = r.input(op, 0), weights = r.input(op, 1);
    const Tensor w = r.tensor(weights);
    if (w.shape.size() != 2 || r.tensor(input).elements() % at(w.shape[1]) != 0)
        throw Refusal{
            fmt::format("input {}, weights {}: want kernels x channels for rows of as many",
                        graph::text_of(r.tensor(input).shape), graph::text_of(w.shape))};
    const TensorId scales = scales_of(r, op, w);
    const auto count = static_cast<int>(r.tensor(input).elements() / at(w.shape[1]));
    const TensorId rows = new_part(r, op, Type::float32, {count, w.shape[1]}),
                   sums = new_part(r, op, Type::int32, {count, w.shape[0]}),
                   made = new_part(r, op, Type::float32, {count, w.shape[0]});
    r.add(op, graph::Reshape{}, {input}, {rows});
    const Quantised x = quantised(r, op, rows, symmetric);
    r.add(op, graph::FullyConnected{}, {x.numbers, weights, kNone}, {sums});
    const TensorId real = product(r, op, real_sums(r, op, sums), product(r, op, x.scales, scales));
    give_sums(r, op, real, bias, activation, made);
    r.add(op, graph::Reshape{}, {made}, {r.output(op)});
}

/// Rows of the first operand, behind its transposition, are quantised by themselves.
void TfliteImporters::multiply_dynamic(TfliteReader& r, const Op& op, graph::MatMul multiply,
                                       bool symmetric) {
    TensorId input = r.input(op, 0);
    const TensorId weights = r.input(op, 1), scales = scales_of(r, op, r.tensor(weights));
    if (r.tensor(weights).quantisation.per_channel())
        throw Refusal{fmt::format("{} scales of {}: want one",
                                  r.tensor(weights).quantisation.scale.size(),
                                  r.tensor(weights).name)};
    std::vector<int> shape = r.tensor(input).shape;
    const std::size_t rank = shape.size();
    if (rank < 2)
        throw Refusal{fmt::format("shape {}: want at least two axes", graph::text_of(shape))};
    // Of two axes the reference adds the indices, and takes scales of other rows.
    if (std::count_if(shape.begin(), shape.end() - 2, [](int size) { return size > 1; }) > 1)
        throw Refusal{fmt::format(
            "dynamic range quantisation of matrices {}: the kernels of TFLite take the scales of "
            "other rows there: want one axis of them at most, or int8 for both operands (convert "
            "with a representative dataset)",
            graph::text_of(shape))};
    if (multiply.transpose_a) {
        graph::Transpose swap;
        for (std::size_t i = 0; i < rank; ++i)
            swap.order.push_back(static_cast<int>(i));
        std::swap(swap.order[rank - 2], swap.order[rank - 1]);
        std::swap(shape[rank - 2], shape[rank - 1]);
        const TensorId swapped = new_part(r, op, Type::float32, shape);
        r.add(op, swap, {input}, {swapped});
        input = swapped;
        multiply.transpose_a = false;
    }
    const auto in_shape = [&](TensorId from, const std::vector<int>& wanted) {
        const TensorId to = new_part(r, op, r.tensor(from).type, wanted);
        r.add(op, graph::Reshape{}, {from}, {to});
        return to;
    };
    const auto count = static_cast<int>(r.tensor(input).elements() / at(shape.back()));
    const Quantised x = quantised(r, op, in_shape(input, {count, shape.back()}), symmetric);
    const TensorId numbers = in_shape(x.numbers, shape);
    const TensorId wide = new_part(r, op, Type::int32, r.tensor(weights).shape),
                   sums = new_part(r, op, Type::int32, r.tensor(r.output(op)).shape);
    r.add(op, graph::Cast{}, {weights}, {wide});
    r.add(op, multiply, {numbers, wide}, {sums});
    shape.back() = 1;
    const TensorId factors = in_shape(product(r, op, x.scales, scales), shape);
    give_sums(r, op, product(r, op, real_sums(r, op, sums), factors), kNone,
              graph::Activation::none, r.output(op));
}

}  // namespace macrame::front
