#pragma once
/// Random programs with a token more or less. What the verifier says of one must be so: it stands
/// still or leaves a token; or every order gives the memory of the program as it was. Of hazards
/// nothing can be said but that it comes to its end.

#include "verif/common/run/runner.hpp"
#include "verif/systolic/run/job.hpp"
#include "verif/systolic/run/simulate.hpp"

namespace macrame::systolic::run {

/// The job has one program, which is right, and is seed of its change.
verif::run::Outcome run_mutated(const Job& job, const SimulateOptions& options,
                                const Platform& platform, const verif::run::Turn& turn);

}  // namespace macrame::systolic::run
