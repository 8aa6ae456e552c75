#include "macrame_host_internal.h"

void macrame_host_lookup(void* to, const void* from, const struct macrame_host_lookup* with) {
    uint8_t* out = (uint8_t*)to;
    const uint8_t* const in = (const uint8_t*)from;
    uint32_t i, b;
    if (with->size == 1) {
        for (i = 0; i < with->count; ++i)
            out[i] = with->table[in[i]];
        return;
    }
    for (i = 0; i < with->count; ++i) {
        for (b = 0; b < with->size; ++b)
            *out++ = with->table[in[i] * with->size + b];
    }
}
