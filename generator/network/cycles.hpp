#pragma once
/// Cycles of a network on the design beside those that were estimated.

#include <optional>

#include "network/layers/compare.hpp"
#include "network/network.hpp"
#include "network/operators.hpp"

namespace macrame::network {

/// On the family's model of the cycles, if it has one; false after an error, which is printed.
bool model_cycles(const Network& network, const Design& design, std::optional<Measured>& measured);

/// A line per operator and one for all.
void print_cycles(const Network& network, const Design& design, const Measured& measured);

/// The same for each layer, and what a comparison of their tensors found, into the file of --json;
/// null: there is none. False after an error, which is printed.
bool write_json(const Request& request, const Design& design, const Network& network,
                const Measured* measured, const layers::Comparison* comparison);

}  // namespace macrame::network
