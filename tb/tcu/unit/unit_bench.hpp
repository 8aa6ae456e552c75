#pragma once
/// The bench of a unit (tb/common/unit_bench.hpp), and vectors.

#include <gtest/gtest.h>
#include <cstdint>
#include <vector>

#include "tb/common/ports.hpp"
#include "tb/common/unit_bench.hpp"
#include "tcu_params.hpp"
#include "verif/common/random.hpp"

namespace macrame::tb {

/// The bits of a vector as bytes, low first.
using Vector = std::vector<std::uint8_t>;
inline constexpr int kVectorBytes = tcu_params::vector_w / 8;
static_assert(tcu_params::vector_w % 8 == 0, "an even array size");

inline Vector random_vector(verif::Random& random) {
    Vector vector(static_cast<std::size_t>(kVectorBytes));
    for (std::uint8_t& byte : vector)
        byte = static_cast<std::uint8_t>(random.bits());
    return vector;
}

}  // namespace macrame::tb
