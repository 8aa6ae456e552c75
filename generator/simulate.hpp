#pragma once

#include "core/design.hpp"
#include "emit/output_set.hpp"

namespace macrame {

/// `macrame simulate`: writes the files to a folder named by their contents, builds the testbench
/// there unless that was done before, and goes on as that program. The options may name another
/// folder than one in the cache of the user. Returns only after a mistake: the exit status.
int simulate_design(const Design& design, const emit::OutputSet& set,
                    verif::run::Options& options);

}  // namespace macrame
