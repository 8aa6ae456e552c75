#pragma once
/// Conformance data: compiled networks with expected outputs, and programs with expected images.

#include <string>
#include <vector>

#include "verif/tcu/run/job.hpp"

namespace macrame::tcu::run {

/// Programs of a folder: of a network (a .tmodel, inputs.bin, outputs.bin, expected.csv,
/// d0_final_0.bin), of single programs (index.csv, prog/, init/, final/, a .tarch), or a folder of
/// such folders, in the order of their names. Folders for other architectures become a line of the
/// table that says why they are skipped.
///
/// With the memory latency at which the original was recorded, 20 cycles without stalls, the design
/// must not be slower than the column `cycles` of index.csv.
std::vector<verif::run::ProgramRun> conformance_programs(const std::string& folder,
                                                         const SimulateOptions& options,
                                                         const Platform& platform,
                                                         std::vector<std::string>& errors);

}  // namespace macrame::tcu::run
