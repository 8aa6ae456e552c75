#pragma once
/// CRC-32 of zlib and IEEE 802.3 (reflected 0xEDB88320, inverted at both ends): the checksum of the
/// trace languages.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace macrame::verif {

/// CRC of `size` bytes in increasing address order.
inline std::uint32_t crc32(const std::uint8_t* data, std::size_t size) {
    static const std::array<std::uint32_t, 256> table = [] {
        std::array<std::uint32_t, 256> out{};
        for (std::uint32_t i = 0; i < 256; ++i) {
            std::uint32_t v = i;
            for (int bit = 0; bit < 8; ++bit)
                v = (v & 1u) != 0 ? 0xEDB88320u ^ v >> 1 : v >> 1;
            out[i] = v;
        }
        return out;
    }();
    std::uint32_t crc = 0xFFFFFFFFu;
    for (std::size_t i = 0; i < size; ++i)
        crc = table[(crc ^ data[i]) & 0xFFu] ^ crc >> 8;
    return ~crc;
}

inline std::uint32_t crc32(const std::vector<std::uint8_t>& data) {
    return crc32(data.data(), data.size());
}

}  // namespace macrame::verif
