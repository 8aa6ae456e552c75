#pragma once
/// Golden model of CMAC, int8: one atomic operation of one MAC cell.

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
inline std::int32_t psum(const std::vector<std::int8_t>& data,
                         const std::vector<std::int8_t>& weights) {
    assert(data.size() == weights.size());
    return psum(data.data(), weights.data(), data.size());
}

}  // namespace macrame::dla::model
