#pragma once

#include <optional>
#include <string>
#include <vector>

#include "build_cache.hpp"
#include "core/design.hpp"
#include "emit/assets.hpp"
#include "emit/output_set.hpp"

namespace macrame {

/// All files of the design, checked; nothing after a mistake, which is printed.
std::optional<emit::OutputSet> files_of(const Design& design, const emit::Assets& assets);

/// Writes the files to a folder named by their contents and builds the testbench there, unless that
/// was done before. The options may name another folder than one in the cache of the user, and may
/// want waves. Nothing after a mistake, which is printed.
std::optional<Testbench> testbench_of(const Design& design, const emit::OutputSet& set,
                                      const verif::run::Options& options);

/// The options, as arguments of the testbench.
std::vector<std::string> testbench_arguments(const Family& family, verif::run::Options& options);

/// `macrame simulate`: builds the testbench and goes on as that program. Returns only after a
/// mistake: the exit status.
int simulate_design(const Design& design, const emit::OutputSet& set, verif::run::Options& options);

}  // namespace macrame
