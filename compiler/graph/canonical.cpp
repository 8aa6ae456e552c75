#include "compiler/graph/canonical.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/graph/at.hpp"
#include "compiler/graph/links.hpp"

namespace macrame::graph {

namespace {

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

/// A convolution whose windows are longer than those of pictures, by whole strides: so many columns
/// side by side are channels of one, which changes neither bytes of the input nor of the weights.
/// The node that makes them of the input, which belongs in front; nothing where it stays.
std::optional<Node> fold_columns(Graph& graph, Node& node) {
    constexpr int kLong = 32;  // of a window: what back ends do without this
    Conv* conv = std::get_if<Conv>(&node.op);
    if (conv == nullptr || conv->groups != 1) return std::nullopt;
    Window& w = conv->window;
    const Tensor& input = graph.tensor(node.inputs[0]);
    const Tensor& weights = graph.tensor(node.inputs[1]);
    const int columns = w.stride_w;
    if (w.kernel_w <= kLong || columns == 1 || w.kernel_w % columns != 0 || w.left != 0 ||
        w.right != 0 || w.dilation_w != 1 || !weights.constant || input.shape.size() != 4 ||
        input.shape[2] % columns != 0)
        return std::nullopt;
    const auto folded = [&](const Tensor& from) {
        Tensor to = from;
        to.shape[2] /= columns;
        to.shape[3] *= columns;
        to.name += " in columns";
        graph.tensors.push_back(std::move(to));
        return static_cast<TensorId>(graph.tensors.size()) - 1;
    };
    const TensorId from = node.inputs[0];
    node.inputs[1] = folded(Tensor(weights));
    node.inputs[0] = folded(Tensor(graph.tensor(from)));
    w.kernel_w /= columns;
    w.stride_w = 1;
    return Node{Reshape{}, {from}, {node.inputs[0]}, node.where};
}

/// A transposition that moves the last axis, in front of a product that can read it with its last
/// two axes swapped: then the last axis stays where it is.
void fold_transposition(Graph& graph, Node& product, std::size_t input) {
    const TensorId from = product.inputs[input];
    const int index = maker(graph, from);
    // Both operands: the other one would have no maker any more.
    if (product.inputs[0] == product.inputs[1]) return;
    if (index < 0 || is_output(graph, from) || readers(graph, from).size() != 1 ||
        graph.tensor(from).quantisation.per_channel())
        return;
    Node& node = graph.nodes[at(index)];
    Transpose* transpose = std::get_if<Transpose>(&node.op);
    if (transpose == nullptr) return;
    std::vector<int>& order = transpose->order;
    const std::size_t rank = order.size();
    const int last = static_cast<int>(rank) - 1;
    if (rank < 2 || order[rank - 2] != last) return;
    std::swap(order[rank - 2], order[rank - 1]);
    Tensor turned = graph.tensor(from);
    std::swap(turned.shape[rank - 2], turned.shape[rank - 1]);
    graph.tensors.push_back(std::move(turned));
    node.outputs[0] = product.inputs[input] = static_cast<TensorId>(graph.tensors.size()) - 1;
    MatMul& op = std::get<MatMul>(product.op);
    bool& swapped = input == 0 ? op.transpose_a : op.transpose_b;
    swapped = !swapped;
}

/// A reshape of what a reshape alone made for it reads what that one read.
void fold_reshapes(const Graph& graph, Node& node) {
    const TensorId from = node.inputs[0];
    const int index = maker(graph, from);
    if (index < 0 || is_output(graph, from) || readers(graph, from).size() != 1) return;
    const Node& first = graph.nodes[at(index)];
    if (std::holds_alternative<Reshape>(first.op)) node.inputs[0] = first.inputs[0];
}

}  // namespace

void drop_unused(Graph& graph) {
    std::vector<bool> used(graph.tensors.size());
    for (const TensorId id : graph.inputs)
        used[at(id)] = true;
    for (const TensorId id : graph.outputs)
        used[at(id)] = true;
    std::vector<Node> nodes;
    for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
        const bool needed = std::any_of(node->outputs.begin(), node->outputs.end(),
                                        [&](TensorId id) { return used[at(id)]; });
        if (!needed) continue;
        for (const TensorId id : node->inputs) {
            if (id != kNone) used[at(id)] = true;
        }
        for (const TensorId id : node->outputs)
            used[at(id)] = true;
        nodes.push_back(std::move(*node));
    }
    std::reverse(nodes.begin(), nodes.end());
    std::vector<TensorId> renamed(graph.tensors.size(), kNone);
    std::deque<Tensor> tensors;
    for (std::size_t i = 0; i < used.size(); ++i) {
        if (!used[i]) continue;
        renamed[i] = static_cast<TensorId>(tensors.size());
        tensors.push_back(std::move(graph.tensors[i]));
    }
    const auto rename = [&](std::vector<TensorId>& ids) {
        for (TensorId& id : ids) {
            if (id != kNone) id = renamed[at(id)];
        }
    };
    for (Node& node : nodes) {
        rename(node.inputs);
        rename(node.outputs);
    }
    rename(graph.inputs);
    for (FileValue& value : graph.file_values)
        if (value.id != kNone) value.id = renamed[at(value.id)];
    rename(graph.outputs);
    graph.tensors = std::move(tensors);
    graph.nodes = std::move(nodes);
}

void canonicalise(Graph& graph) {
    for (const Node& node : graph.nodes)
        if (std::holds_alternative<Pad>(node.op)) fold_padding(graph, node);
    for (Node& node : graph.nodes)
        for (const std::size_t input : {std::size_t{0}, std::size_t{1}})
            if (std::holds_alternative<MatMul>(node.op)) fold_transposition(graph, node, input);
    for (Node& node : graph.nodes)
        if (std::holds_alternative<Reshape>(node.op)) fold_reshapes(graph, node);
    std::vector<Node> nodes;
    for (Node& node : graph.nodes) {
        if (std::optional<Node> made = fold_columns(graph, node)) nodes.push_back(std::move(*made));
        nodes.push_back(std::move(node));
    }
    graph.nodes = std::move(nodes);
    drop_unused(graph);
}

}  // namespace macrame::graph
