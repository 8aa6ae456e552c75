#include "macrame_host_internal.h"

static uint64_t combined(int64_t a, int64_t b, enum macrame_host_binary_function function) {
    const uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (function) {
        case MACRAME_HOST_ADD:
            return x + y;
        case MACRAME_HOST_SUB:
            return x - y;
        case MACRAME_HOST_MUL:
            return x * y;
        case MACRAME_HOST_MAXIMUM:
            return a < b ? y : x;
        case MACRAME_HOST_MINIMUM:
            return b < a ? y : x;
        default:
            return (x - y) * (x - y);
    }
}

void macrame_host_whole_binary(void* to, const void* a, const void* b,
                               const struct macrame_host_whole_binary* with) {
    struct macrame_place place;
    uint32_t next = 0;
    macrame_start(&place, &with->walk);
    do {
        const int64_t x = macrame_get_whole(a, with->type, place.at[0]);
        const int64_t y = macrame_get_whole(b, with->type, place.at[1]);
        macrame_put_low(to, with->type, next++, combined(x, y, with->function));
    } while (macrame_next(&place, &with->walk));
}
