/// Operators that move elements.
#include <algorithm>
#include <utility>

#include "compiler/graph/at.hpp"
#include "compiler/graph/kernels.hpp"
#include "compiler/graph/quantised.hpp"
#include "compiler/host_c/lowering.hpp"

namespace macrame::compiler::host_c {

using graph::Bytes;
using graph::Tensor;
using graph::Type;

void Lowering::add(const graph::Reshape&) {
    move(to(), from(), 1, {{static_cast<std::int64_t>(out().bytes())}, {1}, {1}});
}

void Lowering::add(const graph::Transpose& op) {
    const std::vector<std::int64_t> own = strides_of(in().shape);
    Box box{wide(out().shape), strides_of(out().shape), {}};
    for (const int axis : op.order)
        box.from.push_back(own[at(axis)]);
    move(to(), from(), size_of(out().type), std::move(box));
}

void Lowering::add(const graph::Slice& op) {
    Box box{wide(out().shape), strides_of(out().shape), strides_of(in().shape)};
    for (std::size_t i = 0; i < op.begin.size(); ++i) {
        box.from_start += box.from[i] * op.begin[i];
        box.from[i] *= op.stride[i];
    }
    move(to(), from(), size_of(out().type), std::move(box));
}

void Lowering::add(const graph::Split& op) {
    const std::vector<std::int64_t> own = strides_of(in().shape);
    std::int64_t start = 0;
    for (std::size_t i = 0; i < node_.outputs.size(); ++i) {
        const std::vector<int>& shape = out(i).shape;
        move(to(i), from(), size_of(out(i).type), {wide(shape), strides_of(shape), own, 0, start});
        start += own[at(op.axis)] * shape[at(op.axis)];
    }
}

void Lowering::add(const graph::Concat& op) {
    const Tensor& output = out();
    const std::vector<std::int64_t> own = strides_of(output.shape);
    std::int64_t start = 0;
    for (std::size_t i = 0; i < node_.inputs.size(); ++i) {
        const Tensor& input = in(i);
        const graph::Quantisation &a = input.quantisation, &b = output.quantisation;
        const bool same =
            input.type == output.type && (a.scale.empty() || b.scale.empty() ||
                                          (a.scale == b.scale && a.zero_point == b.zero_point));
        Operand elements = from(i);
        if (!same || op.activation != graph::Activation::none) {
            if (!is_byte(input))
                return refuse("inputs of more than 8 bits with scales of their own");
            elements = scratch(input.elements() * size_of(output.type));
            look_up(elements, from(i), graph::Concat{0, op.activation}, input);
        }
        move(to(), elements, size_of(output.type),
             {wide(input.shape), own, strides_of(input.shape), start, 0});
        start += own[at(op.axis)] * input.shape[at(op.axis)];
    }
}

void Lowering::add(const graph::Pad& op) {
    const Tensor &input = in(), &output = out();
    const std::vector<std::int64_t> to_strides = strides_of(output.shape),
                                    from_strides = strides_of(input.shape);
    const std::size_t size = size_of(output.type);
    if (op.kind == graph::Padding::constant) {
        // An element of the padding is what the reference puts around one of the input.
        graph::Graph one;
        one.rounding = graph_.rounding;
        one.tensors = {input, output};
        one.tensors[0].shape = {1};
        one.tensors[1].shape = {2};
        one.nodes = {{graph::Pad{{{1, 0}}, op.kind, op.value}, {0}, {1}, node_.where}};
        const Bytes zero(size, 0);
        Bytes element = graph::run_node(one, one.nodes[0], {&zero})[0];
        element.resize(size);
        Box box{wide(input.shape), to_strides, from_strides};
        for (std::size_t i = 0; i < op.amounts.size(); ++i)
            box.to_start += to_strides[i] * op.amounts[i][0];
        fill(to(), output, element);
        return move(to(), from(), size, std::move(box));
    }
    std::vector<std::vector<std::int64_t>> offsets;
    for (std::size_t i = 0; i < op.amounts.size(); ++i) {
        offsets.emplace_back();
        for (int to_index = 0; to_index < output.shape[i]; ++to_index)
            offsets.back().push_back(from_strides[i] * graph::repeated(op.kind,
                                                                       to_index - op.amounts[i][0],
                                                                       input.shape[i]));
    }
    take(size, offsets);
}

void Lowering::add(const graph::Gather& op) {
    const std::vector<int>& shape = in().shape;
    std::size_t outer = 1, size = size_of(in().type);
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (i < at(op.axis)) outer *= at(shape[i]);
        if (i > at(op.axis)) size *= at(shape[i]);
    }
    call("gather", {to(), from(0), from(1)},
         Fields()
             .set("outer", outer)
             .set("count", in(1).elements())
             .set("size", size)
             .set("length", shape[at(op.axis)])
             .set("index_type", c_element(in(1).type)));
    calls_.calls.back().can_fail = true;
}

void Lowering::add(const graph::GatherNd& op) {
    const std::vector<int>& shape = in().shape;
    const std::size_t axes = at(in(1).shape.back()), batch = at(op.batch);
    const auto size = static_cast<std::int64_t>(size_of(in().type));
    std::vector<std::int64_t> strides = strides_of(shape), own;
    std::vector<int> lengths;
    for (std::size_t axis = batch; axis < batch + axes; ++axis) {
        own.push_back(strides[axis] * size);
        lengths.push_back(shape[axis]);
    }
    std::size_t batches = 1;
    for (std::size_t axis = 0; axis < batch; ++axis)
        batches *= at(shape[axis]);
    call("gather_nd", {to(), from(0), from(1)},
         Fields()
             .set("batches", batches)
             .set("count", in(1).elements() / axes / batches)
             .set("axes", axes)
             .set("batch", in().bytes() / batches)
             .set("size", own.back())
             .list("length", lengths)
             .list("stride", own)
             .set("index_type", c_element(in(1).type)));
    calls_.calls.back().can_fail = true;
}

void Lowering::add(const graph::GatherElements& op) {
    std::vector<std::int64_t> strides = strides_of(in().shape);
    const std::int64_t along = std::exchange(strides[at(op.axis)], 0);
    call("gather_elements", {to(), from(0), from(1)},
         Fields()
             .set("walk", walk_text(wide(in(1).shape), {strides}))
             .set("size", size_of(in().type))
             .set("along", along)
             .set("length", in().shape[at(op.axis)])
             .set("index_type", c_element(in(1).type)));
    calls_.calls.back().can_fail = true;
}

void Lowering::add(const graph::PutRows& op) {
    const std::vector<int>& shape = in().shape;
    const std::size_t axis = at(op.axis);
    const std::size_t size = static_cast<std::size_t>(strides_of(shape)[axis]) * size_of(in().type);
    call("put_rows", {to(), from(0), from(1), from(2)},
         Fields()
             .set("outer", in().bytes() / (size * at(shape[axis])))
             .set("count", in(1).shape[axis])
             .set("size", size)
             .set("length", shape[axis])
             .set("index_type", c_element(in(2).type)));
    calls_.calls.back().can_fail = true;
}

void Lowering::add(const graph::ScatterNd& op) {
    constexpr std::string_view kNames[] = {"MACRAME_HOST_SUM", "MACRAME_HOST_PRODUCT",
                                           "MACRAME_HOST_LARGEST", "MACRAME_HOST_LEAST"};
    const std::vector<int>& shape = in().shape;
    const std::size_t axes = at(in(1).shape.back());
    std::vector<std::int64_t> strides = strides_of(shape);
    strides.resize(axes);
    Fields with;
    with.set("bytes", in().bytes())
        .set("count", in(1).elements() / axes)
        .set("axes", axes)
        .set("elements", strides.back())
        .set("size", size_of(in().type))
        .list("length", std::vector<int>(shape.begin(), shape.begin() + in(1).shape.back()))
        .list("stride", strides)
        .set("type", c_element(in().type))
        .set("index_type", c_element(in(1).type));
    if (op.joined)
        with.set("joined", 1).set("function", kNames[static_cast<std::size_t>(*op.joined)]);
    call("scatter_nd", {to(), from(0), from(1), from(2)}, with);
    calls_.calls.back().can_fail = true;
}

void Lowering::bilinear(const graph::Resize& op) {
    const Tensor &input = in(), &output = out();
    Fields with;
    with.set("out_h", output.shape[1])
        .set("out_w", output.shape[2])
        .set("in_w", input.shape[2])
        .set("channels", input.shape[3]);
    const auto axis = [&](std::size_t i) {
        return graph::between(input.shape[i], output.shape[i], op);
    };
    const graph::BetweenOfAxis rows = axis(1), columns = axis(2);
    const bool by_floats = graph::is_unsigned(input);
    if (fixed_point() && !by_floats) {
        const auto lists = [&](const graph::BetweenOfAxis& of) {
            return std::vector<std::string>{constants_.add(of.fixed_first),
                                            constants_.add(of.fixed_second),
                                            constants_.add(of.fixed_part)};
        };
        with.set("from_type", c_element(input.type))
            .set("to_type", c_element(output.type))
            .list("rows", lists(rows))
            .list("columns", lists(columns));
        return call("bilinear", {to(), from()}, with);
    }
    const auto lists = [&](const graph::BetweenOfAxis& of) {
        return std::vector<std::string>{constants_.add(of.first), constants_.add(of.second)};
    };
    with.list("rows", lists(rows))
        .list("columns", lists(columns))
        .set("row_parts", constants_.add(rows.part))
        .set("column_parts", constants_.add(columns.part));
    if (fixed_point()) {
        // The elements of the file themselves.
        const int shift = graph::shift_of(input);
        const Operand elements = scratch(input.elements() * sizeof(float)), result = real_output();
        call("dequantise", {elements, from()},
             Fields()
                 .set("count", input.elements())
                 .set("type", c_element(input.type))
                 .set("scales", 1)
                 .set("inner", 1)
                 .set("scale", constants_.add(std::vector<float>{1}))
                 .set("zero", constants_.add(std::vector<std::int32_t>{-shift})));
        call("real_bilinear", {result, elements}, with);
        return call("add_half", {to(), result},
                    Fields()
                        .set("count", output.elements())
                        .set("type", c_element(output.type))
                        .set("shift", shift));
    }
    const Operand values = reals(0), result = real_output();
    call("real_bilinear", {result, values}, with);
    finish(result, graph::Activation::none);
}

void Lowering::add(const graph::Resize& op) {
    if (op.function != graph::Resampling::nearest) return bilinear(op);
    const std::vector<int>&input = in().shape, &output = out().shape;
    const std::size_t pixel = at(input[3]) * size_of(in().type);
    std::vector<std::vector<std::int64_t>> offsets(2);
    for (int y = 0; y < output[1]; ++y)
        offsets[0].push_back(std::int64_t{input[2]} *
                             graph::nearest_source(y, input[1], output[1], op));
    for (int x = 0; x < output[2]; ++x)
        offsets[1].push_back(graph::nearest_source(x, input[2], output[2], op));
    take(pixel, offsets);
}

}  // namespace macrame::compiler::host_c
