#include "compiler/graph/canonical.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace macrame::graph {

namespace {

std::size_t place(TensorId id) { return static_cast<std::size_t>(id); }

bool is_output(const Graph& graph, TensorId id) {
    return std::count(graph.outputs.begin(), graph.outputs.end(), id) != 0;
}

/// The padding that only convolutions read, along height and width and less than their windows.
bool fold_padding(Graph& graph, const Node& pad) {
    const std::vector<std::array<int, 2>>& by = std::get<Pad>(pad.op).amounts;
    const TensorId padded = pad.outputs[0];
    if (!std::get<Pad>(pad.op).is_zero() || by.size() != 4 || by[0] != std::array<int, 2>{0, 0} ||
        by[3] != std::array<int, 2>{0, 0} || is_output(graph, padded) ||
        graph.tensor(padded).constant)
        return false;
    std::vector<Node*> users;
    for (Node& node : graph.nodes)
        if (std::count(node.inputs.begin(), node.inputs.end(), padded) != 0) users.push_back(&node);
    const auto takes = [&](const Node* node) {
        const Conv* conv = std::get_if<Conv>(&node->op);
        if (conv == nullptr || node->inputs[0] != padded) return false;
        const Window& w = conv->window;
        const int rows = (w.kernel_h - 1) * w.dilation_h, columns = (w.kernel_w - 1) * w.dilation_w;
        return w.top + by[1][0] <= rows && w.bottom + by[1][1] <= rows &&
               w.left + by[2][0] <= columns && w.right + by[2][1] <= columns;
    };
    if (users.empty() || !std::all_of(users.begin(), users.end(), takes)) return false;
    for (Node* node : users) {
        Window& w = std::get<Conv>(node->op).window;
        w.top += by[1][0];
        w.bottom += by[1][1];
        w.left += by[2][0];
        w.right += by[2][1];
        node->inputs[0] = pad.inputs[0];
    }
    return true;
}

}  // namespace

void drop_unused(Graph& graph) {
    std::vector<bool> used(graph.tensors.size());
    for (const TensorId id : graph.inputs)
        used[place(id)] = true;
    for (const TensorId id : graph.outputs)
        used[place(id)] = true;
    std::vector<Node> nodes;
    for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
        const bool needed = std::any_of(node->outputs.begin(), node->outputs.end(),
                                        [&](TensorId id) { return used[place(id)]; });
        if (!needed) continue;
        for (const TensorId id : node->inputs) {
            if (id != kNone) used[place(id)] = true;
        }
        for (const TensorId id : node->outputs)
            used[place(id)] = true;
        nodes.push_back(std::move(*node));
    }
    std::reverse(nodes.begin(), nodes.end());
    std::vector<TensorId> renamed(graph.tensors.size(), kNone);
    std::vector<Tensor> tensors;
    for (std::size_t i = 0; i < used.size(); ++i) {
        if (!used[i]) continue;
        renamed[i] = static_cast<TensorId>(tensors.size());
        tensors.push_back(std::move(graph.tensors[i]));
    }
    const auto rename = [&](std::vector<TensorId>& ids) {
        for (TensorId& id : ids) {
            if (id != kNone) id = renamed[place(id)];
        }
    };
    for (Node& node : nodes) {
        rename(node.inputs);
        rename(node.outputs);
    }
    rename(graph.inputs);
    for (FileValue& value : graph.file_values)
        if (value.id != kNone) value.id = renamed[place(value.id)];
    rename(graph.outputs);
    graph.tensors = std::move(tensors);
    graph.nodes = std::move(nodes);
}

void canonicalise(Graph& graph) {
    for (const Node& node : graph.nodes)
        if (std::holds_alternative<Pad>(node.op)) fold_padding(graph, node);
    drop_unused(graph);
}

}  // namespace macrame::graph
