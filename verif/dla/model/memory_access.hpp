#pragma once
/// How the models reach memory.

#include <cstddef>
#include <cstdint>
#include <functional>

namespace macrame::dla::model {

/// Reads `count` bytes of memory at `addr` into `to`.
using MemoryRead = std::function<void(std::uint64_t addr, std::uint8_t* to, std::size_t count)>;

/// Writes `count` bytes from `from` to memory at `addr`.
using MemoryWrite =
    std::function<void(std::uint64_t addr, const std::uint8_t* from, std::size_t count)>;

}  // namespace macrame::dla::model
