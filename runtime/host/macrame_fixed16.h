/* The 16-bit fixed point of TFLite's reference LSTM of int8: of lstm.c and of the reference
 * executor. C99 and C++.
 *
 * Qn below: n integer bits, 15 - n fraction bits, and a sign. */
#ifndef MACRAME_FIXED16_H
#define MACRAME_FIXED16_H

#include "macrame_fixed.h"

static inline int16_t macrame_saturated16(int64_t value) {
    return (int16_t)macrame_clamp(value, INT16_MIN, INT16_MAX);
}

/* What does not fit wraps, as in the reference. */
static inline int16_t macrame_wrapped16(int32_t value) { return (int16_t)(uint16_t)value; }

static inline int16_t macrame_shift_left16(int16_t value, int shift) {
    return macrame_saturated16((int64_t)value * (1 << shift));
}

/* Product of Qa and Qb as Q(a + b). */
static inline int16_t macrame_product16(int16_t a, int16_t b) {
    const int32_t full = a * b;
    const int32_t high = (full + (full >= 0 ? 1 << 14 : 1 - (1 << 14))) / (1 << 15);
    return (int16_t)(high > INT16_MAX ? INT16_MAX : high);
}

/* exp(a) for a in [-1/4, 0), both Q0: Taylor around -1/8 to the fourth power. */
static inline int16_t macrame_exp_of_quarter16(int16_t a) {
    const int16_t exp_eighth = 28918, third = 10923; /* exp(-1/8), 1/3 as Q0 */
    const int16_t x = macrame_wrapped16(a + (1 << 12));
    const int16_t x2 = macrame_product16(x, x);
    const int16_t x3 = macrame_product16(x2, x), x4 = macrame_product16(x2, x2);
    /* x^4/24 + x^3/6 + x^2/2 */
    const int16_t part =
        macrame_product16(macrame_wrapped16(macrame_shift_right(x4, 2) + x3), third);
    const int16_t sum = macrame_wrapped16(part + x2);
    const int16_t rest = macrame_wrapped16(x + macrame_shift_right(sum, 1));
    return macrame_saturated16(exp_eighth + macrame_product16(exp_eighth, rest));
}

/* exp(a) as Q0 for a <= 0 in Qn, n at least 1. */
static inline int16_t macrame_exp_of_negative16(int16_t a, int integer_bits) {
    /* exp(-2^k) as Q0, k from -2 on */
    static const int16_t powers[] = {25520, 19875, 12055, 4435, 600, 11, 0};
    const int fraction = 15 - integer_bits, quarter = 1 << (fraction - 2);
    const int in_quarter = (a & (quarter - 1)) - quarter;
    const int remainder = in_quarter - a; /* a sum of powers of two: a factor each */
    int16_t result;
    int k;
    if (a == 0) return INT16_MAX;
    result =
        macrame_exp_of_quarter16(macrame_shift_left16(macrame_wrapped16(in_quarter), integer_bits));
    for (k = -2; k <= 4 && k < integer_bits; ++k) {
        if ((remainder & (1 << (fraction + k))) != 0)
            result = macrame_product16(result, powers[k + 2]);
    }
    if (integer_bits > 5 && a < -(1 << (20 - integer_bits))) return 0; /* below -32 */
    return result;
}

/* 2 / (1 + a) as Q2 for a in [0, 1) as Q0: three steps of Newton and Raphson. */
static inline int16_t macrame_twice_reciprocal16(int16_t a) {
    const int16_t start = 23130, slope = -15420; /* 48 / 17, -32 / 17 as Q2 */
    const int16_t half = (int16_t)((a + INT16_MAX + 1) / 2);
    int16_t x = macrame_wrapped16(start + macrame_product16(half, slope));
    int i;
    for (i = 0; i < 3; ++i) {
        const int16_t error = macrame_wrapped16((1 << 13) - macrame_product16(half, x));
        x = macrame_wrapped16(x + macrame_shift_left16(macrame_product16(x, error), 2));
    }
    return x;
}

/* 1 / (1 + exp(-a)) as Q0, a in Q3. */
static inline int16_t macrame_sigmoid16(int16_t a) {
    const int16_t negative = a < 0 ? a : macrame_wrapped16(-a);
    const int16_t positive =
        macrame_shift_left16(macrame_twice_reciprocal16(macrame_exp_of_negative16(negative, 3)), 1);
    if (a == 0) return 1 << 14;
    return a > 0 ? positive : macrame_wrapped16(INT16_MAX - positive);
}

/* As Q0, a in Qn. */
static inline int16_t macrame_tanh16(int16_t a, int integer_bits) {
    const int16_t negative = a < 0 ? a : macrame_wrapped16(-a);
    /* (1 - exp(2a)) / (1 + exp(2a)): the same bits are 2a in Q(n + 1). */
    const int16_t reciprocal =
        macrame_twice_reciprocal16(macrame_exp_of_negative16(negative, integer_bits + 1));
    const int16_t t = macrame_shift_left16(macrame_wrapped16(reciprocal - (1 << 13)), 2);
    if (a == 0) return 0;
    return a < 0 ? macrame_wrapped16(-t) : t;
}

#endif
