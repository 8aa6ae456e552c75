#pragma once
/// What is said of a network's integers before it runs.

#include <nlohmann/json.hpp>
#include <string>

#include "network/network.hpp"

namespace macrame::network {

/// A sentence.
std::string exactness_text(const Network& network);

/// The same for programs: `outputs` with the largest difference of each, null where there is no
/// bound; null where nothing is declared.
nlohmann::ordered_json exactness_json(const Network& network);

}  // namespace macrame::network
