#include "network/files/wav.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace macrame::network {

namespace {

Sound no_sound(std::string text) {
    Sound sound;
    sound.error = std::move(text);
    return sound;
}

std::uint32_t number(std::string_view bytes) {
    std::uint32_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

constexpr std::uint32_t kPcm = 1, kExtensible = 0xfffe;

/// What is wrong with a format; empty if nothing is.
std::string objection(std::string_view format) {
    if (format.size() < 16) return "a format that cannot be read";
    std::uint32_t code = number(format.substr(0, 2));
    if (code == kExtensible && format.size() >= 26) code = number(format.substr(24, 2));
    const std::uint32_t channels = number(format.substr(2, 2));
    const std::uint32_t bits = number(format.substr(14, 2));
    if (code == kPcm && channels == 1 && bits == 16) return "";
    return fmt::format("{} channels of {}-bit samples, code {}", channels, bits, code);
}

}  // namespace

Sound read_wav(std::string_view file) {
    if (file.size() < 12 || file.substr(0, 4) != "RIFF" || file.substr(8, 4) != "WAVE")
        return no_sound("no WAV file: want RIFF, WAVE at its begin");
    Sound sound;
    bool format = false;
    std::string_view rest = file.substr(12);
    while (rest.size() >= 8) {
        const std::string_view name = rest.substr(0, 4);
        const std::size_t size = number(rest.substr(4, 4));
        rest.remove_prefix(8);
        if (size > rest.size()) return no_sound("a chunk of the WAV file ends behind the file");
        const std::string_view chunk = rest.substr(0, size);
        if (name == "fmt ") {
            const std::string problem = objection(chunk);
            if (!problem.empty())
                return no_sound(fmt::format("{}: want one channel of 16-bit PCM", problem));
            sound.rate = static_cast<int>(number(chunk.substr(4, 4)) & 0x7fffffffu);
            format = true;
        } else if (name == "data") {
            if (!format) return no_sound("samples without a format before them");
            for (std::size_t i = 0; i + 1 < size; i += 2) {
                const std::uint32_t sample = number(chunk.substr(i, 2));
                sound.samples.push_back(static_cast<std::int16_t>(sample));
            }
            return sound;
        }
        rest.remove_prefix(std::min(rest.size(), size + size % 2));
    }
    return no_sound("no samples in the WAV file");
}

}  // namespace macrame::network
