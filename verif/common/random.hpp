#pragma once
/// Random numbers that are the same on every machine (those of std distributions are not).

#include <cassert>
#include <cstdint>
#include <initializer_list>

namespace macrame::verif {

class Random {
public:
    /// Mixed once before use: seeds that differ by the step would share their numbers.
    explicit Random(std::uint64_t seed) : state_(mix(seed ^ 0xD1B54A32D192ED03u)) {}

    std::uint64_t bits() { return mix(state_ += 0x9E3779B97F4A7C15u); }  // splitmix64
    std::uint32_t word() { return static_cast<std::uint32_t>(bits() >> 32); }
    /// A word under `small` in so many percent of all cases, else under `large`.
    std::uint32_t masked(int percent, std::uint32_t small, std::uint32_t large) {
        const std::uint32_t mask = chance(percent) ? small : large;
        return word() & mask;
    }
    bool chance(int percent) { return in(1, 100) <= percent; }
    /// lo .. hi, both included.
    int in(int lo, int hi) {
        assert(lo <= hi);
        return lo + static_cast<int>(bits() % static_cast<std::uint64_t>(hi - lo + 1));
    }
    /// lo .. hi, small values more often.
    int low(int lo, int hi) { return in(lo, in(lo, hi)); }
    /// Mostly lo .. hi, sometimes least .. most.
    int mostly(int lo, int hi, int least, int most) {
        return chance(15) ? in(least, most) : in(lo, hi);
    }
    int pick(std::initializer_list<int> values) {
        return values.begin()[in(0, static_cast<int>(values.size()) - 1)];
    }

private:
    static std::uint64_t mix(std::uint64_t z) {
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
        z = (z ^ z >> 27) * 0x94D049BB133111EBu;
        return z ^ z >> 31;
    }
    std::uint64_t state_;
};

}  // namespace macrame::verif
