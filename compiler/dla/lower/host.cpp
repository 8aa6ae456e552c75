/// What the host does: at the ends of the network, and where the hardware cannot.

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "compiler/dla/lower/lowering.hpp"
#include "compiler/dla/values.hpp"
#include "compiler/graph/work.hpp"

namespace macrame::dla::compiler {

using graph::TensorId;

bool Lowering::stays_in_place(int index) const {
    const graph::Node& n = node(index);
    if (!std::holds_alternative<graph::PutRows>(n.op)) return false;
    const auto has = [](const std::vector<TensorId>& ids, TensorId id) {
        return std::find(ids.begin(), ids.end(), id) != ids.end();
    };
    const TensorId before = n.inputs[0];
    return has(program_inputs, before) && has(context.graph.outputs, n.outputs[0]) &&
           !has(context.graph.outputs, before) && !location_of(before).form &&
           context.readers(before).size() == 1;
}

bool Lowering::give_to_host(int index) {
    const graph::Node& n = node(index);
    macrame::compiler::HostOperator op;
    op.node = index;
    HostLayer layer;
    layer.number = static_cast<int>(host.size());
    const auto place = [&](TensorId id) {
        const Location& at = location_of(id);
        layer.places.push_back(at.form ? at.pixels.place : at.cube.place);
    };
    for (const TensorId id : n.inputs) {
        if (id == graph::kNone || tensor(id).constant || on_host_.count(id) != 0) continue;
        if (locations_.count(id) == 0) return false;
        op.reads.push_back({id, {}});
        place(id);
    }
    for (const TensorId id : n.outputs) {
        if (stays_in_place(index)) {
            Location& made = locations_[id];
            made = location_of(n.inputs[0]);
            made.writers = {static_cast<int>(build.layers.size())};
            build.buffers[at(made.cube.place.buffer)].state = true;
            op.writes.push_back({id, {}});
            place(id);
            continue;
        }
        on_host_.insert(id);
        if (tensor(id).type != graph::Type::int8) continue;
        const Shape shape = shape_of(tensor(id));
        Location& made = locations_[id];
        made = {};
        made.cube = build.new_cube(tensor(id).name, shape.width, shape.height, shape.channels);
        if (lies_as_pixels(*this, id)) put_pixels_together(*this, made.cube);
        made.writers = {static_cast<int>(build.layers.size())};
        op.writes.push_back({id, {}});
        place(id);
    }
    host.push_back(std::move(op));
    Layer made;
    made.work = std::move(layer);
    made.name = tensor(n.outputs[0]).name;
    made.node = index;
    build.add_layer(std::move(made));
    return true;
}

bool Lowering::unflatten(int index) {
    const graph::Operator& op = node(index).op;
    if (takes_any_order(op)) return false;
    bool any = false;
    for (const TensorId id : node(index).inputs) {
        if (id == graph::kNone || !is_flattened(id)) continue;
        for (int maker = 0; maker < index; ++maker) {
            if (node(maker).outputs[0] != id || !give_to_host(maker)) continue;
            refused.push_back({maker, "what reads it wants another shape than it has in memory"});
            any = true;
        }
    }
    return any;
}

}  // namespace macrame::dla::compiler
