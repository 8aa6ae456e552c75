/* Tables of int16 of TFLite's reference kernels: of the functions of this folder, and of the
 * reference executor (compiler/graph/). C99 and C++. */
#ifndef MACRAME_INT16_H
#define MACRAME_INT16_H

#include <stdint.h>

/* 513 entries, one for 128 values and one behind the last, with lines between them. */
static inline int16_t macrame_table16(const int16_t* table, int32_t value) {
    const uint32_t index = (uint32_t)(value + 32768) >> 7;
    /* The reference has 16 bits for the slope and for the result; what does not fit wraps. */
    const int16_t slope = (int16_t)(uint16_t)(table[index + 1] - table[index]);
    return (int16_t)(uint16_t)(table[index] + ((slope * (value & 127) + 64) >> 7));
}

/* A place in a table of 256 entries with so many fraction bits; the value has as many more. */
static inline int64_t macrame_between16(const uint16_t* table, int64_t place, int fraction,
                                        int64_t end) {
    const int64_t entry = place >> fraction;
    const int64_t part = place & (((int64_t)1 << fraction) - 1);
    if (entry >= 255) return end;
    return ((int64_t)table[entry] << fraction) +
           part * ((int64_t)table[entry + 1] - (int64_t)table[entry]);
}

/* Of an input in multiples of 1 / (3 * 4096), by entries of the sigmoid of i / 24; with 15 fraction
 * bits. */
static inline int16_t macrame_sigmoid16(const uint16_t* table, int64_t place) {
    const int64_t size = place < 0 ? -place : place;
    const int64_t found = macrame_between16(table, size, 9, (int64_t)0x7fff << 10);
    const int64_t half = 1 << 9;
    return (int16_t)((place >= 0 ? found + half : ((int64_t)1 << 25) - found + half - 1) >> 10);
}

static inline int16_t macrame_tanh16(const uint16_t* table, int64_t place) {
    const int64_t size = place < 0 ? -place : place;
    const int64_t twice = macrame_between16(table, size, 8, (int64_t)0xffff << 8);
    const int64_t one = 1 << 23;
    return (int16_t)((place >= 0 ? twice - one + 128 : one - twice + 127) >> 8);
}

#endif
