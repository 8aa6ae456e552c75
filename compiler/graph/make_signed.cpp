#include "compiler/graph/make_signed.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "compiler/graph/at.hpp"

namespace macrame::graph {

namespace {

constexpr int kShift = 128;

std::vector<TensorId> tensors_of(const Node& node) {
    std::vector<TensorId> out = node.inputs;
    out.insert(out.end(), node.outputs.begin(), node.outputs.end());
    out.erase(std::remove(out.begin(), out.end(), kNone), out.end());
    return out;
}

/// Which tensors become int8.
std::vector<bool> find(const Graph& graph) {
    std::vector<bool> out(graph.tensors.size(), false);
    const auto is_uint8 = [&](TensorId id) { return graph.tensor(id).type == Type::uint8; };
    const auto computes = [](const Node& node) {
        return !std::holds_alternative<Requantise>(node.op);
    };
    for (const Node& node : graph.nodes) {
        if (!computes(node)) continue;
        for (const TensorId id : tensors_of(node))
            out[at(id)] = is_uint8(id) && !graph.tensor(id).quantisation.scale.empty();
    }
    // Operators want one type of all.
    for (bool more = true; more;) {
        more = false;
        for (const Node& node : graph.nodes) {
            if (!computes(node)) continue;
            const std::vector<TensorId> all = tensors_of(node);
            const auto stays = [&](TensorId id) { return is_uint8(id) && !out[at(id)]; };
            if (std::none_of(all.begin(), all.end(), stays)) continue;
            for (const TensorId id : all) {
                more = more || out[at(id)];
                out[at(id)] = false;
            }
        }
    }
    return out;
}

void make_signed(Tensor& tensor) {
    tensor.type = Type::int8;
    tensor.shifted = true;
    for (std::int32_t& zero : tensor.quantisation.zero_point)
        zero -= kShift;
    if (!tensor.constant) return;
    for (std::uint8_t& byte : tensor.data.own())
        byte ^= 0x80;
}

/// An int8 tensor for one that keeps its type.
TensorId add_twin(Graph& graph, TensorId id) {
    Tensor twin = graph.tensor(id);
    make_signed(twin);
    graph.tensors.push_back(std::move(twin));
    return static_cast<TensorId>(graph.tensors.size()) - 1;
}

}  // namespace

void make_signed(Graph& graph) {
    const std::vector<bool> changes = find(graph);
    std::vector<TensorId> renamed(graph.tensors.size());
    std::vector<Node> first, last;
    for (std::size_t i = 0; i < renamed.size(); ++i) {
        const auto id = static_cast<TensorId>(i);
        renamed[i] = id;
        if (!changes[i]) continue;
        const auto holds = [id](const std::vector<TensorId>& ids) {
            return std::count(ids.begin(), ids.end(), id) != 0;
        };
        const bool input = holds(graph.inputs), output = holds(graph.outputs);
        if (!input && !output) {
            make_signed(graph.tensors[i]);
            continue;
        }
        renamed[i] = add_twin(graph, id);
        const std::string& name = graph.tensors[i].name;
        if (input)
            first.push_back({Requantise{}, {id}, {renamed[i]}, "input " + name});
        else if (graph.tensors[i].constant)
            continue;
        else
            last.push_back({Requantise{}, {renamed[i]}, {id}, "output " + name});
    }
    const auto rename = [&](std::vector<TensorId>& ids) {
        for (TensorId& id : ids)
            if (id != kNone) id = renamed[at(id)];
    };
    for (Node& node : graph.nodes) {
        rename(node.inputs);
        rename(node.outputs);
    }
    for (FileValue& value : graph.file_values) {
        if (value.id == kNone) continue;
        value.unsigned_bytes = value.unsigned_bytes || changes[at(value.id)];
        value.id = renamed[at(value.id)];
    }
    graph.nodes.insert(graph.nodes.begin(), first.begin(), first.end());
    graph.nodes.insert(graph.nodes.end(), last.begin(), last.end());
}

}  // namespace macrame::graph
