#include "macrame_host.h"
#include "macrame_int16.h"

static void row(int16_t* to, const int16_t* from, const struct macrame_host_softmax16* with) {
    int32_t largest = from[0];
    uint32_t sum = 0, i; /* 15 fraction bits */
    int bits = 0;        /* below the first one */
    int64_t place;
    int32_t scale;
    for (i = 1; i < with->size; ++i)
        if (from[i] > largest) largest = from[i];
    for (i = 0; i < with->size; ++i) {
        int32_t part;
        place = (int64_t)macrame_multiply(from[i] - largest, with->factor) + 32767;
        part = macrame_table16(with->exp, (int32_t)macrame_clamp(place, -32768, 32767));
        sum += (uint32_t)part;
        to[i] = (int16_t)part;
    }
    while (bits < 30 && sum >> (bits + 1) != 0)
        ++bits;
    /* The sum over its first one, from 1 to 2 with 16 fraction bits. */
    place = ((((int64_t)sum << (30 - bits)) + (1 << 13)) >> 14) - (1 << 15) - (1 << 16);
    scale = macrame_table16(with->reciprocal, (int32_t)macrame_clamp(place, -32768, 32767));
    for (i = 0; i < with->size; ++i) {
        const int64_t half = bits > 0 ? (int64_t)1 << (bits - 1) : 0;
        const int64_t product = (int64_t)to[i] * scale;
        to[i] = (int16_t)macrame_clamp((product + half) >> bits, 0, 32767);
    }
}

void macrame_host_softmax16(void* to, const void* from, const struct macrame_host_softmax16* with) {
    uint32_t i;
    for (i = 0; i < with->rows; ++i)
        row((int16_t*)to + i * with->size, (const int16_t*)from + i * with->size, with);
}
