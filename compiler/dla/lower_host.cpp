/// What the host does: at the ends of the network, and where the hardware cannot.

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "compiler/dla/lower.hpp"
#include "compiler/dla/values.hpp"
#include "compiler/graph/work.hpp"

namespace macrame::dla::compiler {

using graph::TensorId;

std::size_t Lowering::first_of_hardware() {
    program_inputs = graph_.inputs;
    std::size_t end = 0;
    for (; end < graph_.nodes.size(); ++end) {
        const graph::Node& n = graph_.nodes[end];
        const auto input = std::find(program_inputs.begin(), program_inputs.end(), n.inputs[0]);
        if (input == program_inputs.end() || !used_only_by(*input, static_cast<int>(end))) break;
        const graph::Tensor& from = tensor(n.inputs[0]);
        const bool type =
            std::holds_alternative<graph::Requantise>(n.op) && from.type != graph::Type::int8;
        const auto* transpose = std::get_if<graph::Transpose>(&n.op);
        const bool order = transpose != nullptr &&
                           transpose->order.back() != static_cast<int>(from.shape.size()) - 1;
        const bool shape = std::holds_alternative<graph::Reshape>(n.op) &&
                           from.shape.back() != tensor(n.outputs[0]).shape.back();
        if (!type && !order && !shape) break;
        host_first.push_back(static_cast<int>(end));
        *input = n.outputs[0];
    }
    return end;
}

std::size_t Lowering::end_of_hardware() const {
    std::size_t end = graph_.nodes.size();
    for (; end > 0; --end) {
        const graph::Operator& op = graph_.nodes[end - 1].op;
        if (!std::holds_alternative<graph::Softmax>(op) &&
            !std::holds_alternative<graph::Argmax>(op) &&
            !std::holds_alternative<graph::Requantise>(op) &&
            !std::holds_alternative<graph::Reshape>(op) &&
            !std::holds_alternative<graph::Transpose>(op))
            break;
    }
    return end;
}

std::string Lowering::foreign_input(int index) const {
    for (const TensorId id : node(index).inputs) {
        if (id == graph::kNone || tensor(id).type == graph::Type::int8) continue;
        if (!tensor(id).constant)
            return fmt::format("input {}: {}: want {}", tensor(id).name,
                               graph::name_of(tensor(id).type),
                               graph::wanted_for_int8(tensor(id).type));
    }
    return "input: want int8 values of the hardware";
}

bool Lowering::give_to_host(int index) {
    const graph::Node& n = node(index);
    macrame::compiler::HostOperator op;
    op.node = index;
    HostLayer layer;
    layer.number = static_cast<int>(host.size());
    const auto place = [&](TensorId id) {
        const Location& at = locations_.at(id);
        layer.places.push_back(at.form ? at.pixels.place : at.cube.place);
    };
    for (const TensorId id : n.inputs) {
        if (id == graph::kNone || tensor(id).constant || on_host_.count(id) != 0) continue;
        if (locations_.count(id) == 0) return false;
        op.reads.push_back({id, {}});
        place(id);
    }
    for (const TensorId id : n.outputs) {
        on_host_.insert(id);
        if (tensor(id).type != graph::Type::int8) continue;
        const Shape shape = shape_of(tensor(id));
        Location& made = locations_[id];
        made = {};
        made.cube = new_cube(tensor(id).name, shape.width, shape.height, shape.channels);
        made.writers = {static_cast<int>(layers.size())};
        op.writes.push_back({id, {}});
        place(id);
    }
    host.push_back(std::move(op));
    Layer made;
    made.work = std::move(layer);
    made.name = tensor(n.outputs[0]).name;
    made.node = index;
    add_layer(std::move(made));
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
