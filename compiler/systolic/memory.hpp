#pragma once
/// Addresses of tensors.

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/memory.hpp"
#include "compiler/systolic/lower.hpp"

namespace macrame::systolic::compiler {

/// Gives each area an address, from 0 up: those that are not needed at once share memory. Returns
/// where they end: those with a border from `own_begin` on; without it, all of them.
macrame::compiler::Ends place_areas(std::vector<Area>& areas,
                                    const std::vector<Operation>& operations,
                                    std::optional<std::uint64_t> own_begin = std::nullopt);

}  // namespace macrame::systolic::compiler
