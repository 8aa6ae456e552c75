#pragma once
/// Where the memory that a program uses lies in the memory of a board, see fpga/rtl/mem_path.v.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verif/common/memory.hpp"

namespace macrame::fpga {

/// Boards with less memory than this have word_memory.
constexpr std::uint64_t kSmallMemory = 64 * 1024;

/// Bits of a byte address in a page, the unit of the table: 4 KiB (mem_path), 512 bytes in memories
/// of less than 64 KiB (word_memory).
int page_bits(std::uint64_t memory_bytes);

/// Words of the table of segments, in pages.
using Segments = std::array<std::uint16_t, 16>;

/// A table with which no two pages of the ranges share a page of a memory of this size (a power of
/// two); nothing if there is none, and why.
std::optional<Segments> plan_segments(const std::vector<verif::MemoryRange>& ranges,
                                      std::uint64_t memory_bytes, std::string& problem);

}  // namespace macrame::fpga
