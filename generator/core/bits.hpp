#pragma once

namespace macrame {

/// Smallest n with 2^n >= value; 0 for value <= 1.
constexpr int clog2(int value) {
    int result = 0;
    while ((1LL << result) < value)
        ++result;
    return result;
}

}  // namespace macrame
