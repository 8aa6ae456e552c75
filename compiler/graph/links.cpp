#include "compiler/graph/links.hpp"

#include <algorithm>
#include <cstddef>
#include <set>

namespace macrame::graph {

namespace {

bool has(const std::vector<TensorId>& ids, TensorId id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

}  // namespace

int maker(const Graph& graph, TensorId id) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (has(graph.nodes[i].outputs, id)) return static_cast<int>(i);
    return -1;
}

std::vector<int> readers(const Graph& graph, TensorId id) {
    std::vector<int> found;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (has(graph.nodes[i].inputs, id)) found.push_back(static_cast<int>(i));
    return found;
}

Readers readers(const Graph& graph) {
    Readers found(graph.tensors.size());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        for (const TensorId id : graph.nodes[i].inputs) {
            if (id == kNone) continue;
            std::vector<int>& of = found[static_cast<std::size_t>(id)];
            if (of.empty() || of.back() != static_cast<int>(i)) of.push_back(static_cast<int>(i));
        }
    }
    return found;
}

bool is_output(const Graph& graph, TensorId id) { return has(graph.outputs, id); }

std::vector<int> in_front(const Graph& graph, int node,
                          const std::function<bool(TensorId)>& through) {
    std::vector<int> open = {node}, found;
    std::set<int> seen;
    while (!open.empty()) {
        const int next = open.back();
        open.pop_back();
        if (!seen.insert(next).second) continue;
        found.push_back(next);
        for (const TensorId id : graph.nodes[static_cast<std::size_t>(next)].inputs)
            if (id != kNone && !graph.tensor(id).constant && through(id))
                open.push_back(maker(graph, id));
    }
    return found;
}

}  // namespace macrame::graph
