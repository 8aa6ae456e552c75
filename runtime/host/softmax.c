#include "macrame_host_internal.h"

/* Qn: n integer bits, 31 - n fraction bits and a sign. */
enum { SUM_INTEGER_BITS = 12 };

/* 1 / (1 + a) as Q0 for a in [0, 1) as Q0: three steps of Newton and Raphson. */
static int32_t reciprocal_above_one(int32_t a) {
    const int32_t start = 1515870810, slope = -1010580540; /* 48 / 17 and -32 / 17 as Q2 */
    const int32_t half = (int32_t)(((int64_t)a + INT32_MAX + 1) / 2);
    int32_t x = start + macrame_product(half, slope);
    int i;
    for (i = 0; i < 3; ++i) {
        const int32_t error = (1 << 29) - macrame_product(half, x); /* Q2 */
        x += macrame_shift_left(macrame_product(x, error), 2);
    }
    return macrame_shift_left(x, 1);
}

static void row(void* to, const void* from, uint32_t start,
                const struct macrame_host_softmax* with) {
    const uint32_t end = start + with->size;
    uint64_t total = 0; /* Q12 */
    uint32_t sum, i;
    int32_t largest = macrame_get(from, with->type, start), scale;
    int zeros = 0;
    for (i = start; i < end; ++i) {
        const int32_t value = macrame_get(from, with->type, i);
        if (value > largest) largest = value;
    }
    for (i = start; i < end; ++i) {
        const int32_t part = with->table[largest - macrame_get(from, with->type, i)];
        total += (uint64_t)macrame_shift_right(part, SUM_INTEGER_BITS);
    }
    sum = total > UINT32_MAX ? UINT32_MAX : (uint32_t)total;
    while (zeros < 32 && (sum >> (31 - zeros) & 1U) == 0)
        ++zeros;
    scale = reciprocal_above_one((int32_t)((sum << zeros) & INT32_MAX));
    for (i = start; i < end; ++i) {
        const int32_t part = with->table[largest - macrame_get(from, with->type, i)];
        const int32_t value =
            macrame_shift_right(macrame_product(scale, part), SUM_INTEGER_BITS - zeros + 31 - 8);
        const int64_t limited =
            macrame_clamp((int64_t)value + with->least, with->least, (int64_t)with->least + 255);
        ((uint8_t*)to)[i] = (uint8_t)limited;
    }
}

void macrame_host_softmax(void* to, const void* from, const struct macrame_host_softmax* with) {
    uint32_t i;
    for (i = 0; i < with->rows; ++i)
        row(to, from, i * with->size, with);
}
