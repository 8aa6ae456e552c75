#include "network/exactness.hpp"

#include <cmath>
#include <cstddef>

#include "compiler/declared.hpp"

namespace macrame::network {

std::string exactness_text(const Network& network) {
    return compiler::text_of(network.graph, compiler::declared(network.graph, network.compiled));
}

nlohmann::ordered_json exactness_json(const Network& network) {
    const graph::Graph& graph = network.graph;
    const compiler::Declared told = compiler::declared(graph, network.compiled);
    nlohmann::ordered_json json = {
        {"text", compiler::text_of(graph, told)}, {"declared", told.told}, {"exact", told.exact()}};
    if (!told.told) return json;
    json["operators"] = told.operators;
    json["may_differ"] = told.may_differ;
    json["largest"] = told.most;
    json["first"] = nlohmann::ordered_json();
    if (told.first >= 0) json["first"] = graph.nodes[static_cast<std::size_t>(told.first)].where;
    json["outputs"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < told.outputs.size(); ++i) {
        nlohmann::ordered_json most = told.outputs[i];
        if (std::isinf(told.outputs[i])) most = nlohmann::ordered_json();
        json["outputs"].push_back(
            {{"tensor", graph.tensor(graph.outputs[i]).name}, {"largest", std::move(most)}});
    }
    return json;
}

}  // namespace macrame::network
