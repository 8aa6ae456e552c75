/// Means over axes of a tensor.

#include <algorithm>
#include <utility>

#include "compiler/dla/buffer.hpp"
#include "compiler/dla/convolutions.hpp"
#include "compiler/dla/geometry.hpp"
#include "compiler/dla/lower/lowering.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

void Lowering::add_sum_of_channels(int index, const graph::Window& window,
                                   const ChannelTarget& channel, LayerTarget target) {
    const Location in = location_of(node(index).inputs[0]);
    const int height = in.cube.height / window.kernel_h, width = in.cube.width / window.kernel_w;
    ConvLayer conv = geometry(context_, index, window, in, height, width);
    conv.kernels = 1;
    target.channels = {channel};
    Location& made = add_output(index, width, height, 1);
    conv.post = post_process(index, target, made.cube);
    const std::vector<std::int8_t> ones(at(window.kernel_h * window.kernel_w * in.cube.channels),
                                        1);
    made.writers = build.add_conv(std::move(conv), in.cube, ones, in.writers, 0);
}

void Lowering::lower(int index, const graph::Mean&) {
    const Location in = location_of(node(index).inputs[0]);
    const MeanTarget mean = mean_target(context_, index, in.cube);
    if (mean.over_channels)
        return add_sum_of_channels(index, mean.window, mean.channel, mean.target);
    Location& made = add_output(index, in.cube.width / mean.window.kernel_w,
                                in.cube.height / mean.window.kernel_h, in.cube.channels);
    made.writers = add_average(index, in.cube, made.cube, mean.window, mean.channel, mean.target);
}

}  // namespace macrame::dla::compiler
