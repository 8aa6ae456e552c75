#include "compiler/dla/geometry.hpp"

#include <algorithm>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/cost.hpp"
#include "compiler/dla/limits.hpp"
#include "compiler/dla/tiling.hpp"

namespace macrame::dla::compiler {

Cube packed_cube(const model::Architecture& sizes, int width, int height, int channels) {
    Cube cube{width, height, channels, {}, 0, 0};
    cube.line_stride = static_cast<std::uint32_t>(width * sizes.atom_bytes);
    cube.surface_stride = cube.line_stride * static_cast<std::uint32_t>(height);
    return cube;
}

Cube block(const model::Architecture& sizes, const Cube& cube, int first, int channels) {
    Cube part = cube;
    part.channels = channels;
    part.place.offset += static_cast<std::uint64_t>(first / sizes.atom_bytes) * cube.surface_stride;
    return part;
}

Cube part_of(const model::Architecture& sizes, const Cube& cube, int y, int x, int height,
             int width) {
    Cube part = cube;
    part.height = height;
    part.width = width;
    part.place.offset += static_cast<std::uint64_t>(y) * cube.line_stride +
                         static_cast<std::uint64_t>(x) * static_cast<unsigned>(sizes.atom_bytes);
    return part;
}

Cube row_of(const model::Architecture& sizes, const Cube& vector) {
    const int width = div_up(vector.channels, most_size());
    const int surfaces = div_up(div_up(vector.channels, sizes.atom_bytes), width);
    Cube row = vector;
    row.width = width;
    row.channels = surfaces * sizes.atom_bytes;
    row.line_stride = row.surface_stride = static_cast<unsigned>(width * sizes.atom_bytes);
    return row;
}

Location image(const model::Architecture& sizes, const Shape& shape, const PixelForm& form) {
    Location out;
    const int width = shape.width * form.columns;
    const std::uint64_t line = round_up(at(width) * at(form.components), at(sizes.atom_bytes));
    out.form = form;
    out.pixels = {width, shape.height, form.components, {}, static_cast<std::uint32_t>(line)};
    return out;
}

ConvLayer geometry(const Context& context, int index, const graph::Window& w, const Location& in,
                   int out_h, int out_w) {
    const model::Architecture& sizes = context.sizes;
    ConvLayer conv;
    conv.kernel_h = w.kernel_h;
    conv.kernel_w = w.kernel_w;
    conv.stride_h = out_h == 1 ? 1 : w.stride_h;
    conv.stride_w = out_w == 1 ? 1 : w.stride_w;
    conv.dilation_h = w.dilation_h;
    conv.dilation_w = w.dilation_w;
    if (std::max(w.kernel_h, w.kernel_w) > kMaxKernel ||
        std::max(conv.stride_h, conv.stride_w) > kMaxStride ||
        std::max(w.dilation_h, w.dilation_w) > 32)
        throw Unsupported{"window: want kernels up to 32, strides up to 8, dilation up to 32"};
    const int columns = in.form ? in.form->columns : 1;  // of memory for one of the network
    conv.kernel_w *= columns;
    conv.stride_w *= columns;
    conv.top = w.top;
    conv.left = w.left * columns;
    conv.out_h = out_h;
    conv.out_w = out_w;
    conv.padding = zero_point(context.tensor(context.node(index).inputs[0]));
    const auto fit = [](int& size, int out, int stride, int kernel, int dilation, int before) {
        const int need = (out - 1) * stride + (kernel - 1) * dilation + 1 - before;
        const int after = std::max(need - size, 0);
        size = std::min(size, need);
        return after;
    };
    const auto place = [&](auto input) {
        conv.bottom = fit(input.height, out_h, conv.stride_h, w.kernel_h, w.dilation_h, w.top);
        conv.right = fit(input.width, out_w, conv.stride_w, conv.kernel_w, w.dilation_w, conv.left);
        conv.input = input;
    };
    if (in.form) {
        place(in.pixels);
    } else {
        place(in.cube);
    }
    if (in.form) {
        // As many lines of a kernel in one operation as its lanes hold.
        const int bytes = in.form->components;
        for (const int rows : {2, 4}) {
            if (rows <= w.kernel_h && bytes * conv.kernel_w <= sizes.atomic_c / rows &&
                bytes * conv.stride_w <= sizes.atomic_c / rows)
                conv.rows_per_step = rows;
        }
    }
    return conv;
}

ConvLayer geometry(const Context& context, int index, const graph::Window& window, const Cube& in,
                   int out_h, int out_w) {
    Location location;
    location.cube = in;
    return geometry(context, index, window, location, out_h, out_w);
}

bool wants_border(const ConvLayer& conv) {
    const int window_h = (conv.kernel_h - 1) * conv.dilation_h + 1;
    const int window_w = (conv.kernel_w - 1) * conv.dilation_w + 1;
    return std::max(conv.top, conv.bottom) >= window_h ||
           std::max(conv.left, conv.right) >= window_w ||
           std::max({conv.top, conv.bottom, conv.left, conv.right}) >= kMaxKernel;
}

bool widen(const model::Architecture& sizes, ConvLayer& conv, const Cube& whole) {
    Cube* input = std::get_if<Cube>(&conv.input);
    if (input == nullptr || is_legal(sizes, *input)) return false;
    const bool across = whole.width > 1;
    int& kernel = across ? conv.kernel_w : conv.kernel_h;
    int& dilation = across ? conv.dilation_w : conv.dilation_h;
    int& size = across ? input->width : input->height;
    int& after = across ? conv.right : conv.bottom;
    if (kernel == 1) dilation = 1;
    const int need = size + after + dilation;
    size = std::min(need, across ? whole.width : whole.height);
    after = need - size;
    ++kernel;
    return true;
}

int block_channels(const model::Architecture& sizes, ConvLayer conv, int channels, int unit,
                   int kernels_per_channel) {
    const Cube whole = std::get<Cube>(conv.input);
    int best = unit;
    std::uint64_t least = 0;
    for (int lanes = unit; lanes == unit || lanes < unit + std::max(sizes.atomic_k, sizes.atomic_c);
         lanes += unit) {
        const int block_size = std::min(lanes, channels);
        conv.input = block(sizes, whole, 0, block_size);
        conv.kernels = block_size * kernels_per_channel;
        conv.weight_bytes = weight_bytes(conv);
        conv.post.output = {conv.out_w, conv.out_h, conv.kernels, {}, 0, 0};
        Layer layer;
        layer.work = conv;
        const std::uint64_t cycles = static_cast<std::uint64_t>(div_up(channels, lanes)) *
                                         (bounds(sizes, layer).most() + kQueued) +
                                     bounds(sizes, layer).start;
        if (least == 0 || cycles < least) {
            least = cycles;
            best = lanes;
        }
        if (lanes >= channels) break;
    }
    return std::min(best, channels);
}

int repeated_channels(const model::Architecture& sizes, int channels, int terms) {
    const int step = static_cast<int>(round_up(at(channels), at(sizes.atom_bytes)));
    return (terms - 1) * step + channels;
}

}  // namespace macrame::dla::compiler
