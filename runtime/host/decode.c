#include "macrame_host_internal.h"

void macrame_host_decode(void* to, const void* from, const struct macrame_host_decode* with) {
    const uint8_t* in = (const uint8_t*)from;
    const uint32_t sign = with->mask ^ with->mask >> 1; /* the upper bit */
    uint32_t i, b;
    for (i = 0; i < with->count; ++i) {
        uint32_t bits = 0;
        int64_t code;
        for (b = 0; b < with->size; ++b)
            bits |= (uint32_t)*in++ << 8 * b;
        bits &= with->mask;
        code = bits >= sign ? (int64_t)bits - 2 * (int64_t)sign : (int64_t)bits;
        ((float*)to)[i] = (float)((double)code / with->one / with->factor);
    }
}
