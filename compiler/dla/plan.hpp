#pragma once
/// What is decided about a network before it has any layer: a function of the graph, the sizes of
/// the hardware and the searches of requantisations.

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/dla/context.hpp"
#include "compiler/dla/layer.hpp"
#include "compiler/dla/location.hpp"
#include "compiler/dla/table.hpp"

namespace macrame::dla::compiler {

/// Operators that SDP or PDP computes on the fly behind the layers of another one: several are a
/// chain.
struct Fusion {
    std::vector<int> nodes;      ///< ascending
    std::optional<Table> table;  ///< of SDP; none: the clamp
    int low = -128, high = 127;
    std::optional<PdpLayer> pool;  ///< largest of windows instead, by PDP
};

/// Where an operator puts its output: into the cube of a concat behind it.
struct Placement {
    graph::TensorId concat = graph::kNone;  ///< its output
    int y = 0, x = 0, channel = 0;
};

/// Size of the cube that inputs of a concat lie in, each from a whole atom of channels on.
struct ConcatSize {
    int height = 1, width = 1, channels = 1;
};

struct Plan {
    std::vector<int> host_first;          ///< operators in front of the hardware's
    std::vector<graph::TensorId> inputs;  ///< of the rest
    std::size_t first = 0;                ///< operator of the hardware
    std::size_t rest = 0;                 ///< the first of those that the host may end with

    std::set<int> exact;  ///< operators that are exact although that takes more cycles
    std::map<graph::TensorId, PixelForm> images;  ///< inputs that are no cubes
    std::map<graph::TensorId, ConcatSize> concats;
    std::map<graph::TensorId, Placement> placements;
    std::map<int, Fusion> fusions;       ///< by the node in front
    std::map<int, graph::Chain> chains;  ///< with a table of their own, by their first node
    std::set<int> clamp_layers;          ///< nodes whose activation is a layer of its own

    /// What is on the fly behind a node, if anything is.
    const Fusion* fusion(int index) const;
    /// Is it on the fly behind another one?
    bool is_fused(int index) const;
    /// Is it in a chain, but not its first node, which has the layers?
    bool is_chained(int index) const;
    /// What the layers of a node write.
    graph::TensorId result_of(const Context& context, int index) const;
};

Plan make_plan(const Context& context);
/// For people.
std::string plan_text(const graph::Graph& graph, const Plan& plan);

/// Bounds of a node's output that stages might not be able to keep; -128, 127: none.
std::pair<int, int> late_bounds(const Context& context, int index);
/// With the clamps of what is on the fly behind it, without those that are a layer.
LayerTarget with_clamps(const Plan& plan, int index, LayerTarget target);
/// Can PDP take all of a convolution's output from SDP? Then `conv` has it.
bool add_pool(const model::Architecture& sizes, ConvLayer& conv, const PdpLayer& pool);

/// Do only operators read it that take a vector in any order of memory?
bool only_flattened(const graph::Graph& graph, graph::TensorId id);

}  // namespace macrame::dla::compiler
