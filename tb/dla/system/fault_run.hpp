#pragma once
/// Error answers of memory in the middle of a program: the layers end, the error registers tell the
/// truth, and after a reset of the core and clearing them the next program finds nothing of it.
/// Some resets come before the program has ended.

#include <cstdint>

#include "tb/dla/system/rtl_device.hpp"
#include "verif/dla/trace/program.hpp"

namespace macrame::tb {

/// Plays the program `rounds` times with random errors; compares SYSCTL and the interrupt with what
/// the memories have answered. Throws std::runtime_error if they differ. Leaves memories empty.
void fault_run(RtlDevice& device, verif::Memory& primary, verif::Memory& secondary,
               const dla::trace::Trace& program, int rounds, std::uint64_t seed);

}  // namespace macrame::tb
