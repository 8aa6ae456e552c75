#include "verif/systolic/isa/word.hpp"

#include "verif/common/text.hpp"

namespace macrame::systolic {

namespace {

constexpr std::size_t kDigits = 32;

}  // namespace

std::string word_text(const Word& word) {
    std::string out(kDigits, '0');
    for (std::size_t i = 0; i < kDigits; ++i) {
        const std::uint64_t half = i < kDigits / 2 ? word.high : word.low;
        out[i] = "0123456789abcdef"[half >> (60 - 4 * (i % (kDigits / 2))) & 15];
    }
    return out;
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
