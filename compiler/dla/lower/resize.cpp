/// Resizing by whole factors to the nearest: the input between its own pixels.

#include <algorithm>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/lower/operators.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

void lower_resize(Lowering& lowering, int index) {
    const auto& op = std::get<graph::Resize>(lowering.node(index).op);
    const graph::Node& n = lowering.node(index);
    const Location in = lowering.location_of(n.inputs[0]);
    const Shape from = shape_of(lowering.tensor(n.inputs[0]));
    const Shape out = shape_of(lowering.tensor(n.outputs[0]));
    if (out.height % from.height != 0 || out.width % from.width != 0 || op.align_corners)
        throw Unsupported{"resize: want a whole factor, and no align-corners"};
    const int up_h = out.height / from.height, up_w = out.width / from.width;
    if (op.function == graph::Resampling::bilinear) {
        add_bilinear(lowering, index, op.half_pixel_centers, up_h, up_w);
        return;
    }
    Location& made = lowering.add_output(index, out.width, out.height, out.channels);
    for (int y = 0; y < up_h; ++y) {
        for (int x = 0; x < up_w; ++x) {
            gather(made.writers,
                   lowering.build.add_scatter(in.cube, made.cube, y, x, up_h, up_w, in.writers));
        }
    }
}

}  // namespace macrame::dla::compiler
