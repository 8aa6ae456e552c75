#pragma once
/// Golden model of GLB: version word and interrupt registers.
///
///     Glb glb({true, true});                  // PDP and CDP have status bits
///     glb.raise(1u << kSdpBit);               // event of register group 0
///     glb.write(Glb::kStatus, 1);             // software clears it

#include <cstdint>

namespace macrame::dla::model {

/// Interrupt bit of register group 0 of each source; group 1 is the next bit.
inline constexpr int kSdpBit = 0, kCdpBit = 2, kPdpBit = 4, kBdmaBit = 6, kRubikBit = 8,
                     kRowBit = 10;
inline constexpr int kCdmaDataBit = 16, kCdmaWeightBit = 18, kCaccBit = 20;

/// Optional units whose status bits exist.
struct GlbUnits {
    bool pdp = false, cdp = false, bdma = false, rubik = false, row = false;
};

class Glb {
public:
    /// Byte offsets in the page of GLB.
    static constexpr std::uint32_t kVersion = 0x0, kMask = 0x4, kSet = 0x8, kStatus = 0xc;

    explicit Glb(const GlbUnits& units = {}) : bits_(status_bits(units)),
          mask_bits_(kMaskBits | both(units.row, kRowBit)) {}

    /// Nothing pending, every interrupt reaches the pin.
    void reset() { mask_ = status_ = 0; }

    /// CSB write at a byte offset.
    void write(std::uint32_t offset, std::uint32_t data) {
        if (offset == kMask) mask_ = data & mask_bits_;
        if (offset == kSet) raise(data);
        if (offset == kStatus) status_ &= ~data;
    }

    /// CSB read; S_INTR_SET and offsets without a register read 0.
    std::uint32_t read(std::uint32_t offset) const {
        if (offset == kVersion) return kVersionWord;
        if (offset == kMask) return mask_;
        return offset == kStatus ? status_ : 0;
    }

    /// Done events, one bit each. Raised after a write of the same cycle: setting wins.
    void raise(std::uint32_t events) { status_ |= events & bits_; }

    /// Level of the pin.
    bool interrupt() const { return (status_ & ~mask_) != 0; }

private:
    static constexpr std::uint32_t kVersionWord = 0x00303031;  // "1", "00"
    /// The mask keeps the bits of all units of the documents, also of absent ones.
    static constexpr std::uint32_t kMaskBits = 0x003f03ff;

    static constexpr std::uint32_t both(bool present, int bit) { return present ? 3u << bit : 0u; }
    static constexpr std::uint32_t status_bits(const GlbUnits& units) {
        return both(true, kSdpBit) | both(true, kCdmaDataBit) | both(true, kCdmaWeightBit) |
               both(true, kCaccBit) | both(units.pdp, kPdpBit) | both(units.cdp, kCdpBit) |
               both(units.bdma, kBdmaBit) | both(units.rubik, kRubikBit) |
               both(units.row, kRowBit);
    }

    std::uint32_t bits_, mask_bits_;
    std::uint32_t mask_ = 0, status_ = 0;
};

}  // namespace macrame::dla::model
