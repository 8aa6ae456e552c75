#pragma once
/// Columns side by side as channels of one: [1, H, W, C] as [1, H, W / n, n C] has the same
/// elements in the same order. Where a tensor has fewer channels than the MAC array has lanes, that
/// fills them: a convolution then makes n columns at once, with zeros among its weights where a
/// column does not belong to a window, which change no sum.

#include <cstdint>
#include <vector>

#include "compiler/graph/graph.hpp"
#include "verif/dla/model/sizes.hpp"

namespace macrame::dla::compiler {

/// By tensor: how many of its columns are a pixel; 1: it is as it was.
using ColumnsPerPixel = std::vector<int>;

/// Those that promise the fewest cycles, by bounds of the layers. `stays`, by tensor: those that
/// others see, which keep their shapes. Empty where too little is to be had.
ColumnsPerPixel best_columns(const graph::Graph& graph, const model::Architecture& sizes,
                             const std::vector<bool>& stays);

/// The network with its tensors like that. Nodes and tensors keep their numbers, constants that
/// change are further tensors.
graph::Graph with_columns(const graph::Graph& graph, const ColumnsPerPixel& columns);

/// Of the products of a convolution of with_columns(): how many are those of the network.
struct Share {
    std::uint64_t own = 1, of = 1;
};
Share own_products(const graph::Graph& graph, const graph::Node& node,
                   const ColumnsPerPixel& columns);

}  // namespace macrame::dla::compiler
