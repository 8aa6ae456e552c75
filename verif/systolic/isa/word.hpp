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

/// The `width` bits from bit `at` upward; at most 63.
std::uint64_t get_bits(const Word& word, int at, int width);
/// Puts a number there; it has no more bits than that.
void set_bits(Word& word, int at, int width, std::uint64_t value);

/// 32 hexadecimal digits, most significant first.
std::string word_text(const Word& word);
std::optional<Word> parse_word(std::string_view text);

/// As it lies in memory: little-endian.
std::array<std::uint8_t, kWordBytes> word_bytes(const Word& word);
Word word_of_bytes(const std::uint8_t* bytes);

}  // namespace macrame::systolic
