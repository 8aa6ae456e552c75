#ifndef MACRAME_REAL_H
#define MACRAME_REAL_H

/* Real values as two digits of 8 bits, and sums of their products; C99 and C++. */

#include <stddef.h>
#include <stdint.h>

/* Steps of the second digit in one of the first, of which there are `most` on either side. */
#define MACRAME_REAL_FINER 254.0f
#define MACRAME_REAL_MOST 127.0f

/* To the nearest integer within -127 .. 127; what is no number becomes 0. */
static inline float macrame_real_digit(float value) {
    if (value != value) return 0.0f;
    if (value > MACRAME_REAL_MOST) return MACRAME_REAL_MOST;
    if (value < -MACRAME_REAL_MOST) return -MACRAME_REAL_MOST;
    return (float)(int32_t)(value + (value < 0.0f ? -0.5f : 0.5f));
}

/* The first digits of `count` values, behind them the second ones; one that is no number, or no
 * finite one, makes the step no number. */
static inline void macrame_real_digits(const float* values, size_t count, int8_t* digits,
                                       float* step) {
    float most = 0.0f, bad = 0.0f;
    size_t i;
    for (i = 0; i < count; ++i) {
        const float magnitude = values[i] < 0.0f ? -values[i] : values[i];
        bad += magnitude - magnitude;
        if (magnitude > most) most = magnitude;
    }
    *step = (most == 0.0f ? 1.0f : most / MACRAME_REAL_MOST) + bad;
    for (i = 0; i < count; ++i) {
        const float steps = values[i] / *step;
        const float first = macrame_real_digit(steps);
        digits[i] = (int8_t)first;
        digits[count + i] = (int8_t)macrame_real_digit((steps - first) * MACRAME_REAL_FINER);
    }
}

/* `sums`: that of both first digits; `next_row` behind it that of the second digit of the value,
 * `next_kernel` that of the weight. */
static inline float macrame_real_sum(const int32_t* sums, size_t next_row, size_t next_kernel,
                                     float step, float bias) {
    const double finer = (double)MACRAME_REAL_FINER;
    const double mixed = (double)sums[next_row] + (double)sums[next_kernel];
    const double least = (double)sums[next_row + next_kernel];
    const double all = (double)sums[0] + (mixed + least / finer) / finer;
    return (float)(all * (double)step) + bias;
}

#endif
