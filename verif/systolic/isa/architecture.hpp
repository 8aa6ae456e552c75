#pragma once
/// What programs of a systolic machine depend on. The defaults are those of ShaktiMAAN.

#include <cstddef>
#include <cstdint>

namespace macrame::systolic {

struct Architecture {
    int rows = 16;  ///< of the array: input channels of a fold; any number
    int columns = 16;
    int input_width = 8;  ///< bits of an element of IBUF
    int weight_width = 8;
    int accumulator_width = 32;  ///< of OBUF
    // Entries: a pixel, a row of filters, an output pixel. The lower half of OBUF is OBUF1, the
    // upper one OBUF2.
    int ibuf_entries = 256;
    int wbuf_entries = 256;
    int obuf_entries = 256;
    int queue_depth = 8;  ///< instructions that a module holds, the one in flight included
    int token_depth = 4;  ///< tokens between two modules, in each direction
    int address_width = 32;
    int bus_bytes = 16;
    bool requantise = true;  ///< scale memory, STORE with scales, ALU with products
    bool exact = false;      ///< scales have multipliers of 32 bits and a rounding each
};

/// Of a program: control counts them in 16 bits.
inline constexpr std::size_t kMostInstructions = 65535;

/// Scale memory: sets of words, each word an entry with 32 bits per column.
inline constexpr int kScaleSets = 4;
inline constexpr int kScaleWords = 4;
inline constexpr int kMultiplierWidth = 18, kExactMultiplierWidth = 32;

/// Smallest number of bits that tell `values` values apart: 20 gives 5, 1 gives 0.
constexpr int clog2(std::int64_t values) {
    int bits = 0;
    while ((std::int64_t{1} << bits) < values)
        ++bits;
    return bits;
}

/// Bytes of an element in memory: 1, 2 or 4.
constexpr int element_bytes(int width) { return 1 << clog2((width + 7) / 8); }

}  // namespace macrame::systolic
