#include "macrame_host_internal.h"

static float real(const float* from, const struct macrame_host_reduce* with) {
    struct macrame_place place;
    float value = from[0];
    macrame_start(&place, &with->joined);
    while (macrame_next(&place, &with->joined))
        value = macrame_joined(value, from[place.at[0]], with->function);
    return value;
}

static int32_t whole(const void* from, uint32_t start, const struct macrame_host_reduce* with) {
    struct macrame_place place;
    int32_t value = macrame_get(from, with->type, start);
    macrame_start(&place, &with->joined);
    while (macrame_next(&place, &with->joined)) {
        const int32_t other = macrame_get(from, with->type, start + place.at[0]);
        if (with->function == MACRAME_HOST_LARGEST ? other > value : other < value) value = other;
    }
    return value;
}

void macrame_host_reduce(void* to, const void* from, const struct macrame_host_reduce* with) {
    struct macrame_place kept;
    uint32_t i = 0;
    macrame_start(&kept, &with->kept);
    do {
        if (with->type == MACRAME_HOST_FLOAT32)
            ((float*)to)[i] = real((const float*)from + kept.at[0], with);
        else
            macrame_put(to, with->type, i, whole(from, kept.at[0], with));
        ++i;
    } while (macrame_next(&kept, &with->kept));
}
