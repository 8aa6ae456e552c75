#pragma once
/// What a back end says, before anything runs, about the integers of its results.

#include <optional>
#include <string>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/graph/graph.hpp"

namespace macrame::compiler {

/// The largest difference of an operator's results from those of the reference for the same inputs;
/// nothing: the back end does not tell.
std::optional<int> declared_of(const Compiled& made, int node);

/// Of a network. Bounds hold for all inputs.
struct Declared {
    bool told = true;  ///< of every operator; else the rest is empty
    int operators = 0;
    int may_differ = 0;           ///< so many of them
    int most = 0;                 ///< the largest difference of one of them
    int first = -1;               ///< the first of them, a node of the graph
    std::vector<double> outputs;  ///< of the graph: as graph::spread()

    bool exact() const { return told && may_differ == 0; }
};
Declared declared(const graph::Graph& graph, const Compiled& made);

/// Takes back what is told of convolutions whose sums leave as bytes, so that nothing is told of
/// the network: products of real numbers are made of them.
void leave_open(const graph::Graph& graph, Compiled& made);

/// In a sentence: "exact: every operator has the integers of the reference".
std::string text_of(const graph::Graph& graph, const Declared& declared);

}  // namespace macrame::compiler
