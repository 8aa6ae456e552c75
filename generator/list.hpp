#pragma once

#include "emit/assets.hpp"
#include "request.hpp"

namespace macrame {

/// macrame list families | presets | params | units | boards | operators: a line each, over all
/// families or the one that the request names. Returns the exit status.
int run_list(const Request& request, const emit::Assets& assets);

}  // namespace macrame
