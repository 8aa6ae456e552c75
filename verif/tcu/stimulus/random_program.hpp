#pragma once
/// Random programs for one architecture.

#include <cstdint>
#include <vector>

#include "verif/tcu/isa/architecture.hpp"

namespace macrame::tcu::stimulus {

using Bytes = std::vector<std::uint8_t>;

struct RandomProgram {
    Bytes program;  ///< instructions
    Bytes dram0;    ///< what DRAM0 holds before, from byte dram0_at on; the rest is zero
    Bytes dram1;
    std::uint64_t dram0_at = 0;
    std::uint64_t dram1_at = 0;
};

/// Loads all of local memory and accumulators that it uses, runs 15 to 60 (sometimes hundreds or
/// thousands of) random instructions with all opcodes, SIMD operations, strides, flags and stray
/// bits that have no meaning, and copies local memory, accumulators and SIMD registers to DRAM0.
/// The same arguments give the same program. Two vectors at the end of DRAM0 and one of local
/// memory are left alone.
///
/// `compat`: without sequences at which the original hardware loses data or hangs. Otherwise there
/// are more of them than chance would make.
RandomProgram random_program(const Architecture& architecture, std::uint64_t seed, bool compat);

}  // namespace macrame::tcu::stimulus
