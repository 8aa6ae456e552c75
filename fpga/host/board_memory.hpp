#pragma once
/// Contents for the memory of a board, and back.

#include <cstdint>
#include <vector>

#include "fpga/host/board_link.hpp"
#include "verif/common/memory.hpp"

namespace macrame::fpga {

/// The whole beats of 8 bytes around a range.
verif::MemoryRange beats_around(const verif::MemoryRange& range);

/// Sets the table of segments for a program that uses these ranges, of whole beats. Throws
/// BoardError if there is no room for them.
void map_memory(BoardLink& link, const std::vector<verif::MemoryRange>& ranges);

/// Brings bytes, whole beats, to an address that is a multiple of 8.
void upload(BoardLink& link, std::uint64_t addr, const std::vector<std::uint8_t>& bytes);

/// What lies in a range of whole beats.
std::vector<std::uint8_t> download(BoardLink& link, const verif::MemoryRange& range);

}  // namespace macrame::fpga
