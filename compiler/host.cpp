#include "compiler/host.hpp"

#include <cstddef>
#include <utility>

namespace macrame::compiler {

using graph::Bytes;
using graph::TensorId;

namespace {

using Values = std::map<TensorId, Bytes>;

void run_node(const graph::Graph& graph, int index, Values& values) {
    const graph::Node& node = graph.nodes[static_cast<std::size_t>(index)];
    std::vector<const Bytes*> in;
    for (const TensorId id : node.inputs) {
        if (id == graph::kNone) {
            in.push_back(nullptr);
        } else {
            in.push_back(graph.tensor(id).constant ? &graph.tensor(id).data.bytes()
                                                   : &values.at(id));
        }
    }
    std::vector<Bytes> out = graph::run_node(graph, node, in);
    for (std::size_t i = 0; i < out.size(); ++i)
        values[node.outputs[i]] = std::move(out[i]);
}

std::vector<Bytes> outputs_of(const graph::Graph& graph, const Values& values) {
    std::vector<Bytes> out;
    for (const TensorId id : graph.outputs)
        out.push_back(graph.tensor(id).constant ? graph.tensor(id).data.bytes() : values.at(id));
    return out;
}

}  // namespace

HostSide::HostSide(const graph::Graph& graph, const Compiled& compiled)
    : graph_(graph), compiled_(compiled) {}

std::vector<Bytes> HostSide::inputs(const std::vector<Bytes>& network) {
    values_.clear();
    for (std::size_t i = 0; i < network.size(); ++i)
        values_[graph_.inputs[i]] = network[i];
    for (const int index : compiled_.host_first)
        run_node(graph_, index, values_);
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
    run_node(graph_, op.node, values_);
    for (const HostOperator::Value& value : op.writes)
        program::put(value.place, values_.at(value.id), memory);
    return true;
}

std::vector<Bytes> HostSide::outputs(const std::vector<Bytes>& program) {
    for (std::size_t i = 0; i < program.size(); ++i)
        values_[compiled_.outputs[i]] = program[i];
    for (const int index : compiled_.host_nodes)
        run_node(graph_, index, values_);
    return outputs_of(graph_, values_);
}

NetworkRun::NetworkRun(const graph::Graph& graph, const std::vector<Part>& parts,
                       const std::vector<Bytes>& inputs)
    : graph_(graph), parts_(parts) {
    for (std::size_t i = 0; i < inputs.size(); ++i)
        values_[graph.inputs[i]] = inputs[i];
}

const Part* NetworkRun::next() {
    now_ = nullptr;
    for (; next_ < parts_.size() && now_ == nullptr; ++next_) {
        const Part& part = parts_[next_];
        if (part.hardware) {
            now_ = &part;
        } else {
            for (const int index : part.nodes)
                run_node(graph_, index, values_);
        }
    }
    if (now_ == nullptr) return nullptr;
    host_.emplace(now_->cut.graph, now_->compiled);
    std::vector<Bytes> in;
    for (const TensorId id : now_->cut.graph.inputs)
        in.push_back(values_.at(now_->cut.whole(id)));
    program_inputs_ = host_->inputs(in);
    return now_;
}

void NetworkRun::finish(const std::vector<Bytes>& program_outputs) {
    host_->outputs(program_outputs);
    for (const auto& [id, bytes] : host_->values())
        values_[now_->cut.whole(id)] = bytes;
}

std::vector<Bytes> NetworkRun::outputs() const { return outputs_of(graph_, values_); }

}  // namespace macrame::compiler
