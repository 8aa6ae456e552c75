#pragma once

#include <string>
#include <vector>

namespace macrame {

/// `macrame simulate`: builds and runs the testbench of a configuration. Returns the exit status.
int simulate(const std::vector<std::string>& arguments);

}  // namespace macrame
