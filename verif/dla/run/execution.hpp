#pragma once
/// A program on one device.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "verif/common/device.hpp"
#include "verif/common/memory.hpp"
#include "verif/common/run/runner.hpp"
#include "verif/dla/run/simulate.hpp"
#include "verif/dla/trace/player.hpp"
#include "verif/dla/trace/program.hpp"

namespace macrame::dla::run {

/// What came of it.
struct Run {
    trace::PlayResult play;
    verif::Memory primary{"pri_mem"};
    verif::Memory secondary{"sec_mem"};
    std::vector<std::string> violations, warnings;  ///< what the device says of the program
    verif::AxiCounts counts;
    std::uint64_t total_cycles = 0;
};

/// The options of one program.
SimulateOptions options_of(const SimulateOptions& options, const verif::run::Turn& turn,
                           std::uint64_t seed);

/// Plays the program on the design or on the golden model; `seed`: of stalls and of the state
/// before reset.
std::unique_ptr<Run> execute(const Platform& platform, const SimulateOptions& options,
                             const trace::Trace& program, const verif::run::Turn& turn,
                             std::uint64_t seed, bool rtl, trace::PlayOptions play = {});

}  // namespace macrame::dla::run
