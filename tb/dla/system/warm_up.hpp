#pragma once
/// Resets of the design alone, in the middle of a program.

#include <cstdint>

#include "tb/dla/system/rtl_device.hpp"
#include "verif/dla/trace/program.hpp"

namespace macrame::tb {

/// Plays the program to its end, then starts it `resets` times and resets the device at a random
/// moment, while the ports' memory goes on with what it was asked for; the system top every other
/// time together with the memory. Leaves the memories empty.
void warm_up(RtlDevice& device, verif::Memory& primary, verif::Memory& secondary,
             const dla::trace::Trace& program, int resets, std::uint64_t seed);

}  // namespace macrame::tb
