/// Operators of ONNX that choose, count and reduce.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "compiler/front/onnx_importers.hpp"
#include "compiler/graph/at.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::TensorId;
using graph::Type;

namespace {

bool is_whole(const graph::Tensor& t) { return t.type == Type::int32 || t.type == Type::int64; }

/// An axis that moves to the end, and back.
std::vector<int> to_the_end(std::size_t rank, int axis) {
    std::vector<int> order(rank);
    for (std::size_t i = 0; i < rank; ++i)
        order[i] = static_cast<int>(i);
    std::swap(order[at(axis)], order.back());
    return order;
}

}  // namespace

/// A value that keeps its elements: numbers, or real values as they lie.
OnnxValue OnnxImporters::as_it_is(OnnxReader& r, const OnnxOperator& op, std::size_t i) {
    OnnxValue x = r.value(op, i);
    if (x.real && r.tensor(x.id).quantisation.per_channel()) x = r.in_float(op, x);
    x.id = r.plain(op, x);
    x.form = Form::plain;
    return x;
}

/// A tensor like one, of another shape.
OnnxValue OnnxImporters::like(OnnxReader& r, const OnnxOperator& op, const OnnxValue& x,
                              std::vector<int> shape) {
    OnnxValue y = x;
    const graph::Tensor from = r.tensor(x.id);
    y.id = r.add_tensor(op.node->output(0), from.type, shape, from.quantisation);
    r.graph_.tensor(y.id).shifted = from.shifted;
    y.shape = std::move(shape);
    y.form = Form::plain;
    return y;
}

void OnnxImporters::reduce_all(OnnxReader& r, const OnnxOperator& op) {
    const std::string& type = op.type();
    OnnxValue x = as_it_is(r, op, 0);
    const auto axes = reduced_axes(r, op, x.shape.size());
    if (!axes) {
        r.give(op, 0, x);
        return;
    }
    const bool picks = type == "ReduceMin" || type == "ReduceMax";
    if (!picks && !is_whole(r.tensor(x.id))) x = r.in_float(op, x);
    graph::Reduce reduce{type == "ReduceMin"    ? graph::Reduction::minimum
                         : type == "ReduceMax"  ? graph::Reduction::maximum
                         : type == "ReduceProd" ? graph::Reduction::product
                                                : graph::Reduction::sum,
                         *axes, op.integer("keepdims", 1) != 0};
    std::vector<int> shape;
    std::sort(reduce.axes.begin(), reduce.axes.end());
    reduce.axes.erase(std::unique(reduce.axes.begin(), reduce.axes.end()), reduce.axes.end());
    for (int axis = 0; axis < static_cast<int>(x.shape.size()); ++axis) {
        const bool gone = std::count(axes->begin(), axes->end(), axis) != 0;
        if (!gone || reduce.keep_dims) shape.push_back(gone ? 1 : x.shape[at(axis)]);
    }
    const OnnxValue y = like(r, op, x, shape);
    r.add(op, reduce, {x.id}, {y.id});
    r.give(op, 0, y);
}

void OnnxImporters::top_k(OnnxReader& r, const OnnxOperator& op) {
    OnnxValue x = as_it_is(r, op, 0);
    const int axis = axis_of(op.integer("axis", -1), x.shape.size());
    const std::int64_t count = r.has(op, 1) ? r.constants(op, 1).at(0) : op.integer("k", 0);
    if (count < 1 || count > x.shape[at(axis)])
        throw Refusal{fmt::format("the {} largest of {}: want at least 1, at most all", count,
                                  x.shape[at(axis)])};
    op.integer("sorted", 1);  // any order will do where it is 0
    const std::vector<int> order = to_the_end(x.shape.size(), axis);
    const bool moved = at(axis) + 1 != x.shape.size();
    if (moved) x.id = r.permuted(op, x.id, order);
    std::vector<int> shape = r.tensor(x.id).shape;
    shape.back() = static_cast<int>(count);
    OnnxValue values = like(r, op, x, shape), places;
    const std::string& name = op.outputs() > 1 ? op.node->output(1) : op.node->output(0);
    places.id = r.add_tensor(name, Type::int64, shape);
    r.add(op, graph::TopK{op.integer("largest", 1) == 0}, {x.id}, {values.id, places.id});
    values.shape = x.shape;
    values.shape[at(axis)] = static_cast<int>(count);
    places.shape = values.shape;
    if (moved) values.id = r.permuted(op, values.id, order);
    if (moved) places.id = r.permuted(op, places.id, order);
    r.give(op, 0, values);
    if (op.outputs() > 1) r.give(op, 1, places);
}

void OnnxImporters::gather_some(OnnxReader& r, const OnnxOperator& op) {
    const OnnxValue x = as_it_is(r, op, 0), which = r.value(op, 1);
    const TensorId indices = r.plain(op, which);
    if (op.type() == "GatherElements") {
        const OnnxValue y = like(r, op, x, which.shape);
        r.add(op, graph::GatherElements{axis_of(op.integer("axis", 0), x.shape.size())},
              {x.id, indices}, {y.id});
        r.give(op, 0, y);
        return;
    }
    const std::int64_t batch = op.integer("batch_dims", 0);
    const std::int64_t axes = which.shape.empty() ? 0 : which.shape.back();
    if (batch < 0 || axes < 1 || batch + axes > static_cast<std::int64_t>(x.shape.size()))
        throw Refusal{fmt::format("indices {} of {}, batch_dims {}: want axes of it",
                                  graph::text_of(which.shape), graph::text_of(x.shape), batch)};
    std::vector<int> shape(which.shape.begin(), which.shape.end() - 1);
    shape.insert(shape.end(), x.shape.begin() + static_cast<std::ptrdiff_t>(batch + axes),
                 x.shape.end());
    const OnnxValue y = like(r, op, x, shape);
    r.add(op, graph::GatherNd{static_cast<int>(batch)}, {x.id, indices}, {y.id});
    r.give(op, 0, y);
}

/// Rows along an axis at computed places: TensorScatter, and ScatterND whose indices are rows.
void OnnxImporters::put_rows(OnnxReader& r, const OnnxOperator& op) {
    const bool by_rows = op.type() == "ScatterND";
    OnnxValue x = as_it_is(r, op, 0), rows = as_it_is(r, op, by_rows ? 2 : 1);
    const std::size_t rank = x.shape.size();
    const int axis = by_rows ? 0 : axis_of(op.integer("axis", -2), rank);
    if (rank == 0 || rows.shape.size() != rank)
        throw Refusal{fmt::format("rows {} in {}: want as many axes", graph::text_of(rows.shape),
                                  graph::text_of(x.shape))};
    const int count = rows.shape[at(axis)];
    OnnxValue places;
    if (by_rows) {
        if (op.text("reduction", "none") != "none")
            throw Refusal{fmt::format("reduction {} at computed indices: want none",
                                      op.text("reduction", "none"))};
        const std::vector<int> own = r.value(op, 1).shape;
        if (own != std::vector<int>{count, 1})
            throw Refusal{
                fmt::format("computed indices {} of {} updates: want one index for each "
                            "row, {} x 1",
                            graph::text_of(own), graph::text_of(rows.shape), count)};
        places = in_shape(r, op, r.value(op, 1), {count});
    } else {
        if (op.text("mode", "linear") != "linear")
            throw Refusal{fmt::format("mode {}: want linear", op.text("mode", "linear"))};
        if (axis == 0 || x.shape[0] != 1)
            throw Refusal{fmt::format("axis {} of {}: want one batch, and an axis behind it", axis,
                                      graph::text_of(x.shape))};
        places = places_from(r, op, count);
    }
    const graph::Quantisation &a = r.tensor(x.id).quantisation, &b = r.tensor(rows.id).quantisation;
    const bool same = x.real == rows.real && r.tensor(x.id).type == r.tensor(rows.id).type &&
                      (!x.real || (a.scale == b.scale && a.zero_point == b.zero_point));
    if (!same && (x.real || rows.real)) {
        x = r.in_float(op, x);
        rows = r.in_float(op, rows);
    }
    const OnnxValue y = like(r, op, x, x.shape);
    r.add(op, graph::PutRows{axis}, {x.id, rows.id, r.plain(op, places)}, {y.id});
    r.give(op, 0, y);
}

/// The first place of TensorScatter, which may be left out, and those behind it.
OnnxValue OnnxImporters::places_from(OnnxReader& r, const OnnxOperator& op, int count) {
    std::vector<std::int64_t> steps(at(count));
    std::iota(steps.begin(), steps.end(), std::int64_t{0});
    OnnxValue behind = r.integers_value(op.node->output(0), steps, {count});
    if (!r.has(op, 2)) return behind;
    OnnxValue first = r.value(op, 2);
    if (first.shape != std::vector<int>{1} || r.tensor(first.id).type != Type::int64)
        throw Refusal{
            fmt::format("write_indices {}: want one of int64", graph::text_of(first.shape))};
    if (count == 1) return first;
    OnnxValue y = behind;
    y.id = r.add_tensor(op.node->output(0), Type::int64, {count});
    r.add(op, graph::Binary{graph::Arithmetic::add}, {r.plain(op, first), behind.id}, {y.id});
    return y;
}

void OnnxImporters::cumsum(OnnxReader& r, const OnnxOperator& op) {
    OnnxValue x = as_it_is(r, op, 0);
    if (x.real) x = r.in_float(op, x);
    const std::vector<std::int64_t> axis = r.constants(op, 1);
    if (axis.size() != 1) throw Refusal{fmt::format("{} axes: want 1", axis.size())};
    const OnnxValue y = like(r, op, x, x.shape);
    r.add(op,
          graph::Cumsum{axis_of(axis[0], x.shape.size()), op.integer("exclusive", 0) != 0,
                        op.integer("reverse", 0) != 0},
          {x.id}, {y.id});
    r.give(op, 0, y);
}

/// Of numbers rounded down, of real values with the sign of the first (fmod).
void OnnxImporters::mod(OnnxReader& r, const OnnxOperator& op) {
    OnnxValue a = as_it_is(r, op, 0), b = as_it_is(r, op, 1);
    if (!is_whole(r.tensor(a.id)) || r.tensor(a.id).type != r.tensor(b.id).type ||
        op.integer("fmod", 0) != 0)
        throw Refusal{fmt::format("{} and {}, fmod {}: want two of int32 or int64, and 0",
                                  name_of(r.tensor(a.id).type), name_of(r.tensor(b.id).type),
                                  op.integer("fmod", 0))};
    const OnnxValue y = like(r, op, a, broadcast(a.shape, b.shape));
    r.add(op, graph::Binary{graph::Arithmetic::floor_mod, graph::Activation::none}, {a.id, b.id},
          {y.id});
    r.give(op, 0, y);
}

void OnnxImporters::one_hot(OnnxReader& r, const OnnxOperator& op) {
    OnnxValue index = r.value(op, 0);
    if (index.real) {
        const TensorId reals = r.plain(op, r.in_float(op, index));
        index.id = r.add_tensor(op.node->output(0), Type::int64, index.shape);
        index.form = Form::plain;
        r.add(op, graph::Cast{}, {reals}, {index.id});
    }
    const graph::Tensor indices = r.tensor(index.id);
    if (!is_whole(indices))
        throw Refusal{fmt::format("indices {} have type {}: want int32 or int64", indices.name,
                                  name_of(indices.type))};
    const std::int64_t depth = r.constants(op, 1).at(0);
    if (depth < 1 || depth > 1 << 24)
        throw Refusal{fmt::format("depth {}: want 1 to {}", depth, 1 << 24)};
    const std::vector<float> values = r.reals(op, 2);
    if (values.size() != 2) throw Refusal{fmt::format("{} values: want 2", values.size())};
    const int axis = axis_of(op.integer("axis", -1), index.shape.size() + 1);
    std::vector<int> one = index.shape, all(index.shape.size() + 1, 1);
    one.insert(one.begin() + axis, 1);
    all[at(axis)] = static_cast<int>(depth);
    r.budget_.charge(at(all[at(axis)]) * sizeof(std::int64_t));
    const std::string& name = op.node->output(0);
    // An index may count from behind: what it leaves of the depth is where it is.
    const auto places_of = [&](std::int64_t from) {
        std::vector<std::int64_t> places;
        for (std::int64_t i = 0; i < depth; ++i)
            places.push_back(i + from);
        return r.integers_value(name, places, all).id;
    };
    const graph::Quantisation truth = {{1.0F}, {0}, 0};
    TensorId wide = r.add_tensor(name, Type::int64, one);
    r.add(op, graph::Cast{}, {r.reshaped(op, r.plain(op, index), one)}, {wide});
    OnnxValue y;
    y.real = true;
    y.shape = one;
    y.shape[at(axis)] = static_cast<int>(depth);
    std::vector<TensorId> hot;
    for (const std::int64_t from : {std::int64_t{0}, -depth}) {
        hot.push_back(r.add_tensor(name, Type::int8, y.shape, truth));
        r.add(op, graph::Compare{graph::Relation::equal}, {wide, places_of(from)}, {hot.back()});
    }
    const TensorId either = r.add_tensor(name, Type::int8, y.shape, truth);
    r.add(op, graph::Binary{graph::Arithmetic::maximum, graph::Activation::none}, hot, {either});
    y.id = r.add_tensor(name, Type::float32, y.shape);
    r.add(op, graph::Select{}, {either, r.add_real("on", values[1]), r.add_real("off", values[0])},
          {y.id});
    r.give(op, 0, y);
}

/// Local response normalisation over the channels.
void OnnxImporters::local_norm(OnnxReader& r, const OnnxOperator& op) {
    OnnxValue x = r.in_float(op, r.value(op, 0));
    const std::int64_t size = op.integer("size", 0);
    if (x.shape.size() != 4 || size < 1 || size > 1 << 20)
        throw Refusal{fmt::format("input {}, size {}: want four axes, 1 to {}",
                                  graph::text_of(x.shape), size, 1 << 20)};
    const auto all = static_cast<int>(size);
    const graph::LocalNorm norm{(all - 1) / 2, all / 2, op.real("bias", 1),
                                op.real("alpha", 1e-4F) / static_cast<float>(all),
                                op.real("beta", 0.75F)};
    const TensorId input = r.image(op, x);
    x.form = Form::image;
    x.id = r.add_tensor(op.node->output(0), Type::float32, r.tensor(input).shape);
    r.add(op, norm, {input}, {x.id});
    r.give(op, 0, x);
}

/// A branch that is taken is no operator any more when the file is read again. Of a computed
/// condition both are there then, and the operator chooses.
void OnnxImporters::branch(OnnxReader& r, const OnnxOperator& op) {
    const auto known = r.branches_.find(key_of(*op.node));
    if (known != r.branches_.end() && known->second == kBothBranches &&
        op.node->attribute_size() == 0)
        return choose_branch(r, op);
    const graph::Tensor& from = r.tensor(r.value(op, 0).id);
    if (from.type != Type::int8 || from.elements() != 1)
        throw Refusal{
            fmt::format("control flow whose condition {} is {} of type {}: want one of bool",
                        from.name, graph::text_of(from.shape), name_of(from.type))};
    decide(r, op, !from.constant ? kBothBranches : std::as_const(from.data)[0] != 0 ? 1 : 0);
}

/// Of each result that of the branch that the condition says. Both are computed: ONNX has nothing
/// that is done beside.
void OnnxImporters::choose_branch(OnnxReader& r, const OnnxOperator& op) {
    const OnnxValue condition = in_shape(r, op, r.value(op, 0), {});
    const std::size_t results = op.outputs();
    for (std::size_t i = 0; i < results; ++i) {
        const std::string& name = op.node->output(static_cast<int>(i));
        if (name.empty()) continue;
        const OnnxValue yes = r.value(op, 1 + i), no = r.value(op, 1 + results + i);
        const Type types[] = {r.tensor(yes.id).type, r.tensor(no.id).type};
        if (yes.shape != no.shape || yes.real != no.real || (!yes.real && types[0] != types[1]))
            throw Refusal{fmt::format(
                "control flow whose condition {} is computed, with a result {} of {} {} in one "
                "branch and {} {} in the other: want the same in both, or the condition decided "
                "before "
                "the export (constant folding, onnxsim, or --shape where it depends on one), or a "
                "network for each way",
                r.tensor(condition.id).name, readable(name), name_of(types[0]),
                graph::text_of(yes.shape), name_of(types[1]), graph::text_of(no.shape))};
        Ending ending = results == 1 ? r.ending(op, false) : Ending{};
        ending.name = name;
        r.give(op, i, chosen(r, op, condition, {yes, no}, ending));
    }
}

void OnnxImporters::decide(OnnxReader& r, const OnnxOperator& op, std::int64_t how) {
    r.branches_[key_of(*op.node)] = how;
    throw Refusal{
        fmt::format("more than 16 conditions that depend on each other: want them "
                    "decided before the export (constant folding, onnxsim)")};
}

/// As many turns as constants say.
void OnnxImporters::loop(OnnxReader& r, const OnnxOperator& op) {
    constexpr std::int64_t kMostTurns = 2048;
    const onnx_schema::Attribute* const body = op.find("body");
    if (body == nullptr || !body->has_g()) throw Refusal{"no body: want one"};
    const auto turns = [&]() -> std::int64_t {
        if (op.type() == "Scan") {
            for (const char* name : {"scan_input_axes", "scan_output_axes", "scan_input_directions",
                                     "scan_output_directions"})
                for (const std::int64_t value : op.integers(name))
                    if (value != 0) throw Refusal{fmt::format("{} with {}: want 0", name, value)};
            const std::int64_t read = op.integer("num_scan_inputs", 0);
            if (op.version < 9 || read < 1 || read > static_cast<std::int64_t>(op.inputs()))
                throw Refusal{
                    fmt::format("{} inputs that are read in steps, operator set {}: want "
                                "1 to {}, of 9 or newer",
                                read, op.version, op.inputs())};
            const std::vector<int> shape = r.value(op, op.inputs() - 1).shape;
            if (shape.empty()) throw Refusal{"a scalar is read in steps: want an axis of them"};
            return shape[0];
        }
        const auto is_known = [&](std::size_t i) {
            return !r.has(op, i) || r.tensor(r.value(op, i).id).constant;
        };
        const bool stops =
            r.has(op, 1) && is_known(1) && std::as_const(r.tensor(r.value(op, 1).id).data)[0] == 0;
        if (stops) return 0;
        if (!r.has(op, 0) || !is_known(0) || !is_known(1) || !goes_on(body->g()))
            throw Refusal{
                "control flow: its number of turns is computed: want a constant (a for loop of "
                "fixed length, onnxsim, or --shape where it depends on one), or a network of one "
                "turn that your program runs as often"};
        return r.constants(op, 0).at(0);
    }();
    if (turns > kMostTurns)
        throw Refusal{fmt::format("{} turns: want at most {}", turns, kMostTurns)};
    decide(r, op, std::max<std::int64_t>(turns, 0));
}

/// Places of what is not 0: of a constant, as masks are.
void OnnxImporters::non_zero(OnnxReader& r, const OnnxOperator& op) {
    const OnnxValue x = r.value(op, 0);
    if (!r.tensor(x.id).constant) return refused(r, op);
    const std::vector<int> shape = x.shape;
    std::vector<bool> found;
    r.budget_.charge(at(static_cast<int>(elements_of(shape))) * sizeof(std::int64_t));
    if (x.real) {
        for (const float value : r.reals(op, 0))
            found.push_back(value != 0);
    } else {
        for (const std::int64_t value : integers_of(r.tensor(x.id), 1 << 24))
            found.push_back(value != 0);
    }
    std::vector<std::vector<std::int64_t>> places(shape.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!found[i]) continue;
        std::size_t rest = i;
        for (std::size_t axis = shape.size(); axis-- > 0; rest /= at(shape[axis]))
            places[axis].push_back(static_cast<std::int64_t>(rest % at(shape[axis])));
    }
    std::vector<std::int64_t> all;
    for (const std::vector<std::int64_t>& of_axis : places)
        all.insert(all.end(), of_axis.begin(), of_axis.end());
    if (all.empty()) {
        r.empty_.insert(op.node->output(0));
        return;
    }
    const auto rank = static_cast<int>(shape.size());
    r.give(op, 0,
           r.integers_value(op.node->output(0), all, {rank, static_cast<int>(all.size()) / rank}));
}

void OnnxImporters::refused(OnnxReader& /*r*/, const OnnxOperator& /*op*/) {
    throw Refusal{
        "as many results as the values say: want the network to end in front of it, and your "
        "program to do it"};
}

}  // namespace macrame::front
