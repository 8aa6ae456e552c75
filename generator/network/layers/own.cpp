#include "network/layers/own.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace macrame::network::layers {

using graph::TensorId;

namespace {

std::size_t at(int value) { return static_cast<std::size_t>(value); }

/// More steps than that are not tried one by one.
constexpr int kMostSteps = 8;

}  // namespace

OwnInputs::OwnInputs(const Network& network, const Values& values)
    : network_(network), values_(values), writer_(network.graph.tensors.size(), -1) {
    for (std::size_t i = 0; i < network.graph.nodes.size(); ++i)
        for (const TensorId id : network.graph.nodes[i].outputs)
            writer_[at(id)] = static_cast<int>(i);
}

std::optional<int> OwnInputs::declared_of(int node) const {
    const compiler::Compiled& made = network_.compiled;
    const auto in = [&](const std::vector<int>& nodes) {
        return std::count(nodes.begin(), nodes.end(), node) != 0;
    };
    const bool host = in(made.host_first) || in(made.host_nodes) ||
                      std::any_of(made.host.begin(), made.host.end(),
                                  [&](const auto& op) { return op.node == node; });
    if (host) return 0;
    std::optional<int> out;
    for (const compiler::Exactness& exact : made.exactness)
        if (exact.node == node) out = std::max(out.value_or(0), exact.most);
    if (!out && made.exact_otherwise) out = 0;
    return out;
}

int OwnInputs::spread(int node, const std::vector<const Bytes*>& inputs, std::size_t input, int by,
                      const std::vector<Bytes>& outputs) const {
    int most = 0;
    std::vector<const Bytes*> moved = inputs;
    const int steps = std::min(by, kMostSteps);
    for (int step = -steps; step <= steps; ++step) {
        // The last one stands for all that are further away.
        const int offset = std::abs(step) == steps ? (step < 0 ? -by : by) : step;
        if (offset == 0) continue;
        Bytes other = *inputs[input];
        for (std::uint8_t& byte : other) {
            const int value = static_cast<std::int8_t>(byte) + offset;
            byte = static_cast<std::uint8_t>(std::clamp(value, -128, 127));
        }
        moved[input] = &other;
        const graph::Node& n = network_.graph.nodes[at(node)];
        const std::vector<Bytes> found = graph::run_node(network_.graph, n, moved);
        for (std::size_t i = 0; i < found.size(); ++i) {
            const bool is_signed = network_.graph.tensor(n.outputs[i]).type == graph::Type::int8;
            const auto value = [&](std::uint8_t byte) {
                return is_signed ? int{static_cast<std::int8_t>(byte)} : int{byte};
            };
            for (std::size_t e = 0; e < found[i].size(); ++e)
                most = std::max(most, std::abs(value(found[i][e]) - value(outputs[i][e])));
        }
    }
    return most;
}

const OwnInputs::Made& OwnInputs::made(int node) {
    if (const auto known = made_.find(node); known != made_.end()) return known->second;
    const graph::Graph& graph = network_.graph;
    const graph::Node& n = graph.nodes[at(node)];
    Made out;
    out.nodes = {node};
    out.declared = declared_of(node);
    std::vector<const Bytes*> inputs;
    std::map<std::size_t, int> off;  // inputs that may be, by so many steps
    for (std::size_t i = 0; i < n.inputs.size(); ++i) {
        const TensorId id = n.inputs[i];
        if (id == graph::kNone) {
            inputs.push_back(nullptr);
            continue;
        }
        const graph::Tensor& tensor = graph.tensor(id);
        const auto found = values_.find(id);
        if (tensor.constant || found != values_.end()) {
            inputs.push_back(tensor.constant ? &tensor.data : &found->second);
            continue;
        }
        const Made& before = made(writer_[at(id)]);
        const std::vector<TensorId>& all = graph.nodes[at(writer_[at(id)])].outputs;
        const auto place = std::find(all.begin(), all.end(), id) - all.begin();
        inputs.push_back(&before.outputs[static_cast<std::size_t>(place)]);
        out.nodes.insert(before.nodes.begin(), before.nodes.end());
        if (!before.declared) out.declared.reset();
        if (before.declared.value_or(0) > 0 && tensor.type == graph::Type::int8)
            off[i] = *before.declared;
    }
    out.outputs = graph::run_node(graph, n, inputs);
    for (const auto& [input, by] : off)
        if (out.declared) *out.declared += spread(node, inputs, input, by, out.outputs);
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
