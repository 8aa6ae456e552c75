#pragma once
/// The commands compile, run and estimate.

#include "core/design.hpp"
#include "emit/assets.hpp"
#include "request.hpp"

namespace macrame::network {

/// Writes the program of a network and its other forms into a folder.
int run_compile(const Request& request, const Design& design, const emit::Assets& assets);

/// Runs a network on inputs. Returns the exit status.
int run_network(const Request& request, const Design& design, const emit::Assets& assets);

/// Prints what a network will take.
int run_estimate(const Request& request, const Design& design, const emit::Assets& assets);

}  // namespace macrame::network
