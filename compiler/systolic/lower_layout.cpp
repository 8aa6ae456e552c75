/// Operators that only move values: addresses where that does, else copies.

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "compiler/graph/at.hpp"
#include "compiler/graph/kernels.hpp"
#include "compiler/systolic/lower.hpp"

namespace macrame::systolic::compiler {

using graph::Node;
using graph::TensorId;

namespace {

/// 0: height, 1: width, 2: channels; less: an axis of 1 in front of them.
int axis_of(const graph::Tensor& tensor, int axis) {
    return axis - static_cast<int>(tensor.shape.size()) + 3;
}

}  // namespace

/// What only a concatenation makes of a tensor lies in its output from the beginning.
void Lowering::plan_parts() {
    for (std::size_t i = graph_.nodes.size(); i-- > 0;) {
        const Node& n = graph_.nodes[i];
        const auto* op = std::get_if<graph::Concat>(&n.op);
        if (op == nullptr || host_[i] || op->activation != graph::Activation::none) continue;
        const graph::Tensor& whole = tensor(n.outputs[0]);
        const int axis = axis_of(whole, op->axis);
        int place = 0;
        for (const TensorId id : n.inputs) {
            const graph::Tensor& part = tensor(id);
            const bool free = !part.constant && parts_.count(id) == 0 && !is_output(id) &&
                              std::count(n.inputs.begin(), n.inputs.end(), id) == 1 &&
                              part.quantisation.scale == whole.quantisation.scale &&
                              part.quantisation.zero_point == whole.quantisation.zero_point;
            const auto makes = [&](const Node& node) {
                return std::count(node.outputs.begin(), node.outputs.end(), id) != 0 &&
                       (std::holds_alternative<graph::Conv>(node.op) ||
                        std::holds_alternative<graph::Pool>(node.op) ||
                        std::holds_alternative<graph::Binary>(node.op));
            };
            if (free && axis >= 0 && std::any_of(graph_.nodes.begin(), graph_.nodes.end(), makes))
                parts_[id] = {n.outputs[0], axis, place};
            place += part.shape[at(op->axis)];
        }
    }
}

void Lowering::lower_concat(int index, const graph::Concat& op) {
    const Node& n = graph_.nodes[at(index)];
    const TensorId to = n.outputs[0];
    const int axis = axis_of(tensor(to), op.axis);
    if (axis < 0)
        throw Unsupported{
            "along an axis in front of height, width and channels: want one of these"};
    const Value whole = values_.count(to) != 0 ? values_.at(to) : new_value(to);
    int place = 0;
    for (const TensorId id : n.inputs) {
        const auto part = parts_.find(id);
        if (part == parts_.end() || part->second.whole != to) {
            const Value& in = picture(id);
            copy(index, id, in, to, part_of(whole, axis, place, in.surface), op.activation);
        }
        place += tensor(id).shape[at(op.axis)];
    }
}

void Lowering::lower_slice(int index, std::size_t output, const std::vector<int>& begin,
                           const std::vector<int>& stride) {
    const Node& n = graph_.nodes[at(index)];
    const TensorId to = n.outputs[output];
    Value value = picture(n.inputs[0]);
    for (std::size_t i = 0; i < begin.size(); ++i) {
        const int axis = axis_of(tensor(n.inputs[0]), static_cast<int>(i));
        if (axis >= 0) value = part_of(value, axis, begin[i], value.surface);
        if (stride[i] == 1 || tensor(to).shape[i] == 1) continue;
        if (axis == 2 || stride[i] < 0)
            throw Unsupported{
                "steps along channels, or back: want steps forward along height or width"};
        if (axis == 1) value.surface.pixel *= stride[i];
        if (axis == 0) value.surface.line *= stride[i];
    }
    value = part_of(value, -1, 0, *size_of(tensor(to)));
    if (is_output(to)) return copy(index, n.inputs[0], value, to, new_value(to));
    values_[to] = value;
}

void Lowering::lower_split(int index, const graph::Split& op) {
    const Node& n = graph_.nodes[at(index)];
    std::vector<int> begin(tensor(n.inputs[0]).shape.size(), 0);
    const std::vector<int> stride(begin.size(), 1);
    for (std::size_t i = 0; i < n.outputs.size(); ++i) {
        lower_slice(index, i, begin, stride);
        begin[at(op.axis)] += tensor(n.outputs[i]).shape[at(op.axis)];
    }
}

/// A copy into a border that stands already.
void Lowering::lower_pad(int index, const graph::Pad& op) {
    const Node& n = graph_.nodes[at(index)];
    const TensorId to = n.outputs[0];
    const Value& in = picture(n.inputs[0]);
    Value whole = new_value(to);
    Area& area = areas[at(whole.area)];
    area.keep = area.bordered = true;
    area.fill = static_cast<std::int8_t>(tensor(to).quantisation.zero_point[0]);
    for (std::size_t i = 0; i < op.amounts.size(); ++i) {
        const int axis = axis_of(tensor(to), static_cast<int>(i));
        if (axis >= 0) whole = part_of(whole, axis, op.amounts[i][0], whole.surface);
    }
    copy(index, n.inputs[0], in, to, part_of(whole, -1, 0, in.surface));
}

/// Channels of each pixel become a line of pixels, as heads of attention are: where they lie, or
/// copied. False: it is another reshape.
bool Lowering::split_channels(int index) {
    const Node& n = graph_.nodes[at(index)];
    const auto size = size_of(tensor(n.outputs[0]));
    const Value in = values_.at(n.inputs[0]);
    const TensorLayout& s = in.surface;
    const bool dense = s.height == 1 || s.line == s.width * s.pixel;
    if (!size || size->width == 1 || s.channels != size->width * size->channels || !dense ||
        s.height * s.width != size->height || s.repeats > 1 || is_output(n.outputs[0]))
        return false;
    const int channels = size->channels;
    Value out = in;
    TensorLayout& to = out.surface;
    to.base += s.first / s.block * s.plane;
    to.first = 0;
    to.height = size->height;
    to.width = size->width;
    to.channels = channels;
    to.line = s.pixel;
    out.bordered = false;
    const int first = s.first % s.block;
    if (first == 0 && channels % s.block == 0) {
        to.pixel = channels / s.block * s.plane;
    } else if (first + s.channels <= s.block) {
        to.base += first * s.element;
        to.block = channels;
        to.pixel = channels * s.element;
    } else {
        const TensorId id = n.outputs[0];
        out = new_value(id);
        for (int i = 0; i < size->width; ++i) {
            Value from = part_of(in, 2, i * channels, s);
            from.surface.height = size->height;
            from.surface.width = 1;
            from.surface.channels = channels;
            from.surface.line = s.pixel;
            copy(index, n.inputs[0], from, id, part_of(out, 1, i, from.surface));
        }
    }
    values_[n.outputs[0]] = out;
    return true;
}

/// The channels of all pixels of a line become those of one: copies. False: it is another reshape.
bool Lowering::join_channels(int index) {
    const Node& n = graph_.nodes[at(index)];
    const TensorId id = n.outputs[0];
    const auto size = size_of(tensor(id));
    const Value in = values_.at(n.inputs[0]);
    const TensorLayout& s = in.surface;
    if (!size || s.width == 1 || size->channels != s.width * s.channels ||
        size->height * size->width != s.height || s.height == 1)
        return false;
    const Value out = new_value(id);
    for (int i = 0; i < s.width; ++i) {
        Value from = in;
        from.surface.width = 1;
        from.surface.base += i * s.pixel;
        Value to = part_of(out, 2, i * s.channels, from.surface);
        to.surface.line = out.surface.pixel;
        copy(index, n.inputs[0], from, id, to);
    }
    return true;
}

/// The same order of elements.
void Lowering::pass_on(int index) {
    const Node& n = graph_.nodes[at(index)];
    const auto found = values_.find(n.inputs[0]);
    if (found == values_.end()) throw Unsupported{"of a constant: want a tensor that is computed"};
    if (std::holds_alternative<graph::Reshape>(n.op) &&
        (split_channels(index) || join_channels(index)))
        return;
    values_[n.outputs[0]] = found->second;
    values_[n.outputs[0]].bordered = false;
    const auto size = size_of(tensor(n.outputs[0]));
    TensorLayout& s = values_[n.outputs[0]].surface;
    // A vector may be one along any axis.
    const bool vector = s.height * s.width == 1 && s.first == 0;
    if (vector && size && size->height * size->width == 1) s.channels = size->channels;
    // Lines without a gap are other lines of the same pixels.
    const bool dense = s.height == 1 || s.line == s.width * s.pixel;
    if (dense && size && s.channels == size->channels &&
        s.height * s.width == size->height * size->width) {
        s.height = size->height;
        s.width = size->width;
        s.line = s.width * s.pixel;
    }
}

void Lowering::lower_transpose(int index, const graph::Transpose& op) {
    const Node& n = graph_.nodes[at(index)];
    if (!moves_lanes(op, tensor(n.inputs[0]))) return pass_on(index);
    const auto size = size_of(tensor(n.outputs[0]));
    Value out = picture(n.inputs[0]);
    TensorLayout& s = out.surface;
    // Lines and columns, where nothing else moves.
    std::vector<int> moved;
    for (const int axis : op.order)
        if (tensor(n.inputs[0]).shape[at(axis)] != 1) moved.push_back(axis);
    const std::size_t last = tensor(n.inputs[0]).shape.size() - 1;
    if (!size || moved.size() > 3 || op.order.back() != static_cast<int>(last) ||
        size->height != s.width || size->width != s.height)
        throw Unsupported{"of axes: channels lie in lanes: want them to stay last"};
    std::swap(s.height, s.width);
    std::swap(s.line, s.pixel);
    out.bordered = false;
    if (is_output(n.outputs[0]))
        return copy(index, n.inputs[0], out, n.outputs[0], new_value(n.outputs[0]));
    values_[n.outputs[0]] = out;
}

/// A copy for each of the pixels that one becomes.
void Lowering::lower_resize(int index, const graph::Resize& op) {
    const Node& n = graph_.nodes[at(index)];
    const Value& in = picture(n.inputs[0]);
    const Value out = new_value(n.outputs[0]);
    const TensorLayout &from = in.surface, &to = out.surface;
    const int high = to.height / from.height, wide = to.width / from.width;
    const auto repeats = [&](int output, int input, int times) {
        for (int i = 0; i < output; ++i)
            if (graph::nearest_source(i, input, output, op) != i / std::max(1, times)) return false;
        return output == input * times;
    };
    if (op.function != graph::Resampling::nearest || !repeats(to.height, from.height, high) ||
        !repeats(to.width, from.width, wide))
        throw Unsupported{"want nearest pixels and a whole factor"};
    for (int y = 0; y < high; ++y) {
        for (int x = 0; x < wide; ++x) {
            Value part = part_of(part_of(out, 0, y, from), 1, x, from);
            part.surface.line *= high;
            part.surface.pixel *= wide;
            copy(index, n.inputs[0], in, n.outputs[0], part);
        }
    }
}

}  // namespace macrame::systolic::compiler
