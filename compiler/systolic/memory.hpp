#pragma once
/// Addresses of tensors.

#include <vector>

#include "compiler/systolic/lower.hpp"

namespace macrame::systolic::compiler {

/// Gives each area an address, from 0 up: those that are not needed at once share memory. Returns
/// the end.
std::int64_t place_areas(std::vector<Area>& areas, const std::vector<Operation>& operations);

}  // namespace macrame::systolic::compiler
