#include "macrame_host_internal.h"

static uint8_t compared(int is_less, int is_equal, enum macrame_host_relation relation) {
    switch (relation) {
        case MACRAME_HOST_EQUAL:
            return is_equal != 0;
        case MACRAME_HOST_NOT_EQUAL:
            return is_equal == 0;
        case MACRAME_HOST_LESS:
            return is_less != 0;
        case MACRAME_HOST_LESS_EQUAL:
            break;
    }
    return is_less || is_equal;
}

void macrame_host_compare(void* to, const void* a, const void* b,
                          const struct macrame_host_compare* with) {
    struct macrame_place place;
    uint8_t* out = (uint8_t*)to;
    macrame_start(&place, &with->walk);
    do {
        const uint32_t first = place.at[0], second = place.at[1];
        if (with->type == MACRAME_HOST_FLOAT32) {
            const float x = ((const float*)a)[first], y = ((const float*)b)[second];
            *out++ = compared(x < y, x == y, with->relation);
        } else if (with->type == MACRAME_HOST_INT64) {
            const int64_t x = ((const int64_t*)a)[first], y = ((const int64_t*)b)[second];
            *out++ = compared(x < y, x == y, with->relation);
        } else {
            const int32_t x = macrame_get(a, with->type, first);
            const int32_t y = macrame_get(b, with->type, second);
            *out++ = compared(x < y, x == y, with->relation);
        }
    } while (macrame_next(&place, &with->walk));
}
