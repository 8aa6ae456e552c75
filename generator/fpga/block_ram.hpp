#pragma once
/// Block RAMs that memories take.

#include <algorithm>
#include <cstdint>

namespace macrame::fpga {

constexpr int blocks(std::int64_t value, int per_block) {
    return static_cast<int>((value + per_block - 1) / per_block);
}

/// The widest shape of a block RAM. Each next one has half the bits and twice the words.
struct BlockRam {
    int bits, words;
};
constexpr BlockRam kHalfRamb36 = {36, 512}, kEbr = {36, 512}, kIce40Ram = {16, 256};

/// Of a memory of `words` words of `bits` bits.
inline int block_rams(std::int64_t bits, std::int64_t words, BlockRam ram) {
    int least = blocks(bits, ram.bits) * blocks(words, ram.words);
    for (ram = {ram.bits / 2, ram.words * 2}; ram.bits > 0; ram = {ram.bits / 2, ram.words * 2})
        least = std::min(least, blocks(bits, ram.bits) * blocks(words, ram.words));
    return least;
}

}  // namespace macrame::fpga
