#include "compiler/front/half.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace macrame::front {

float wide(std::uint16_t half) {
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    const float sign = (half & 0x8000) != 0 ? -1.0F : 1.0F;
    if (exponent == 31)
        return fraction != 0 ? std::numeric_limits<float>::quiet_NaN()
                             : sign * std::numeric_limits<float>::infinity();
    const int whole = exponent == 0 ? fraction : fraction + 1024;
    return sign * std::ldexp(static_cast<float>(whole), std::max(exponent, 1) - 25);
}

}  // namespace macrame::front
