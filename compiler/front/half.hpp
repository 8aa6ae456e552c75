#pragma once
/// Constants of float16.

#include <cstdint>

namespace macrame::front {

/// The float32 of the 16 bits of a float16.
float wide(std::uint16_t half);

}  // namespace macrame::front
