/// Operators of TFLite that move elements; what importers use.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "compiler/front/tflite_importers.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::kNone;
using graph::Tensor;
using graph::TensorId;
using Options = schema::OptionsType;

// ---------------------------------------------------------------- what importers use

TensorId TfliteReader::input(const TfliteOperator& op, std::size_t i) const {
    if (i >= op.inputs.size() || op.inputs[i] == kNone)
        throw Refusal{fmt::format("input {} is left out: want it", i)};
    return op.inputs[i];
}

TensorId TfliteReader::output(const TfliteOperator& op, std::size_t i) const {
    if (i >= op.outputs.size())
        throw Refusal{fmt::format("{} outputs: want more", op.outputs.size())};
    return op.outputs[i];
}

void TfliteReader::add(const TfliteOperator& op, graph::Operator what, std::vector<TensorId> inputs,
                       std::vector<TensorId> outputs) {
    if (!inputs.empty() && outputs.size() == 1 && add_batch(op, what, inputs, outputs[0])) return;
    graph_.nodes.push_back({std::move(what), std::move(inputs), std::move(outputs), op.where});
}

TensorId TfliteReader::add_tensor(const Tensor& model, std::vector<int> shape) {
    budget_.charge(sizeof(Tensor));
    Tensor tensor;
    tensor.name = model.name;
    tensor.type = model.type;
    tensor.quantisation = model.quantisation;
    tensor.shape = std::move(shape);
    graph_.tensors.push_back(std::move(tensor));
    return static_cast<TensorId>(graph_.tensors.size()) - 1;
}

// ---------------------------------------------------------------- operators

namespace {

/// Values of which there is one for each axis.
void want_each_axis(const std::vector<std::int64_t>& values, std::size_t rank, const char* what) {
    if (values.size() != rank)
        throw Refusal{fmt::format("{} values of {}: want {}", values.size(), what, rank)};
}

}  // namespace

void TfliteImporters::blocks(TfliteReader& r, const Op& op) {
    const bool to_space = op.code == schema::BuiltinOperator::DEPTH_TO_SPACE;
    const auto& options = r.options<schema::BlockOptions>(
        op, to_space ? Options::DEPTH_TO_SPACE : Options::SPACE_TO_DEPTH);
    const int size = positive(options.block_size(), "block size");
    const TensorId from = r.input(op, 0), to = r.output(op);
    const Tensor x = r.tensor(from), y = r.tensor(to);
    // Of the picture with the larger sides.
    const std::vector<int>& large = to_space ? y.shape : x.shape;
    const std::vector<int>& deep = to_space ? x.shape : y.shape;
    if (large.size() != 4 || deep.size() != 4 || large[1] % size != 0 || large[2] % size != 0)
        throw Refusal{
            fmt::format("{} becomes {} with blocks of {}: want pictures whose sides and "
                        "channels they divide",
                        graph::text_of(x.shape), graph::text_of(y.shape), size)};
    const int rows = large[1] / size, columns = large[2] / size, channels = large[3];
    const std::vector<int> outside = {large[0], rows, columns, size, size, channels},
                           inside = {large[0], rows, size, columns, size, channels};
    const TensorId before = r.add_tensor(x, to_space ? outside : inside),
                   behind = r.add_tensor(y, to_space ? inside : outside);
    r.add(op, graph::Reshape{}, {from}, {before});
    r.add(op, graph::Transpose{{0, 1, 3, 2, 4, 5}}, {before}, {behind});
    r.add(op, graph::Reshape{}, {behind}, {to});
}

void TfliteImporters::concat(TfliteReader& r, const Op& op) {
    const auto& options = r.options<schema::ConcatenationOptions>(op, Options::CONCATENATION);
    graph::Concat concat;
    concat.axis = axis_of(options.axis(), r.tensor(r.input(op, 0)).shape.size());
    concat.activation = activation_of(options.activation());
    r.add(op, concat, op.inputs, {r.output(op)});
}

void TfliteImporters::pack(TfliteReader& r, const Op& op) {
    const auto& options = r.options<schema::PackOptions>(op, Options::PACK);
    std::vector<int> shape = r.tensor(r.input(op, 0)).shape;
    const int axis = axis_of(options.axis(), shape.size() + 1);
    shape.insert(shape.begin() + axis, 1);
    std::vector<TensorId> parts;
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
        const TensorId from = r.input(op, i);
        const Tensor model = r.tensor(from);
        parts.push_back(r.add_tensor(model, shape));
        r.add(op, graph::Reshape{}, {from}, {parts.back()});
    }
    r.add(op, graph::Concat{axis, graph::Activation::none}, parts, {r.output(op)});
}

void TfliteImporters::unpack(TfliteReader& r, const Op& op) {
    const auto& options = r.options<schema::UnpackOptions>(op, Options::UNPACK);
    const TensorId from = r.input(op, 0);
    std::vector<int> shape = r.tensor(from).shape;
    const int axis = axis_of(options.axis(), shape.size());
    shape[static_cast<std::size_t>(axis)] = 1;
    std::vector<TensorId> parts;
    for (const TensorId to : op.outputs) {
        const Tensor model = r.tensor(to);
        parts.push_back(r.add_tensor(model, shape));
    }
    r.add(op, graph::Split{axis}, {from}, parts);
    for (std::size_t i = 0; i < parts.size(); ++i)
        r.add(op, graph::Reshape{}, {parts[i]}, {op.outputs[i]});
}

namespace {

/// Lines in front of and behind each axis of the input, as the second input has them.
graph::Pad padding_of(const Tensor& x, const Tensor& amounts) {
    const std::vector<std::int64_t> values = integers_of(amounts);
    want_each_axis(values, 2 * x.shape.size(), "padding");
    graph::Pad pad;
    for (std::size_t i = 0; i < values.size(); i += 2)
        pad.amounts.push_back({static_cast<int>(values[i]), static_cast<int>(values[i + 1])});
    return pad;
}

}  // namespace

void TfliteImporters::mirror_pad(TfliteReader& r, const Op& op) {
    graph::Pad pad = padding_of(r.tensor(r.input(op, 0)), r.tensor(r.input(op, 1)));
    const auto& options = r.options_or_none<schema::MirrorPadOptions>(op, Options::MIRROR_PAD);
    if (options.mode() != schema::MirrorPadding::REFLECT &&
        options.mode() != schema::MirrorPadding::SYMMETRIC)
        throw Refusal{fmt::format("mode {}: want 0 (reflect) or 1 (symmetric)",
                                  static_cast<int>(options.mode()))};
    pad.kind = options.mode() == schema::MirrorPadding::SYMMETRIC ? graph::Padding::symmetric
                                                                  : graph::Padding::reflect;
    r.add(op, pad, {r.input(op, 0)}, {r.output(op)});
}

void TfliteImporters::pad(TfliteReader& r, const Op& op) {
    const TensorId input = r.input(op, 0);
    const Tensor& x = r.tensor(input);
    graph::Pad pad = padding_of(x, r.tensor(r.input(op, 1)));
    if (op.inputs.size() > 2) {
        const Tensor& value = r.tensor(r.input(op, 2));
        if (!value.constant || value.type != x.type || value.elements() != 1 ||
            (graph::size_of(x.type) > 2 && x.type != graph::Type::float32))
            throw Refusal{
                "a padding value: want a constant of the input's type, 8 or 16 bits or float32"};
        if (x.type == graph::Type::float32) {
            std::memcpy(&pad.value, value.data.data(), sizeof pad.value);
        } else if (!x.quantisation.scale.empty()) {
            // An element of the input, whatever its tensor says of it.
            const int zero = x.quantisation.zero_point.empty() ? 0 : x.quantisation.zero_point[0];
            int element = x.type == graph::Type::uint8 ? value.data[0]
                                                       : static_cast<std::int8_t>(value.data[0]);
            if (x.type == graph::Type::int16)
                element = static_cast<std::int8_t>(value.data[1]) * 256 + value.data[0];
            pad.value = static_cast<float>(element - zero) * x.quantisation.scale[0];
        }
    }
    r.add(op, pad, {input}, {r.output(op)});
}

void TfliteImporters::reshape(TfliteReader& r, const Op& op) {
    // The output has its shape in the file; where the shape is computed, it does not change.
    r.add(op, graph::Reshape{}, {r.input(op, 0)}, {r.output(op)});
}

void TfliteImporters::slice(TfliteReader& r, const Op& op) {
    const TensorId input = r.input(op, 0);
    const std::size_t rank = r.tensor(input).shape.size();
    const std::vector<std::int64_t> begin = integers_of(r.tensor(r.input(op, 1))),
                                    size = integers_of(r.tensor(r.input(op, 2)));
    want_each_axis(begin, rank, "begin");
    want_each_axis(size, rank, "size");
    graph::Slice slice;
    slice.begin.assign(begin.begin(), begin.end());
    slice.stride.assign(rank, 1);
    r.add(op, slice, {input}, {r.output(op)});
}

TfliteImporters::Taken TfliteImporters::taken(const TfliteReader& r, const Op& op) {
    const auto& options =
        r.options_or_none<schema::StridedSliceOptions>(op, Options::STRIDED_SLICE);
    const std::vector<int>& x = r.tensor(r.input(op, 0)).shape;
    const std::vector<std::int64_t> begin = integers_of(r.tensor(r.input(op, 1))),
                                    end = integers_of(r.tensor(r.input(op, 2))),
                                    stride = integers_of(r.tensor(r.input(op, 3)));
    const auto bit = [](int mask, std::size_t i) { return i < 31 && (mask >> i & 1) != 0; };
    std::size_t named = 0;  // axes that are not between others
    for (std::size_t i = 0; i < begin.size(); ++i)
        named += bit(options.ellipsis_mask(), i) || bit(options.new_axis_mask(), i) ? 0 : 1;
    if (named > x.size() || end.size() != begin.size() || stride.size() != begin.size())
        throw Refusal{fmt::format("{} begins, {} ends, {} strides: want as many, at most {}",
                                  begin.size(), end.size(), stride.size(), x.size())};
    Taken out;
    const auto take = [&](const Range& range, bool keep) {
        out.slice.begin.push_back(static_cast<int>(range.begin));
        out.slice.stride.push_back(static_cast<int>(range.stride));
        out.part.push_back(static_cast<int>(range.count));
        if (keep) out.result.push_back(out.part.back());
    };
    const auto whole = [&](std::size_t up_to) {
        while (out.part.size() < up_to)
            take({0, x[out.part.size()], 1}, true);
    };
    for (std::size_t i = 0; i < begin.size(); ++i) {
        if (bit(options.ellipsis_mask(), i)) {
            whole(out.part.size() + x.size() - named);
            named = x.size();
        } else if (bit(options.new_axis_mask(), i)) {
            out.result.push_back(1);
        } else {
            const int size = x[out.part.size()];
            const bool shrinks = bit(options.shrink_axis_mask(), i),
                       no_begin = bit(options.begin_mask(), i);
            std::int64_t from = begin[i] < 0 ? begin[i] + size : begin[i];
            if (no_begin) from = stride[i] > 0 ? 0 : size - 1;
            if (shrinks && stride[i] < 0)
                throw Refusal{fmt::format("stride {} of a single element: want 1", stride[i])};
            const bool no_end = bit(options.end_mask(), i);
            Range range = range_of(begin[i], end[i], stride[i], size, no_begin, no_end);
            if (options.offset() && !shrinks && !no_end) {  // the end is a length
                const std::int64_t step = std::abs(stride[i]);
                const bool none = end[i] == 0 || (end[i] < 0) != (stride[i] < 0);
                range = {from, none ? 0 : (std::abs(end[i]) + step - 1) / step, stride[i]};
                const std::int64_t last = none ? from : from + (range.count - 1) * stride[i];
                if (std::min(from, last) < 0 || std::max(from, last) >= size)
                    throw Refusal{
                        fmt::format("length {} from {}, stride {}, of {} elements: want "
                                    "all of them inside",
                                    end[i], from, stride[i], size)};
            }
            take(shrinks ? Range{from, 1, 1} : range, !shrinks);
        }
    }
    whole(x.size());
    return out;
}

void TfliteImporters::strided_slice(TfliteReader& r, const Op& op) {
    const TensorId input = r.input(op, 0);
    const Taken all = taken(r, op);
    if (all.part == all.result) {
        r.add(op, all.slice, {input}, {r.output(op)});
        return;
    }
    const Tensor x = r.tensor(input);
    const TensorId part = r.add_tensor(x, all.part);
    r.add(op, all.slice, {input}, {part});
    r.add(op, graph::Reshape{}, {part}, {r.output(op)});
}

void TfliteImporters::split(TfliteReader& r, const Op& op) {
    const TensorId input = r.input(op, 1);
    const std::vector<std::int64_t> axis = integers_of(r.tensor(r.input(op, 0)));
    if (axis.size() != 1) throw Refusal{fmt::format("{} axes: want 1", axis.size())};
    r.add(op, graph::Split{axis_of(axis[0], r.tensor(input).shape.size())}, {input}, op.outputs);
}

void TfliteImporters::split_sizes(TfliteReader& r, const Op& op) {
    const TensorId input = r.input(op, 0);
    const std::vector<std::int64_t> axis = integers_of(r.tensor(r.input(op, 2)));
    if (axis.size() != 1) throw Refusal{fmt::format("{} axes: want 1", axis.size())};
    r.add(op, graph::Split{axis_of(axis[0], r.tensor(input).shape.size())}, {input}, op.outputs);
}

void TfliteImporters::transpose(TfliteReader& r, const Op& op) {
    const TensorId input = r.input(op, 0);
    graph::Transpose transpose;
    for (const std::int64_t axis : integers_of(r.tensor(r.input(op, 1))))
        transpose.order.push_back(axis_of(axis, r.tensor(input).shape.size()));
    r.add(op, transpose, {input}, {r.output(op)});
}

}  // namespace macrame::front
