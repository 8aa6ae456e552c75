#pragma once
/// Golden model of CMAC, integers: one atomic operation of one MAC cell.

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace macrame::dla::model {

/// Partial sum of one MAC cell: the exact sum over all `lanes` channels (atomic_c of them) of data
/// times weight. An idle cell has weights 0.
inline std::int32_t psum(const std::int8_t* data, const std::int8_t* weights, std::size_t lanes) {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < lanes; ++i)
        sum += data[i] * weights[i];
    return sum;
}
inline std::int64_t psum(const std::int16_t* data, const std::int16_t* weights, std::size_t lanes) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < lanes; ++i)
        sum += data[i] * weights[i];
    return sum;
}
inline std::int32_t psum(const std::vector<std::int8_t>& data,
                         const std::vector<std::int8_t>& weights) {
    assert(data.size() == weights.size());
    return psum(data.data(), weights.data(), data.size());
}

/// Lanes of a Winograd operation: lane (row*4 + column)*4 + channel of a tile.
inline constexpr std::size_t kTileLanes = 64;

/// The results of a tile in the order (0,0), (0,1), (1,0), (1,1).
template <typename Sum>
using TileOf = std::array<Sum, 4>;

/// Post-addition: `products[lane]` to the four results.
inline TileOf<std::int64_t> post_add(const std::array<std::int64_t, kTileLanes>& products) {
    std::array<std::int64_t, 4> upper{}, lower{};  // by column
    for (std::size_t column = 0; column < 4; ++column) {
        std::array<std::int64_t, 4> q{};  // by row, channels summed
        for (std::size_t row = 0; row < 4; ++row) {
            for (std::size_t channel = 0; channel < 4; ++channel)
                q[row] += products[(row * 4 + column) * 4 + channel];
        }
        upper[column] = q[0] + q[1] + q[2];
        lower[column] = q[1] - q[2] - q[3];
    }
    return {upper[0] + upper[1] + upper[2], upper[1] - upper[2] - upper[3],
            lower[0] + lower[1] + lower[2], lower[1] - lower[2] - lower[3]};
}

/// Partial sums of one MAC cell in a Winograd operation; data behind the pre-addition.
template <typename Integer>
TileOf<std::int64_t> winograd_psums(const Integer* data, const Integer* weights) {
    std::array<std::int64_t, kTileLanes> products{};
    for (std::size_t i = 0; i < kTileLanes; ++i)
        products[i] = data[i] * weights[i];
    return post_add(products);
}

}  // namespace macrame::dla::model
