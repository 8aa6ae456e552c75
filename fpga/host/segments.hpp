#pragma once
/// Where the memory that a program uses lies in the memory of a board, see fpga/rtl/mem_path.v.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verif/common/memory.hpp"

namespace macrame::fpga {

/// Words of the table of segments, in units of 4 KiB.
using Segments = std::array<std::uint16_t, 16>;

/// A table with which no two pages of the ranges share a page of a memory of this size (a power of
/// two); nothing if there is none, and why.
std::optional<Segments> plan_segments(const std::vector<verif::MemoryRange>& ranges,
                                      std::uint64_t memory_bytes, std::string& problem);

}  // namespace macrame::fpga
