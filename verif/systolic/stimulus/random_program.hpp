#pragma once
/// Random programs that are right: legal fields of every kind, and the tokens that they need.

#include <cstdint>
#include <vector>

#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/isa/instruction.hpp"

namespace macrame::systolic::stimulus {

struct RandomProgram {
    std::vector<Instruction> program;
    std::vector<std::uint8_t> memory;  ///< from address 0; the program stays within it
};

/// The same for the same seed. `length`: instructions, without those that only move tokens.
RandomProgram random_program(const Architecture& architecture, std::uint64_t seed, int length);

/// Small sizes of every kind.
Architecture random_architecture(std::uint64_t seed);

}  // namespace macrame::systolic::stimulus
