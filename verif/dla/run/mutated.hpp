#pragma once
/// Random programs with another value in one register field: what a wrong driver writes must not
/// give other results on the golden model than on the design without a word.

#include <cstdint>
#include <string>

#include "verif/common/run/runner.hpp"
#include "verif/dla/run/simulate.hpp"

namespace macrame::dla::run {

/// Makes the program of this seed, plays it on both and tells how it ended. It fails if
///
///   - both end with different memories, or one ends and the other does not, and the layer checker
///     finds no error in the program, the golden model does not warn of a race, and the design does
///     the same at other memory latencies;
///   - the golden model stops, or neither ends, without such an error.
verif::run::Outcome run_mutated(const std::string& name, const SimulateOptions& options,
                                const Platform& platform, const verif::run::Turn& turn,
                                std::uint64_t seed);

}  // namespace macrame::dla::run
