#pragma once
/// Golden model of CMAC, int8: one atomic operation of one MAC cell.

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace macrame::model::dla {

/// Partial sum of one MAC cell: the exact sum over all lanes of data times weight.
/// `data` and `weights` hold one int8 per channel lane (atomic_c of them). An idle cell has weights 0.
inline std::int32_t psum(const std::vector<std::int8_t>& data,
                         const std::vector<std::int8_t>& weights) {
    assert(data.size() == weights.size());
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < data.size(); ++i) sum += data[i] * weights[i];
    return sum;
}

}  // namespace macrame::model::dla
