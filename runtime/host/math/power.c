#include <math.h>

#include "../macrame_host_internal.h"

void macrame_host_power(void* to, const void* a, const void* b,
                        const struct macrame_host_power* with) {
    struct macrame_place place;
    float* out = (float*)to;
    macrame_start(&place, &with->walk);
    do {
        *out++ = powf(((const float*)a)[place.at[0]], ((const float*)b)[place.at[1]]);
    } while (macrame_next(&place, &with->walk));
}
