/* Elements of any type; whole numbers of real values. */
#ifndef MACRAME_HOST_INTERNAL_H
#define MACRAME_HOST_INTERNAL_H

#include "macrame_host.h"

/* Elements of integer types of at most 32 bits. */
static inline int32_t macrame_get(const void* from, enum macrame_host_type type, uint32_t index) {
    switch (type) {
        case MACRAME_HOST_INT8:
            return ((const int8_t*)from)[index];
        case MACRAME_HOST_UINT8:
            return ((const uint8_t*)from)[index];
        case MACRAME_HOST_INT16:
            return ((const int16_t*)from)[index];
        default:
            return ((const int32_t*)from)[index];
    }
}

/* What is outside of the type saturates. */
static inline void macrame_put(void* to, enum macrame_host_type type, uint32_t index,
                               int64_t value) {
    switch (type) {
        case MACRAME_HOST_INT8:
            ((int8_t*)to)[index] = (int8_t)macrame_clamp(value, INT8_MIN, INT8_MAX);
            break;
        case MACRAME_HOST_UINT8:
            ((uint8_t*)to)[index] = (uint8_t)macrame_clamp(value, 0, UINT8_MAX);
            break;
        case MACRAME_HOST_INT16:
            ((int16_t*)to)[index] = (int16_t)macrame_clamp(value, INT16_MIN, INT16_MAX);
            break;
        case MACRAME_HOST_INT64:
            ((int64_t*)to)[index] = value;
            break;
        default:
            ((int32_t*)to)[index] = macrame_clamp32(value);
    }
}

static inline float macrame_bounded(float value, enum macrame_host_bounds bounds, float least,
                                    float most) {
    if ((bounds & MACRAME_HOST_AT_LEAST) != 0 && value < least) return least;
    if ((bounds & MACRAME_HOST_AT_MOST) != 0 && value > most) return most;
    return value;
}

/* The nearest whole number, halves as told; what is not a number becomes 0, what is beyond 2^40
 * stays near there. */
static inline double macrame_whole(double value, enum macrame_host_rounding rounding) {
    const double most = 1099511627776.0;
    double whole, rest;
    if (value != value) return 0;
    if (value > most) return most;
    if (value < -most) return -most;
    whole = (double)(int64_t)value; /* towards zero */
    rest = value - whole;
    if (rest < 0) rest = -rest;
    if (rest > 0.5 || (rest == 0.5 && (rounding == MACRAME_HOST_AWAY || ((int64_t)whole & 1) != 0)))
        whole += value < 0 ? -1 : 1;
    return whole;
}

#endif
