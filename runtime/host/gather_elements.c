#include "macrame_host_internal.h"

int macrame_host_gather_elements(void* to, const void* from, const void* indices,
                                 const struct macrame_host_gather_elements* with) {
    struct macrame_place place;
    uint8_t* out = (uint8_t*)to;
    uint32_t next = 0, b;
    macrame_start(&place, &with->walk);
    do {
        const int64_t index = macrame_index(indices, with->index_type, next++, with->length);
        const uint8_t* element;
        if (index < 0) return 1;
        element = (const uint8_t*)from + (place.at[0] + (uint32_t)index * with->along) * with->size;
        for (b = 0; b < with->size; ++b)
            *out++ = element[b];
    } while (macrame_next(&place, &with->walk));
    return 0;
}
