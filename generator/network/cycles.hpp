#pragma once
/// Cycles of a network on the design beside those that were estimated.

#include <cstdint>
#include <optional>
#include <string>

#include "network/layers/compare.hpp"
#include "network/network.hpp"
#include "network/operators.hpp"

namespace macrame::network {

/// ", memory latency 32, at most 2 bytes per cycle"; what nothing is said of is left out, but for
/// the usual latency.
std::string memory_text(const Network& network, std::optional<int> usual = std::nullopt);

/// The model takes seconds for so many.
inline constexpr std::uint64_t kMostModelCycles = std::uint64_t{1} << 25;
/// Whether the family has a model of the cycles that takes too long for a network: the estimate is
/// told then. It knows the usual memory alone; for another one the model takes its time.
bool is_too_long(const Network& network, const Design& design);

/// On the family's model of the cycles, if it has one; false after an error, which is printed.
bool model_cycles(const Network& network, const Design& design, std::optional<Measured>& measured);

/// A line per operator and one for all.
void print_cycles(const Network& network, const Design& design, const Measured& measured);

/// The same for each layer, and what a comparison of their tensors found, into the file of --json;
/// null: there is none. False after an error, which is printed.
bool write_json(const Request& request, const Design& design, const Network& network,
                const Measured* measured, const layers::Comparison* comparison);

}  // namespace macrame::network
