#pragma once

#include <string>
#include <vector>

#include "verif/common/memory.hpp"

namespace macrame::verif::run {

/// Adds the differences between the bytes that the two wrote, up to a few.
void compare_memory(const Memory& design, const Memory& model, std::vector<std::string>& out);

}  // namespace macrame::verif::run
