#pragma once
/// Products of float32 as sums of int32.
///
/// Files that are quantised but for their recurrent layers have products of float32 with constant
/// weights among those of int8. A value is two digits of 8 bits there, d1 + d2 / 254 of the largest
/// / 127 in this run, and so is a weight, in steps of its row: the four products are sums of int32,
/// of which half a step of the second digits is missing.

#include "compiler/graph/sums.hpp"

namespace macrame::graph {

/// Makes fully connected layers of float32, in a network that has products of int8 too, ones of
/// Sums `form` that `takes` has. Results are within about 80 dB. True: there are some.
bool split_real_products(Graph& graph, Sums form, const TakesSums& takes);

}  // namespace macrame::graph
