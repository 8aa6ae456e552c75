#pragma once
/// The instruction stream as drivers make it.

#include <cstdint>
#include <vector>

#include "verif/tcu/isa/architecture.hpp"
#include "verif/tcu/isa/layout.hpp"

namespace macrame::tcu::run {

/// Appends NoOps until `stream` has whole instructions and whole beats of `beat_bytes`: nothing of
/// it stays in the width converter of the device. It must have whole instructions.
std::vector<std::uint8_t> padded(const Layout& layout, int beat_bytes,
                                 std::vector<std::uint8_t> stream);

/// What drivers append to see that a program is complete: D0[depth-1] to L[depth-1], and from there
/// to D0[depth-2]. Programs leave these three vectors alone.
std::vector<std::uint8_t> flush_probe(const Architecture& architecture);

/// A Configure instruction.
std::vector<std::uint8_t> configure(const Layout& layout, int config_register, std::uint32_t value);

/// The constants of a model in local memory: one DataMove DRAM1 to local memory, `base` to `base`.
std::vector<std::uint8_t> load_constants(const Layout& layout, std::uint64_t base,
                                         std::uint64_t size);

}  // namespace macrame::tcu::run
