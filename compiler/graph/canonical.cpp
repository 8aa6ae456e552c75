#include "compiler/graph/canonical.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "compiler/graph/reference.hpp"

namespace macrame::graph {

namespace {

bool is_output(const Graph& graph, TensorId id) {
    return std::count(graph.outputs.begin(), graph.outputs.end(), id) != 0;
}

void fold_constants(Graph& graph) {
    // Larger results would only be copies of broadcast constants.
    constexpr std::size_t kMostBytes = std::size_t{1} << 24;
    std::vector<Node> left;
    for (Node& node : graph.nodes) {
        const auto known = [&](TensorId id) { return id == kNone || graph.tensor(id).constant; };
        const auto small = [&](TensorId id) {
            return graph.tensor(id).bytes() <= kMostBytes && !is_output(graph, id);
        };
        if (!std::all_of(node.inputs.begin(), node.inputs.end(), known) ||
            !std::all_of(node.outputs.begin(), node.outputs.end(), small)) {
            left.push_back(std::move(node));
            continue;
        }
        std::vector<const Bytes*> in;
        for (const TensorId id : node.inputs)
            in.push_back(id == kNone ? nullptr : &graph.tensor(id).data);
        std::vector<Bytes> out = run_node(graph, node, in);
        for (std::size_t i = 0; i < out.size(); ++i) {
            graph.tensor(node.outputs[i]).constant = true;
            graph.tensor(node.outputs[i]).data = std::move(out[i]);
        }
    }
    graph.nodes = std::move(left);
}

/// The padding that only convolutions read, along height and width and less than their windows.
bool fold_padding(Graph& graph, const Node& pad) {
    const std::vector<std::array<int, 2>>& by = std::get<Pad>(pad.op).amounts;
    const TensorId padded = pad.outputs[0];
    if (by.size() != 4 || by[0] != std::array<int, 2>{0, 0} || by[3] != std::array<int, 2>{0, 0} ||
        is_output(graph, padded) || graph.tensor(padded).constant)
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

void drop_unread(Graph& graph) {
    std::set<TensorId> read(graph.outputs.begin(), graph.outputs.end());
    std::vector<Node> left;
    for (std::size_t i = graph.nodes.size(); i-- > 0;) {
        Node& node = graph.nodes[i];
        if (std::none_of(node.outputs.begin(), node.outputs.end(),
                         [&](TensorId id) { return read.count(id) != 0; }))
            continue;
        read.insert(node.inputs.begin(), node.inputs.end());
        left.push_back(std::move(node));
    }
    std::reverse(left.begin(), left.end());
    graph.nodes = std::move(left);
}

}  // namespace

void canonicalise(Graph& graph) {
    fold_constants(graph);
    for (const Node& node : std::vector<Node>(graph.nodes))
        if (std::holds_alternative<Pad>(node.op)) fold_padding(graph, node);
    drop_unread(graph);
}

}  // namespace macrame::graph
