/* Fixed-point arithmetic of TFLite's reference kernels: of the functions of this folder, and of the
 * reference executor (compiler/graph/). C99 and C++. */
#ifndef MACRAME_FIXED_H
#define MACRAME_FIXED_H

#include <stdint.h>

/* mantissa * 2^(exponent - 31) */
struct macrame_factor {
    int32_t mantissa;
    int32_t exponent;
};

static inline int64_t macrame_clamp(int64_t value, int64_t least, int64_t most) {
    return value < least ? least : value > most ? most : value;
}

static inline int32_t macrame_clamp32(int64_t value) {
    return (int32_t)macrame_clamp(value, INT32_MIN, INT32_MAX);
}

/* value / 2^shift, halves away from zero; by 32 bits and more for softmax of long rows. */
static inline int32_t macrame_shift_right(int32_t value, int shift) {
    const int64_t mask = ((int64_t)1 << shift) - 1;
    const int64_t threshold = (mask >> 1) + (value < 0 ? 1 : 0);
    return (int32_t)(((int64_t)value >> shift) + (((int64_t)value & mask) > threshold ? 1 : 0));
}

static inline int32_t macrame_shift_left(int32_t value, int shift) {
    return macrame_clamp32((int64_t)value * ((int64_t)1 << shift));
}

/* a * b / 2^31, halves up. */
static inline int32_t macrame_product(int32_t a, int32_t b) {
    const int64_t full = (int64_t)a * b;
    const int64_t nudge = full >= 0 ? (int64_t)1 << 30 : 1 - ((int64_t)1 << 30);
    const int64_t high = (full + nudge) / ((int64_t)1 << 31);
    return high > INT32_MAX ? INT32_MAX : (int32_t)high;
}

/* 1 / sqrt(value) by Newton's steps; 1 for what is less. */
static inline struct macrame_factor macrame_inverse_square_root(int32_t value) {
    /* Three integer bits, 28 fraction bits and a sign; products have more integer bits. */
    const int32_t three_halves = (1 << 28) + (1 << 27), half_of_root_2 = 1518500250;
    struct macrame_factor out = {INT32_MAX, 0};
    int32_t half, x = 1 << 28;
    int shift = 11, i;
    if (value <= 1) return out;
    for (; value >= 1 << 29; value /= 4)
        ++shift;
    for (; value < 1 << 27; value *= 4)
        --shift;
    half = (value >> 1) / 2 + ((value >> 1) & 1);
    for (i = 0; i < 5; ++i) {
        const int32_t cube =
            macrame_shift_left(macrame_product(macrame_product(x, x), x), 6);
        const int64_t step =
            (int64_t)macrame_product(three_halves, x) - macrame_product(half, cube);
        x = macrame_clamp32(step * 8);
    }
    x = macrame_product(x, half_of_root_2);
    out.mantissa = shift < 0 ? x * (1 << -shift) : x;
    out.exponent = shift < 0 ? 0 : -shift;
    return out;
}

/* value * factor: a product, then a shift, each rounded; a left shift loses the upper bits. */
static inline int32_t macrame_multiply(int32_t value, struct macrame_factor factor) {
    const int left = (int)macrame_clamp(factor.exponent, 0, 31);
    const int right = (int)macrame_clamp(-(int64_t)factor.exponent, 0, 31);
    const int32_t shifted = (int32_t)((uint32_t)value << left);
    return macrame_shift_right(macrame_product(shifted, factor.mantissa), right);
}

/* The same, rounded once, halves up. */
static inline int32_t macrame_multiply_once(int32_t value, struct macrame_factor factor) {
    const int shift = 31 - (factor.exponent < 30 ? factor.exponent : 30);
    const int64_t product = (int64_t)value * factor.mantissa;
    return macrame_clamp32((product + ((int64_t)1 << (shift - 1))) >> shift);
}

/* The same of a sum of 64 bits: with the upper 15 bits of the mantissa, what does not fit into 32
 * bits wraps; or with all of it, saturating. */
static inline int32_t macrame_multiply_wide(int64_t value, struct macrame_factor factor) {
    const int shift = 15 - (factor.exponent < 14 ? factor.exponent : 14);
    const int64_t upper = ((int64_t)factor.mantissa + (1 << 15)) >> 16;
    const uint64_t product = (uint64_t)value * (uint64_t)(upper < 32767 ? upper : 32767);
    const uint64_t rounded = product + ((uint64_t)1 << (shift - 1));
    return (int32_t)(uint32_t)((int64_t)rounded >> shift);
}

static inline int32_t macrame_multiply_wide_once(int64_t value, struct macrame_factor factor) {
    /* Products have up to 78 bits: the lower 16 bits of the mantissa apart. */
    const int shift = 15 - (factor.exponent < 14 ? factor.exponent : 14);
    const int64_t low = (int64_t)((uint64_t)value * (uint64_t)(factor.mantissa & 0xffff)) >> 16;
    const uint64_t sum = (uint64_t)value * (uint64_t)(factor.mantissa >> 16) + (uint64_t)low;
    return macrame_clamp32((int64_t)(sum + ((uint64_t)1 << (shift - 1))) >> shift);
}

#endif
