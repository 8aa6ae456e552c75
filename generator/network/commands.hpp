#pragma once
/// The commands compile, run and estimate, and the network of soc.

#include <optional>

#include "core/design.hpp"
#include "emit/assets.hpp"
#include "emit/output_set.hpp"
#include "request.hpp"

namespace macrame::network {

/// Writes the program of a network and its other forms into a folder.
int run_compile(const Request& request, const Design& design, const emit::Assets& assets);

/// Adds network/ for the firmware of a system on chip: the programs, the host's share as C99, one
/// input. False after an error, which is printed.
bool add_firmware(const Request& request, const Design& design, emit::OutputSet& files);

/// Runs a network on inputs. Returns the exit status.
int run_network(const Request& request, const Design& design, const emit::Assets& assets);

/// Prints what a network will take.
int run_estimate(const Request& request, const Design& design, const emit::Assets& assets);

/// Makes an int8 network of a float one and, where a configuration is named, tells what it will
/// take there. `design_of` gives that configuration; it prints messages.
int run_quantise(const Request& request, const emit::Assets& assets,
                 std::optional<Design> (*design_of)(const Request&, const emit::Assets&));

}  // namespace macrame::network
