#pragma once
/// Ports of a Verilated model, whatever their width, as numbers, bytes and bits. Verilator keeps a
/// port as an integer or as an array of words; on a little-endian host both are bytes, low first.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace macrame::tb {

/// Sets a port of up to 64 bits.
template <typename Port, typename Value>
void put_number(Port& port, Value value) {
    port = static_cast<Port>(value);
}

/// Sets the low bytes of a port.
template <typename Port>
void put_bytes(Port& port, const std::uint8_t* bytes, int count) {
    std::memcpy(&port, bytes, static_cast<std::size_t>(count));
}
template <typename Port>
void put_bytes(Port& port, const std::vector<std::uint8_t>& bytes) {
    std::memcpy(&port, bytes.data(), bytes.size());
}

/// The low bytes of a port.
template <typename Port>
void get_bytes(const Port& port, std::uint8_t* bytes, int count) {
    std::memcpy(bytes, &port, static_cast<std::size_t>(count));
}
template <typename Port>
std::vector<std::uint8_t> get_bytes(const Port& port, int count) {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count));
    std::memcpy(bytes.data(), &port, bytes.size());
    return bytes;
}

/// The `width` bits of a port from bit `lo` on; at most 32.
template <typename Port>
std::uint32_t get_bits(const Port& port, int lo, int width) {
    const auto first = static_cast<std::size_t>(lo / 8);
    std::uint64_t bits = 0;
    std::memcpy(&bits, reinterpret_cast<const std::uint8_t*>(&port) + first,
                std::min(sizeof bits, sizeof port - first));
    return static_cast<std::uint32_t>(bits >> (lo % 8) & ((std::uint64_t{1} << width) - 1));
}

/// Sets the `width` bits of a port from bit `lo` on; at most 32.
template <typename Port>
void put_bits(Port& port, int lo, int width, std::uint32_t value) {
    const auto first = static_cast<std::size_t>(lo / 8);
    const std::uint64_t mask = ((std::uint64_t{1} << width) - 1) << (lo % 8);
    std::uint8_t* const at = reinterpret_cast<std::uint8_t*>(&port) + first;
    const std::size_t count = std::min(sizeof mask, sizeof port - first);
    std::uint64_t bits = 0;
    std::memcpy(&bits, at, count);
    bits = (bits & ~mask) | (std::uint64_t{value} << (lo % 8) & mask);
    std::memcpy(at, &bits, count);
}

}  // namespace macrame::tb
