#pragma once
/// Where the cycles of a run went: tables per kind of instruction.

#include <cstdint>
#include <string>
#include <vector>

#include "verif/tcu/isa/architecture.hpp"

namespace macrame::tcu::run {

/// What kind of instruction `consumed` says how long each waited at the decoder for: a line of head
/// and a line per kind, with instructions, vectors, cycles and their share. Cycles of an
/// instruction are those since the one before was consumed; the last line is what came after the
/// last one, up to cycle `end`. Empty if `consumed` is.
std::vector<std::string> cycle_table(const Architecture& architecture,
                                     const std::vector<std::uint8_t>& stream,
                                     const std::vector<std::uint64_t>& consumed, std::uint64_t end);

/// Words of the sample stream: a line of head and a line per kind of the instruction at the
/// decoder, with the samples and the share of them in which each port held a transfer back (valid,
/// not ready) and in which it moved one. Program counters beyond the stream are counted as "other".
/// Empty if there are no samples.
std::vector<std::string> sample_table(const Architecture& architecture,
                                      const std::vector<std::uint8_t>& stream,
                                      const std::vector<std::uint64_t>& samples);

}  // namespace macrame::tcu::run
