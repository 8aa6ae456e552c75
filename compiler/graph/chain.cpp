#include "compiler/graph/chain.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>
#include <variant>

#include "compiler/graph/alone.hpp"
#include "compiler/graph/at.hpp"
#include "compiler/graph/links.hpp"
#include "compiler/graph/reference.hpp"

namespace macrame::graph {

bool is_element_wise(const Operator& op) { return is_one_of<Unary, Requantise, Binary, Prelu>(op); }

namespace {

bool is_int8(const Tensor& tensor) {
    return tensor.type == Type::int8 && tensor.quantisation.scale.size() == 1;
}

/// One value, or one for each index of the last axis.
bool is_per_channel(const Tensor& constant, int channels) {
    return constant.elements() == 1 ||
           (constant.elements() == at(channels) && constant.shape.back() == channels);
}

using Table = decltype(Chain::table);

constexpr std::size_t kMost = 64;  // operators of a chain: what is longer is several

/// Nodes of a chain while it grows.
class Growing {
public:
    Growing(const Graph& graph, const Readers& readers, TensorId root)
        : graph_(graph), readers_(readers), root_(root) {}

    /// Does a node read the root, what the chain makes of it, and constants alone?
    bool takes(int index) const {
        const Node& n = graph_.nodes[at(index)];
        const std::vector<int>& shape = graph_.tensor(root_).shape;
        if (!is_element_wise(n.op) || graph_.tensor(n.outputs[0]).shape != shape) return false;
        bool reads = false;
        for (const TensorId id : n.inputs) {
            if (id == kNone) return false;
            if (graph_.tensor(id).constant) {
                if (!is_per_channel(graph_.tensor(id), shape.back())) return false;
            } else if (!is_made(id)) {
                return false;
            } else {
                reads = true;
            }
        }
        return reads;
    }
    void add(int index) { nodes_.push_back(index); }

    /// Is what the last one makes all that others read of it?
    bool is_closed() const {
        if (!is_int8(graph_.tensor(result()))) return false;
        for (const int index : nodes_) {
            const TensorId id = graph_.nodes[at(index)].outputs[0];
            const std::vector<int>& all = readers_[at(id)];
            if (id == result()) continue;
            if (is_output(graph_, id) ||
                !std::includes(nodes_.begin(), nodes_.end(), all.begin(), all.end()))
                return false;
        }
        return true;
    }

    const std::vector<int>& nodes() const { return nodes_; }

private:
    TensorId result() const { return graph_.nodes[at(nodes_.back())].outputs[0]; }
    bool is_made(TensorId id) const {
        return id == root_ || std::any_of(nodes_.begin(), nodes_.end(), [&](int index) {
                   return graph_.nodes[at(index)].outputs[0] == id;
               });
    }

    const Graph& graph_;
    const Readers& readers_;
    const TensorId root_;
    std::vector<int> nodes_;
};

/// What the reference executor makes of all values; none: it differs between channels, or the
/// reference has no such operator.
std::optional<Table> table_of(const Graph& graph, TensorId root, const std::vector<int>& nodes) {
    int channels = 1;
    for (const int index : nodes)
        for (const TensorId id : graph.nodes[at(index)].inputs)
            if (const Tensor& from = graph.tensor(id); from.constant && from.elements() > 1)
                channels = from.shape.back();
    Graph alone;
    alone.rounding = graph.rounding;
    std::map<TensorId, TensorId> taken;
    const auto take = [&](TensorId id) {
        const auto [found, is_new] = taken.emplace(id, static_cast<TensorId>(taken.size()));
        if (is_new) {
            alone.tensors.push_back(graph.tensor(id));
            if (!graph.tensor(id).constant) alone.tensors.back().shape = {1, 1, 256, channels};
        }
        return found->second;
    };
    alone.inputs = {take(root)};
    for (const int index : nodes) {
        Node node = graph.nodes[at(index)];
        for (TensorId& id : node.inputs)
            id = take(id);
        node.outputs = {take(node.outputs[0])};
        alone.nodes.push_back(std::move(node));
    }
    alone.outputs = alone.nodes.back().outputs;
    Bytes made;
    try {
        made = run(alone, {all_values(Type::int8, channels)})[0];
    } catch (const std::invalid_argument&) {
        return std::nullopt;
    }
    Table table{};
    for (std::size_t i = 0; i < made.size(); ++i) {
        std::int8_t& entry = table[i / at(channels)];
        const auto value = static_cast<std::int8_t>(made[i]);
        if (i % at(channels) != 0 && entry != value) return std::nullopt;
        entry = value;
    }
    return table;
}

}  // namespace

std::optional<Chain> chain_from(const Graph& graph, const Readers& readers, TensorId root) {
    const Tensor& from = graph.tensor(root);
    if (from.constant || !is_int8(from) || from.shape.empty()) return std::nullopt;
    Growing growing(graph, readers, root);
    std::vector<std::size_t> ends;  // how many nodes there are where it might end
    const std::vector<int>& first = readers[at(root)];
    if (first.empty()) return std::nullopt;
    int last = first.back();
    for (int index = first.front(); index <= last && growing.nodes().size() < kMost; ++index) {
        if (!growing.takes(index)) continue;
        growing.add(index);
        for (const int next : readers[at(graph.nodes[at(index)].outputs[0])])
            last = std::max(last, next);
        if (growing.nodes().size() > 1 && growing.is_closed())
            ends.push_back(growing.nodes().size());
    }
    for (; !ends.empty(); ends.pop_back()) {
        Chain chain{root, growing.nodes(), {}};
        chain.nodes.resize(ends.back());
        const std::optional<Table> table = table_of(graph, root, chain.nodes);
        if (!table) continue;
        chain.table = *table;
        return chain;
    }
    return std::nullopt;
}

}  // namespace macrame::graph
