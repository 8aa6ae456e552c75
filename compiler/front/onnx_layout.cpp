/// Operators of ONNX that move elements.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "compiler/front/onnx_importers.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::kNone;
using graph::TensorId;
using graph::Type;

namespace {

/// Number of an axis of the file in the tensor.
int own_axis(const OnnxValue& value, int axis) {
    return value.form == Form::image ? image_axis(axis) : axis;
}

std::vector<int> own_shape(const OnnxValue& value) {
    return value.form == Form::image ? image_shape(value.shape) : value.shape;
}

int product(const std::vector<int>& shape, std::size_t from, std::size_t to) {
    return static_cast<int>(elements_of({shape.begin() + static_cast<std::ptrdiff_t>(from),
                                         shape.begin() + static_cast<std::ptrdiff_t>(to)}));
}

}  // namespace

OnnxValue OnnxImporters::in_shape(OnnxReader& r, const OnnxOperator& op, const OnnxValue& x,
                                  std::vector<int> shape) {
    if (x.shape == shape) return x;
    if (elements_of(x.shape) != elements_of(shape))
        throw Refusal{fmt::format("shape {} becomes {}: want as many elements",
                                  graph::text_of(x.shape), graph::text_of(shape))};
    OnnxValue y = x;
    y.shape = shape;
    y.form = Form::plain;
    const TensorId id = r.ordered(x);
    const bool row = shape.size() == 2 && shape[0] == 1;
    if (id == kNone && x.form == Form::image && row && x.shape[0] == 1) {
        y.form = Form::flat;
        y.chw = {x.shape[1], x.shape[2], x.shape[3]};
        y.id = r.reshaped(op, x.id, shape);
    } else if (x.form == Form::flat && shape == std::vector<int>{1, x.chw[0], x.chw[1], x.chw[2]}) {
        y.form = Form::image;
        y.id = r.reshaped(op, x.id, image_shape(shape));
    } else {
        y.id = r.reshaped(op, id == kNone ? r.plain(op, x) : id, shape);
    }
    return y;
}

std::vector<int> OnnxImporters::axes_of(OnnxReader& r, const OnnxOperator& op, std::size_t input,
                                        std::size_t rank) {
    const auto values = r.has(op, input) ? r.constants(op, input) : op.integers("axes");
    std::vector<int> axes;
    for (const std::int64_t value : values)
        axes.push_back(axis_of(value, rank));
    std::sort(axes.begin(), axes.end());
    if (std::adjacent_find(axes.begin(), axes.end()) != axes.end())
        throw Refusal{fmt::format("axes {}: want each once", fmt::join(axes, ", "))};
    return axes;
}

std::optional<std::vector<int>> OnnxImporters::reduced_axes(OnnxReader& r, const OnnxOperator& op,
                                                            std::size_t rank) {
    std::vector<int> axes = axes_of(r, op, 1, rank);
    if (!axes.empty()) return axes;
    if (op.integer("noop_with_empty_axes", 0) != 0) return std::nullopt;
    axes.resize(rank);
    std::iota(axes.begin(), axes.end(), 0);
    return axes;
}

void OnnxImporters::identity(OnnxReader& r, const OnnxOperator& op) {
    if (r.has(op, 2)) {  // Dropout says whether it is trained
        const graph::Tensor& trains = r.tensor(r.value(op, 2).id);
        if (!trains.constant || std::as_const(trains.data)[0] != 0)
            throw Refusal{"training_mode that is not false: want a network that is not trained"};
    }
    r.give(op, 0, r.value(op, 0));
}

void OnnxImporters::reshape(OnnxReader& r, const OnnxOperator& op) {
    const OnnxValue x = r.value(op, 0);
    const std::vector<std::int64_t> want = r.constants(op, 1);
    std::vector<int> shape;
    std::int64_t known = 1;
    int open = -1;
    for (std::size_t i = 0; i < want.size(); ++i) {
        std::int64_t size = want[i];
        if (size == 0 && op.integer("allowzero", 0) == 0 && i < x.shape.size()) size = x.shape[i];
        if (size == -1 && open < 0) {
            open = static_cast<int>(i);
            size = 1;
        }
        shape.push_back(size_of(size, "a size"));
        known = std::min(known * size, std::int64_t{1} << 30);
    }
    if (open >= 0) {
        if (elements_of(x.shape) % known != 0)
            throw Refusal{fmt::format("shape {} becomes {}: want a divisor of the elements",
                                      graph::text_of(x.shape), fmt::join(want, "x"))};
        shape[static_cast<std::size_t>(open)] = static_cast<int>(elements_of(x.shape) / known);
    }
    r.give(op, 0, in_shape(r, op, x, shape));
}

void OnnxImporters::flatten(OnnxReader& r, const OnnxOperator& op) {
    const OnnxValue x = r.value(op, 0);
    const std::int64_t value = op.integer("axis", 1);
    const auto rank = x.shape.size();
    const auto axis = value == static_cast<std::int64_t>(rank)
                          ? rank
                          : static_cast<std::size_t>(axis_of(value, rank));
    r.give(op, 0, in_shape(r, op, x, {product(x.shape, 0, axis), product(x.shape, axis, rank)}));
}

void OnnxImporters::squeeze(OnnxReader& r, const OnnxOperator& op) {
    const OnnxValue x = r.value(op, 0);
    const std::vector<int> axes = axes_of(r, op, 1, x.shape.size());
    std::vector<int> shape;
    for (std::size_t i = 0; i < x.shape.size(); ++i) {
        const bool named = std::count(axes.begin(), axes.end(), static_cast<int>(i)) != 0;
        if (named && x.shape[i] != 1)
            throw Refusal{fmt::format("axis {} of {}: want 1 element", i, graph::text_of(x.shape))};
        if (!(axes.empty() ? x.shape[i] == 1 : named)) shape.push_back(x.shape[i]);
    }
    r.give(op, 0, in_shape(r, op, x, shape));
}

void OnnxImporters::unsqueeze(OnnxReader& r, const OnnxOperator& op) {
    const OnnxValue x = r.value(op, 0);
    const std::size_t count = (r.has(op, 1) ? r.constants(op, 1) : op.integers("axes")).size();
    std::vector<int> shape = x.shape;
    for (const int axis : axes_of(r, op, 1, x.shape.size() + count))
        shape.insert(shape.begin() + axis, 1);
    r.give(op, 0, in_shape(r, op, x, shape));
}

void OnnxImporters::transpose(OnnxReader& r, const OnnxOperator& op) {
    const OnnxValue x = r.value(op, 0);
    std::vector<std::int64_t> order = op.integers("perm");
    const std::size_t rank = x.shape.size();
    for (std::size_t i = 0; order.size() < rank && op.find("perm") == nullptr; ++i)
        order.push_back(static_cast<std::int64_t>(rank - 1 - i));
    std::vector<std::int64_t> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    bool each = sorted.size() == rank;
    for (std::size_t i = 0; i < sorted.size(); ++i)
        each &= sorted[i] == static_cast<std::int64_t>(i);
    if (!each)
        throw Refusal{
            fmt::format("perm {}: want each of {} axes once", fmt::join(order, ", "), rank)};
    OnnxValue y = x;
    for (std::size_t i = 0; i < rank; ++i)
        y.shape[i] = x.shape[static_cast<std::size_t>(order[i])];
    // Between both layouts nothing has to move.
    const std::vector<std::int64_t> to_lines = {0, 2, 3, 1}, to_planes = {0, 3, 1, 2};
    if (x.form == Form::image && order == to_lines) {
        y.form = Form::plain;
    } else if (x.form == Form::plain && order == to_planes) {
        y.form = Form::image;
    } else {
        std::vector<int> axes;
        for (const std::int64_t axis : order)
            axes.push_back(own_axis(x, static_cast<int>(axis)));
        y.form = Form::plain;
        y.id = r.permuted(op, x.form == Form::flat ? r.plain(op, x) : x.id, axes);
    }
    r.give(op, 0, y);
}

// ---------------------------------------------------------------- parts

OnnxValue OnnxImporters::join(OnnxReader& r, const OnnxOperator& op, std::vector<OnnxValue> parts,
                              std::int64_t axis, const Ending* ending) {
    OnnxValue y = parts.at(0);
    const int along = axis_of(axis, y.shape.size());
    const bool pictures =
        y.shape.size() == 4 && std::any_of(parts.begin(), parts.end(), [](const OnnxValue& part) {
            return part.form == Form::image;
        });
    std::vector<TensorId> inputs;
    std::int64_t total = 0;
    for (const OnnxValue& part : parts) {
        if (part.shape.size() != y.shape.size())
            throw Refusal{fmt::format("shapes {} and {}: want as many axes",
                                      graph::text_of(y.shape), graph::text_of(part.shape))};
        total += part.shape[static_cast<std::size_t>(along)];
        inputs.push_back(pictures ? r.image(op, part) : r.plain(op, part));
    }
    y.shape[static_cast<std::size_t>(along)] = size_of(total, "a size");
    y.form = pictures ? Form::image : Form::plain;
    const std::vector<int> shape = own_shape(y);
    if (ending != nullptr) {
        y.real = true;
        y.id = r.add_result(*ending, shape);
    } else {
        const graph::Tensor& first = r.tensor(parts[0].id);
        for (const OnnxValue& part : parts) {
            const graph::Tensor& t = r.tensor(part.id);
            const graph::Quantisation &a = first.quantisation, &b = t.quantisation;
            const bool known = !a.scale.empty() && !b.scale.empty();
            if (t.type != first.type || part.shifted != parts[0].shifted ||
                (known && (a.scale != b.scale || a.zero_point != b.zero_point)))
                throw Refusal{fmt::format("{} and {} have different types or scales: want the same",
                                          first.name, t.name)};
        }
        y.id = r.add_tensor(op.node->output(0), first.type, shape, first.quantisation);
    }
    r.add(op, graph::Concat{own_axis(y, along), {}}, inputs, {y.id});
    return y;
}

/// Casts between int32 and int64 cost nothing, so both may come where the file has one of them:
/// int64 holds either.
void OnnxImporters::widen_numbers(OnnxReader& r, const OnnxOperator& op,
                                  std::vector<OnnxValue>& parts) {
    const auto is = [&](const OnnxValue& part, Type type) {
        return !part.real && r.tensor(part.id).type == type;
    };
    std::size_t narrow = 0, wide = 0;
    for (const OnnxValue& part : parts) {
        narrow += is(part, Type::int32) ? 1 : 0;
        wide += is(part, Type::int64) ? 1 : 0;
    }
    if (narrow == 0 || wide == 0 || narrow + wide < parts.size()) return;
    for (OnnxValue& part : parts) {
        if (!is(part, Type::int32)) continue;
        const TensorId from = r.plain(op, part);
        const graph::Tensor number = r.tensor(from);
        part.form = Form::plain;
        part.id = r.add_tensor(number.name, Type::int64, number.shape);
        r.add(op, graph::Cast{}, {from}, {part.id});
    }
}

void OnnxImporters::concat(OnnxReader& r, const OnnxOperator& op) {
    if (op.inputs() == 0) throw Refusal{"no inputs: want some"};
    std::vector<OnnxValue> parts;
    for (std::size_t i = 0; i < op.inputs(); ++i)
        if (!r.is_empty(op, i)) parts.push_back(r.value(op, i));
    if (parts.empty()) {
        r.empty_.insert(op.node->output(0));
        return;
    }
    const bool real =
        std::all_of(parts.begin(), parts.end(), [](const OnnxValue& part) { return part.real; });
    widen_numbers(r, op, parts);
    const graph::Quantisation first = r.tensor(parts[0].id).quantisation;
    const bool equal = std::all_of(parts.begin(), parts.end(), [&](const OnnxValue& part) {
        const graph::Quantisation& q = r.tensor(part.id).quantisation;
        return r.is_quantised(part) && q.scale == first.scale && q.zero_point == first.zero_point;
    });
    Ending ending = r.ending(op, false);
    const bool computed = real && (!equal || ending.quantisation);
    if (computed) {
        std::vector<OnnxValue*> all;
        for (OnnxValue& part : parts)
            all.push_back(&part);
        r.in_integers(op, all, ending);
    }
    if (op.find("axis") == nullptr) throw Refusal{"no axis: want one"};
    r.give(op, 0, join(r, op, parts, op.integer("axis", 0), computed ? &ending : nullptr));
}

void OnnxImporters::slice(OnnxReader& r, const OnnxOperator& op) {
    OnnxValue x = r.value(op, 0);
    const auto amounts = [&](std::size_t i, const char* name) {
        return r.has(op, i) ? r.constants(op, i) : op.integers(name);
    };
    const auto starts = amounts(1, "starts"), ends = amounts(2, "ends"), axes = amounts(3, "axes");
    const auto steps = amounts(4, "steps");
    if (starts.size() != ends.size() || (!axes.empty() && axes.size() != starts.size()) ||
        (!steps.empty() && steps.size() != starts.size()))
        throw Refusal{fmt::format("{} starts, {} ends, {} axes, {} steps: want as many",
                                  starts.size(), ends.size(), axes.size(), steps.size())};
    if (x.form == Form::flat) {
        x.id = r.plain(op, x);
        x.form = Form::plain;
    }
    graph::Slice slice{std::vector<int>(x.shape.size(), 0), std::vector<int>(x.shape.size(), 1)};
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const std::int64_t named = axes.empty() ? static_cast<std::int64_t>(i) : axes[i];
        const int axis = axis_of(named, x.shape.size());
        int& size = x.shape[static_cast<std::size_t>(axis)];
        const Range range = range_of(starts[i], ends[i], steps.empty() ? 1 : steps[i], size);
        if (range.count < 1)
            throw Refusal{fmt::format("no elements of axis {}: want at least 1", axis)};
        const auto own = static_cast<std::size_t>(own_axis(x, axis));
        slice.begin[own] = static_cast<int>(range.begin);
        slice.stride[own] = static_cast<int>(range.stride);
        size = static_cast<int>(range.count);
    }
    x.id = r.add_move(op, slice, x.id, own_shape(x));
    r.give(op, 0, x);
}

void OnnxImporters::split(OnnxReader& r, const OnnxOperator& op) {
    OnnxValue x = r.value(op, 0);
    if (x.form == Form::flat) {
        x.id = r.plain(op, x);
        x.form = Form::plain;
    }
    const int axis = axis_of(op.integer("axis", 0), x.shape.size());
    const int whole = x.shape[static_cast<std::size_t>(axis)];
    std::vector<std::int64_t> sizes = r.has(op, 1) ? r.constants(op, 1) : op.integers("split");
    const auto count = static_cast<std::int64_t>(op.outputs());
    if (sizes.empty()) {
        // As equal as can be, the last one smaller.
        const std::int64_t each = (whole + count - 1) / std::max<std::int64_t>(count, 1);
        for (std::int64_t i = 0; i < count; ++i)
            sizes.push_back(std::min(each, whole - i * each));
    }
    if (sizes.size() != op.outputs())
        throw Refusal{
            fmt::format("{} sizes, {} outputs: want as many", sizes.size(), op.outputs())};
    const graph::Tensor from = r.tensor(x.id);
    std::vector<TensorId> outputs;
    std::vector<OnnxValue> parts;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        OnnxValue part = x;
        part.shape[static_cast<std::size_t>(axis)] = size_of(sizes[i], "a part");
        part.id = r.add_tensor(op.node->output(static_cast<int>(i)), from.type, own_shape(part),
                               from.quantisation);
        outputs.push_back(part.id);
        parts.push_back(std::move(part));
    }
    r.add(op, graph::Split{own_axis(x, axis)}, {x.id}, outputs);
    for (std::size_t i = 0; i < parts.size(); ++i)
        r.give(op, i, parts[i]);
}

namespace {

/// Whether a padding value is the real 0.
bool is_zero(const graph::Tensor& input, const OnnxValue& x, const graph::Tensor* value) {
    if (value == nullptr) {
        // 0 as an element: of uint8 that is -128 here.
        if (x.real) return true;
        return !input.quantisation.zero_point.empty() &&
               input.quantisation.zero_point[0] == (x.shifted ? -128 : 0);
    }
    if (!value->constant || value->elements() != 1) return false;
    if (value->type == Type::float32) {
        float real = 0;
        std::memcpy(&real, value->data.data(), sizeof(real));
        return x.real && real == 0;
    }
    const graph::Quantisation& q = x.real ? value->quantisation : input.quantisation;
    return value->type == Type::int8 && q.zero_point.size() == 1 &&
           static_cast<std::int8_t>(value->data[0]) == q.zero_point[0];
}

}  // namespace

void OnnxImporters::pad(OnnxReader& r, const OnnxOperator& op) {
    OnnxValue x = r.value(op, 0);
    const std::string mode = op.text("mode", "constant");
    graph::Pad padding;
    if (mode == "reflect")
        padding.kind = graph::Padding::reflect;
    else if (mode == "edge")
        padding.kind = graph::Padding::edge;
    else if (mode != "constant")
        throw Refusal{fmt::format("mode {}: want constant, reflect or edge", mode)};
    const auto pads = r.has(op, 1) ? r.constants(op, 1) : op.integers("pads");
    std::vector<int> axes;
    if (r.has(op, 3)) {
        for (const std::int64_t axis : r.constants(op, 3))
            axes.push_back(axis_of(axis, x.shape.size()));
    } else {
        for (std::size_t i = 0; i < x.shape.size(); ++i)
            axes.push_back(static_cast<int>(i));
    }
    if (pads.size() != 2 * axes.size())
        throw Refusal{fmt::format("{} values of padding: want {}", pads.size(), 2 * axes.size())};
    const graph::Tensor* value = r.has(op, 2) ? &r.tensor(r.value(op, 2).id) : nullptr;
    padding.value = op.real("value", 0);
    if (mode == "constant" && padding.value == 0 && !is_zero(r.tensor(x.id), x, value)) {
        const std::vector<float> own =
            value == nullptr || !x.real ? std::vector<float>{} : r.reals(op, 2);
        if (own.size() != 1 || !std::isfinite(own[0]))
            throw Refusal{
                "a padding value that is no number, or of integers: want a constant of float32"};
        padding.value = own[0];
    }
    if (x.form == Form::flat) {
        x.id = r.plain(op, x);
        x.form = Form::plain;
    }
    padding.amounts.resize(x.shape.size(), {0, 0});
    // Elements that negative padding takes away: before the rest is padded.
    graph::Slice kept{std::vector<int>(x.shape.size(), 0), std::vector<int>(x.shape.size(), 1)};
    OnnxValue part = x;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        constexpr std::int64_t kMost = 1 << 30;
        const std::int64_t before = std::clamp(pads[i], -kMost, kMost),
                           behind = std::clamp(pads[i + axes.size()], -kMost, kMost);
        const auto own = static_cast<std::size_t>(own_axis(x, axes[i]));
        int& size = x.shape[static_cast<std::size_t>(axes[i])];
        const std::int64_t left =
            size + std::min<std::int64_t>(0, before) + std::min<std::int64_t>(0, behind);
        if (left < 1)
            throw Refusal{
                fmt::format("padding {} and {} of axis {} of {} elements: want to keep "
                            "at least 1",
                            before, behind, axes[i], size)};
        part.shape[static_cast<std::size_t>(axes[i])] = static_cast<int>(left);
        kept.begin[own] = static_cast<int>(std::max<std::int64_t>(0, -before));
        size = size_of(std::min(size + before + behind, kMost), "a size");
        padding.amounts[own] = {static_cast<int>(std::max<std::int64_t>(0, before)),
                                static_cast<int>(std::max<std::int64_t>(0, behind))};
    }
    if (part.shape != r.value(op, 0).shape) x.id = r.add_move(op, kept, x.id, own_shape(part));
    x.id = r.add_move(op, padding, x.id, own_shape(x));
    r.give(op, 0, x);
}

}  // namespace macrame::front
