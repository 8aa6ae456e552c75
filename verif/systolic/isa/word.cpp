#include "verif/systolic/isa/word.hpp"

#include "verif/common/text.hpp"

namespace macrame::systolic {

namespace {

constexpr int kHalf = 64;
constexpr std::size_t kDigits = 32;

std::uint64_t low_bits(int count) {
    return count == 0 ? 0 : ~std::uint64_t{0} >> (kHalf - count);
}

}  // namespace

std::uint64_t get_bits(const Word& word, int at, int width) {
    const int from_low = at < kHalf ? kHalf - at : 0;
    std::uint64_t value = at < kHalf ? word.low >> at : word.high >> (at - kHalf);
    if (from_low > 0 && from_low < width) value |= word.high << from_low;
    return value & low_bits(width);
}

void set_bits(Word& word, int at, int width, std::uint64_t value) {
    for (int i = 0; i < width; ++i) {
        std::uint64_t& half = at + i < kHalf ? word.low : word.high;
        const std::uint64_t bit = std::uint64_t{1} << ((at + i) % kHalf);
        half = (value >> i & 1u) != 0 ? half | bit : half & ~bit;
    }
}

std::string word_text(const Word& word) {
    return verif::text::hex_digits(word.high, kDigits / 2) +
           verif::text::hex_digits(word.low, kDigits / 2);
}

std::optional<Word> parse_word(std::string_view text) {
    if (text.size() != kDigits) return std::nullopt;
    const auto high = verif::text::number("0x" + std::string(text.substr(0, kDigits / 2)));
    const auto low = verif::text::number("0x" + std::string(text.substr(kDigits / 2)));
    if (!high || !low) return std::nullopt;
    return Word{*high, *low};
}

std::array<std::uint8_t, kWordBytes> word_bytes(const Word& word) {
    std::array<std::uint8_t, kWordBytes> bytes{};
    for (int i = 0; i < kWordBytes; ++i)
        bytes[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(get_bits(word, 8 * i, 8));
    return bytes;
}

Word word_of_bytes(const std::uint8_t* bytes) {
    Word word;
    for (int i = 0; i < kWordBytes; ++i)
        set_bits(word, 8 * i, 8, bytes[i]);
    return word;
}

}  // namespace macrame::systolic
