#include "macrame_host_internal.h"

void macrame_host_matmul(void* to, const void* a, const void* b,
                         const struct macrame_host_matmul* with) {
    struct macrame_place place;
    uint32_t next = 0, k;
    macrame_start(&place, &with->walk);
    do {
        uint64_t sum = 0;
        for (k = 0; k < with->depth; ++k) {
            const int32_t x =
                macrame_get(a, with->a_type, place.at[0] + k * (uint32_t)with->step_a);
            const int32_t y =
                macrame_get(b, with->b_type, place.at[1] + k * (uint32_t)with->step_b);
            sum += (uint64_t)((int64_t)(x - with->zero_a) * (y - with->zero_b));
        }
        /* Columns are the last axis. */
        macrame_put_scaled(to, next, next, sum, &with->scaling);
        ++next;
    } while (macrame_next(&place, &with->walk));
}
