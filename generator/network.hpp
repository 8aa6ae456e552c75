#pragma once
/// Networks: compile, run and estimate.

#include "core/design.hpp"
#include "request.hpp"

namespace macrame {

/// Writes the program of a network and its other forms into a folder.
int run_compile(const Request& request, const Design& design);

/// Runs a network on inputs. Returns the exit status.
int run_network(const Request& request, const Design& design);

/// Prints what a network will take.
int run_estimate(const Request& request, const Design& design);

}  // namespace macrame
