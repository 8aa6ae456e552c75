/// Poolings; averages are in average.cpp.

#include <algorithm>
#include <cmath>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/convolutions.hpp"
#include "compiler/dla/limits.hpp"
#include "compiler/dla/lower/operators.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

namespace {

/// What one pass of PDP does to an axis.
struct PoolPass {
    int input = 1;  ///< from the first on
    int kernel = 1, stride = 1, before = 0, output = 1;
};

/// A long window as several passes: the largest of largest values.
std::vector<PoolPass> passes(int input, int output, int kernel, int stride, int before) {
    std::vector<PoolPass> out;
    if (output == 1) {
        // Only one window: parts side by side, then the same with what is left.
        int size = std::min(kernel - before, input);
        while (size > kMostPoolKernel) {
            const int count = div_up(size, kMostPoolKernel);
            out.push_back({size, kMostPoolKernel, kMostPoolKernel, 0, count});
            size = count;
        }
        out.push_back({size, size, 1, 0, 1});
        return out;
    }
    while (kernel > kMostPoolKernel) {
        const int pad = std::min(before, kMostPoolKernel - 1);
        // All windows of eight that begin where one of the whole windows needs them.
        const int count = (output - 1) * stride + kernel - (kMostPoolKernel - 1) - (before - pad);
        out.push_back({input, kMostPoolKernel, 1, pad, std::min(count, input + pad)});
        input = out.back().output;
        before -= pad;
        kernel -= kMostPoolKernel - 1;
    }
    out.push_back({input, kernel, stride, before, output});
    return out;
}

}  // namespace

void add_maximum(Lowering& lowering, int index, const graph::Window& w) {
    const graph::Node& n = lowering.node(index);
    const Location in = lowering.location_of(n.inputs[0]);
    const std::string name = lowering.tensor(n.outputs[0]).name;
    const Shape out = shape_of(lowering.tensor(n.outputs[0]));
    std::vector<PoolPass> down = passes(in.cube.height, out.height, w.kernel_h, w.stride_h, w.top);
    std::vector<PoolPass> across = passes(in.cube.width, out.width, w.kernel_w, w.stride_w, w.left);
    const std::size_t count = std::max(down.size(), across.size());
    // An axis that is done earlier is left as it is by the passes behind.
    while (down.size() < count)
        down.push_back({out.height, 1, 1, 0, out.height});
    while (across.size() < count)
        across.push_back({out.width, 1, 1, 0, out.width});
    const auto [low, high] =
        graph::bounds(std::get<graph::Pool>(n.op).activation, lowering.tensor(n.outputs[0]));
    const bool clamps = low != -128 || high != 127;
    Location& made = lowering.add_output(index, out.width, out.height, out.channels);
    const Cube whole = made.cube;
    const bool pixel = count == 1 && whole.width == 1 && whole.height == 1 && down[0].kernel == 1 &&
                       across[0].kernel == 1;
    if (pixel) {
        // PDP wants a cube of one pixel packed, this is one of a larger cube.
        const Cube copy =
            clamps ? lowering.build.new_cube(name + " pixel", 1, 1, out.channels) : whole;
        made.writers =
            lowering.build.add_copy(lowering.part_of(in.cube, 0, 0, 1, 1), copy, in.writers);
        if (clamps) made.writers = {lowering.build.add_clamp(copy, whole, low, high, made.writers)};
        return;
    }
    Cube from = in.cube;
    std::vector<int> after = in.writers;
    for (std::size_t i = 0; i < count; ++i) {
        const PoolPass &y = down[i], &x = across[i];
        PdpLayer pdp;
        pdp.input = from;
        pdp.input.height = y.input;
        pdp.input.width = x.input;
        pdp.output = i + 1 == count && !clamps ? whole
                                               : lowering.build.new_cube(name + " part", x.output,
                                                                         y.output, out.channels);
        pdp.kernel_h = y.kernel;
        pdp.kernel_w = x.kernel;
        pdp.stride_h = y.output == 1 ? 1 : y.stride;
        pdp.stride_w = x.output == 1 ? 1 : x.stride;
        pdp.top = y.before;
        pdp.left = x.before;
        from = pdp.output;
        after = lowering.build.add_pdp(pdp, after);
    }
    if (clamps) after = {lowering.build.add_clamp(from, whole, low, high, after)};
    made.writers = after;
}

void lower_pool(Lowering& lowering, int index) {
    const auto& op = std::get<graph::Pool>(lowering.node(index).op);
    const graph::Window& w = op.window;
    if (w.dilation_h != 1 || w.dilation_w != 1) throw Unsupported{"pooling with dilation: want 1"};
    if (op.function == graph::Pooling::average) return add_averages(lowering, index, w);
    if (!lowering.context.sizes.pdp) throw Unsupported{"max pooling: want pdp-enable"};
    if (std::max(w.stride_h, w.stride_w) > kMostPoolStride)
        throw Unsupported{"max pooling: want strides up to 16"};
    add_maximum(lowering, index, w);
}

}  // namespace macrame::dla::compiler
