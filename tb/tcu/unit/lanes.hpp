#pragma once
/// Vectors as ports carry them, and random ones with the values at which sums round and clamp.

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "tb/common/ports.hpp"
#include "tcu_params.hpp"
#include "verif/common/random.hpp"
#include "verif/tcu/model/arithmetic.hpp"
#include "verif/tcu/model/vectors.hpp"

namespace macrame::tb {

/// Arithmetic of this configuration.
using Fixed = std::conditional_t<
    tcu_params::data_w == 8, tcu::model::Fp8bp4,
    std::conditional_t<
        tcu_params::data_w == 16, tcu::model::Fp16bp8,
        std::conditional_t<tcu_params::data_w == 18, tcu::model::Fp18bp10, tcu::model::Fp32bp16>>>;
using Code = Fixed::Code;
/// Codes of a vector, padded to the lanes that the models work on.
using Lanes = std::vector<Code>;

inline constexpr int kLanes = tcu_params::array_size;

inline Lanes zero_lanes() {
    return Lanes(static_cast<std::size_t>(tcu::model::padded_lanes(kLanes)));
}

template <typename Port>
void put_lanes(Port& port, const Lanes& lanes) {
    for (int i = 0; i < kLanes; ++i)
        put_bits(port, i * Fixed::kWidth, Fixed::kWidth,
                 Fixed::to_bits(lanes[static_cast<std::size_t>(i)]));
}

template <typename Port>
Lanes get_lanes(const Port& port) {
    Lanes lanes = zero_lanes();
    for (int i = 0; i < kLanes; ++i)
        lanes[static_cast<std::size_t>(i)] =
            Fixed::from_bits(get_bits(port, i * Fixed::kWidth, Fixed::kWidth));
    return lanes;
}

/// A code at a corner: extremes, and what makes products of which the lost bits are one half.
inline Code corner_code(verif::Random& random) {
    constexpr Code half = Fixed::kOne / 2;
    static constexpr Code kCorners[] = {static_cast<Code>(Fixed::kMin),
                                        static_cast<Code>(Fixed::kMax),
                                        static_cast<Code>(Fixed::kMin + 1),
                                        0,
                                        1,
                                        -1,
                                        half,
                                        static_cast<Code>(-half),
                                        static_cast<Code>(3 * half),
                                        Fixed::kOne};
    return kCorners[random.in(0, static_cast<int>(std::size(kCorners)) - 1)];
}

/// Lanes of which so many percent are at a corner, the same one in all for some vectors. Others are
/// small enough that sums of them stay in range, or any code.
inline Lanes random_lanes(verif::Random& random, int corner_percent) {
    Lanes lanes = zero_lanes();
    const bool same = random.chance(20), small = random.chance(70);
    const Code all = corner_code(random);
    for (int i = 0; i < kLanes; ++i) {
        Code& code = lanes[static_cast<std::size_t>(i)];
        if (random.chance(corner_percent)) {
            code = same ? all : corner_code(random);
        } else {
            const Code any = Fixed::from_bits(random.word());
            code = small ? static_cast<Code>(any % (2 * Fixed::kOne)) : any;
        }
    }
    return lanes;
}

}  // namespace macrame::tb
