/// Operators of TFLite on elements and diagonals, as steps of others: ATAN2, BUCKETIZE,
/// MATRIX_DIAG, MATRIX_SET_DIAG.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "compiler/front/tflite_importers.hpp"
#include "compiler/graph/at.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::Arithmetic;
using graph::Function;
using graph::Tensor;
using graph::TensorId;
using graph::Type;
using Shape = std::vector<int>;

/// The angle of a point: that of the smaller coordinate over the larger one, then the quarter.
void TfliteImporters::atan2(TfliteReader& r, const Op& op) {
    const TensorId y = r.input(op, 0), x = r.input(op, 1), to = r.output(op);
    const Shape shape = r.tensor(y).shape;
    if (r.tensor(y).type != Type::float32 || r.tensor(x).type != Type::float32 ||
        r.tensor(x).shape != shape)
        throw Refusal{fmt::format("{} of {} and {} of {}: want float32, and one shape",
                                  name_of(r.tensor(y).type), graph::text_of(shape),
                                  name_of(r.tensor(x).type), graph::text_of(r.tensor(x).shape))};
    const auto number = [&](float value) {
        const TensorId id = new_part(r, op, Type::float32, {});
        Tensor& made = r.graph_.tensor(id);
        made.constant = true;
        made.data.resize(sizeof value);
        std::memcpy(made.data.own().data(), &value, sizeof value);
        return id;
    };
    const auto of = [&](Function function, TensorId a) {
        return real_part(r, op, graph::Unary{function}, {a}, shape);
    };
    const auto two = [&](Arithmetic function, TensorId a, TensorId b) {
        return real_part(r, op, graph::Binary{function, {}}, {a, b}, shape);
    };
    const auto less = [&](TensorId a, TensorId b) {
        const TensorId id = new_part(r, op, Type::int8, shape);
        r.graph_.tensor(id).quantisation = {{1.0F}, {0}, 0};
        r.add(op, graph::Compare{graph::Relation::less}, {a, b}, {id});
        return id;
    };
    const auto chosen = [&](TensorId condition, TensorId a, TensorId b) {
        return real_part(r, op, graph::Select{}, {condition, a, b}, shape);
    };
    constexpr float kQuarter = 1.5707963267948966F, kTangent = 0.4142135623730950F;
    const TensorId wide = of(Function::abs, x), high = of(Function::abs, y);
    const TensorId small = two(Arithmetic::minimum, wide, high),
                   large = two(Arithmetic::maximum, two(Arithmetic::maximum, wide, high),
                               number(1e-38F));
    const TensorId tangent = two(Arithmetic::div, small, large);
    // Beyond tan(pi / 8) by the distance from 1; within it by a polynomial (Cephes, atanf).
    const TensorId far = less(number(kTangent), tangent);
    const TensorId turned = two(Arithmetic::div, two(Arithmetic::sub, tangent, number(1)),
                                two(Arithmetic::add, tangent, number(1)));
    const TensorId t = chosen(far, turned, tangent);
    const TensorId square = two(Arithmetic::mul, t, t);
    TensorId sum = two(Arithmetic::mul, square, number(0.0805374449538F));
    for (const float factor : {-0.138776856032F, 0.199777106478F, -0.333329491539F})
        sum = two(Arithmetic::mul, two(Arithmetic::add, sum, number(factor)), square);
    sum = two(Arithmetic::add, two(Arithmetic::mul, sum, t), t);
    sum = chosen(far, two(Arithmetic::add, sum, number(kQuarter / 2)), sum);
    sum = chosen(less(wide, high), two(Arithmetic::sub, number(kQuarter), sum), sum);
    sum = chosen(less(x, number(0)), two(Arithmetic::sub, number(2 * kQuarter), sum), sum);
    r.add(op, graph::Select{}, {less(y, number(0)), of(Function::neg, sum), sum}, {to});
}

/// How many of some bounds are not above each element.
void TfliteImporters::bucketize(TfliteReader& r, const Op& op) {
    const auto* bounds =
        r.options<schema::BucketizeOptions>(op, schema::OptionsType::BUCKETIZE).boundaries();
    const TensorId input = r.input(op, 0), to = r.output(op);
    const Shape shape = r.tensor(input).shape;
    if (bounds == nullptr || bounds->size() == 0) throw Refusal{"no boundaries: want some"};
    const auto count = static_cast<int>(bounds->size());
    TensorId x = input;
    if (r.tensor(input).type != Type::float32) {
        x = new_part(r, op, Type::float32, shape);
        r.add(op, graph::Cast{}, {input}, {x});
    }
    const TensorId all = new_part(r, op, Type::float32, {count});
    r.budget_.charge(at(count) * sizeof(float));
    Tensor& values = r.graph_.tensor(all);
    values.constant = true;
    values.data.resize(values.bytes());
    for (flatbuffers::uoffset_t i = 0; i < bounds->size(); ++i) {
        const float bound = bounds->Get(i);
        std::memcpy(&values.data.own()[i * sizeof bound], &bound, sizeof bound);
    }
    Shape one = shape, each = shape;
    one.push_back(1);
    each.push_back(count);
    const TensorId column = real_part(r, op, graph::Reshape{}, {x}, one),
                   above = new_part(r, op, Type::int8, each);
    r.graph_.tensor(above).quantisation = {{1.0F}, {0}, 0};
    r.add(op, graph::Compare{graph::Relation::less_equal}, {all, column}, {above});
    const TensorId counted = real_part(r, op, graph::Cast{}, {above}, each);
    const graph::Reduce sum{graph::Reduction::sum, {static_cast<int>(shape.size())}, false};
    r.add(op, graph::Cast{}, {real_part(r, op, sum, {counted}, shape)}, {to});
}

/// Rows as the diagonals of matrices, whose other elements are 0 (MATRIX_DIAG) or those of the
/// first input (MATRIX_SET_DIAG).
void TfliteImporters::diagonal(TfliteReader& r, const Op& op) {
    const bool made = op.code == schema::BuiltinOperator::MATRIX_DIAG;
    const TensorId rows = r.input(op, made ? 0 : 1);
    const Tensor from = r.tensor(rows);
    const Shape shape = r.tensor(r.output(op)).shape;
    Shape want;
    if (shape.size() > 1) {
        want.assign(shape.begin(), shape.end() - 2);
        want.push_back(std::min(shape.back(), shape[shape.size() - 2]));
    }
    if (shape.size() < 2 || from.shape != want)
        throw Refusal{fmt::format("diagonals {} of matrices {}: want as many elements",
                                  graph::text_of(from.shape), graph::text_of(shape))};
    TensorId others = made ? graph::kNone : r.input(op, 0);
    if (made) {
        others = r.add_tensor(from, {1});
        r.graph_.tensor(others).constant = true;
        r.graph_.tensor(others).data.assign(graph::size_of(from.type), 0);
    }
    const std::size_t count = r.tensor(r.output(op)).elements();
    const int width = shape.back(), height = shape[shape.size() - 2];
    const auto first = static_cast<int>(from.elements());
    r.budget_.charge(count * sizeof(std::int32_t));
    std::vector<std::int32_t> places(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto here = static_cast<int>(i);
        const int column = here % width, row = here / width % height;
        const int matrix = here / (width * height);
        places[i] = row == column ? matrix * want.back() + row : first + (made ? 0 : here);
    }
    give_gathered(r, op, {rows, others}, places);
}

}  // namespace macrame::front
