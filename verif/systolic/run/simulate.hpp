#pragma once
/// Runs a program, or random ones, on the golden model and prints a table. Used by
/// `macrame simulate`.

#include <string>

#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/run/simulate_options.hpp"

namespace macrame::systolic::run {

/// What this configuration is.
struct Platform {
    std::string program = "sim";  ///< in front of messages
    std::string name;             ///< of the configuration, for the head of the table
    Architecture architecture;
};

/// Returns the exit status, see verif/common/run/command_line.hpp; what it throws is an internal
/// error.
int simulate(const SimulateOptions& options, const Platform& platform);

}  // namespace macrame::systolic::run
