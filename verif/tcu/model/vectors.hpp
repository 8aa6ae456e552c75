#pragma once
/// An on-chip memory of the golden model: rows of lanes, padded so that loops have whole blocks.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "verif/common/random.hpp"
#include "verif/tcu/isa/layout.hpp"

namespace macrame::tcu::model {

/// Lanes that loops handle together.
inline constexpr int kBlock = 8;

inline int padded_lanes(int lanes) { return (lanes + kBlock - 1) / kBlock * kBlock; }

template <class Code>
class Vectors {
public:
    /// Every address that the address bits can hold has a row.
    Vectors(std::int64_t depth, int lanes)
        : lanes_(lanes),
          pitch_(padded_lanes(lanes)),
          mask_((std::size_t{1} << clog2(depth)) - 1),
          codes_((mask_ + 1) * static_cast<std::size_t>(pitch_)) {}

    Code* row(std::uint64_t address) { return codes_.data() + at(address); }
    const Code* row(std::uint64_t address) const { return codes_.data() + at(address); }

    std::vector<std::int32_t> values(std::uint64_t address) const {
        return {row(address), row(address) + lanes_};
    }
    void clear() { std::fill(codes_.begin(), codes_.end(), Code{}); }
    /// Lanes only: the padding stays zero.
    template <class Fixed>
    void randomise(verif::Random& random) {
        for (std::size_t r = 0; r <= mask_; ++r)
            for (int lane = 0; lane < lanes_; ++lane)
                row(r)[lane] = Fixed::from_bits(random.word());
    }

private:
    std::size_t at(std::uint64_t address) const {
        return (static_cast<std::size_t>(address) & mask_) * static_cast<std::size_t>(pitch_);
    }
    int lanes_;
    int pitch_;
    std::size_t mask_;
    std::vector<Code> codes_;
};

}  // namespace macrame::tcu::model
