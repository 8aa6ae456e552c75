#pragma once
/// Golden model of CACC, integers: accumulation and the final conversion to 32 bits.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "unit.hpp"

namespace macrame::dla::model {

/// Bits of an accumulator by the documents. A kernel that fits the convolution buffer can never
/// reach this limit, so hardware may use as few bits as its buffer size needs.
inline constexpr int kAccBits = 34;       // int8
inline constexpr int kAccBitsInt16 = 48;  // int16

/// One step of accumulation: `acc` + `psum`, saturated to `bits` bits.
inline std::int64_t accumulate(std::int64_t acc, std::int64_t psum, int bits = kAccBits) {
    const std::int64_t top = (std::int64_t{1} << (bits - 1)) - 1;
    return std::clamp<std::int64_t>(acc + psum, -top - 1, top);
}

/// A result as delivered to SDP.
struct FinalValue {
    std::int32_t value;  ///< result
    bool saturated;      ///< counts in D_OUT_SATURATION
};

/// Shifts `acc` right by `truncate` (0..31), rounds half away from zero and saturates to 32 bits.
/// As in the hardware, the test for "exactly one half" of a negative number sees only the 15 bits
/// below the guard bit. A negative number counts as saturated by its value before rounding.
inline FinalValue final_value(std::int64_t acc, int truncate) {
    const std::int64_t max = INT32_MAX;
    const std::int64_t min = INT32_MIN;
    const auto bit = [acc](int i) { return ((acc >> i) & 1) != 0; };
    const std::int64_t floor = acc >> truncate;
    const bool guard = truncate > 0 && bit(truncate - 1);
    bool sticky = false;
    for (int i = std::max(truncate - 16, 0); i <= truncate - 2; ++i)
        sticky = sticky || bit(i);
    const std::int64_t rounded = floor + (guard && (acc >= 0 || sticky) ? 1 : 0);
    return {static_cast<std::int32_t>(std::clamp(rounded, min, max)),
            acc < 0 ? floor < min : rounded > max};
}

/// Is `acc` negative and exactly one half above floor, as far as final_value() looks? These are the
/// only values for which the bits below the guard bit must all be 0.
inline bool negative_tie(std::int64_t acc, int truncate) {
    if (acc >= 0 || truncate == 0) return false;
    const int seen = std::min(truncate, 16);  // the guard bit and up to 15 below it
    return (acc >> (truncate - seen) & ((std::int64_t{1} << seen) - 1)) == std::int64_t{1}
                                                                               << (seen - 1);
}

/// Results of a layer, by their place, that were negative ties.
struct NegativeTies {
    int truncate = 0;
    std::vector<std::size_t> words{};
};

/// CACC in the device; CSC runs its layers.
class CaccUnit : public Unit {
public:
    using Unit::Unit;

    /// CLIP_TRUNCATE of the layer.
    int truncate() const;
    /// Ends a layer with this many saturated results.
    void finish(std::uint64_t saturated);
};

}  // namespace macrame::dla::model
