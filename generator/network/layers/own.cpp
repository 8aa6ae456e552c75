#include "network/layers/own.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "compiler/declared.hpp"
#include "compiler/graph/at.hpp"
#include "compiler/graph/spread.hpp"

namespace macrame::network::layers {

using graph::TensorId;

OwnInputs::OwnInputs(const Network& network, const Values& values)
    : network_(network), values_(values), writer_(network.graph.tensors.size(), -1) {
    for (std::size_t i = 0; i < network.graph.nodes.size(); ++i)
        for (const TensorId id : network.graph.nodes[i].outputs)
            writer_[at(id)] = static_cast<int>(i);
}

const OwnInputs::Made& OwnInputs::made(int node) {
    if (const auto known = made_.find(node); known != made_.end()) return known->second;
    const graph::Graph& graph = network_.graph;
    const graph::Node& n = graph.nodes[at(node)];
    Made out;
    out.nodes = {node};
    out.declared = compiler::declared_of(network_.compiled, node);
    std::vector<const Bytes*> inputs;
    std::vector<double> off(n.inputs.size(), 0);  // inputs may be, by so much
    for (std::size_t i = 0; i < n.inputs.size(); ++i) {
        const TensorId id = n.inputs[i];
        if (id == graph::kNone) {
            inputs.push_back(nullptr);
            continue;
        }
        const graph::Tensor& tensor = graph.tensor(id);
        const auto found = values_.find(id);
        if (tensor.constant || found != values_.end()) {
            inputs.push_back(tensor.constant ? &tensor.data.bytes() : &found->second);
            continue;
        }
        const Made& before = made(writer_[at(id)]);
        const std::vector<TensorId>& all = graph.nodes[at(writer_[at(id)])].outputs;
        const auto place = std::find(all.begin(), all.end(), id) - all.begin();
        inputs.push_back(&before.outputs[static_cast<std::size_t>(place)]);
        out.nodes.insert(before.nodes.begin(), before.nodes.end());
        if (!before.declared) out.declared.reset();
        off[i] = before.declared.value_or(0);
    }
    out.outputs = graph::run_node(graph, n, inputs);
    if (out.declared) {
        const std::vector<double> carried = graph::spread(graph, n, off);
        const double most = *std::max_element(carried.begin(), carried.end());
        // Real values have no bound.
        if (std::isinf(most)) out.declared.reset();
        if (out.declared) *out.declared += static_cast<int>(std::ceil(most));
    }
    return made_[node] = std::move(out);
}

OwnInputs::Result OwnInputs::of(const FileTensor& tensor) {
    const int node = writer_[at(tensor.id)];
    if (node < 0) return {values_.at(tensor.id), 0, {}};
    const Made& found = made(node);
    const std::vector<TensorId>& all = network_.graph.nodes[at(node)].outputs;
    const auto place = std::find(all.begin(), all.end(), tensor.id) - all.begin();
    return {found.outputs[static_cast<std::size_t>(place)], found.declared, found.nodes};
}

}  // namespace macrame::network::layers
