#pragma once
/// Where a Verilated model comes from when it has to start from random state.

#include <verilated.h>

#include <cstdint>

namespace macrame::tb {

/// Models in this context start with their registers, memories and inputs holding anything, the
/// same for the same seed.
class RandomState : public VerilatedContext {
public:
    explicit RandomState(std::uint64_t seed) {
        randReset(2);
        randSeed(static_cast<int>(seed & 0x3fffffffu) + 1);  // 0: another one each time
    }
};

}  // namespace macrame::tb
