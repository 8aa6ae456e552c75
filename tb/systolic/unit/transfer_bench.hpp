#pragma once
/// What the tests of load and store share: random transfers, and the memory beside the unit.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "systolic_params.hpp"
#include "tb/common/ports.hpp"
#include "tb/common/unit_bench.hpp"
#include "tb/systolic/system/architecture.hpp"
#include "verif/common/axi_memory.hpp"
#include "verif/systolic/isa/instruction.hpp"
#include "verif/systolic/isa/rules.hpp"
#include "verif/systolic/isa/sram_map.hpp"

namespace macrame::tb {

namespace p = systolic_params;

using systolic::Architecture;
using systolic::Buffer;
using systolic::Instruction;
using systolic::Module;
using systolic::Transfer;
using systolic::Word;

/// How fast everything around the unit is.
struct TransferCase {
    const char* name;
    int latency;
    int stall;  ///< percent, of memory
    int offer;  ///< percent, of instructions
    int take;   ///< percent, of OBUF
};
inline constexpr TransferCase kTransferCases[] = {{"fast", 1, 0, 100, 100},
                                                  {"far", 60, 0, 100, 100},
                                                  {"random", 7, 30, 60, 60},
                                                  {"slow memory", 20, 80, 100, 100},
                                                  {"slow buffer", 5, 10, 100, 15}};

/// A part of a buffer that a transfer touches.
struct Corner {
    int banks = 0, entries = 0;  ///< of the buffer
    int bank = 0, entry = 0;     ///< the first ones
    int bytes = 0;               ///< of an element in memory
};

inline std::int64_t span_bytes(const Transfer& t, int bytes) {
    const std::int64_t steps = t.x_size * (t.y_size - 1) * t.z_stride + (t.x_size - 1) * t.y_stride;
    return (steps + t.z_size) * bytes;
}

/// Sizes and strides: often dense, often with gaps, sometimes over each other.
inline void set_shape(Transfer& t, const Corner& corner, verif::Random& random) {
    const int vectors = corner.entries - corner.entry;
    t.z_size = random.chance(40) ? corner.banks - corner.bank
                                 : random.in(1, corner.banks - corner.bank);
    t.y_size = random.in(1, std::min(255, vectors));
    if (random.chance(50)) t.y_size = random.in(1, static_cast<int>(t.y_size));
    t.x_size = random.in(1, std::min<int>(255, vectors / static_cast<int>(t.y_size)));
    const auto stride = [&](int most) {
        if (random.chance(50)) return t.z_size;
        if (random.chance(50)) return t.z_size + random.in(0, 20);
        if (random.chance(50)) return std::int64_t{16} * random.in(0, most / 16);
        return std::int64_t{random.in(0, most)};
    };
    t.z_stride = stride(random.chance(10) ? 8191 : 300);
    t.y_stride = stride(random.chance(10) ? 0xfffff : 2000);
}

/// Somewhere in memory, often a few bytes from a border of beats and pages.
inline void set_address(Transfer& t, int bytes, verif::Random& random) {
    const std::int64_t end = std::int64_t{1} << p::address_width;
    while (span_bytes(t, bytes) > end)
        t.y_stride = t.z_stride = t.z_size;
    const std::int64_t most = end - span_bytes(t, bytes);
    t.dram_address = static_cast<std::int64_t>(random.bits() % static_cast<std::uint64_t>(most + 1));
    if (random.chance(30)) t.dram_address &= ~std::int64_t{p::axi_bytes - 1};
    if (random.chance(30)) t.dram_address = t.dram_address / 4096 * 4096 + random.in(-70, 70);
    t.dram_address = std::clamp<std::int64_t>(t.dram_address, 0, most);
}

/// The parameters, sometimes with the bit that has no meaning.
template <typename Port>
void put_parameters(Port& port, const Word& word, bool is_reset) {
    put_bits(port, 0, 32, static_cast<std::uint32_t>(word.low));
    put_bits(port, 32, 32, static_cast<std::uint32_t>(word.low >> 32));
    put_bits(port, 64, 32, static_cast<std::uint32_t>(word.high));
    put_bits(port, 96, 24, static_cast<std::uint32_t>(word.high >> 32 & 0xffffff));
    if (is_reset) put_bits(port, 21, 1, 1);
}

/// Noise, for inputs that are not valid.
template <typename Port>
void put_noise(Port& port, int bits, verif::Random& random) {
    for (int at = 0; at < bits; at += 32)
        put_bits(port, at, std::min(32, bits - at), random.word());
}

inline verif::AxiMemoryOptions memory_options(const TransferCase& c, std::uint64_t seed) {
    verif::AxiMemoryOptions options;
    options.latency = c.latency;
    options.stall = c.stall / 100.0;
    options.seed = seed;
    options.bus_bytes = p::axi_bytes;
    options.max_burst = 256;
    return options;
}

inline void expect_good(const verif::AxiMemory& axi) {
    EXPECT_TRUE(axi.idle());
    for (const std::string& text : axi.violations())
        ADD_FAILURE() << text;
}

}  // namespace macrame::tb
