#pragma once
/// The 128 bits of an instruction.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace macrame::systolic {

struct Word {
    std::uint64_t high = 0;  ///< bits 127..64
    std::uint64_t low = 0;
};

constexpr bool operator==(const Word& a, const Word& b) {
    return a.high == b.high && a.low == b.low;
}
constexpr bool operator!=(const Word& a, const Word& b) { return !(a == b); }

inline constexpr int kWordBytes = 16;

constexpr std::uint64_t low_bits(int count) {
    return count == 0 ? 0 : ~std::uint64_t{0} >> (64 - count);
}

/// The `width` bits from bit `at` upward; at most 63.
constexpr std::uint64_t get_bits(const Word& word, int at, int width) {
    const int from_low = at < 64 ? 64 - at : 0;
    std::uint64_t value = at < 64 ? word.low >> at : word.high >> (at - 64);
    if (from_low > 0 && from_low < width) value |= word.high << from_low;
    return value & low_bits(width);
}
/// Puts a number there; it has no more bits than that.
constexpr void set_bits(Word& word, int at, int width, std::uint64_t value) {
    const std::uint64_t mask = low_bits(width);
    value &= mask;
    if (at >= 64) {
        word.high = (word.high & ~(mask << (at - 64))) | value << (at - 64);
        return;
    }
    word.low = (word.low & ~(mask << at)) | value << at;
    if (at == 0 || at + width <= 64) return;
    word.high = (word.high & ~(mask >> (64 - at))) | value >> (64 - at);
}

/// 32 hexadecimal digits, most significant first.
std::string word_text(const Word& word);
std::optional<Word> parse_word(std::string_view text);

/// As it lies in memory: little-endian.
std::array<std::uint8_t, kWordBytes> word_bytes(const Word& word);
Word word_of_bytes(const std::uint8_t* bytes);

}  // namespace macrame::systolic
