#pragma once

#include "verif/systolic/isa/instruction.hpp"

namespace macrame::systolic::cycles {

/// Of the 120 bits that the resolver hands to a module.
inline Instruction instruction_of(Module module, Word parameters) {
    set_bits(parameters, 120, 4, 0);
    set_bits(parameters, 124, 4, static_cast<std::uint64_t>(opcode(module)));
    return *decode(parameters);
}

}  // namespace macrame::systolic::cycles
