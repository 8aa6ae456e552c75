#pragma once

namespace macrame::mini {

/// Parameters of the accumulator.
struct Config {
    int lanes = 2;  ///< addends of a word
    int width = 8;  ///< bits of an addend
};

/// Sizes that follow.
struct Derived {
    int word_bits = 0;  ///< addends of a word side by side
};

}  // namespace macrame::mini
