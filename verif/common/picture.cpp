#include "verif/common/picture.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "verif/common/text.hpp"

namespace macrame::verif {

namespace {

std::uint32_t crc32(const std::string& bytes) {
    std::uint32_t crc = 0xffffffffu;
    for (const char c : bytes) {
        crc ^= static_cast<std::uint8_t>(c);
        for (int i = 0; i < 8; ++i) crc = (crc >> 1) ^ ((crc & 1u) != 0 ? 0xedb88320u : 0u);
    }
    return ~crc;
}

void put_u32(std::string& out, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xffu);
}

void put_chunk(std::string& out, const std::string& type, const std::string& data) {
    put_u32(out, static_cast<std::uint32_t>(data.size()));
    out += type + data;
    put_u32(out, crc32(type + data));
}

/// zlib stream of stored blocks (RFC 1950, RFC 1951).
std::string zlib_stored(const std::string& raw) {
    std::string out("\x78\x01", 2);
    constexpr std::size_t kBlock = 65535;
    std::uint32_t a = 1;
    std::uint32_t b = 0;
    for (const char c : raw) {
        a = (a + static_cast<std::uint8_t>(c)) % 65521u;
        b = (b + a) % 65521u;
    }
    for (std::size_t at = 0; at < raw.size(); at += kBlock) {
        const std::size_t n = std::min(kBlock, raw.size() - at);
        out += static_cast<char>(at + n == raw.size() ? 1 : 0);
        for (const std::size_t length : {n, ~n & 0xffffu}) {
            out += static_cast<char>(length & 0xffu);
            out += static_cast<char>(length >> 8 & 0xffu);
        }
        out += raw.substr(at, n);
    }
    put_u32(out, b << 16 | a);
    return out;
}

}  // namespace

Picture parse_ppm(std::string_view bytes, const std::string& name) {
    const auto token = [&] {
        while (!bytes.empty() && std::isspace(static_cast<unsigned char>(bytes[0])) != 0)
            bytes.remove_prefix(1);
        std::size_t size = 0;
        while (size < bytes.size() && std::isspace(static_cast<unsigned char>(bytes[size])) == 0)
            ++size;
        const std::string_view word = bytes.substr(0, size);
        bytes.remove_prefix(size);
        return word;
    };
    const bool magic = token() == "P6";
    const std::uint64_t width = text::number(token()).value_or(0);
    const std::uint64_t height = text::number(token()).value_or(0);
    const std::uint64_t maximum = text::number(token()).value_or(0);
    if (!magic || maximum != 255 || width < 1 || height < 1 || width > 4096 || height > 4096) {
        throw std::runtime_error(name + ": want a binary PPM (P6) with maximum 255");
    }
    bytes.remove_prefix(std::min<std::size_t>(1, bytes.size()));  // one blank ends the header
    Picture picture(static_cast<int>(width), static_cast<int>(height));
    if (bytes.size() < picture.rgb.size()) {
        throw std::runtime_error(name + ": ends after " + std::to_string(bytes.size()) + " of " +
                                 std::to_string(picture.rgb.size()) + " pixel bytes");
    }
    std::copy_n(bytes.begin(), picture.rgb.size(), picture.rgb.begin());
    return picture;
}

Picture read_ppm(const std::string& path) {
    std::string why;
    const std::optional<std::string> bytes = text::read_file(path, why);
    if (!bytes) throw std::runtime_error(path + ": " + why);
    return parse_ppm(*bytes, path);
}

void write_png(const std::string& path, const Picture& picture) {
    std::string raw;
    const std::size_t row = static_cast<std::size_t>(picture.width) * 3;
    for (std::size_t y = 0; y < static_cast<std::size_t>(picture.height); ++y) {
        raw += '\0';  // filter: none
        raw.append(reinterpret_cast<const char*>(picture.rgb.data()) + y * row, row);
    }
    std::string header;
    put_u32(header, static_cast<std::uint32_t>(picture.width));
    put_u32(header, static_cast<std::uint32_t>(picture.height));
    header += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits, RGB, no interlace
    std::string out("\x89PNG\r\n\x1a\n", 8);
    put_chunk(out, "IHDR", header);
    put_chunk(out, "IDAT", zlib_stored(raw));
    put_chunk(out, "IEND", "");
    std::ofstream file(path, std::ios::binary);
    file << out;
    if (!file) throw std::runtime_error(path + ": cannot be written");
}

}  // namespace macrame::verif
