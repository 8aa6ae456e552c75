#pragma once
/// Compiled networks as jobs, one for each input.

#include <optional>
#include <string>
#include <vector>

#include "verif/common/run/result.hpp"
#include "verif/systolic/files/network_file.hpp"
#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/run/job.hpp"
#include "verif/systolic/run/simulate_options.hpp"

namespace macrame::systolic::run {

/// True for the file of a network: NAME.json.
bool is_network(const std::string& path);

/// The network and the inputs of the options. `program` stands in front of messages that come when
/// the outputs are written.
std::vector<Job> network_jobs(const SimulateOptions& options, const Architecture& architecture,
                              const std::string& program, std::vector<std::string>& errors,
                              const files::Identity& identity);

/// When the layers of a network have ended; one begins when the one before it has ended.
verif::run::LayerTimes layer_times(const std::vector<std::size_t>& layers,
                                   const std::vector<std::optional<std::uint64_t>>& ends);

}  // namespace macrame::systolic::run
