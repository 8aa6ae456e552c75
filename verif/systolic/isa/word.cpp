#include "verif/systolic/isa/word.hpp"

#include "verif/common/text.hpp"

namespace macrame::systolic {

namespace {

constexpr int kHalf = 64;
constexpr std::size_t kDigits = 32;

std::uint64_t low_bits(int count) { return count == 0 ? 0 : ~std::uint64_t{0} >> (kHalf - count); }

}  // namespace

std::uint64_t get_bits(const Word& word, int at, int width) {
    const int from_low = at < kHalf ? kHalf - at : 0;
    std::uint64_t value = at < kHalf ? word.low >> at : word.high >> (at - kHalf);
    if (from_low > 0 && from_low < width) value |= word.high << from_low;
    return value & low_bits(width);
}

void set_bits(Word& word, int at, int width, std::uint64_t value) {
    const std::uint64_t mask = low_bits(width);
    value &= mask;
    if (at >= kHalf) {
        word.high = (word.high & ~(mask << (at - kHalf))) | value << (at - kHalf);
        return;
    }
    word.low = (word.low & ~(mask << at)) | value << at;
    if (at == 0 || at + width <= kHalf) return;
    word.high = (word.high & ~(mask >> (kHalf - at))) | value >> (kHalf - at);
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
        bytes[static_cast<std::size_t>(i)] =
            static_cast<std::uint8_t>((i < 8 ? word.low : word.high) >> 8 * (i % 8));
    return bytes;
}

Word word_of_bytes(const std::uint8_t* bytes) {
    Word word;
    for (int i = 0; i < kWordBytes; ++i)
        (i < 8 ? word.low : word.high) |= std::uint64_t{bytes[i]} << 8 * (i % 8);
    return word;
}

}  // namespace macrame::systolic
