/// Operators of TFLite that compare, choose and join elements. BOOL is int8 of a scale of 1.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "compiler/front/tflite_importers.hpp"
#include "compiler/graph/at.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::Tensor;
using graph::TensorId;
using graph::Type;
using Code = schema::BuiltinOperator;
using Options = schema::OptionsType;
using Shape = std::vector<int>;

namespace {

/// Of a value that is computed in between, and is none of the file.
Tensor part_of(Tensor model) {
    model.name += " in part";
    return model;
}

}  // namespace

template <typename Value>
TensorId TfliteImporters::constant(TfliteReader& r, const Tensor& model, Value value) {
    const TensorId id = r.add_tensor(model, {});
    Tensor& made = r.graph_.tensor(id);
    graph::Data::Bytes bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    made.constant = true;
    made.data = std::move(bytes);
    return id;
}

TensorId TfliteImporters::truth(const TfliteReader& r, const Op& op, std::size_t i) {
    const TensorId id = r.input(op, i);
    if (!r.is_truth_[at(id)])
        throw Refusal{fmt::format("{} has type {}: want bool", r.tensor(id).name,
                                  name_of(r.tensor(id).type))};
    return id;
}

void TfliteImporters::compare(TfliteReader& r, const Op& op) {
    TensorId a = r.input(op, 0), b = r.input(op, 1);
    if (op.code == Code::GREATER || op.code == Code::GREATER_EQUAL) std::swap(a, b);
    const auto relation = [&] {
        switch (op.code) {
            case Code::EQUAL:
                return graph::Relation::equal;
            case Code::NOT_EQUAL:
                return graph::Relation::not_equal;
            case Code::LESS:
            case Code::GREATER:
                return graph::Relation::less;
            default:
                return graph::Relation::less_equal;
        }
    };
    r.add(op, graph::Compare{relation()}, {a, b}, {r.output(op)});
}

void TfliteImporters::logic(TfliteReader& r, const Op& op) {
    const TensorId first = truth(r, op, 0);
    if (op.code == Code::LOGICAL_NOT) {
        const Tensor model = r.tensor(first);
        const TensorId no = constant(r, model, std::int8_t{0});
        r.add(op, graph::Compare{graph::Relation::equal}, {first, no}, {r.output(op)});
        return;
    }
    const bool both = op.code == Code::LOGICAL_AND;
    r.add(op,
          graph::Binary{both ? graph::Arithmetic::minimum : graph::Arithmetic::maximum,
                        graph::Activation::none},
          {first, truth(r, op, 1)}, {r.output(op)});
}

void TfliteImporters::select(TfliteReader& r, const Op& op) {
    TensorId condition = truth(r, op, 0);
    const Shape own = r.tensor(condition).shape, shape = r.tensor(r.output(op)).shape;
    // The older operator takes a vector for rows.
    if (op.code == Code::SELECT && own.size() == 1 && shape.size() > 1) {
        Shape rows(shape.size(), 1);
        rows[0] = own[0];
        const Tensor model = r.tensor(condition);
        const TensorId turned = r.add_tensor(model, rows);
        r.add(op, graph::Reshape{}, {condition}, {turned});
        condition = turned;
    }
    r.add(op, graph::Select{}, {condition, r.input(op, 1), r.input(op, 2)}, {r.output(op)});
}

void TfliteImporters::cast(TfliteReader& r, const Op& op) {
    TensorId from = r.input(op, 0);
    const TensorId to = r.output(op);
    if (!r.is_truth_[at(to)] || r.is_truth_[at(from)]) {
        r.add(op, graph::Cast{}, {from}, {to});
        return;
    }
    // What is not 0 is true.
    Tensor model = r.tensor(from);
    if (model.type != Type::float32) {
        model.type = Type::int64;
        model.quantisation = {};
        const TensorId numbers = r.add_tensor(model, model.shape);
        r.add(op, graph::Cast{}, {from}, {numbers});
        from = numbers;
    }
    const TensorId zero = model.type == Type::float32 ? constant(r, model, 0.0F)
                                                      : constant(r, model, std::int64_t{0});
    r.add(op, graph::Compare{graph::Relation::not_equal}, {from, zero}, {to});
}

void TfliteImporters::reduce(TfliteReader& r, const Op& op) {
    graph::Reduce reduce;
    switch (op.code) {
        case Code::REDUCE_ANY:
        case Code::REDUCE_MAX:
            reduce.function = graph::Reduction::maximum;
            break;
        case Code::REDUCE_ALL:
        case Code::REDUCE_MIN:
            reduce.function = graph::Reduction::minimum;
            break;
        case Code::REDUCE_PROD:
            reduce.function = graph::Reduction::product;
            break;
        default:
            break;
    }
    const bool logic = op.code == Code::REDUCE_ANY || op.code == Code::REDUCE_ALL;
    const TensorId input = logic ? truth(r, op, 0) : r.input(op, 0);
    reduce.keep_dims = r.options_or_none<schema::ReducerOptions>(op, Options::REDUCER).keep_dims();
    for (const std::int64_t value : integers_of(r.tensor(r.input(op, 1))))
        reduce.axes.push_back(axis_of(value, r.tensor(input).shape.size()));
    std::sort(reduce.axes.begin(), reduce.axes.end());
    reduce.axes.erase(std::unique(reduce.axes.begin(), reduce.axes.end()), reduce.axes.end());
    r.add(op, reduce, {input}, {r.output(op)});
}

void TfliteImporters::argmin(TfliteReader& r, const Op& op) {
    const TensorId input = r.input(op, 0);
    const std::vector<std::int64_t> axis = integers_of(r.tensor(r.input(op, 1)));
    if (axis.size() != 1) throw Refusal{fmt::format("{} axes: want 1", axis.size())};
    want_type_of_places(r, op, Options::ARG_MIN);
    r.add(op, graph::Argmax{axis_of(axis[0], r.tensor(input).shape.size()), true}, {input},
          {r.output(op)});
}

void TfliteImporters::add_all(TfliteReader& r, const Op& op) {
    TensorId sum = r.input(op, 0);
    if (op.inputs.size() == 1) r.add(op, graph::Reshape{}, {sum}, {r.output(op)});
    for (std::size_t i = 1; i < op.inputs.size(); ++i) {
        const Tensor model = r.tensor(r.output(op));
        const bool last = i + 1 == op.inputs.size();
        const TensorId next = last ? r.output(op) : r.add_tensor(part_of(model), model.shape);
        r.add(op, graph::Binary{}, {sum, r.input(op, i)}, {next});
        sum = next;
    }
}

void TfliteImporters::embedding(TfliteReader& r, const Op& op) {
    const TensorId table = r.input(op, 1), to = r.output(op);
    const Tensor rows = r.tensor(table);
    if (rows.type == r.tensor(to).type) {
        r.add(op, graph::Gather{0}, {table, r.input(op, 0)}, {to});
        return;
    }
    // Rows of integers become real ones.
    const TensorId found = r.add_tensor(part_of(rows), r.tensor(to).shape);
    r.add(op, graph::Gather{0}, {table, r.input(op, 0)}, {found});
    r.add(op, graph::Requantise{}, {found}, {to});
}

void TfliteImporters::one_hot(TfliteReader& r, const Op& op) {
    const auto& options = r.options_or_none<schema::OneHotOptions>(op, Options::ONE_HOT);
    const TensorId indices = r.input(op, 0), to = r.output(op);
    const Tensor model = r.tensor(indices);
    const std::vector<std::int64_t> depth = integers_of(r.tensor(r.input(op, 1)));
    const int axis = axis_of(options.axis(), model.shape.size() + 1);
    if (depth.size() != 1 || depth[0] < 1 || depth[0] > 1 << 24)
        throw Refusal{fmt::format("depth {}: want one number, 1 to {}",
                                  depth.empty() ? 0 : depth[0], 1 << 24)};
    // Each index beside all that it may be.
    Shape one = model.shape, all(model.shape.size() + 1, 1);
    one.insert(one.begin() + axis, 1);
    all[at(axis)] = static_cast<int>(depth[0]);
    const TensorId index = r.add_tensor(model, one), places = r.add_tensor(model, all);
    r.budget_.charge(at(all[at(axis)]) * sizeof(std::int64_t));
    std::vector<std::int64_t> numbers(at(all[at(axis)]));
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = static_cast<std::int64_t>(i);
    give_numbers(r, places, numbers);
    Tensor truth;
    truth.name = part_of(r.tensor(to)).name;
    truth.quantisation = {{1.0F}, {0}, 0};
    const TensorId hot = r.add_tensor(truth, r.tensor(to).shape);
    r.add(op, graph::Reshape{}, {indices}, {index});
    r.add(op, graph::Compare{}, {index, places}, {hot});
    r.add(op, graph::Select{}, {hot, r.input(op, 2), r.input(op, 3)}, {to});
}

void TfliteImporters::l2_norm(TfliteReader& r, const Op& op) {
    const auto& options =
        r.options_or_none<schema::ArithmeticOptions>(op, schema::OptionsType::L2_NORMALIZATION);
    if (options.activation() != schema::Activation::NONE)
        throw Refusal{fmt::format("fused activation {}: want NONE, as its kernel does",
                                  static_cast<int>(options.activation()))};
    r.add(op, graph::L2Norm{}, {r.input(op, 0)}, {r.output(op)});
}

/// The root of the mean of squares.
void TfliteImporters::l2_pool(TfliteReader& r, const Op& op) {
    const Tensor x = r.tensor(r.input(op, 0)), y = r.tensor(r.output(op));
    if (x.type != Type::float32 || y.type != Type::float32)
        throw Refusal{fmt::format("{} to {}: want float32", name_of(x.type), name_of(y.type))};
    const TensorId squares = r.add_tensor(part_of(x), x.shape),
                   means = r.add_tensor(part_of(y), y.shape);
    r.add(op, graph::Unary{graph::Function::square}, {r.input(op, 0)}, {squares});
    graph::Pool pool = pool_of(r, op);
    const graph::Activation activation = std::exchange(pool.activation, graph::Activation::none);
    r.add(op, pool, {squares}, {means});
    if (activation == graph::Activation::none) {
        r.add(op, graph::Unary{graph::Function::sqrt}, {means}, {r.output(op)});
        return;
    }
    const TensorId roots = r.add_tensor(part_of(y), y.shape);
    r.add(op, graph::Unary{graph::Function::sqrt}, {means}, {roots});
    activate(r, op, roots, activation, r.output(op));
}

}  // namespace macrame::front
