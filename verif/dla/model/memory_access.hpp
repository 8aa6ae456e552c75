#pragma once
/// How the models reach memory.

#include <cstddef>
#include <cstdint>
#include <functional>

namespace macrame::dla::model {

/// Who reads and writes memory, by the numbers that the memory ports and SYSCTL use.
enum class DmaClient : std::uint8_t {
    kBdma = 0,
    kSdp = 1,
    kPdp = 2,
    kCdp = 3,
    kRubik = 4,
    kSdpB = 5,
    kSdpN = 6,
    kSdpE = 7,
    kCdmaData = 8,
    kCdmaWeights = 9,
    kRow = 10,
};

/// An access.
struct MemoryAccess {
    DmaClient client;
    bool write;
    bool secondary;  ///< at the second port
    std::uint64_t addr;
    std::size_t count;
};

/// Is told of every access.
using MemoryWatch = std::function<void(const MemoryAccess&)>;

/// Reads `count` bytes of memory at `addr` into `to`.
using MemoryRead = std::function<void(std::uint64_t addr, std::uint8_t* to, std::size_t count)>;

/// Writes `count` bytes from `from` to memory at `addr`.
using MemoryWrite =
    std::function<void(std::uint64_t addr, const std::uint8_t* from, std::size_t count)>;

}  // namespace macrame::dla::model
