#pragma once
/// Compiled networks in a simulator: a line of its table per input. Needs the standard library
/// only: testbenches are delivered with it.

#include <string>
#include <vector>

#include "verif/common/run/options.hpp"
#include "verif/common/run/runner.hpp"

namespace macrame::program {

/// The program that the options name, once per input in their file. With Subject::both design and
/// golden model must write the same bytes of memory. Outputs are written when the last input is
/// done and none failed. Mistakes go to `errors`, then there is nothing to run.
std::vector<verif::run::ProgramRun> run_inputs(const verif::run::Options& options,
                                               const verif::run::Simulator& simulator,
                                               std::vector<std::string>& errors);

}  // namespace macrame::program
