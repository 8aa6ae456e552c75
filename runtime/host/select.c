#include "macrame_host_internal.h"

void macrame_host_select(void* to, const void* condition, const void* a, const void* b,
                         const struct macrame_host_select* with) {
    struct macrame_place place;
    uint8_t* out = (uint8_t*)to;
    uint32_t i;
    macrame_start(&place, &with->walk);
    do {
        const uint8_t* const from = ((const uint8_t*)condition)[place.at[0]] != 0
                                        ? (const uint8_t*)a + place.at[1] * with->size
                                        : (const uint8_t*)b + place.at[2] * with->size;
        for (i = 0; i < with->size; ++i)
            *out++ = from[i];
    } while (macrame_next(&place, &with->walk));
}
