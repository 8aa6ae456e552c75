#pragma once

#include <string>

#include "core/config.hpp"
#include "emit/assets.hpp"
#include "emit/output_set.hpp"
#include "verif/dla/run/simulate.hpp"

namespace macrame {

/// `macrame simulate --model`: runs the golden model of the configuration inside this program.
/// Returns the exit status.
int simulate_model(const Config& config, const dla::run::SimulateOptions& options,
                   const emit::Assets& assets);

/// `macrame simulate`: writes the files to a folder named by their contents, builds the testbench
/// there unless that was done before, and goes on as that program. `folder`: use this one instead
/// of a folder in the cache of the user. Returns only after a mistake: the exit status.
int simulate_design(const Config& config, const emit::OutputSet& set,
                    const dla::run::SimulateOptions& options, const std::string& folder);

}  // namespace macrame
