#include "compiler/dla/context.hpp"

#include <algorithm>
#include <utility>

#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

Context::Context(const graph::Graph& network, const model::Architecture& device,
                 const macrame::compiler::Options& wanted, Searches& known, std::set<int> precise)
    : graph(network),
      sizes(device),
      options(wanted),
      searches(known),
      precise_(std::move(precise)),
      readers_(network.tensors.size()) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        for (const graph::TensorId id : graph.nodes[i].inputs) {
            if (id == graph::kNone) continue;
            std::vector<int>& readers = readers_[at(id)];
            if (readers.empty() || readers.back() != static_cast<int>(i))
                readers.push_back(static_cast<int>(i));
        }
    }
}

bool Context::used_only_by(graph::TensorId id, int index) const {
    const std::vector<int>& all = readers(id);
    if (all.size() > 1 || (all.size() == 1 && all[0] != index)) return false;
    return std::count(graph.outputs.begin(), graph.outputs.end(), id) == 0;
}

}  // namespace macrame::dla::compiler
