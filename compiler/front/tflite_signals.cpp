/// Spectra of TFLite: products with constants. Complex numbers are a last axis of both parts.
#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "compiler/front/tflite_importers.hpp"
#include "compiler/graph/at.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::Arithmetic;
using graph::kNone;
using graph::TensorId;
using graph::Type;

/// Of the last axis; the one in front of it has one element, as RFFT of TensorFlow makes it.
void TfliteImporters::spectrum(TfliteReader& r, const Op& op) {
    const TensorId from = r.input(op, 0), to = r.output(op);
    std::vector<int> shape = r.tensor(from).shape;
    const std::vector<std::int64_t> lengths = integers_of(r.tensor(r.input(op, 1)));
    constexpr std::int64_t kLongest = 1 << 14;
    if (r.tensor(from).type != Type::float32 || shape.size() < 2 || lengths.size() != 2 ||
        lengths[0] != 1 || shape[shape.size() - 2] != 1 || lengths[1] < 2 || lengths[1] > kLongest)
        throw Refusal{fmt::format(
            "{} of shape {}, fft_length {}: want float32 and a spectrum along the last axis alone, "
            "2 to {} long",
            r.tensor(from).name, graph::text_of(shape), fmt::join(lengths, "x"), kLongest)};
    const auto length = static_cast<int>(lengths[1]);
    const int bins = length / 2 + 1, size = shape.back();
    TensorId x = from;
    if (size > length) {
        shape.back() = length;
        x = real_part(
            r, op,
            graph::Slice{std::vector<int>(shape.size(), 0), std::vector<int>(shape.size(), 1)}, {x},
            shape);
    } else if (size < length) {
        graph::Pad pad;
        pad.amounts.resize(shape.size());
        pad.amounts.back() = {0, length - size};
        shape.back() = length;
        x = real_part(r, op, pad, {x}, shape);
    }
    const TensorId factors = new_part(r, op, Type::float32, {2 * bins, length});
    graph::Tensor& weights = r.graph_.tensor(factors);
    r.budget_.charge(weights.bytes());
    weights.constant = true;
    weights.data.resize(weights.bytes());
    graph::Data::Bytes& bytes = weights.data.own();
    constexpr double kTurn = 6.283185307179586;
    for (int k = 0; k < bins; ++k)
        for (int n = 0; n < length; ++n) {
            const double angle = kTurn * static_cast<double>(std::int64_t{k} * n % length) / length;
            const float parts[] = {static_cast<float>(std::cos(angle)),
                                   static_cast<float>(-std::sin(angle))};
            for (int part = 0; part < 2; ++part)
                std::memcpy(&bytes[(at(2 * k + part) * at(length) + at(n)) * sizeof(float)],
                            &parts[part], sizeof(float));
        }
    int rows = 1;
    for (std::size_t i = 0; i + 1 < shape.size(); ++i)
        rows *= shape[i];
    const TensorId flat = real_part(r, op, graph::Reshape{}, {x}, {rows, length});
    const TensorId both =
        real_part(r, op, graph::FullyConnected{}, {flat, factors, kNone}, {rows, 2 * bins});
    shape.back() = bins;
    shape.push_back(2);
    r.graph_.tensor(to).shape = shape;
    r.add(op, graph::Reshape{}, {both}, {to});
}

/// Of REAL, IMAG and COMPLEX_ABS.
void TfliteImporters::complex_part(TfliteReader& r, const Op& op) {
    const TensorId from = r.input(op, 0), to = r.output(op);
    const std::vector<int> shape = r.tensor(from).shape;
    if (at(from) >= r.is_complex_.size() || !r.is_complex_[at(from)] ||
        r.tensor(to).type != Type::float32)
        throw Refusal{fmt::format("{} has type {}: want complex64, and float32 of it",
                                  r.tensor(from).name, name_of(r.tensor(from).type))};
    std::vector<int> whole(shape.begin(), shape.end() - 1), one = shape;
    one.back() = 1;
    r.graph_.tensor(to).shape = whole;
    const auto part = [&](int i) {
        graph::Slice slice{std::vector<int>(shape.size(), 0), std::vector<int>(shape.size(), 1)};
        slice.begin.back() = i;
        return real_part(r, op, slice, {from}, one);
    };
    TensorId y = kNone;
    if (op.code == schema::BuiltinOperator::COMPLEX_ABS) {
        const TensorId a = part(0), b = part(1);
        const TensorId sum = real_part(r, op, graph::Binary{Arithmetic::add, {}},
                                       {product(r, op, a, a), product(r, op, b, b)}, one);
        y = real_part(r, op, graph::Unary{graph::Function::sqrt}, {sum}, one);
    } else {
        y = part(op.code == schema::BuiltinOperator::REAL ? 0 : 1);
    }
    r.add(op, graph::Reshape{}, {y}, {to});
}

}  // namespace macrame::front
