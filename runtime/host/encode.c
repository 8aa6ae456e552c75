#include "macrame_host_internal.h"

void macrame_host_encode(void* to, const void* from, const struct macrame_host_encode* with) {
    uint8_t* out = (uint8_t*)to;
    uint32_t i, b;
    for (i = 0; i < with->count; ++i) {
        const double scaled = (double)((const float*)from)[i] * with->factor * with->one + 0.5;
        int64_t code = 0; /* of what is no number */
        if (scaled >= (double)with->most)
            code = with->most;
        else if (scaled <= (double)with->least)
            code = with->least;
        else if (scaled == scaled)
            code = (int64_t)scaled - ((double)(int64_t)scaled > scaled ? 1 : 0);
        for (b = 0; b < with->size; ++b)
            *out++ = (uint8_t)(((uint32_t)code & with->mask) >> 8 * b);
    }
}
