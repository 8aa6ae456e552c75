/// Means over axes of a tensor.

#include <algorithm>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/convolutions.hpp"
#include "compiler/dla/geometry.hpp"
#include "compiler/dla/lower/operators.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

void add_sum_of_channels(Lowering& lowering, int index, const graph::Window& window,
                         const ChannelTarget& channel, LayerTarget target) {
    const Location in = lowering.location_of(lowering.node(index).inputs[0]);
    const int height = in.cube.height / window.kernel_h, width = in.cube.width / window.kernel_w;
    ConvLayer conv = geometry(lowering.context, index, window, in, height, width);
    conv.kernels = 1;
    target.channels = {channel};
    Location& made = lowering.add_output(index, width, height, 1);
    conv.post = post_process(lowering, index, target, made.cube);
    const std::vector<std::int8_t> ones(at(window.kernel_h * window.kernel_w * in.cube.channels),
                                        1);
    made.writers = lowering.build.add_conv(std::move(conv), in.cube, ones, in.writers, 0);
}

void lower_mean(Lowering& lowering, int index) {
    const Location in = lowering.location_of(lowering.node(index).inputs[0]);
    const MeanTarget mean = mean_target(lowering.context, index, in.cube);
    if (mean.over_channels)
        return add_sum_of_channels(lowering, index, mean.window, mean.channel, mean.target);
    Location& made = lowering.add_output(index, in.cube.width / mean.window.kernel_w,
                                         in.cube.height / mean.window.kernel_h, in.cube.channels);
    made.writers =
        add_average(lowering, index, in.cube, made.cube, mean.window, mean.channel, mean.target);
}

}  // namespace macrame::dla::compiler
