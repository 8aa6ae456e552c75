#pragma once
/// Golden model of the control buses: which accesses reach the core, and how the others are
/// answered. It has no clock.

#include <cstdint>

namespace macrame::dla::model {

/// First page that the documents reserve, and the one of the system top.
inline constexpr std::uint32_t kReservedPages = 0x14, kSysctlPage = 0x3f;

/// Answers of AXI; APB knows OKAY and an error.
enum class BusResponse : std::uint32_t { okay = 0, slverr = 2, decerr = 3 };

/// OKAY: the access goes on to the CSB. `strobes` of a write: its bytes.
inline BusResponse control_response(bool write, std::uint32_t byte_addr, std::uint32_t strobes) {
    const std::uint32_t page = byte_addr >> 12 & 0x3f;
    if (page >= kReservedPages && page != kSysctlPage) return BusResponse::decerr;
    if (byte_addr % 4 != 0 || (write && strobes != 0xf)) return BusResponse::slverr;
    return BusResponse::okay;
}

}  // namespace macrame::dla::model
