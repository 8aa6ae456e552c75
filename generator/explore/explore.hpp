#pragma once
/// `macrame explore`: which configuration is worth building for some networks.

#include "emit/assets.hpp"
#include "request.hpp"

namespace macrame::explore {

/// Returns the exit status.
int run_explore(const Request& request, const emit::Assets& assets);

}  // namespace macrame::explore
