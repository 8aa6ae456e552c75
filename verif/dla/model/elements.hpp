#pragma once
/// Elements of a cube as they lie in memory: bytes, 16-bit elements little endian.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "precision.hpp"

namespace macrame::dla::model {

/// Element `i` of bytes: int8 and int16 with their sign, fp16 as its pattern.
inline std::int32_t element_at(Precision precision, const std::vector<std::int8_t>& bytes,
                               std::size_t i) {
    if (precision == Precision::int8) return bytes[i];
    const auto pattern = static_cast<std::uint16_t>(
        static_cast<std::uint8_t>(bytes[2 * i]) | static_cast<std::uint8_t>(bytes[2 * i + 1]) << 8);
    return precision == Precision::int16 ? static_cast<std::int16_t>(pattern) : pattern;
}

/// Appends an element.
inline void add_element(Precision precision, std::vector<std::int8_t>& bytes, std::int32_t value) {
    bytes.push_back(static_cast<std::int8_t>(value));
    if (precision != Precision::int8) bytes.push_back(static_cast<std::int8_t>(value >> 8));
}

}  // namespace macrame::dla::model
