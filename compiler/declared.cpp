#include "compiler/declared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

#include "compiler/graph/at.hpp"
#include "compiler/graph/chain.hpp"
#include "compiler/graph/links.hpp"
#include "compiler/graph/spread.hpp"

namespace macrame::compiler {

namespace {

/// "3 steps", of real values "0.125".
std::string amount(const graph::Tensor& tensor, double most) {
    if (std::isinf(most)) return "any amount";
    if (tensor.type == graph::Type::float32) return fmt::format("{:.3g}", most);
    return fmt::format("{:.0f} step{}", most, most == 1 ? "" : "s");
}

}  // namespace

std::optional<int> declared_of(const Compiled& made, int node) {
    if (made.on_host(node)) return 0;
    std::optional<int> out;
    if (made.exact_otherwise) out = 0;
    for (const Exactness& exact : made.exactness) {
        if (exact.node != node) continue;
        const int least = exact.proved < exact.channels ? 1 : 0;
        out = std::max({out.value_or(0), exact.most, least});
    }
    return out;
}

namespace {

/// Chains by the operator that ends them: what is real between integers moves by a table.
std::map<int, graph::Chain> chains_of(const graph::Graph& graph) {
    const graph::Readers readers = graph::readers(graph);
    std::map<int, graph::Chain> out;
    for (std::size_t id = 0; id < graph.tensors.size(); ++id)
        if (const auto chain = graph::chain_from(graph, readers, static_cast<graph::TensorId>(id)))
            out.emplace(chain->nodes.back(), *chain);
    return out;
}

/// By how much each tensor of a run may differ, where inputs do by `moves`.
Declared declared_of_run(const graph::Graph& graph, const Compiled& made,
                         const std::map<int, graph::Chain>& chains, std::vector<double>& moves) {
    Declared out;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const graph::Node& node = graph.nodes[i];
        const std::optional<int> own = declared_of(made, static_cast<int>(i));
        if (!own) {
            out = {};
            out.told = false;
            return out;
        }
        ++out.operators;
        if (*own > 0) {
            if (out.may_differ++ == 0) out.first = static_cast<int>(i);
            out.most = std::max(out.most, *own);
        }
        std::vector<double> inputs;
        for (const graph::TensorId id : node.inputs)
            inputs.push_back(id == graph::kNone ? 0 : moves[at(id)]);
        const std::vector<double> carried = graph::spread(graph, node, inputs);
        for (std::size_t n = 0; n < carried.size(); ++n) {
            const graph::TensorId id = node.outputs[n];
            moves[at(id)] = std::min(carried[n] + *own, graph::range_of(graph.tensor(id)));
        }
        const auto chain = chains.find(static_cast<int>(i));
        if (chain == chains.end()) continue;
        const std::vector<int>& nodes = chain->second.nodes;
        if (std::all_of(nodes.begin(), nodes.end(),
                        [&](int one) { return declared_of(made, one) == 0; })) {
            double& end = moves[at(node.outputs[0])];
            end = std::min(end, graph::spread(chain->second, moves[at(chain->second.root)]));
        }
    }
    for (std::size_t i = 0; i < graph.own_outputs(); ++i)
        out.outputs.push_back(moves[at(graph.outputs[i])]);
    return out;
}

}  // namespace

Declared declared(const graph::Graph& graph, const Compiled& made) {
    std::vector<double> moves(graph.tensors.size(), 0);
    const std::map<int, graph::Chain> chains = chains_of(graph);
    while (true) {
        Declared out = declared_of_run(graph, made, chains, moves);
        // A state that differs does so by whatever it can after enough runs.
        bool more = false;
        for (std::size_t i = 0; out.told && i < graph.states.size(); ++i) {
            double& before = moves[at(graph.inputs[graph.own_inputs() + i])];
            if (moves[at(graph.outputs[graph.own_outputs() + i])] <= before) continue;
            before = graph::range_of(graph.tensor(graph.inputs[graph.own_inputs() + i]));
            more = true;
        }
        if (!more) return out;
    }
}

void leave_open(const graph::Graph& graph, Compiled& made) {
    made.exact_otherwise = false;
    const auto is_sum = [&](const Exactness& exact) {
        const auto* conv = std::get_if<graph::Conv>(&graph.nodes[at(exact.node)].op);
        return conv != nullptr && conv->sums != graph::Sums::whole;
    };
    made.exactness.erase(std::remove_if(made.exactness.begin(), made.exactness.end(), is_sum),
                         made.exactness.end());
}

std::string text_of(const graph::Graph& graph, const Declared& declared) {
    if (!declared.told) return "exactness: not declared";
    if (declared.exact()) return "exact: every operator has the integers of the reference";
    std::vector<std::string> amounts;
    for (std::size_t i = 0; i < declared.outputs.size(); ++i)
        amounts.push_back(amount(graph.tensor(graph.outputs[i]), declared.outputs[i]));
    return fmt::format(
        "not exact: {} of {} operators may differ by up to {} (the first: {}); at the output{} by "
        "up to {}",
        declared.may_differ, declared.operators, declared.most,
        graph.nodes[at(declared.first)].where, amounts.size() == 1 ? "" : "s",
        fmt::join(amounts, ", "));
}

}  // namespace macrame::compiler
