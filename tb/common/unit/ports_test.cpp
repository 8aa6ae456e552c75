/// Bits of ports of every width against a port of single bits.

#include "tb/common/ports.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace macrame::tb {
namespace {

template <typename Port>
void bits_of(std::mt19937& rng) {
    constexpr int kBits = 8 * static_cast<int>(sizeof(Port));
    Port port{};
    std::vector<bool> want(kBits);
    for (int i = 0; i < 2000; ++i) {
        const int lo = static_cast<int>(rng() % kBits);
        const int width =
            1 + static_cast<int>(rng() % static_cast<unsigned>(std::min(32, kBits - lo)));
        const auto value = static_cast<std::uint32_t>(rng());
        put_bits(port, lo, width, value);
        for (int b = 0; b < width; ++b)
            want[static_cast<std::size_t>(lo + b)] = (value >> b & 1) != 0;
        for (int b = 0; b < kBits; ++b)
            ASSERT_EQ(get_bits(port, b, 1), want[static_cast<std::size_t>(b)]) << "bit " << b;
        ASSERT_EQ(get_bits(port, lo, width), value & (~std::uint32_t{0} >> (32 - width)));
    }
}

TEST(Ports, BitsOfAnyWidth) {
    std::mt19937 rng(1);
    bits_of<std::uint8_t>(rng);
    bits_of<std::uint16_t>(rng);
    bits_of<std::uint32_t>(rng);
    bits_of<std::uint64_t>(rng);
    bits_of<std::array<std::uint32_t, 5>>(rng);
}

}  // namespace
}  // namespace macrame::tb
