/// Windows over three axes of TFLite as windows over two: the planes that one is over lie in the
/// channels, for each plane of the result.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/front/tflite_importers.hpp"
#include "compiler/graph/at.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::kNone;
using graph::Tensor;
using graph::TensorId;
using Options = schema::OptionsType;
using Shape = std::vector<int>;

namespace {

constexpr int kMostPlanes = 1 << 12;

/// A window along the first of three axes, and over the other two.
struct VolumeWindow {
    int kernel = 1, stride = 1, dilation = 1, before = 0;
    graph::Window flat;
    graph::Activation activation = graph::Activation::none;
};

/// `large`: the shape that the window moves over; `weights`: those of the kernel come first.
VolumeWindow volume_window(const schema::Conv3DOptions& options, const Shape& large,
                           const Shape& weights) {
    VolumeWindow w;
    w.kernel = weights[0];
    w.flat.kernel_h = weights[1];
    w.flat.kernel_w = weights[2];
    w.stride = positive(options.stride_d(), "stride_d");
    w.flat.stride_h = positive(options.stride_h(), "stride_h");
    w.flat.stride_w = positive(options.stride_w(), "stride_w");
    w.dilation = positive(options.dilation_d(), "dilation_d");
    w.flat.dilation_h = positive(options.dilation_h(), "dilation_h");
    w.flat.dilation_w = positive(options.dilation_w(), "dilation_w");
    w.activation = activation_of(options.activation());
    for (const int value : {w.stride, w.flat.stride_h, w.flat.stride_w, w.dilation,
                            w.flat.dilation_h, w.flat.dilation_w})
        if (value > 1 << 20)
            throw Refusal{fmt::format("a size of {}: want at most {}", value, 1 << 20)};
    if (options.padding() == schema::Padding::VALID) return w;
    if (options.padding() != schema::Padding::SAME)
        throw Refusal{
            fmt::format("padding {}: want SAME or VALID", static_cast<int>(options.padding()))};
    w.before = graph::same_padding(large[1], w.kernel, w.stride, w.dilation)[0];
    const auto rows = graph::same_padding(large[2], w.flat.kernel_h, w.flat.stride_h,
                                          w.flat.dilation_h),
               columns = graph::same_padding(large[3], w.flat.kernel_w, w.flat.stride_w,
                                             w.flat.dilation_w);
    w.flat.top = rows[0];
    w.flat.bottom = rows[1];
    w.flat.left = columns[0];
    w.flat.right = columns[1];
    return w;
}

void want_volumes(const Tensor& x, const Tensor& w, const Tensor& y, int channels) {
    if (x.shape.size() != 5 || w.shape.size() != 5 || y.shape.size() != 5 || x.shape[4] != channels)
        throw Refusal{
            fmt::format("input {}, weights {}, output {}: want five axes of each, and weights for "
                        "the channels of the input",
                        graph::text_of(x.shape), graph::text_of(w.shape), graph::text_of(y.shape))};
    if (x.type != graph::Type::float32 || w.type != graph::Type::float32)
        throw Refusal{fmt::format("{} and weights of {}: want float32, as its kernels do",
                                  name_of(x.type), name_of(w.type))};
    if (y.shape[1] > kMostPlanes || w.shape[0] > kMostPlanes)
        throw Refusal{fmt::format("{} planes, a kernel over {}: want at most {}", y.shape[1],
                                  w.shape[0], kMostPlanes)};
}

}  // namespace

/// Some planes, one behind the other in the channels; none: planes of 0.
TensorId TfliteImporters::planes_of(TfliteReader& r, const Op& op, TensorId from,
                                    const std::vector<int>& places) {
    const Shape shape = r.tensor(from).shape;
    std::vector<TensorId> parts;
    for (const int place : places) {
        graph::Slice slice{Shape(5, 0), Shape(5, 1)};
        slice.begin[1] = place;
        Shape one = shape;
        one[1] = 1;
        const Shape flat = {shape[0], shape[2], shape[3], shape[4]};
        parts.push_back(
            real_part(r, op, graph::Reshape{}, {real_part(r, op, slice, {from}, one)}, flat));
    }
    if (parts.size() == 1) return parts[0];
    Shape all = r.tensor(parts[0]).shape;
    all[3] *= static_cast<int>(parts.size());
    return real_part(r, op, graph::Concat{3, {}}, parts, all);
}

/// Weights of some planes of the kernel, in the channels: kernels x height x width x channels of
/// them all. `order`: from the axes of the file without the first one.
TensorId TfliteImporters::kernel_planes(TfliteReader& r, const Op& op, TensorId from,
                                        const std::vector<int>& places,
                                        const std::vector<int>& order) {
    const Shape shape = r.tensor(from).shape;
    std::vector<TensorId> parts;
    for (const int place : places) {
        graph::Slice slice{Shape(5, 0), Shape(5, 1)};
        slice.begin[0] = place;
        Shape one = shape, flat(shape.begin() + 1, shape.end()), turned;
        one[0] = 1;
        for (const int axis : order)
            turned.push_back(flat[at(axis)]);
        const TensorId plane =
            real_part(r, op, graph::Reshape{}, {real_part(r, op, slice, {from}, one)}, flat);
        parts.push_back(real_part(r, op, graph::Transpose{order}, {plane}, turned));
    }
    if (parts.size() == 1) return parts[0];
    Shape all = r.tensor(parts[0]).shape;
    all[3] *= static_cast<int>(parts.size());
    return real_part(r, op, graph::Concat{3, {}}, parts, all);
}

namespace {

TensorId volume_bias(const TfliteOperator& op, std::size_t i) {
    return i < op.inputs.size() ? op.inputs[i] : kNone;
}

}  // namespace

/// Weights: depth x height x width x channels x kernels.
void TfliteImporters::conv_volume(TfliteReader& r, const Op& op) {
    const auto& options = r.options<schema::Conv3DOptions>(op, Options::CONV_3D);
    const TensorId input = r.input(op, 0), weights = r.input(op, 1), output = r.output(op);
    const Tensor x = r.tensor(input), w = r.tensor(weights), y = r.tensor(output);
    want_volumes(x, w, y, w.shape.size() == 5 ? w.shape[3] : 0);
    const VolumeWindow window = volume_window(options, x.shape, w.shape);
    const std::int64_t reach = std::int64_t{window.kernel - 1} * window.dilation + 1;
    if (options.padding() == schema::Padding::VALID && reach > x.shape[1])
        throw Refusal{
            fmt::format("a kernel over {} of {} planes: want it inside", reach, x.shape[1])};
    const graph::Conv conv{window.flat, 1, window.activation};
    std::vector<TensorId> made;
    for (int plane = 0; plane < y.shape[1]; ++plane) {
        std::vector<int> planes, kernel;
        for (int tap = 0; tap < window.kernel; ++tap) {
            const std::int64_t place = std::int64_t{plane} * window.stride - window.before +
                                       std::int64_t{tap} * window.dilation;
            if (place < 0 || place >= x.shape[1]) continue;
            planes.push_back(static_cast<int>(place));
            kernel.push_back(tap);
        }
        made.push_back(plane_of_volume(r, op, conv, {planes, kernel}, {input, weights},
                                       volume_bias(op, 2), {3, 0, 1, 2}));
    }
    r.add(op, graph::Concat{1, {}}, made, {output});
}

/// Weights: depth x height x width x kernels x channels.
void TfliteImporters::transpose_conv_volume(TfliteReader& r, const Op& op) {
    const auto& options = r.options<schema::Conv3DOptions>(op, Options::CONV_3D);
    const TensorId weights = r.input(op, 1), input = r.input(op, 2), output = r.output(op);
    const Tensor x = r.tensor(input), w = r.tensor(weights), y = r.tensor(output);
    want_volumes(x, w, y, w.shape.size() == 5 ? w.shape[4] : 0);
    const VolumeWindow window = volume_window(options, y.shape, w.shape);
    const graph::TransposeConv conv{window.flat, window.activation};
    std::vector<TensorId> made;
    for (int plane = 0; plane < y.shape[1]; ++plane) {
        std::vector<int> planes, kernel;
        for (int tap = 0; tap < window.kernel; ++tap) {
            const std::int64_t place =
                std::int64_t{plane} + window.before - std::int64_t{tap} * window.dilation;
            if (place < 0 || place % window.stride != 0 || place / window.stride >= x.shape[1])
                continue;
            planes.push_back(static_cast<int>(place / window.stride));
            kernel.push_back(tap);
        }
        made.push_back(plane_of_volume(r, op, conv, {planes, kernel}, {input, weights},
                                       volume_bias(op, 3), {2, 0, 1, 3}));
    }
    r.add(op, graph::Concat{1, {}}, made, {output});
}

/// One plane of the result. `taps`: planes of the input, and those of the kernel that they meet.
TensorId TfliteImporters::plane_of_volume(TfliteReader& r, const Op& op,
                                          const graph::Operator& what,
                                          std::array<std::vector<int>, 2> taps,
                                          std::array<TensorId, 2> operands, TensorId bias,
                                          const std::vector<int>& order) {
    r.budget_.charge((4 * taps[0].size() + 4) * sizeof(graph::Node));
    const bool none = taps[0].empty();
    if (none) taps = {std::vector<int>{0}, std::vector<int>{0}};
    const TensorId planes = planes_of(r, op, operands[0], taps[0]);
    TensorId kernel = kernel_planes(r, op, operands[1], taps[1], order);
    if (none) {  // what no plane reaches has the bias alone
        const Shape shape = r.tensor(kernel).shape;
        kernel = new_part(r, op, graph::Type::float32, shape);
        Tensor& zeros = r.graph_.tensor(kernel);
        r.budget_.charge(zeros.bytes());
        zeros.constant = true;
        zeros.data.resize(zeros.bytes());
    }
    Shape shape = r.tensor(r.output(op)).shape;
    const TensorId flat =
        new_part(r, op, graph::Type::float32, {shape[0], shape[2], shape[3], shape[4]});
    r.add(op, what, {planes, kernel, bias}, {flat});
    shape[1] = 1;
    return real_part(r, op, graph::Reshape{}, {flat}, shape);
}

}  // namespace macrame::front
