#include "compiler/dla/context.hpp"

#include <algorithm>
#include <utility>

namespace macrame::dla::compiler {

Context::Context(const graph::Graph& network, const model::Architecture& device,
                 const macrame::compiler::Options& wanted, Searches& known, std::set<int> precise)
    : graph(network),
      sizes(device),
      options(wanted),
      searches(known),
      precise_(std::move(precise)),
      readers_(graph::readers(network)) {}

bool Context::used_only_by(graph::TensorId id, const std::vector<int>& nodes) const {
    const std::vector<int>& all = readers(id);
    return std::includes(nodes.begin(), nodes.end(), all.begin(), all.end()) &&
           std::count(graph.outputs.begin(), graph.outputs.end(), id) == 0;
}

}  // namespace macrame::dla::compiler
