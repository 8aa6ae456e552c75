/// Where inputs of the network lie: as images or as cubes.

#include <algorithm>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/limits.hpp"
#include "compiler/dla/lower/lowering.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

using graph::TensorId;

void Lowering::place_inputs() {
    const auto others =
        std::stable_partition(program_inputs.begin(), program_inputs.end(),
                              [&](TensorId id) { return tensor(id).type == graph::Type::int8; });
    on_host_.insert(others, program_inputs.end());
    program_inputs.erase(others, program_inputs.end());
    for (const TensorId id : program_inputs) {
        const graph::Tensor& tensor = context.graph.tensor(id);
        const Shape shape = shape_of(tensor);
        Location& location = locations_[id];
        if (const auto form = plan.images.find(id); form != plan.images.end()) {
            location = image(context.sizes, shape, form->second);
            const std::uint64_t line = location.pixels.line_stride;
            location.pixels.place = {build.add_buffer(tensor.name, line * at(shape.height), true),
                                     0};
        } else {
            location.cube = build.new_cube(tensor.name, shape.width, shape.height, shape.channels);
            build.buffers[at(location.cube.place.buffer)].keep = true;
        }
    }
}

}  // namespace macrame::dla::compiler
