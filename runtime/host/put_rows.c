#include "macrame_host_internal.h"

int macrame_host_put_rows(void* to, const void* from, const void* rows, const void* places,
                          const struct macrame_host_put_rows* with) {
    uint8_t* const out = (uint8_t*)to;
    const uint8_t* in = (const uint8_t*)rows;
    const uint32_t bytes = with->outer * (uint32_t)with->length * with->size;
    uint32_t i, b;
    if (to != from) {
        for (b = 0; b < bytes; ++b)
            out[b] = ((const uint8_t*)from)[b];
    }
    for (i = 0; i < with->outer * with->count; ++i) {
        const int64_t place =
            macrame_index(places, with->index_type, i % with->count, with->length);
        uint8_t* row;
        if (place < 0) return 1;
        row = out + (i / with->count * (uint32_t)with->length + (uint32_t)place) * with->size;
        for (b = 0; b < with->size; ++b)
            row[b] = *in++;
    }
    return 0;
}
