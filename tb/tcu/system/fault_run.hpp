#pragma once
/// A program on the design again and again, with error answers of memory or with soft resets in its
/// middle, before it runs undisturbed.

#include <cstdint>
#include <functional>
#include <vector>

#include "tb/tcu/system/rtl_device.hpp"
#include "verif/tcu/isa/architecture.hpp"
#include "verif/tcu/run/simulate_options.hpp"

namespace macrame::tb {

/// Leaves the design as a soft reset does; without registers it is the pin that resets. `fill` makes the banks as they are before the program.
/// Throws std::runtime_error with what is wrong: a bus error that is not told or told wrongly, a
/// normal end in spite of one, a byte in memory that the program never stores, a reset that does
/// not end.
void fault_run(RtlDevice& device, tcu::run::Banks banks, const tcu::Architecture& architecture,
               const std::vector<std::uint8_t>& stream, const std::function<void()>& fill,
               const tcu::run::SimulateOptions& options);

}  // namespace macrame::tb
