#pragma once
/// Golden model of what CDMA makes of an element on its way into the convolution buffer.
///
/// An element is a number of 16 bits: int8 sign extended, fp16 its pattern.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "arithmetic.hpp"
#include "float.hpp"
#include "precision.hpp"

namespace macrame::dla::model {

/// Coefficients of the convertor, and the types of elements on its two sides.
struct CvtSettings {
    bool enable = false;
    std::int16_t offset = 0, scale = 0;
    int truncate = 0;  ///< 0..63
    Precision in = Precision::int8, out = Precision::int8;
    bool nan_to_zero = false;
};

/// Input convertor of one integer (`in` as the number it stands for): 17 bits of
/// R((in - offset) * scale, truncate), R = right shift that rounds half away from zero, made an
/// element of type `out`.
inline std::int16_t cvt(int in, std::int16_t offset, std::int16_t scale, int truncate,
                        Precision out = Precision::int8) {
    const std::int64_t product = (std::int64_t{in} - offset) * scale;
    const std::int64_t number = round_shift_right(product, truncate, 34, 17).value;
    if (out == Precision::fp16) return static_cast<std::int16_t>(Fp16::from_int(number));
    const std::int64_t max = out == Precision::int8 ? INT8_MAX : INT16_MAX;
    return static_cast<std::int16_t>(std::clamp(number, -max - 1, max));
}

/// NaN and infinite numbers among fp16 elements.
struct SpecialCounts {
    std::uint64_t nan = 0, inf = 0;

    void add(std::int16_t fp16) {
        const auto pattern = static_cast<std::uint16_t>(fp16);
        nan += Fp16::is_nan(pattern) ? 1u : 0u;
        inf += Fp16::is_inf(pattern) ? 1u : 0u;
    }
};

/// NaN becomes 0.
inline std::int16_t flushed(std::int16_t fp16) {
    return Fp16::is_nan(static_cast<std::uint16_t>(fp16)) ? std::int16_t{0} : fp16;
}

/// An element as it goes into the buffer. fp16 passes as it is.
inline std::int16_t converted(const CvtSettings& c, int in, std::int16_t offset) {
    if (c.in != Precision::fp16 && c.enable) return cvt(in, offset, c.scale, c.truncate, c.out);
    const auto element = static_cast<std::int16_t>(in);
    return c.in == Precision::fp16 && c.nan_to_zero ? flushed(element) : element;
}

/// An element in memory or in the buffer.
inline std::int16_t load_element(const std::uint8_t* from, Precision type) {
    if (type == Precision::int8) return static_cast<std::int8_t>(from[0]);
    return static_cast<std::int16_t>(from[0] | from[1] << 8);
}
inline void append_element(std::vector<std::uint8_t>& to, std::int16_t element, Precision type) {
    for (int b = 0; b < bytes_of(type); ++b)
        to.push_back(static_cast<std::uint8_t>(element >> 8 * b));
}

}  // namespace macrame::dla::model
