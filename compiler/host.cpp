#include "compiler/host.hpp"

#include <cstddef>
#include <utility>

namespace macrame::compiler {

using graph::Bytes;
using graph::TensorId;

HostSide::HostSide(const graph::Graph& graph, const Compiled& compiled)
    : graph_(graph), compiled_(compiled) {}

void HostSide::run_node(int index) {
    const graph::Node& node = graph_.nodes[static_cast<std::size_t>(index)];
    std::vector<const Bytes*> in;
    for (const TensorId id : node.inputs) {
        if (id == graph::kNone) {
            in.push_back(nullptr);
        } else {
            in.push_back(graph_.tensor(id).constant ? &graph_.tensor(id).data.bytes()
                                                    : &values_.at(id));
        }
    }
    std::vector<Bytes> out = graph::run_node(graph_, node, in);
    for (std::size_t i = 0; i < out.size(); ++i)
        values_[node.outputs[i]] = std::move(out[i]);
}

std::vector<Bytes> HostSide::inputs(const std::vector<Bytes>& network) {
    values_.clear();
    for (std::size_t i = 0; i < network.size(); ++i)
        values_[graph_.inputs[i]] = network[i];
    for (const int index : compiled_.host_first)
        run_node(index);
    std::vector<Bytes> out;
    for (const TensorId id : compiled_.inputs)
        out.push_back(values_.at(id));
    return out;
}

bool HostSide::run(std::uint32_t number, std::uint8_t* memory) {
    if (number >= compiled_.host.size()) return false;
    const HostOperator& op = compiled_.host[number];
    for (const HostOperator::Value& value : op.reads)
        values_[value.id] = program::packed(value.place, memory);
    run_node(op.node);
    for (const HostOperator::Value& value : op.writes)
        program::put(value.place, values_.at(value.id), memory);
    return true;
}

std::vector<Bytes> HostSide::outputs(const std::vector<Bytes>& program) {
    for (std::size_t i = 0; i < program.size(); ++i)
        values_[compiled_.outputs[i]] = program[i];
    for (const int index : compiled_.host_nodes)
        run_node(index);
    std::vector<Bytes> out;
    for (const TensorId id : graph_.outputs)
        out.push_back(graph_.tensor(id).constant ? graph_.tensor(id).data.bytes() : values_.at(id));
    return out;
}

}  // namespace macrame::compiler
