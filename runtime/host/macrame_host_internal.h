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

/* Numbers of any integer type. */
static inline int64_t macrame_get_whole(const void* from, enum macrame_host_type type,
                                        uint32_t index) {
    return type == MACRAME_HOST_INT64 ? ((const int64_t*)from)[index]
                                      : macrame_get(from, type, index);
}

/* An index of an axis that may count from behind; -1: it is outside. */
static inline int64_t macrame_index(const void* indices, enum macrame_host_type type, uint32_t i,
                                    int32_t length) {
    const int64_t index = macrame_get_whole(indices, type, i);
    if (index < -(int64_t)length || index >= length) return -1;
    return index < 0 ? index + length : index;
}

/* What is outside of the type wraps. */
static inline void macrame_put_low(void* to, enum macrame_host_type type, uint32_t index,
                                   uint64_t bits) {
    switch (type) {
        case MACRAME_HOST_INT8:
        case MACRAME_HOST_UINT8:
            ((uint8_t*)to)[index] = (uint8_t)bits;
            break;
        case MACRAME_HOST_INT16:
            ((uint16_t*)to)[index] = (uint16_t)bits;
            break;
        case MACRAME_HOST_INT64:
            ((uint64_t*)to)[index] = bits;
            break;
        default:
            ((uint32_t*)to)[index] = (uint32_t)bits;
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

/* A walk over a box: where it is in up to three tensors. */
struct macrame_place {
    uint32_t at[3];
    uint32_t index[MACRAME_HOST_RANK];
};

static inline void macrame_start(struct macrame_place* place,
                                 const struct macrame_host_walk* walk) {
    uint32_t i;
    for (i = 0; i < 3; ++i)
        place->at[i] = 0;
    for (i = 0; i < walk->rank; ++i)
        place->index[i] = 0;
}

/* 0: it was the last element. */
static inline int macrame_next(struct macrame_place* place, const struct macrame_host_walk* walk) {
    uint32_t axis = walk->rank, i;
    while (axis-- > 0) {
        for (i = 0; i < 3; ++i)
            place->at[i] += (uint32_t)walk->strides[i][axis];
        if (++place->index[axis] < walk->shape[axis]) return 1;
        for (i = 0; i < 3; ++i)
            place->at[i] -= (uint32_t)walk->strides[i][axis] * walk->shape[axis];
        place->index[axis] = 0;
    }
    return 0;
}

/* Indices of a kernel that lie inside an input, when its first lies at `at`. */
struct macrame_taps {
    int32_t first, end;
};
static inline struct macrame_taps macrame_taps_of(int32_t at, int32_t kernel, int32_t dilation,
                                                  int32_t input) {
    struct macrame_taps taps;
    taps.first = at >= 0 ? 0 : (-at + dilation - 1) / dilation;
    taps.end = at >= input ? 0 : (input - at + dilation - 1) / dilation;
    if (taps.end > kernel) taps.end = kernel;
    if (taps.end < taps.first) taps.end = taps.first;
    return taps;
}

/* Where a window stands: its taps inside of the input. */
struct macrame_spot {
    int32_t y, x;      /* in the output */
    int32_t top, left; /* of the first tap, in the input */
    struct macrame_taps rows, columns;
};

static inline void macrame_stand(struct macrame_spot* spot, const struct macrame_host_window* w) {
    spot->top = spot->y * w->stride_h - w->top;
    spot->left = spot->x * w->stride_w - w->left;
    spot->rows = macrame_taps_of(spot->top, w->kernel_h, w->dilation_h, w->in_h);
    spot->columns = macrame_taps_of(spot->left, w->kernel_w, w->dilation_w, w->in_w);
}

static inline void macrame_first_spot(struct macrame_spot* spot,
                                      const struct macrame_host_window* w) {
    spot->y = spot->x = 0;
    macrame_stand(spot, w);
}

/* 0: it was the last one. */
static inline int macrame_next_spot(struct macrame_spot* spot,
                                    const struct macrame_host_window* w) {
    if (++spot->x == w->out_w) {
        spot->x = 0;
        if (++spot->y == w->out_h) return 0;
    }
    macrame_stand(spot, w);
    return 1;
}

/* The element of channel 0 under a tap. */
static inline uint32_t macrame_under(const struct macrame_spot* spot,
                                     const struct macrame_host_window* w, int32_t ky, int32_t kx) {
    const int32_t row = spot->top + ky * w->dilation_h, column = spot->left + kx * w->dilation_w;
    return (uint32_t)((row * w->in_w + column) * w->channels);
}

/* Of a transposed convolution: what lies `t` behind the first tap of an axis, the tap or -1. */
static inline int32_t macrame_tap(int32_t t, int32_t kernel, int32_t dilation) {
    if (t < 0 || t % dilation != 0 || t / dilation >= kernel) return -1;
    return t / dilation;
}

/* Sum of the elements of a box, less their zero points. */
static inline int64_t macrame_sum(const void* from, enum macrame_host_type type, uint32_t start,
                                  const struct macrame_host_walk* box, int32_t zero,
                                  int32_t count) {
    struct macrame_place place;
    int64_t sum = -(int64_t)zero * count;
    macrame_start(&place, box);
    do {
        sum += macrame_get(from, type, start + place.at[0]);
    } while (macrame_next(&place, box));
    return sum;
}

/* Of two real values. */
static inline float macrame_joined(float a, float b, enum macrame_host_reduction function) {
    switch (function) {
        case MACRAME_HOST_SUM:
            return a + b;
        case MACRAME_HOST_PRODUCT:
            return a * b;
        case MACRAME_HOST_LARGEST:
            return a < b ? b : a;
        case MACRAME_HOST_LEAST:
            break;
    }
    return b < a ? b : a;
}

/* What sums of a kernel begin with. */
static inline uint64_t macrame_bias(const struct macrame_host_conv* with, int32_t kernel) {
    if (with->wide_bias) return (uint64_t)with->wide_bias[kernel];
    return with->bias ? (uint64_t)(int64_t)with->bias[kernel] : 0;
}

/* An element of an output channel, or of so many behind a multiple of them. Sums wrap around. */
static inline void macrame_put_scaled(void* to, uint32_t index, uint32_t channel, uint64_t bits,
                                      const struct macrame_host_scaling* with) {
    const uint32_t k = with->count > 1 ? channel % with->count : 0;
    const int32_t sum = (int32_t)(uint32_t)bits;
    int64_t value;
    if (with->count == 0) {
        macrame_put_low(to, MACRAME_HOST_INT32, index, bits);
        return;
    }
    if (with->real)
        value = (int64_t)macrame_whole((double)((float)sum * with->real[k]), MACRAME_HOST_EVEN);
    else if (with->wide && with->once)
        value = macrame_multiply_wide_once((int64_t)bits, with->factors[k]);
    else if (with->wide)
        value = macrame_multiply_wide((int64_t)bits, with->factors[k]);
    else if (with->once)
        value = macrame_multiply_once(sum, with->factors[k]);
    else
        value = macrame_multiply(sum, with->factors[k]);
    macrame_put(to, with->type, index, macrame_clamp(value + with->zero, with->least, with->most));
}

#endif
