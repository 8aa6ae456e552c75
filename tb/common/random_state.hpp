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
        randSeed(static_cast<int>(mixed(seed) & 0x3fffffffu) + 1);  // 0: another one each time
    }

private:
    /// Verilator's generator is slow to leave small seeds: most flops of one bit would start with
    /// the same value for all of them.
    static std::uint64_t mixed(std::uint64_t x) {
        x += 0x9e3779b97f4a7c15u;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        return x ^ (x >> 31);
    }
};

}  // namespace macrame::tb
