#include "macrame_host_internal.h"

void macrame_host_cumsum(void* to, const void* from, const struct macrame_host_cumsum* with) {
    uint32_t i, n;
    for (i = 0; i < with->count; ++i) {
        const uint32_t start = i / with->step * with->step * with->size + i % with->step;
        float real = 0;
        uint64_t whole = 0;
        for (n = 0; n < with->size; ++n) {
            const uint32_t at = start + (with->reverse ? with->size - 1 - n : n) * with->step;
            if (with->type == MACRAME_HOST_FLOAT32) {
                const float next = real + ((const float*)from)[at];
                ((float*)to)[at] = with->exclusive ? real : next;
                real = next;
            } else {
                const uint64_t next = whole + (uint64_t)macrame_get_whole(from, with->type, at);
                macrame_put_low(to, with->type, at, with->exclusive ? whole : next);
                whole = next;
            }
        }
    }
}
