#pragma once
/// SHA-256 (FIPS 180-4), for comparisons with published digests.

#include <cstddef>
#include <cstdint>
#include <string>

namespace macrame::verif {

/// 64 hexadecimal digits.
std::string sha256(const std::uint8_t* data, std::size_t size);

}  // namespace macrame::verif
