#pragma once
/// What all decisions about a network are made of.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/dla/searches.hpp"
#include "compiler/graph/chain.hpp"
#include "compiler/graph/graph.hpp"
#include "compiler/graph/links.hpp"
#include "verif/dla/model/sizes.hpp"

namespace macrame::dla::compiler {

/// An operator that cannot be built; the text names what was found and what is possible.
struct Unsupported {
    std::string text;
    std::int64_t buffer_bytes = 0;  ///< as Refusal::buffer_bytes
};

/// A network, the sizes of the hardware, what the user wants. All of it has to stay.
class Context {
public:
    /// `precise`: operators that are to be exact whatever the options say.
    Context(const graph::Graph& graph, const model::Architecture& sizes,
            const macrame::compiler::Options& options, Searches& searches,
            std::set<int> precise = {});

    const graph::Graph& graph;
    const model::Architecture& sizes;
    const macrame::compiler::Options& options;
    Searches& searches;

    const graph::Node& node(int index) const {
        return graph.nodes[static_cast<std::size_t>(index)];
    }
    const graph::Tensor& tensor(graph::TensorId id) const { return graph.tensor(id); }
    /// Nodes that read a tensor.
    const std::vector<int>& readers(graph::TensorId id) const {
        return readers_[static_cast<std::size_t>(id)];
    }
    /// The element-wise operators of a tensor that are one table, if there are some.
    std::optional<graph::Chain> chain_from(graph::TensorId id) const {
        return graph::chain_from(graph, readers_, id);
    }
    /// Do no others read it, and is it no output of the network? `nodes` ascend.
    bool used_only_by(graph::TensorId id, const std::vector<int>& nodes) const;
    bool used_only_by(graph::TensorId id, int index) const {
        return used_only_by(id, std::vector<int>{index});
    }
    /// Is an operator to be exact even where that is slower?
    const std::set<int>& precise() const { return precise_; }
    bool exact_at(int index) const { return options.exact || precise_.count(index) != 0; }

private:
    const std::set<int> precise_;
    const graph::Readers readers_;
};

}  // namespace macrame::dla::compiler
