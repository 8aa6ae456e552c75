#pragma once
/// Golden model of the pre-addition of Winograd: a tile of 4 x 4 pixels of a channel before it goes
/// to CMAC.
///
///     rows     m0 = d0 - d2   m1 = d1 + d2   m2 = d2 - d1   m3 = d1 - d3
///     columns  the same of m

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "arithmetic.hpp"
#include "float.hpp"
#include "precision.hpp"

namespace macrame::dla::model {

/// A channel of a tile, row by row.
template <class T>
using ChannelTile = std::array<T, 16>;

/// Both steps on numbers of type T.
template <class T, class Add, class Sub>
ChannelTile<T> pre_add(const ChannelTile<T>& d, Add add, Sub sub) {
    ChannelTile<T> m{}, v{};
    for (std::size_t c = 0; c < 4; ++c) {
        m[c] = sub(d[c], d[8 + c]);
        m[4 + c] = add(d[4 + c], d[8 + c]);
        m[8 + c] = sub(d[8 + c], d[4 + c]);
        m[12 + c] = sub(d[4 + c], d[12 + c]);
    }
    for (std::size_t r = 0; r < 16; r += 4) {
        v[r] = sub(m[r], m[r + 2]);
        v[r + 1] = add(m[r + 1], m[r + 2]);
        v[r + 2] = sub(m[r + 2], m[r + 1]);
        v[r + 3] = sub(m[r + 1], m[r + 3]);
    }
    return v;
}

inline ChannelTile<std::int16_t> pre_add_fp16(const ChannelTile<std::int16_t>& tile) {
    ChannelTile<std::uint32_t> d{};
    std::transform(tile.begin(), tile.end(), d.begin(),
                   [](std::int16_t v) { return widen<Fp16, Fp17>(static_cast<std::uint16_t>(v)); });
    const auto v = pre_add(d, Fp17::add, Fp17::sub);
    ChannelTile<std::int16_t> out{};
    std::transform(v.begin(), v.end(), out.begin(), [](std::uint32_t x) {
        return static_cast<std::int16_t>(narrow<Fp17, Fp16>(x));
    });
    return out;
}

/// Elements of a tile behind the pre-addition; integers are shifted right by `truncate` (3 acts as
/// 2) and rounded half away from zero.
inline ChannelTile<std::int16_t> pre_added(const ChannelTile<std::int16_t>& tile, Precision type,
                                           int truncate) {
    if (type == Precision::fp16) return pre_add_fp16(tile);
    ChannelTile<std::int64_t> d{};
    std::copy(tile.begin(), tile.end(), d.begin());
    const auto v = pre_add(
        d, [](std::int64_t a, std::int64_t b) { return a + b; },
        [](std::int64_t a, std::int64_t b) { return a - b; });
    ChannelTile<std::int16_t> out{};
    std::transform(v.begin(), v.end(), out.begin(), [&](std::int64_t x) {
        return static_cast<std::int16_t>(
            round_shift_right(x, std::min(truncate, 2), 18, 8 * bytes_of(type)).value);
    });
    return out;
}

}  // namespace macrame::dla::model
