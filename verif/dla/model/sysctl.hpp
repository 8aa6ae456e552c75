#pragma once
/// Golden model of the register page of the system top.

#include <algorithm>
#include <cstdint>

#include "verif/dla/model/axi_lite.hpp"
#include "verif/dla/model/axi_mem.hpp"

namespace macrame::dla::model {

class Sysctl {
public:
    static constexpr std::uint32_t kStatus = 0x00, kAddrLow = 0x04, kAddrHigh = 0x08;
    static constexpr std::uint32_t kClear = 0x0c, kMask = 0x10, kReset = 0x14;
    static constexpr std::uint32_t kIdentity = 0x18;

    /// `identity`: of the programs that the design runs.
    explicit Sysctl(std::uint32_t identity) : identity_(identity) {}

    /// Is a word address on this page?
    static bool own(std::uint32_t word_addr) { return word_addr >> 10 == kSysctlPage; }

    /// An error answer; of those in one cycle the reads and the first port come first.
    void error(const BusError& error, bool write, bool second_port) {
        if (count_ == 0) {
            first_ = error;
            write_ = write;
            second_port_ = second_port;
        }
        ++count_;
    }

    /// At a byte offset in the page.
    void write(std::uint32_t offset, std::uint32_t data) {
        if (offset == kClear) count_ = 0;
        if (offset == kMask) mask_ = data & 1;
    }

    std::uint32_t read(std::uint32_t offset) const {
        if (offset == kMask) return mask_;
        if (offset == kIdentity) return identity_;
        if (count_ == 0) return 0;
        if (offset == kAddrLow) return static_cast<std::uint32_t>(first_.addr);
        if (offset == kAddrHigh) return static_cast<std::uint32_t>(first_.addr >> 32);
        if (offset != kStatus) return 0;
        return 1u | (write_ ? 2u : 0u) | (first_.decode ? 4u : 0u) | (second_port_ ? 8u : 0u) |
               first_.client << 4 | static_cast<std::uint32_t>(std::min(count_, 0xffffu)) << 16;
    }

    bool interrupt() const { return count_ != 0 && mask_ == 0; }

private:
    const std::uint32_t identity_;
    BusError first_;
    bool write_ = false, second_port_ = false;
    unsigned count_ = 0;
    std::uint32_t mask_ = 0;
};

}  // namespace macrame::dla::model
